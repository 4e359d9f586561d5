// PLY files built from header lines and numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace skincells::test {

enum class PlyKind { Ascii, Little, Big };

// "ply", the format and `lines`, then "end_header".
std::string plyHeader(PlyKind kind, const std::vector<std::string>& lines, const std::string& end = "\n");

// A body written number by number.
class PlyBody {
public:
  explicit PlyBody(PlyKind kind) : kind_(kind) {}
  template <class T> PlyBody& put(T value) {
    if (kind_ == PlyKind::Ascii) {
      text(static_cast<double>(value));
      return *this;
    }
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t i = 0; i < sizeof value; ++i)
      text_ += bytes[(kind_ == PlyKind::Big) == (std::endian::native == std::endian::big) ? i : sizeof value - 1 - i];
    return *this;
  }
  // Ends a row, with a line end in text files.
  PlyBody& end();
  const std::string& bytes() const { return text_; }

private:
  void text(double value);

  PlyKind kind_;
  std::string text_;
};

std::vector<std::uint8_t> toBytes(const std::string& text);

// Points along y with a byte `label`, a list and a face element; the same content in every format.
std::string samplePly(PlyKind kind, int points = 5);
// Splats with harmonics of this degree, 0.5 apart along y, with all numbers different.
std::string splatPly(PlyKind kind, int splats, int degree);

} // namespace skincells::test
