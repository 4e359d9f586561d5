#include "levels/level_weights.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "base/parallel.h"
#include "deform/lbs.h"
#include "levels/row_solve.h"
#include "mesh/corner_list.h"
#include "mesh/surface_measure.h"
#include "weights/rows_edit.h"

namespace skincells::levels {
namespace {

constexpr std::size_t kMostSamples = 50000; // more samples of level 0 do not improve the fit
constexpr double kTangentialWeight = 0.25;  // weight of distances along the surface, relative to those along its normal
constexpr double kStartWeight = 1e-3;       // weight of the distance to the initial row, relative to the mean square
constexpr double kRegularization = 1e-9;    // relative to the trace: joints that move alike share the weight
constexpr int kSweeps = 5;
constexpr std::size_t kChunk = 64;

using Values = std::array<double, kMostCandidates>;

// A symmetric 3 x 3 matrix.
struct Symmetric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  // Adds `scale` times a squared distance, whose tangential part (perpendicular to n) counts `tangential` times.
  void add(double scale, const Vec3d& n, double tangential) {
    const double both = scale * tangential, normal = scale - both;
    xx += both + normal * n.x * n.x;
    xy += normal * n.x * n.y;
    xz += normal * n.x * n.z;
    yy += both + normal * n.y * n.y;
    yz += normal * n.y * n.z;
    zz += both + normal * n.z * n.z;
  }
  Vec3d times(const Vec3d& v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
  }
};

// The joints that a vertex may use, those of its row first, and its weights for them.
struct Row {
  std::size_t count = 0;
  std::array<std::uint16_t, kMostCandidates> joints{};
  Values weights{};
};

double trace(const RowProblem& problem) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.count; ++i) sum += problem.g[i][i];
  return sum;
}

// Makes the problem solvable even if no joint moves.
void regularize(RowProblem& problem) {
  const double added = kRegularization * trace(problem) + static_cast<double>(std::numeric_limits<float>::min());
  for (std::size_t i = 0; i < problem.count; ++i) problem.g[i][i] += added;
}

// Vertices by color: vertices of the same color share no triangle.
std::vector<std::vector<std::uint32_t>> colorVertices(const LevelShape& shape) {
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  const mesh::CornerList around(shape.triangles, shape.vertices.size());
  std::vector<std::vector<std::uint32_t>> out;
  std::vector<std::size_t> color_of(shape.vertices.size(), kNone);
  std::vector<std::uint32_t> taken_by; // by color: the last vertex that must not use it
  for (std::uint32_t v = 0; v < shape.vertices.size(); ++v) {
    for (const mesh::CornerList::Corner& c : around[v])
      for (const std::uint32_t other : shape.triangles[c.triangle])
        if (color_of[other] != kNone) taken_by[color_of[other]] = v;
    std::size_t color = 0;
    while (color < taken_by.size() && taken_by[color] == v) ++color;
    if (color == taken_by.size()) {
      taken_by.push_back(std::numeric_limits<std::uint32_t>::max());
      out.emplace_back();
    }
    color_of[v] = color;
    out[color].push_back(v);
  }
  return out;
}

// The samples around each vertex: the "triangles" of the list are samples.
mesh::CornerList samplesAround(const LevelShape& shape, std::span<const LevelSample> samples) {
  std::vector<Triangle> corners;
  for (const LevelSample& s : samples) corners.push_back(shape.triangles[s.triangle]);
  return {corners, shape.vertices.size()};
}

// The data that all fits of a level share.
class Problem {
public:
  Problem(const LevelShape& shape, const SparseWeights& full, const SparseWeights& allowed,
          const std::vector<Pose>& poses, int max_influences)
      : shape_(shape), full_(full), allowed_(allowed), poses_(poses), most_(static_cast<std::size_t>(max_influences)),
        samples_(sampleLevel(shape, kMostSamples)), samples_of_vertex_(samplesAround(shape, samples_)) {
    poseSamples();
    findPieces();
  }

