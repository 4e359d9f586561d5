// Q of the definitions: four numbers in a plain array. To be included inside a namespace.

template <class T> struct Four {
  using Number = T;
  T v[4];
};

template <class Q> Q load(const typename Q::Number* from) {
  return {{from[0], from[1], from[2], from[3]}};
}
template <class Q> Q broadcast(typename Q::Number value) {
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
template <class T> Four<T> mulSub(const Four<T>& a, const Four<T>& b, const Four<T>& c) {
  return sub(mul(a, b), c);
}
template <class T> Four<T> negMulAdd(const Four<T>& a, const Four<T>& b, const Four<T>& c) {
  return sub(c, mul(a, b));
}
// 1 / sqrt(a), with a finite value at 0.
template <class T> Four<T> inverseRoot(const Four<T>& a) {
  Four<T> out;
  for (int i = 0; i < 4; ++i) out.v[i] = T(1) / std::sqrt(std::max(a.v[i], T(1e-30)));
  return out;
}

#define SKINCELLS_QUAD_INLINE inline
#define SKINCELLS_QUAD_ATTR
#include "kernels/quad-inl.h"

// The twelve numbers of a vector, for operations that do not depend on the axis.
template <class Q> using Twelve = QuadVector<Q>;
template <class Q> QuadVector<Q> loadTwelve(const typename Q::Number* from) {
  return loadVector<Q>(from);
}
template <class Q> void storeTwelve(const QuadVector<Q>& a, typename Q::Number* to) {
  storeVector(a, to);
}
template <class Q> const QuadVector<Q>& byAxis(const QuadVector<Q>& a) {
  return a;
}
