// Vectors of four poses over a type Q that holds four numbers; scalar/quad-inl.h and simd/quad-inl.h define Q and its
// operations. No include guard: the Highway sources include it once per instruction set, each time in another
// namespace.

template <class Q> struct QuadVector { Q x, y, z; };

template <class Q, class T> SKINCELLS_QUAD_INLINE QuadVector<Q> loadVector(const T* from) {
  return {load<Q>(from), load<Q>(from + 4), load<Q>(from + 8)};
}
template <class Q, class T> SKINCELLS_QUAD_INLINE void storeVector(const QuadVector<Q>& v, T* to) {
  store(v.x, to);
  store(v.y, to + 4);
  store(v.z, to + 8);
}
template <class Q> SKINCELLS_QUAD_INLINE QuadVector<Q> minus(const QuadVector<Q>& a, const QuadVector<Q>& b) {
  return {sub(a.x, b.x), sub(a.y, b.y), sub(a.z, b.z)};
}
template <class Q> SKINCELLS_QUAD_INLINE QuadVector<Q> plus(const QuadVector<Q>& a, const QuadVector<Q>& b) {
  return {add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};
}
template <class Q> SKINCELLS_QUAD_INLINE QuadVector<Q> times(const QuadVector<Q>& a, Q s) {
  return {mul(a.x, s), mul(a.y, s), mul(a.z, s)};
}
template <class Q>
SKINCELLS_QUAD_INLINE QuadVector<Q> plusTimes(const QuadVector<Q>& sum, const QuadVector<Q>& a, Q s) {
  return {mulAdd(a.x, s, sum.x), mulAdd(a.y, s, sum.y), mulAdd(a.z, s, sum.z)};
}
template <class Q> SKINCELLS_QUAD_INLINE Q dot(const QuadVector<Q>& a, const QuadVector<Q>& b) {
  return mulAdd(a.x, b.x, mulAdd(a.y, b.y, mul(a.z, b.z)));
}
template <class Q> SKINCELLS_QUAD_INLINE QuadVector<Q> cross(const QuadVector<Q>& a, const QuadVector<Q>& b) {
  return {mulSub(a.y, b.z, mul(a.z, b.y)), mulSub(a.z, b.x, mul(a.x, b.z)), mulSub(a.x, b.y, mul(a.y, b.x))};
}
template <class Q>
SKINCELLS_QUAD_INLINE QuadVector<Q> plusCross(const QuadVector<Q>& sum, const QuadVector<Q>& a,
                                              const QuadVector<Q>& b) {
  return {mulAdd(a.y, b.z, negMulAdd(a.z, b.y, sum.x)), mulAdd(a.z, b.x, negMulAdd(a.x, b.z, sum.y)),
          mulAdd(a.x, b.y, negMulAdd(a.y, b.x, sum.z))};
}
// The unit vector; zero if `a` is zero.
template <class Q> SKINCELLS_QUAD_INLINE QuadVector<Q> unit(const QuadVector<Q>& a) {
  return times(a, inverseRoot(dot(a, a)));
}

// matrix * (x, y, z, 1), the matrix as [column 4][row 3][pose 4].
template <class Q, class T> SKINCELLS_QUAD_INLINE QuadVector<Q> movedBy(const T* matrix, const T* point) {
  const Q x = broadcast<Q>(point[0]), y = broadcast<Q>(point[1]), z = broadcast<Q>(point[2]);
  const auto row = [&](std::size_t i) SKINCELLS_QUAD_ATTR {
    return mulAdd(load<Q>(matrix + i), x,
                  mulAdd(load<Q>(matrix + 12 + i), y, mulAdd(load<Q>(matrix + 24 + i), z, load<Q>(matrix + 36 + i))));
  };
  return {row(0), row(4), row(8)};
}
// The sum of the four numbers.
template <class T, class Q> SKINCELLS_QUAD_INLINE T sumOf(Q q) {
  T lanes[4];
  store(q, lanes);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}
