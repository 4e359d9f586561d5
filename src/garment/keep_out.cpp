#include "garment/keep_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "garment/tuning.h"
#include "mesh/edges.h"
#include "mesh/point_tree.h"
#include "weights/rows_edit.h"

namespace skincells::garment {
namespace {

struct Quality {
  double inside = 0; // % of vertices
  double stretch = 0;
};

class KeepOut {
public:
  KeepOut(const Fitting& fitting, const KeepOutPoses& poses)
      : fitting_(fitting), poses_(poses), edges_(mesh::findEdges(fitting.welded.triangles)) {
    double length_sum = 0;
    for (const mesh::Edge& e : edges_)
      length_sum += length(toDouble(fitting.welded.positions[e.a]) - toDouble(fitting.welded.positions[e.b]));
    const double rings = edges_.empty() ? 0
                                        : kTuning.border / 100 * fitting.size * static_cast<double>(edges_.size()) /
                                              std::max(length_sum, 1e-30);
    rounds_ = static_cast<int>(std::clamp(rings * rings, 3.0, 60.0));
    findSeams();
    const Islands islands = findIslands(fitting.welded);
    island_ = islands.island_of_vertex;
    island_count_ = islands.count;
    cloth_depth_ = depthOf(fitting.cloth.weights);
  }

  Quality judge(const SparseWeights& rows) const {
    return {measurePenetration(fitting_.welded, rows, fitting_.body.mesh, fitting_.body.weights, fitting_.under,
                               poses_.held_out)
                .vertex_percent,
            shapeStatistics(fitting_.welded, rows, poses_.held_out).stretch_p99};
  }

  // Replaces `best` if blends of `start` with the cloth's own guess are better.
  void improve(const SparseWeights& start, double most_stretch, SparseWeights& best, Quality& quality) const {
    std::vector<double> source(start.vertexCount(), 0); // least share of the guess
    const std::vector<char> bends = bendingIslands(start);
    SparseWeights rows = start;
    for (int round = 0; round < kTuning.keep_out_rounds; ++round) {
      const std::vector<float> depth = depthOf(rows);
      bool more = false;
      for (std::size_t v = 0; v < source.size(); ++v) {
        if (source[v] >= 1 || seam_[v] != 0 || bends[island_[v]] == 0 || !(depth[v] > cloth_depth_[v])) continue;
        source[v] = std::min(1.0, source[v] + kTuning.keep_out_step);
        more = true;
      }
      if (!more) return;
      rows = weights::blend(fitting_.cloth.weights, start, spread(source));
      canonicalize(rows, start.slots);
      const Quality now = judge(rows);
      if (now.inside >= quality.inside || now.stretch > most_stretch) continue;
      best = rows;
      quality = now;
    }
  }

private:
  std::vector<float> depthOf(const SparseWeights& rows) const {
    return measurePenetration(fitting_.welded, rows, fitting_.body.mesh, fitting_.body.weights, fitting_.under,
                              poses_.searched)
        .vertex_depth;
  }

  // By island: whether it may bend. Buttons and plates move as one piece, and stay one; large parts are cloth.
  std::vector<char> bendingIslands(const SparseWeights& rows) const {
    std::vector<char> bends(island_count_, 0);
    std::vector<std::size_t> first(island_count_, rows.vertexCount()), count(island_count_, 0);
    for (std::size_t v = 0; v < rows.vertexCount(); ++v) {
      std::size_t& f = first[island_[v]];
      if (f == rows.vertexCount()) f = v;
      ++count[island_[v]];
      const bool large =
          static_cast<double>(count[island_[v]]) > kTuning.large_part * static_cast<double>(rows.vertexCount());
      if (large || !weights::equalRows(weights::rowOf(rows, f), weights::rowOf(rows, v))) bends[island_[v]] = 1;
    }
    return bends;
  }

  void findSeams() {
    std::vector<std::uint32_t> all(fitting_.body.mesh.positions.size());
    std::iota(all.begin(), all.end(), 0U);
    const mesh::PointTree tree(fitting_.body.mesh.positions, all);
    const double tolerance = weldTolerance(fitting_.body.mesh);
    for (const Vec3f& p : fitting_.welded.positions) {
      const Vec3d at = toDouble(p);
      seam_.push_back(length(toDouble(fitting_.body.mesh.positions[tree.nearest(at)]) - at) <= tolerance ? 1 : 0);
    }
  }

  // At least the source, 0 at seams, and falling between and around them.
  std::vector<double> spread(const std::vector<double>& source) const {
    std::vector<double> share = source, sum(source.size()), count(source.size());
    for (int round = 0; round < rounds_; ++round) {
      std::ranges::fill(sum, 0.0);
      std::ranges::fill(count, 0.0);
      for (const mesh::Edge& e : edges_) {
        sum[e.a] += share[e.b];
        sum[e.b] += share[e.a];
        ++count[e.a];
        ++count[e.b];
      }
      for (std::size_t v = 0; v < share.size(); ++v)
        share[v] = seam_[v] != 0 || count[v] == 0 ? source[v] : std::max(source[v], sum[v] / count[v]);
    }
    return share;
  }

  const Fitting& fitting_;
  const KeepOutPoses& poses_;
  std::vector<mesh::Edge> edges_;
  int rounds_ = 0;
  std::vector<char> seam_; // by vertex: a vertex of the body is in the same place
  std::vector<std::uint32_t> island_;
  std::uint32_t island_count_ = 0;
  std::vector<float> cloth_depth_; // of the guess
};

} // namespace

SparseWeights keepOut(const Fitting& fitting, const SparseWeights& rows, const SparseWeights& remade,
                      const KeepOutPoses& poses) {
  const KeepOut work(fitting, poses);
  SparseWeights best = rows;
  Quality quality = work.judge(rows);
  const double most_stretch =
      std::max(kTuning.most_stretch * quality.stretch, work.judge(fitting.cloth.weights).stretch);
  work.improve(rows, most_stretch, best, quality);
  SparseWeights other = remade;
  Quality other_quality = work.judge(remade);
  if (other_quality.stretch > most_stretch) return best;
  work.improve(remade, most_stretch, other, other_quality);
  return other_quality.inside < kTuning.much_better * quality.inside ? other : best;
}

} // namespace skincells::garment
