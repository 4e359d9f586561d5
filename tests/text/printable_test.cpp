#include "text/printable.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace skincells::text {
namespace {

TEST(Printable, LeavesOrdinaryTextAlone) {
  for (const char* text : {"", "a", "mixamorig:Hips",
                           "Kn\xC3\xB6"
                           "chel",
                           "\xE9\xAA\xA8", "\xF0\x9F\xA6\xB4", "a\\x1b"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("\033]0;title\007"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\x0ab\\x0d\\x09c") << "one line";
  EXPECT_EQ(printable(std::string_view("\0\x7F", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\u009b31m")
      << "control sequence introducer";
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "gpj.exe"),
            "\\u202egpj.exe")
      << "right to left";
  EXPECT_EQ(printable("\xE2\x80\xA8"), "\\u2028");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(printable("\xFF"), "\\xff");
  EXPECT_EQ(printable("\x9B"
                      "2J"),
            "\\x9b2J");
  EXPECT_EQ(printable("a\xC3"), "a\\xc3") << "cut off";
  EXPECT_EQ(printable("\xC0\x80"), "\\xc0\\x80") << "too long";
  EXPECT_EQ(printable("\xE0\x82\x9B"), "\\xe0\\x82\\x9b") << "too long";
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xF5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, JsonStaysTheSameDocument) {
  const nlohmann::json document{{"name", "\x7F \xC2\x9B \xE2\x80\xAE \033 ok"}, {"list", {1, 2}}};
  const std::string text = document.dump(2), safe = printableJson(text);
  EXPECT_EQ(nlohmann::json::parse(safe), document);
  EXPECT_EQ(printable(safe.substr(0, 1)), "{");
  for (const char* raw : {"\x7F", "\xC2\x9B", "\xE2\x80\xAE", "\033"}) EXPECT_EQ(safe.find(raw), std::string::npos);
  EXPECT_EQ(std::count(safe.begin(), safe.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
}

} // namespace
} // namespace skincells::text
