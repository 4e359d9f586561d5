#include "support/ply_builder.h"

#include <charconv>

namespace skincells::test {

std::string plyHeader(PlyKind kind, const std::vector<std::string>& lines, const std::string& end) {
  static constexpr const char* kFormats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  std::string out = "ply" + end + "format " + kFormats[static_cast<int>(kind)] + " 1.0" + end;
  for (const std::string& line : lines) out += line + end;
  return out + "end_header" + end;
}

PlyBody& PlyBody::end() {
  if (kind_ == PlyKind::Ascii) text_ += '\n';
  return *this;
}

void PlyBody::text(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  if (!text_.empty() && text_.back() != '\n') text_ += ' ';
  text_.append(buffer, result.ptr);
}

std::vector<std::uint8_t> toBytes(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string samplePly(PlyKind kind, int points) {
  const std::string header =
      plyHeader(kind, {"comment made by a test", "element camera 1", "property double focal",
                       "element vertex " + std::to_string(points), "property float x", "property float y",
                       "property uchar label", "property float z", "property list uchar short marks",
                       "obj_info something", "element face 1", "property list uchar int vertex_indices"});
  PlyBody body(kind);
  body.put(0.125).end();
  for (int v = 0; v < points; ++v) {
    body.put(0.25F).put(static_cast<float>(v)).put(static_cast<std::uint8_t>(200 + v)).put(-1.5F);
    body.put(static_cast<std::uint8_t>(v % 3));
    for (int i = 0; i < v % 3; ++i) body.put(static_cast<std::int16_t>(-v));
    body.end();
  }
  body.put(std::uint8_t{4}).put(0).put(1).put(2).put(3).end();
  return header + body.bytes();
}

std::string splatPly(PlyKind kind, int splats, int degree) {
  std::vector<std::string> names{"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2"};
  for (int i = 0; i < 3 * ((degree + 1) * (degree + 1) - 1); ++i) names.push_back("f_rest_" + std::to_string(i));
  for (const char* name : {"opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"})
    names.emplace_back(name);
  std::vector<std::string> lines{"element vertex " + std::to_string(splats)};
  for (const std::string& name : names) lines.push_back("property float " + name);
  PlyBody body(kind);
  for (int v = 0; v < splats; ++v) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto wave = static_cast<float>((static_cast<int>(i) * 37 + v * 11) % 97) / 97.0F - 0.4F;
      body.put(names[i] == "y" ? 0.5F * static_cast<float>(v) : wave);
    }
    body.end();
  }
  return plyHeader(kind, lines) + body.bytes();
}

} // namespace skincells::test
