#include "capi/arrays.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "capi/context.h"

namespace skincells::capi {
namespace {

constexpr std::size_t kSizes[] = {4, 8, 1, 2, 4, 8, 4, 8}; // by SKINCELLS_F32, ...

template <class T> T load(const unsigned char* from) {
  T value;
  std::memcpy(&value, from, sizeof value); // may be unaligned
  return value;
}

std::string placeOf(const char* argument, std::size_t element) {
  return std::string(argument) + "[" + std::to_string(element) + "]";
}

} // namespace

ArrayReader::ArrayReader(const skincells_array& array, std::size_t width, const char* argument)
    : data_(static_cast<const unsigned char*>(array.data)), count_(array.count), stride_(array.stride),
      type_(array.type), argument_(argument) {
  if (count_ == 0) return;
  if (data_ == nullptr) failArgument("its data is a null pointer, but its count is not 0", argument);
  if (type_ < SKINCELLS_F32 || type_ > SKINCELLS_I64)
    failArgument("its type " + std::to_string(type_) + " is none of SKINCELLS_F32 .. SKINCELLS_I64", argument);
  number_size_ = kSizes[type_];
  const auto element = static_cast<std::int64_t>(number_size_ * width);
  if (stride_ == 0) stride_ = element;
  if (stride_ > -element && stride_ < element && count_ > 1)
    failArgument("its stride of " + std::to_string(stride_) + " bytes is less than an element of " +
                     std::to_string(element) + " bytes",
                 argument);
  if (count_ > std::numeric_limits<std::uint32_t>::max())
    throw Failure(SKINCELLS_TOO_LARGE, "there are more than 2^32 - 1 elements; split the mesh", argument);
}

const unsigned char* ArrayReader::at(std::size_t element, std::size_t k) const {
  return data_ + static_cast<std::int64_t>(element) * stride_ + k * number_size_;
}

double ArrayReader::real(std::size_t element, std::size_t k) const {
  if (type_ == SKINCELLS_F32) return static_cast<double>(load<float>(at(element, k)));
  if (type_ == SKINCELLS_F64) return load<double>(at(element, k));
  return static_cast<double>(integer(element, k));
}

std::int64_t ArrayReader::integer(std::size_t element, std::size_t k) const {
  const unsigned char* from = at(element, k);
  switch (type_) {
  case SKINCELLS_U8:
    return *from;
  case SKINCELLS_U16:
    return load<std::uint16_t>(from);
  case SKINCELLS_U32:
    return load<std::uint32_t>(from);
  case SKINCELLS_U64: {
    const auto value = load<std::uint64_t>(from);
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return value > kLargest ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(value);
  }
  case SKINCELLS_I32:
    return load<std::int32_t>(from);
  case SKINCELLS_I64:
    return load<std::int64_t>(from);
  default:
    failArgument("it must have integers", argument_);
  }
}

std::int64_t ArrayReader::index(std::size_t element, std::size_t k, std::size_t end, bool none_allowed) const {
  const std::int64_t value = integer(element, k);
  if (value >= 0 && static_cast<std::size_t>(value) < end) return value;
  if (none_allowed && value == -1) return value;
  throw Failure(SKINCELLS_INVALID_FILE,
                "the index " + std::to_string(value) + " is out of range: there are " + std::to_string(end) +
                    (none_allowed ? ", and -1 for none" : ""),
                placeOf(argument_, element));
}

std::vector<Vec3d> precisePoints(const skincells_array& array, const char* argument) {
  const ArrayReader reader(array, 3, argument);
  std::vector<Vec3d> out(reader.count());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = {reader.real(i, 0), reader.real(i, 1), reader.real(i, 2)};
    if (!isFinite(toFloat(out[i])))
      throw Failure(SKINCELLS_INVALID_FILE, "it is not finite; repair or remove it", placeOf(argument, i));
  }
  return out;
}

std::vector<Vec3f> points(const skincells_array& array, const char* argument) {
  std::vector<Vec3f> out;
  for (const Vec3d& p : precisePoints(array, argument)) out.push_back(toFloat(p));
  return out;
}

std::vector<Affine> matrices(const skincells_array& array, const char* argument) {
  const ArrayReader reader(array, 16, argument);
  std::vector<Affine> out(reader.count());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t column = 0; column < 4; ++column) {
      for (std::size_t row = 0; row < 3; ++row) out[i].m[row][column] = reader.real(i, column * 4 + row);
      if (reader.real(i, column * 4 + 3) != (column == 3 ? 1.0 : 0.0))
        throw Failure(SKINCELLS_INVALID_FILE,
                      "the last row of the matrix is not 0, 0, 0, 1; matrices are given column by column",
                      placeOf(argument, i));
    }
    if (!out[i].isFinite())
      throw Failure(SKINCELLS_INVALID_FILE, "the matrix is not finite; repair the skeleton", placeOf(argument, i));
  }
  return out;
}

void toColumns(const Affine& a, double (&out)[16]) {
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 3; ++row) out[column * 4 + row] = a.m[row][column];
    out[column * 4 + 3] = column == 3 ? 1 : 0;
  }
}

} // namespace skincells::capi
