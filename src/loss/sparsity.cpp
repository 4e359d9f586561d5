#include "loss/sparsity.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include "deform/lbs_gradient.h"

namespace skincells::loss {
namespace {

// Whether the part of row v beyond its k largest weights is too small to matter. In float32 a tail of 1e-5 moves a
// vertex by 0.002 cm at most; the definition in float64 leaves nothing out.
template <class T> bool hasNoTail(const weights::WeightRowsOf<T>& rows, std::size_t v, std::size_t k) {
  if (rows.count[v] <= k) return true;
  if constexpr (std::is_same_v<T, double>) return false;
  std::array<T, kMaxInfluences> largest{};
  T sum = 0;
  for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
    T w = rows.weight[e];
    sum += w;
    for (std::size_t i = 0; i < k; ++i)
      if (w > largest[i]) std::swap(w, largest[i]);
  }
  for (T w : largest) sum -= w;
  return sum < T(1e-5);
}

// The entries of row v with the k largest weights (ties: lower joint first).
template <class T>
void largestEntries(const weights::WeightRowsOf<T>& rows, std::size_t v, std::size_t k, std::vector<std::size_t>& out) {
  out.clear();
  const auto before = [&](std::size_t a, std::size_t b) {
    return rows.weight[a] != rows.weight[b] ? rows.weight[a] > rows.weight[b] : rows.joint[a] < rows.joint[b];
  };
  for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
    if (out.size() == k && !before(e, out.back())) continue;
    if (out.size() == k) out.pop_back();
    out.insert(std::upper_bound(out.begin(), out.end(), e, before), e);
  }
}

} // namespace

template <class T>
T addSparsity(const weights::WeightRowsOf<T>& rows, int max_influences, std::size_t begin, std::size_t end,
              const T* rest, const T* matrices, const T* posed, const T* lane_weight, T* posed_gradient,
              T* weight_gradient) {
  using Moved = std::array<T, kernels::kQuadVector>;
  const auto k = static_cast<std::size_t>(max_influences);
  std::vector<std::size_t> kept;
  std::vector<Moved> moved(k);
  T value = 0;
  for (std::size_t v = begin; v < end; ++v) {
    if (hasNoTail(rows, v, k)) continue;
    largestEntries(rows, v, k, kept);
    T sum = 0;
    Moved blend{}, force;
    for (std::size_t i = 0; i < k; ++i) {
      const T w = rows.weight[kept[i]];
      moved[i] = deform::movedBy(matrices + kernels::kQuadMatrix * rows.joint[kept[i]], rest + 3 * v);
      for (std::size_t c = 0; c < blend.size(); ++c) blend[c] += w * moved[i][c];
      sum += w;
    }
    for (std::size_t c = 0; c < blend.size(); ++c) {
      blend[c] /= sum;
      const T off = posed[v * blend.size() + c] - blend[c], weight = lane_weight[c % kernels::kQuad];
      value += weight * off * off;
      force[c] = 2 * weight * off;
      posed_gradient[v * blend.size() + c] += force[c];
    }
    for (std::size_t i = 0; i < k; ++i) {
      T along = 0;
      for (std::size_t c = 0; c < blend.size(); ++c) along += force[c] * (moved[i][c] - blend[c]);
      weight_gradient[kept[i]] -= along / sum;
    }
  }
  return value;
}

template float addSparsity(const weights::WeightRowsOf<float>&, int, std::size_t, std::size_t, const float*,
                           const float*, const float*, const float*, float*, float*);
template double addSparsity(const weights::WeightRowsOf<double>&, int, std::size_t, std::size_t, const double*,
                            const double*, const double*, const double*, double*, double*);

} // namespace skincells::loss
