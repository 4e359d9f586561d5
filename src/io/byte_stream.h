// Little-endian numbers to and from bytes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skincells::io {

static_assert(std::endian::native == std::endian::little, "glTF buffers and field files are copied byte by byte");

class ByteWriter {
public:
  template <class T> void put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    const auto raw = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  void putText(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  template <class T> void putAll(const std::vector<T>& values) {
    for (const T& v : values) put(v);
  }
  // Zeros up to a multiple of `size`.
  void align(std::size_t size) { bytes_.resize((bytes_.size() + size - 1) / size * size); }

  std::size_t size() const { return bytes_.size(); }
  std::vector<std::uint8_t>& bytes() { return bytes_; }

private:
  std::vector<std::uint8_t> bytes_;
};

// Once a read goes past the end, `ok` is false and all reads return zeros.
class ByteReader {
public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class T> T get() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    if (!has(sizeof(T))) return value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string_view text(std::size_t length) {
    if (!has(length)) return {};
    const std::string_view out(reinterpret_cast<const char*>(bytes_.data()) + at_, length);
    at_ += length;
    return out;
  }
  // `count` numbers; none if fewer are left, so that a damaged count allocates no memory.
  template <class T> std::vector<T> list(std::size_t count) {
    std::vector<T> out;
    if (count > left() / sizeof(T)) {
      ok_ = false;
      return out;
    }
    out.resize(count);
    if (count > 0) std::memcpy(out.data(), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
    return out;
  }
  void align(std::size_t size) {
    while (at_ % size != 0 && has(1)) ++at_;
  }

  bool ok() const { return ok_; }
  std::size_t left() const { return bytes_.size() - at_; }

private:
  bool has(std::size_t count) { return ok_ = ok_ && count <= left(); }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

} // namespace skincells::io
