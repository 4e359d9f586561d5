// The loops of row_terms.h over a type Q of four numbers side by side (quad-inl.h). Included by the scalar definition
// and by the Highway version once per instruction set; hence no include guard, and a namespace that the includer opens.

template <class Q, class T>
HWY_INLINE_OR_PLAIN T springsWith(const SpringViewOf<T>& springs, std::size_t begin, std::size_t end, const T* posed,
                                  const T* matrices, const T* lane_weight, T* posed_gradient) {
  const Q weight = load<Q>(lane_weight), twice = add(weight, weight);
  Q value = same<Q>(T(0));
  for (std::size_t v = begin; v < end; ++v)
    for (std::size_t s = springs.begin[v]; s < springs.begin[v + 1]; ++s) {
      const T* numbers = springs.numbers + kSpringNumbers * s;
      const QuadVector<Q> anchor = movedBy<Q>(matrices + kQuadMatrix * springs.joint[s], numbers);
      const QuadVector<Q> off = minus(loadVector<Q>(posed + kQuadVector * v), anchor);
      const Q squared = inner(off, off), inverse_length = inverseRoot(squared), inverse = same<Q>(numbers[4]);
      const Q stretch = mul(sub(mul(squared, inverse_length), same<Q>(numbers[3])), inverse);
      value = mulAdd(weight, mul(stretch, stretch), value);
      const Q pull = mul(mul(twice, stretch), mul(inverse, inverse_length));
      T* gradient = posed_gradient + kQuadVector * v;
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

template <class T> HWY_INLINE_OR_PLAIN void putEntry(const RowViewOf<T>& rows, std::size_t e, LargestEntries<T>& out) {
  std::size_t i = out.count - 1; // the last one has been taken out, or is free
  const T w = rows.weight[e];
  for (; i > 0 && (w > out.weight[i - 1] || (w == out.weight[i - 1] && rows.joint[e] < rows.joint[out.entry[i - 1]]));
       --i)
    out.weight[i] = out.weight[i - 1], out.entry[i] = out.entry[i - 1];
  out.weight[i] = w, out.entry[i] = e;
}

template <class T>
HWY_INLINE_OR_PLAIN LargestEntries<T> largestEntries(const RowViewOf<T>& rows, std::size_t v, std::size_t most) {
  LargestEntries<T> out;
  for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
    const T w = rows.weight[e];
    if (out.count < most) {
      ++out.count;
      putEntry(rows, e, out);
      continue;
    }
    const T least = out.weight[most - 1];
    if (w < least || (w == least && rows.joint[e] > rows.joint[out.entry[most - 1]])) {
      out.tail += w;
      continue;
    }
    out.tail += least;
    putEntry(rows, e, out);
  }
  return out;
}

template <class Q, class T>
HWY_INLINE_OR_PLAIN Q tailOf(const RowViewOf<T>& rows, const LargestEntries<T>& largest, std::size_t v, const T* rest,
                             const T* matrices, const T* posed, Q weight, T* posed_gradient, T* weight_gradient) {
  const Q zero = same<Q>(T(0));
  QuadVector<Q> moved[8], blend = {zero, zero, zero};
  T sum = 0;
  for (std::size_t i = 0; i < largest.count; ++i) {
    moved[i] = movedBy<Q>(matrices + kQuadMatrix * rows.joint[largest.entry[i]], rest + 3 * v);
    blend = plusTimes(blend, moved[i], same<Q>(largest.weight[i]));
    sum += largest.weight[i];
  }
  blend = times(blend, same<Q>(T(1) / sum));
  const QuadVector<Q> off = minus(loadVector<Q>(posed + kQuadVector * v), blend);
  const QuadVector<Q> force = times(off, add(weight, weight));
  T* gradient = posed_gradient + kQuadVector * v;
  storeVector(plus(loadVector<Q>(gradient), force), gradient);
  for (std::size_t i = 0; i < largest.count; ++i)
    weight_gradient[largest.entry[i]] -= sumOf<T>(inner(force, minus(moved[i], blend))) / sum;
  return mul(weight, inner(off, off));
}

template <class Q, class T>
HWY_INLINE_OR_PLAIN T tailsWith(const RowViewOf<T>& rows, std::size_t most, T least_tail, std::size_t begin,
                                std::size_t end, const T* rest, const T* matrices, const T* posed, const T* lane_weight,
                                T* posed_gradient, T* weight_gradient) {
  const Q weight = load<Q>(lane_weight);
  Q value = same<Q>(T(0));
  for (std::size_t v = begin; v < end; ++v) {
    if (rows.count[v] <= most) continue;
    const LargestEntries<T> largest = largestEntries(rows, v, most);
    if (largest.tail > least_tail)
      value = add(value, tailOf<Q>(rows, largest, v, rest, matrices, posed, weight, posed_gradient, weight_gradient));
  }
  return sumOf<T>(value);
}