  const LevelShape& shape() const { return shape_; }
  std::size_t vertexCount() const { return shape_.vertices.size(); }
  std::size_t poseCount() const { return poses_.size(); }
  std::size_t most() const { return most_; }
  bool inPiece(std::uint32_t v) const { return in_piece_[v]; }

  std::size_t at(std::size_t element, std::size_t p) const { return element * poses_.size() + p; }
  Vec3d placed(const Row& row, std::size_t k, std::uint32_t v, std::size_t p) const {
    return poses_[p][row.joints[k]].apply(shape_.position(v));
  }

  // The posed positions of a vertex with this row.
  void pose(const Row& row, std::uint32_t v, std::vector<Vec3d>& posed) const {
    for (std::size_t p = 0; p < poses_.size(); ++p) {
      Vec3d sum;
      for (std::size_t k = 0; k < row.count; ++k)
        if (row.weights[k] > 0) sum += placed(row, k, v, p) * row.weights[k];
      posed[at(v, p)] = sum;
    }
  }

  // Adds the cost of moving a vertex away from `now` in a pose, given as a quadratic form and a slope.
  void addPose(const Row& row, std::uint32_t v, std::size_t p, const Vec3d& now, const Symmetric& form,
               const Vec3d& slope, RowProblem& problem) const {
    std::array<Vec3d, kMostCandidates> offset, product;
    for (std::size_t k = 0; k < problem.count; ++k) {
      offset[k] = placed(row, k, v, p) - now;
      product[k] = form.times(offset[k]);
      problem.h[k] += dot(offset[k], slope);
    }
    for (std::size_t i = 0; i < problem.count; ++i)
      for (std::size_t j = 0; j < problem.count; ++j) problem.g[i][j] += dot(offset[i], product[j]);
  }

  // Adds the distances of the samples around a vertex to the posed level.
  void addSamples(std::uint32_t v, std::size_t p, const std::vector<Vec3d>& posed, double geometry, Symmetric& form,
                  Vec3d& slope) const {
    for (const mesh::CornerList::Corner& c : samples_of_vertex_[v]) {
      const LevelSample& s = samples_[c.triangle];
      const double share = s.shares[c.corner];
      if (share == 0) continue;
      const Triangle& t = shape_.triangles[s.triangle];
      const PosedSample& target = targets_[at(c.triangle, p)];
      Vec3d error = toDouble(target.place) + toDouble(target.gap) * geometry;
      for (std::size_t i = 0; i < 3; ++i) error -= posed[at(t[i], p)] * s.shares[i];
      const Vec3d n = toDouble(target.normal);
      form.add(s.weight * share * share, n, kTangentialWeight);
      slope += (error * kTangentialWeight + n * ((1 - kTangentialWeight) * dot(n, error))) * (s.weight * share);
    }
  }

  // The allowed rows, shortened if they are too long.
  std::vector<Row> start() const {
    std::vector<Row> rows(vertexCount());
    parallelChunks(rows.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto v = static_cast<std::uint32_t>(i);
        rows[v] = candidatesOf(v);
        if (!in_piece_[v]) rows[v].weights = shortened(rows[v], {&v, 1});
      }
    });
    for (const auto& piece : pieces_) {
      rows[piece[0]].weights = shortened(rows[piece[0]], piece);
      for (const std::uint32_t v : piece) rows[v] = rows[piece[0]];
    }
    return rows;
  }

