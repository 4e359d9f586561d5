// Arrays of the caller: any stride, any type of number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "skincells/math.h"
#include "skincells/skincells_c.h"

namespace skincells::capi {

// Reads the numbers of a strided array one by one. Throws if the array makes no sense.
class ArrayReader {
public:
  // width: numbers per element; argument: for messages.
  ArrayReader(const skincells_array& array, std::size_t width, const char* argument);

  std::size_t count() const { return count_; }
  // A number of an element, as a floating-point number.
  double real(std::size_t element, std::size_t k) const;
  // The same as an integer; throws if the array has floating-point numbers.
  std::int64_t integer(std::size_t element, std::size_t k) const;
  // An index below `end`, or -1 where that is allowed; throws for others.
  std::int64_t index(std::size_t element, std::size_t k, std::size_t end, bool none_allowed = false) const;

private:
  const unsigned char* at(std::size_t element, std::size_t k) const;

  const unsigned char* data_ = nullptr;
  std::size_t count_ = 0, number_size_ = 0;
  std::int64_t stride_ = 0;
  std::int32_t type_ = 0;
  const char* argument_;
};

// Three numbers each. Throws if one is not finite.
std::vector<Vec3d> precisePoints(const skincells_array& array, const char* argument);
std::vector<Vec3f> points(const skincells_array& array, const char* argument);
// 16 numbers each, column by column. Throws if the last row is not 0, 0, 0, 1.
std::vector<Affine> matrices(const skincells_array& array, const char* argument);
void toColumns(const Affine& a, double (&out)[16]);

} // namespace skincells::capi
