#include "viz/render/font.h"

#include <string_view>

namespace skincells::render {
namespace {

constexpr char kFirst = ' ', kLast = '~';

// Each glyph is nine rows from the top, each row five dots written as one base-32 digit (0-9, A-V): 'H' is #...#.
constexpr std::string_view kGlyphs[] = {
    "000000000", "444440400", "AA0000000", "AAVAVAA00", "4FKE5U400", "OP248J300", "CIKCLID00", "440000000", // space '
    "248884200", "842224800", "04LEL4000", "044V44000", "00000CC48", "000E00000", "00000CC00", "11248GG00", // ( /
    "EHJLPHE00", "4C4444E00", "EH1248V00", "V2421HE00", "26AIV2200", "VGU11HE00", "68GUHHE00", "V12488800", // 0 7
    "EHHEHHE00", "EHHF12C00", "0CC0CC000", "0CC0CC480", "248G84200", "00V0V0000", "842124800", "EH1240400", // 8 ?
    "EH1DLLE00", "EHHVHHH00", "UHHUHHU00", "EHGGGHE00", "SIHHHIS00", "VGGUGGV00", "VGGUGGG00", "EHGNHHF00", // @ G
    "HHHVHHH00", "E44444E00", "72222IC00", "HIKOKIH00", "GGGGGGV00", "HRLLHHH00", "HHPLJHH00", "EHHHHHE00", // H O
    "UHHUGGG00", "EHHHLID00", "UHHUKIH00", "FGGE11U00", "V44444400", "HHHHHHE00", "HHHHHA400", "HHHLLLA00", // P W
    "HHA4AHH00", "HHHA44400", "V1248GV00", "E88888E00", "GG8421100", "E22222E00", "4AH000000", "0000000V0", // X _
    "840000000", "00E1FHF00", "GGMPHHU00", "00EGGHE00", "11DJHHF00", "00EHVGE00", "698S88800", "00FHHHF1E", // ` g
    "GGMPHHH00", "40C444E00", "2062222IC", "GGIKOKI00", "C44444E00", "00QLLHH00", "00MPHHH00", "00EHHHE00", // h o
    "00UHHHUGG", "00FHHHF11", "00MPGGG00", "00EGE1U00", "88S889600", "00HHHJD00", "00HHHA400", "00HHLLA00", // p w
    "00HA4AH00", "00HHHHF1E", "00V248V00", "644844600", "444444400", "C44244C00", "008L20000",              // x ~
};
static_assert(sizeof(kGlyphs) / sizeof(kGlyphs[0]) == kLast - kFirst + 1);

constexpr int digit(char c) {
  return c <= '9' ? c - '0' : c - 'A' + 10;
}

} // namespace

bool glyphDot(char c, int column, int row) {
  if (column < 0 || column >= kGlyphWidth || row < 0 || row >= kGlyphHeight) return false;
  const std::string_view rows = kGlyphs[(c < kFirst || c > kLast ? '?' : c) - kFirst];
  return ((digit(rows[static_cast<std::size_t>(row)]) >> (kGlyphWidth - 1 - column)) & 1) != 0;
}

} // namespace skincells::render
