#include "io/ply/splat_layout.h"

namespace skincells::io {
namespace {

constexpr std::size_t kColors = 3, kMaxHarmonics = 64;

// The properties PREFIX0, PREFIX1, ..., at most `most`.
std::vector<int> numbered(const PlyFile& file, const std::string& prefix, std::size_t most) {
  std::vector<int> out;
  for (std::size_t i = 0; i < most; ++i) {
    const int property = file.find(prefix + std::to_string(i));
    if (property < 0) break;
    out.push_back(property);
  }
  return out;
}

// The degree whose coefficients, without the constant, have this number of properties; -1: none.
int degreeOf(std::size_t properties) {
  for (std::size_t degree = 0; degree <= 3; ++degree)
    if (properties == kColors * ((degree + 1) * (degree + 1) - 1)) return static_cast<int>(degree);
  return -1;
}

} // namespace

SplatLayout findSplatLayout(const PlyFile& file) {
  SplatLayout layout;
  for (const char* name : {"nx", "ny", "nz"})
    if (const int property = file.find(name); property >= 0) layout.normal.push_back(property);
  if (layout.normal.size() != 3) layout.normal.clear();
  layout.scale = numbered(file, "scale_", 3);
  if (layout.scale.size() != 3) layout.scale.clear();
  layout.rotation = numbered(file, "rot_", 4);
  if (layout.rotation.size() != 4) layout.rotation.clear();
  if (!layout.isSplat()) return layout;
  layout.harmonics = numbered(file, "f_rest_", kMaxHarmonics);
  layout.degree = degreeOf(layout.harmonics.size());
  if (layout.degree < 0) {
    layout.degree = 0;
    layout.harmonics.clear();
  }
  return layout;
}

std::optional<Warning> oddHarmonics(const PlyFile& file) {
  const std::size_t count = numbered(file, "f_rest_", kMaxHarmonics).size();
  if (degreeOf(count) >= 0) return std::nullopt;
  return Warning{
      "ply.harmonics",
      "has " + std::to_string(count) +
          " properties f_rest_; 0, 9, 24 or 45 were expected. They are kept, but not rotated with the splats",
      file.name()};
}

} // namespace skincells::io
