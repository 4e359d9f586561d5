// The scalar definition of the smoothness loops.
#include "kernels/smoothness.h"

#include <algorithm>
#include <cmath>

namespace skincells::kernels::scalar {
namespace {

template <class T> struct Four {
  using Number = T;
  T v[4];
};

template <class Q> Q load(const typename Q::Number* from) {
  return {{from[0], from[1], from[2], from[3]}};
}
template <class Q> Q same(typename Q::Number value) {
  return {{value, value, value, value}};
}
template <class T> void store(const Four<T>& a, T* to) {
  std::copy_n(a.v, 4, to);
}
template <class T> Four<T> add(const Four<T>& a, const Four<T>& b) {
  return {{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}};
}
template <class T> Four<T> sub(const Four<T>& a, const Four<T>& b) {
  return {{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2], a.v[3] - b.v[3]}};
}
template <class T> Four<T> mul(const Four<T>& a, const Four<T>& b) {
  return {{a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2], a.v[3] * b.v[3]}};
}
template <class T> Four<T> mulAdd(const Four<T>& a, const Four<T>& b, const Four<T>& c) {
  return add(mul(a, b), c);
}
template <class T> Four<T> inverseRoot(const Four<T>& a) {
  Four<T> out;
  for (int i = 0; i < 4; ++i) out.v[i] = T(1) / std::sqrt(std::max(a.v[i], T(1e-30)));
  return out;
}

#define HWY_INLINE_OR_PLAIN inline
#include "kernels/smoothness-inl.h"

} // namespace

template <class T>
T smoothnessForces(const SmoothnessViewOf<T>& mesh, std::size_t begin, std::size_t end, const T* posed,
                   const T* lane_weight, T* scratch, T* force) {
  return forcesWith<Four<T>>(mesh, begin, end, posed, lane_weight, scratch, force);
}

template <class T>
void addTransposedLaplacian(const SmoothnessViewOf<T>& mesh, std::size_t begin, std::size_t end, const T* force,
                            T* posed_gradient) {
  transposedWith<Four<T>>(mesh, begin, end, force, posed_gradient);
}

template float smoothnessForces(const SmoothnessViewOf<float>&, std::size_t, std::size_t, const float*, const float*,
                                float*, float*);
template double smoothnessForces(const SmoothnessViewOf<double>&, std::size_t, std::size_t, const double*,
                                 const double*, double*, double*);
template void addTransposedLaplacian(const SmoothnessViewOf<float>&, std::size_t, std::size_t, const float*, float*);
template void addTransposedLaplacian(const SmoothnessViewOf<double>&, std::size_t, std::size_t, const double*, double*);

} // namespace skincells::kernels::scalar