private:
  struct PosedSample {
    Vec3f place;  // the sample's place on the level, moved by level 0
    Vec3f gap;    // from there to the posed sample
    Vec3f normal; // normal of the posed level 0
  };

  Vec3d placeOf(const LevelSample& s) const {
    Vec3d sum;
    for (std::size_t i = 0; i < 3; ++i) sum += shape_.position(shape_.triangles[s.triangle][i]) * s.shares[i];
    return sum;
  }

  void poseSamples() {
    targets_.resize(samples_.size() * poseCount());
    parallelChunks(poseCount(), 1, [&](std::size_t p, std::size_t, std::size_t) {
      Mesh posed;
      posed.triangles = shape_.original->triangles;
      posed.positions.resize(shape_.original->positions.size());
      deform::skin(shape_.original->positions, full_, poses_[p], posed.positions);
      const auto measures = mesh::measureVertices(posed);
      for (std::size_t s = 0; s < samples_.size(); ++s) {
        const std::uint32_t v = samples_[s].vertex;
        const Vec3d gap = posedGap(toDouble(shape_.original->positions[v]) - placeOf(samples_[s]), v, poses_[p]);
        targets_[at(s, p)] = {toFloat(toDouble(posed.positions[v]) - gap), toFloat(gap), toFloat(measures[v].normal)};
      }
    });
  }

  Vec3d posedGap(const Vec3d& gap, std::uint32_t v, const Pose& pose) const {
    Vec3d sum;
    for (std::size_t k = 0; k < full_.weightRow(v).size(); ++k)
      if (const double w = full_.weightRow(v)[k]; w > 0) sum += pose[full_.jointRow(v)[k]].applyLinear(gap) * w;
    return sum;
  }

  // Connected parts with one row for all vertices move rigidly, and must keep doing so.
  void findPieces() {
    const Islands islands = findIslands(shape_.mesh());
    pieces_.resize(islands.count);
    for (std::uint32_t v = 0; v < vertexCount(); ++v) pieces_[islands.island_of_vertex[v]].push_back(v);
    std::erase_if(pieces_, [&](const std::vector<std::uint32_t>& piece) {
      return !std::ranges::all_of(piece, [&](std::uint32_t v) { return haveOneRow(v, piece[0]); });
    });
    in_piece_.assign(vertexCount(), false);
    for (const auto& piece : pieces_)
      for (const std::uint32_t v : piece) in_piece_[v] = true;
  }

  bool haveOneRow(std::uint32_t a, std::uint32_t b) const {
    return weights::equalRows(weights::rowOf(allowed_, shape_.vertices[a]),
                              weights::rowOf(allowed_, shape_.vertices[b]));
  }

  // The joints of its row first, then those of the samples around it, largest total weight first.
  Row candidatesOf(std::uint32_t v) const {
    Row row;
    const std::uint32_t own = shape_.vertices[v];
    for (std::size_t k = 0; k < allowed_.weightRow(own).size(); ++k)
      if (allowed_.weightRow(own)[k] > 0) {
        row.joints[row.count] = allowed_.jointRow(own)[k];
        row.weights[row.count++] = static_cast<double>(allowed_.weightRow(own)[k]);
      }
    std::map<std::uint16_t, double> around;
    for (const mesh::CornerList::Corner& c : samples_of_vertex_[v]) {
      const LevelSample& s = samples_[c.triangle];
      for (std::size_t k = 0; k < allowed_.weightRow(s.vertex).size(); ++k)
        if (const double w = allowed_.weightRow(s.vertex)[k]; w > 0)
          around[allowed_.jointRow(s.vertex)[k]] += w * s.weight * s.shares[c.corner];
    }
    for (std::size_t k = 0; k < row.count; ++k) around.erase(row.joints[k]);
    while (row.count < kMostCandidates && !around.empty()) {
      const auto most = std::ranges::max_element(around, {}, [](const auto& entry) { return entry.second; });
      row.joints[row.count++] = most->first;
      around.erase(most);
    }
    return row;
  }

  // A row with at most most_ joints for all of these vertices, with the least change of their posed positions.
  Values shortened(const Row& row, std::span<const std::uint32_t> vertices) const {
    const auto used = static_cast<std::size_t>(std::ranges::count_if(row.weights, [](double w) { return w > 0; }));
    if (used <= most_) return row.weights;
    RowProblem problem;
    problem.count = used;
    Symmetric unit;
    unit.add(1, {}, 1);
    for (const std::uint32_t v : vertices)
      for (std::size_t p = 0; p < poses_.size(); ++p) {
        Vec3d now;
        for (std::size_t k = 0; k < used; ++k) now += placed(row, k, v, p) * row.weights[k];
        addPose(row, v, p, now, unit, {}, problem);
      }
    regularize(problem);
    return solveRow(problem, most_);
  }

  const LevelShape& shape_;
  const SparseWeights &full_, &allowed_;
  const std::vector<Pose>& poses_;
  std::size_t most_;
  std::vector<LevelSample> samples_;
  mesh::CornerList samples_of_vertex_;
  std::vector<PosedSample> targets_;               // by sample and pose
  std::vector<std::vector<std::uint32_t>> pieces_; // vertices that share a row
  std::vector<bool> in_piece_;
};

