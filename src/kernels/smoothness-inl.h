// The smoothness loops over a type Q that holds four numbers (quad-inl.h). The definition includes this file once, the
// Highway version once per instruction set, each time in another namespace; hence no include guard.

// Of the edges from a posed vertex to its neighbors: the mean, the area-weighted normal and the reference edge.
template <class Q> struct PosedRing { QuadVector<Q> mean, normal, edge; };

template <class Q, class T>
SKINCELLS_QUAD_INLINE PosedRing<Q> posedRing(const SmoothnessView<T>& mesh, std::size_t v, const T* posed, T* scratch) {
  const std::uint32_t* ring = mesh.ring + mesh.ring_begin[v];
  const std::size_t degree = mesh.ring_begin[v + 1] - mesh.ring_begin[v];
  const Twelve<Q> x = loadTwelve<Q>(posed + 12 * v);
  Twelve<Q> sum = minus(x, x);
  for (std::size_t k = 0; k < degree; ++k) {
    const Twelve<Q> edge = minus(loadTwelve<Q>(posed + 12 * std::size_t{ring[k]}), x);
    storeTwelve(edge, scratch + 12 * k);
    sum = plus(sum, edge);
  }
  const Q zero = broadcast<Q>(T(0));
  QuadVector<Q> normal = {zero, zero, zero};
  for (std::size_t f = mesh.fan_begin[v]; f < mesh.fan_begin[v + 1]; ++f)
    normal = plusCross(normal, loadVector<Q>(scratch + 12 * std::size_t{mesh.fan[2 * f]}),
                       loadVector<Q>(scratch + 12 * std::size_t{mesh.fan[2 * f + 1]}));
  return {times(byAxis(sum), broadcast<Q>(mesh.inverse_degree[v])), normal,
          loadVector<Q>(scratch + 12 * std::size_t{mesh.reference[v]})};
}

// mean - frame * detail, with the frame spanned by the normal and the edge.
template <class Q>
SKINCELLS_QUAD_INLINE QuadVector<Q> residualOf(const PosedRing<Q>& ring, const QuadVector<Q>& detail) {
  const QuadVector<Q> n = unit(ring.normal);
  const QuadVector<Q> t = unit(minus(ring.edge, times(n, dot(ring.edge, n))));
  return minus(ring.mean, plusTimes(plusTimes(times(n, detail.z), cross(n, t), detail.y), t, detail.x));
}

template <class Q, class T>
SKINCELLS_QUAD_INLINE QuadVector<Q> restDetail(const SmoothnessView<T>& mesh, std::size_t v) {
  const T* detail = mesh.rest_detail + 3 * v;
  return {broadcast<Q>(detail[0]), broadcast<Q>(detail[1]), broadcast<Q>(detail[2])};
}

template <class Q, class T>
SKINCELLS_QUAD_INLINE T forcesWith(const SmoothnessView<T>& mesh, const QuadRange<T>& range, const T* lane_weight,
                                   T* scratch) {
  const Q weight = load<Q>(lane_weight), twice = add(weight, weight), zero = broadcast<Q>(T(0));
  Q sum = zero;
  for (std::size_t v = range.begin; v < range.end; ++v) {
    if (mesh.reference[v] == kNoFrame) {
      storeVector(QuadVector<Q>{zero, zero, zero}, range.force + 12 * v);
      continue;
    }
    const QuadVector<Q> r = residualOf(posedRing<Q>(mesh, v, range.posed, scratch), restDetail<Q>(mesh, v));
    sum = mulAdd(weight, dot(r, r), sum);
    storeVector(times(r, twice), range.force + 12 * v);
  }
  return sumOf<T>(sum);
}

// One-rings are symmetric, so the transposed Laplacian gathers: -f_v + sum over neighbors of f_i / degree_i.
template <class Q, class T>
SKINCELLS_QUAD_INLINE void transposedWith(const SmoothnessView<T>& mesh, const QuadRange<T>& range) {
  const T* force = range.force;
  for (std::size_t v = range.begin; v < range.end; ++v) {
    const Twelve<Q> own = loadTwelve<Q>(force + 12 * v);
    Twelve<Q> sum = minus(minus(own, own), own);
    for (std::size_t k = mesh.ring_begin[v]; k < mesh.ring_begin[v + 1]; ++k) {
      const std::size_t i = mesh.ring[k];
      sum = plusTimes(sum, loadTwelve<Q>(force + 12 * i), broadcast<Q>(mesh.inverse_degree[i]));
    }
    storeTwelve(sum, range.posed_gradient + 12 * v);
  }
}
