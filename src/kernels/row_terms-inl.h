// The location and sparsity loops over a type Q that holds four numbers (quad-inl.h). The definition includes this file
// once, the Highway version once per instruction set, each time in another namespace; hence no include guard.

template <class Q, class T>
SKINCELLS_QUAD_INLINE T springsWith(const SpringView<T>& springs, const QuadRange<T>& range, const T* lane_weight) {
  const Q weight = load<Q>(lane_weight), twice = add(weight, weight);
  Q value = broadcast<Q>(T(0));
  for (std::size_t v = range.begin; v < range.end; ++v)
    for (std::size_t s = springs.begin[v]; s < springs.begin[v + 1]; ++s) {
      const T* numbers = springs.numbers + kSpringNumbers * s;
      const QuadVector<Q> anchor = movedBy<Q>(range.matrices + kQuadMatrix * springs.joint[s], numbers);
      const QuadVector<Q> off = minus(loadVector<Q>(range.posed + kQuadVector * v), anchor);
      const Q squared = dot(off, off), inverse_length = inverseRoot(squared), inverse = broadcast<Q>(numbers[4]);
      const Q stretch = mul(sub(mul(squared, inverse_length), broadcast<Q>(numbers[3])), inverse);
      value = mulAdd(weight, mul(stretch, stretch), value);
      const Q pull = mul(mul(twice, stretch), mul(inverse, inverse_length));
      T* gradient = range.posed_gradient + kQuadVector * v;
      storeVector(plusTimes(loadVector<Q>(gradient), off, pull), gradient);
    }
  return sumOf<T>(value);
}

// The largest weights of a row, largest first.
template <class T> struct LargestEntries {
  std::size_t entry[8] = {};
  T weight[8] = {};
  std::size_t count = 0;
  T tail = 0; // the sum of the others
};

template <class T> SKINCELLS_QUAD_INLINE void putEntry(const RowView<T>& rows, std::size_t e, LargestEntries<T>& out) {
  std::size_t i = out.count - 1; // the last place is free, or its entry drops out
  const T w = rows.weight[e];
  for (; i > 0 && (w > out.weight[i - 1] || (w == out.weight[i - 1] && rows.joint[e] < rows.joint[out.entry[i - 1]]));
       --i) {
    out.weight[i] = out.weight[i - 1];
    out.entry[i] = out.entry[i - 1];
  }
  out.weight[i] = w;
  out.entry[i] = e;
}

template <class T>
SKINCELLS_QUAD_INLINE LargestEntries<T> largestEntries(const RowView<T>& rows, std::size_t v, std::size_t count) {
  LargestEntries<T> out;
  for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
    const T w = rows.weight[e];
    if (out.count < count) {
      ++out.count;
      putEntry(rows, e, out);
      continue;
    }
    const T least = out.weight[count - 1];
    if (w < least || (w == least && rows.joint[e] > rows.joint[out.entry[count - 1]])) {
      out.tail += w;
      continue;
    }
    out.tail += least;
    putEntry(rows, e, out);
  }
  return out;
}

template <class Q, class T>
SKINCELLS_QUAD_INLINE Q tailOf(const QuadRange<T>& range, const LargestEntries<T>& largest, std::size_t v, Q weight) {
  const Q zero = broadcast<Q>(T(0));
  QuadVector<Q> moved[8], blend = {zero, zero, zero};
  T sum = 0;
  for (std::size_t i = 0; i < largest.count; ++i) {
    moved[i] = movedBy<Q>(range.matrices + kQuadMatrix * range.rows.joint[largest.entry[i]], range.rest + 3 * v);
    blend = plusTimes(blend, moved[i], broadcast<Q>(largest.weight[i]));
    sum += largest.weight[i];
  }
  blend = times(blend, broadcast<Q>(T(1) / sum));
  const QuadVector<Q> off = minus(loadVector<Q>(range.posed + kQuadVector * v), blend);
  const QuadVector<Q> force = times(off, add(weight, weight));
  T* gradient = range.posed_gradient + kQuadVector * v;
  storeVector(plus(loadVector<Q>(gradient), force), gradient);
  for (std::size_t i = 0; i < largest.count; ++i)
    range.weight_gradient[largest.entry[i]] -= sumOf<T>(dot(force, minus(moved[i], blend))) / sum;
  return mul(weight, dot(off, off));
}

template <class Q, class T>
SKINCELLS_QUAD_INLINE T tailsWith(const TailLimits<T>& limits, const QuadRange<T>& range, const T* lane_weight) {
  const Q weight = load<Q>(lane_weight);
  Q value = broadcast<Q>(T(0));
  for (std::size_t v = range.begin; v < range.end; ++v) {
    if (range.rows.count[v] <= limits.max_influences) continue;
    const LargestEntries<T> largest = largestEntries(range.rows, v, limits.max_influences);
    if (largest.tail > limits.min_tail) value = add(value, tailOf<Q>(range, largest, v, weight));
  }
  return sumOf<T>(value);
}