// Improves the rows vertex by vertex.
class Descent {
public:
  Descent(const Problem& problem, const std::vector<Row>& start, double geometry)
      : problem_(problem), start_(start), geometry_(geometry), rows_(start),
        posed_(problem.vertexCount() * problem.poseCount()) {
    for (std::uint32_t v = 0; v < rows_.size(); ++v) problem_.pose(rows_[v], v, posed_);
  }

  void sweep(const std::vector<std::vector<std::uint32_t>>& colors) {
    for (const auto& vertices : colors)
      parallelChunks(vertices.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) improve(vertices[i]);
      });
  }

  const std::vector<Row>& rows() const { return rows_; }

private:
  void improve(std::uint32_t v) {
    Row& row = rows_[v];
    if (problem_.inPiece(v) || row.count < 2) return;
    RowProblem least;
    least.count = row.count;
    for (std::size_t p = 0; p < problem_.poseCount(); ++p) {
      Symmetric form;
      Vec3d slope;
      problem_.addSamples(v, p, posed_, geometry_, form, slope);
      problem_.addPose(row, v, p, posed_[problem_.at(v, p)], form, slope, least);
    }
    if (!(trace(least) > 0)) return;
    const double toward_start = kStartWeight * trace(least) / static_cast<double>(least.count);
    for (std::size_t k = 0; k < row.count; ++k) {
      least.g[k][k] += toward_start;
      least.h[k] += toward_start * start_[v].weights[k];
    }
    regularize(least);
    const Values better = solveRow(least, problem_.most());
    if (!(least.cost(better) < least.cost(row.weights))) return;
    row.weights = better;
    problem_.pose(row, v, posed_);
  }

  const Problem& problem_;
  const std::vector<Row>& start_;
  double geometry_;
  std::vector<Row> rows_;
  std::vector<Vec3d> posed_; // by vertex and pose
};

SparseWeights toWeights(const std::vector<Row>& rows, std::size_t most) {
  SparseWeights out(rows.size(), static_cast<int>(kMostCandidates));
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (std::size_t k = 0; k < rows[v].count; ++k) {
      if (!(rows[v].weights[k] > 0)) continue;
      out.jointRow(v)[k] = rows[v].joints[k];
      out.weightRow(v)[k] = static_cast<float>(rows[v].weights[k]);
    }
  canonicalize(out, static_cast<int>(most));
  return out;
}

} // namespace

struct LevelFit::State {
  Problem problem;
  std::vector<Row> start;
};

LevelFit::LevelFit(const LevelShape& shape, const SparseWeights& full, const SparseWeights& allowed,
                   const std::vector<Pose>& poses, int max_influences)
    : state_(std::make_unique<State>(State{{shape, full, allowed, poses, max_influences}, {}})) {
  state_->start = state_->problem.start();
}

LevelFit::~LevelFit() = default;

SparseWeights LevelFit::byVertex() const {
  return toWeights(state_->start, state_->problem.most());
}

SparseWeights LevelFit::bySurface(double geometry) const {
  Descent descent(state_->problem, state_->start, geometry);
  const auto colors = colorVertices(state_->problem.shape());
  for (int i = 0; i < kSweeps; ++i) descent.sweep(colors);
  return toWeights(descent.rows(), state_->problem.most());
}

} // namespace skincells::levels
