// Training and judging the prior (docs/prior.md):
//   skincells-prior dump OUTPUT INPUT                           features of a character, for train.py
//   skincells-prior joints INPUT...                             joints that the rules choose unlike the artist
//   skincells-prior measure TABLE|none|heat auto|weighted INPUT...   distance to the artist when bound with a table,
//                                               without one, or by heat alone
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "base/try.h"
#include "bind/bind_on.h"
#include "guess/surface_guess.h"
#include "joints/rules.h"
#include "mesh/solve_weld.h"
#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/joints.h"
#include "skincells/metrics.h"
#include "weights/interpolate.h"

namespace {

using namespace skincells;

constexpr int kPoses = 16;
constexpr int kArtistSlots = 8;

// A file of named arrays: name, type ('f' float32, 'i' int32), dimensions, data.
class ArrayFile {
public:
  explicit ArrayFile(const std::string& path) : out_(path, std::ios::binary) {}

  template <class T> void add(const std::string& name, std::vector<std::int32_t> shape, const std::vector<T>& values) {
    const auto name_size = static_cast<std::int32_t>(name.size()), rank = static_cast<std::int32_t>(shape.size());
    const char type = std::is_floating_point_v<T> ? 'f' : 'i';
    write(&name_size, sizeof name_size);
    write(name.data(), name.size());
    write(&type, 1);
    write(&rank, sizeof rank);
    write(shape.data(), shape.size() * sizeof shape[0]);
    static_assert(sizeof(T) == 4);
    write(values.data(), values.size() * sizeof(T));
  }
  bool good() { return out_.flush().good(); }

private:
  void write(const void* data, std::size_t size) {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  std::ofstream out_;
};

// What the prior sees of a character, and where the artist's weights put its vertices in random poses. Lengths are in %
// of the diagonal.
Result<void> dump(const std::string& output, const std::string& input) {
  SKINCELLS_TRY(file, CharacterFile::read(input));
  const Character& c = file.character();
  SKINCELLS_TRY(decisions, chooseJoints(c, "weighted"));
  rig::DeformRig rig{c.skeleton, {}, joints::misplacedJoints(joints::chooseByRules(c))};
  for (const JointDecision& d : decisions)
    if (d.deforms) rig.deforming.push_back(d.joint);
  const Weld weld = mesh::weldForSolve(c.mesh);
  const Mesh welded = mesh::solveMesh(c.mesh, weld);
  const guess::PriorView view = guess::viewForPrior(welded, rig);
  const mesh::Clustered& simple = view.simple;
  const auto count = static_cast<std::int32_t>(simple.mesh.positions.size());
  const auto joint_count = static_cast<std::int32_t>(c.skeleton.joints.size());

  // The artist's rows, one per cluster.
  SparseWeights rows(c.weights.vertexCount(), kArtistSlots);
  for (std::size_t v = 0; v < c.weights.vertexCount(); ++v)
    for (std::size_t k = 0; k < std::min<std::size_t>(kArtistSlots, c.weights.weightRow(v).size()); ++k) {
      rows.jointRow(v)[k] = c.weights.jointRow(v)[k];
      rows.weightRow(v)[k] = c.weights.weightRow(v)[k];
    }
  const SparseWeights artist = weights::averagedWeights(simple, gatherRows(rows, weld.first_vertex));
  // The guess before the prior, as the field would be fitted to it.
  const guess::CoarseGuess guess = guess::guessForField(welded, rig);

  const Box bounds = welded.bounds();
  const double scale = 100 / bounds.diagonal();
  std::vector<float> positions, poses, members(simple.mesh.positions.size());
  for (const Vec3f& p : simple.mesh.positions) {
    const Vec3d q = (toDouble(p) - bounds.center()) * scale;
    for (double x : {q.x, q.y, q.z}) positions.push_back(static_cast<float>(x));
  }
  for (std::uint32_t v = 0; v < c.mesh.vertexCount(); ++v)
    members[simple.cluster_of_vertex[weld.welded_of_vertex[v]]] += 1;
  const Affine to_box = [&] {
    Affine a = Affine::fromTranslation(-bounds.center());
    for (auto& row : a.m)
      for (double& x : row) x *= scale;
    return a;
  }();
  const Affine from_box = to_box.inverse();
  for (const Pose& pose : randomPoses(c.skeleton, {.count = kPoses, .seed = 77}))
    for (const Affine& t : pose) {
      const Affine scaled = to_box * t * from_box;
      for (const auto& row : scaled.m)
        for (double x : row) poses.push_back(static_cast<float>(x));
    }
  std::vector<std::int32_t> artist_joints(artist.joints.begin(), artist.joints.end()),
      guess_joints(guess.guess.weights.joints.begin(), guess.guess.weights.joints.end());

  ArrayFile out(output);
  out.add("joints", {count, guess::kCandidates}, view.features.joints);
  out.add("features", {count, guess::kCandidates, guess::featureCount()}, view.features.values);
  out.add("start", {count, guess::kCandidates}, view.features.start);
  out.add("members", {count}, members);
  out.add("positions", {count, 3}, positions);
  out.add("artist_joints", {count, kArtistSlots}, artist_joints);
  out.add("artist_weights", {count, kArtistSlots}, artist.weights);
  out.add("guess_joints", {count, guess.guess.weights.slots}, guess_joints);
  out.add("guess_weights", {count, guess.guess.weights.slots}, guess.guess.weights.weights);
  out.add("poses", {kPoses, joint_count, 12}, poses);
  if (!out.good()) return Error{ErrorCode::CannotWrite, "cannot write the file", output};
  return {};
}

// How a character is bound.
struct Measured {
  bool heat = false; // the heat alone, as with --method heat
  std::string joints;
  const guess::Prior* prior = nullptr; // nullptr: none
};

Result<BindResult> bindAs(const Measured& how, const Character& c) {
  return bindOn({.prior = how.prior}, c,
                {.method = how.heat ? BindMethod::Heat : BindMethod::SkinCells, .joints = how.joints});
}

// The share of the squared distance to the artist that the least sure tenth of the vertices holds; 0 without a prior.
double shareOfLeastSure(const Character& c, const BindResult& bound, const std::vector<Pose>& poses) {
  if (bound.confidence.empty()) return 0;
  const auto placed = [&](const SparseWeights& weights, std::size_t v, const Pose& pose) {
    Vec3d sum;
    double total = 0;
    for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k) {
      const double w = static_cast<double>(weights.weightRow(v)[k]);
      sum += pose[weights.jointRow(v)[k]].apply(toDouble(c.mesh.positions[v])) * w;
      total += w;
    }
    return sum * (1 / std::max(total, 1e-12));
  };
  std::vector<double> squared(c.mesh.positions.size());
  for (const Pose& pose : poses)
    for (std::size_t v = 0; v < squared.size(); ++v) {
      const Vec3d apart = placed(c.weights, v, pose) - placed(bound.weights, v, pose);
      squared[v] += dot(apart, apart);
    }
  std::vector<std::size_t> order(squared.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t v) { return bound.confidence[v]; });
  double least = 0, all = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    all += squared[order[i]];
    if (i < order.size() / 10) least += squared[order[i]];
  }
  return all > 0 ? least / all : 0;
}

// Binds a character and prints how far it is from the artist: file, joints, then rms in random poses, rms in clips (0:
// no clips), stretch, stretch of the artist's skin, seconds, share of the squared error in the least sure tenth.
Result<void> measure(const Measured& how, const std::string& input) {
  SKINCELLS_TRY(file, CharacterFile::read(input));
  const Character& c = file.character();
  const auto start = std::chrono::steady_clock::now();
  SKINCELLS_TRY(bound, bindAs(how, c));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<PoseSet> sets{{"random", randomPoses(c.skeleton)}};
  if (!c.clip_poses.empty()) sets.push_back({"clip", c.clip_poses});
  const Comparison compared = compareWeights(c.mesh, c.weights, bound.weights, sets);
  const ShapeStatistics artist = shapeStatistics(c.mesh, c.weights, sets[0].poses);
  std::printf("%s\t%s\t%.5f\t%.5f\t%.5f\t%.5f\t%.3f\t%.3f\n", input.c_str(), how.joints.c_str(),
              compared.sets[0].error.rms, sets.size() > 1 ? compared.sets[1].error.rms : 0.0,
              compared.sets[0].shape.stretch_rms, artist.stretch_rms, seconds,
              shareOfLeastSure(c, bound, sets[0].poses));
  return {};
}

Result<void> measureAll(const std::string& table, const std::string& joints, std::span<char*> inputs) {
  std::optional<guess::Prior> prior;
  Measured how{.heat = table == "heat", .joints = joints};
  if (!how.heat && table != "none") {
    std::ifstream in(table, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    SKINCELLS_TRY(read, guess::Prior::read({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}));
    prior = std::move(read);
    how.prior = &*prior;
  }
  for (const char* input : inputs) SKINCELLS_CHECK(measure(how, input));
  return {};
}

// Prints the joints that deform by the rules but have no weight in the artist's skin, and the other way around: file,
// joint, "kept" or "dropped", rule, share of the weight.
Result<void> printWrongJoints(std::span<char*> inputs) {
  for (const char* input : inputs) {
    SKINCELLS_TRY(file, CharacterFile::read(input));
    const Character& c = file.character();
    const WeightStatistics statistics = weightStatistics(c.weights, c.skeleton.jointCount());
    for (const JointDecision& d : joints::chooseByRules(c)) {
      const double mass = statistics.mass_of_joint[static_cast<std::size_t>(d.joint)];
      if (d.deforms != (mass > 0))
        std::printf("%s\t%s\t%s\t%s\t%.5f\n", input, c.skeleton.joints[static_cast<std::size_t>(d.joint)].name.c_str(),
                    d.deforms ? "kept" : "dropped", d.rule.c_str(), mass / std::max(1U, c.mesh.vertexCount()));
    }
  }
  return {};
}

Result<void> run(std::span<char*> arguments) {
  const std::string command = arguments.size() > 2 ? arguments[1] : "";
  if (command == "joints") return printWrongJoints(arguments.subspan(2));
  if (command == "dump" && arguments.size() == 4) return dump(arguments[2], arguments[3]);
  if (command == "measure" && arguments.size() > 4) return measureAll(arguments[2], arguments[3], arguments.subspan(4));
  return Error{ErrorCode::InvalidOption,
               "use it as: skincells-prior dump OUTPUT INPUT, or: skincells-prior joints INPUT..., or: skincells-prior "
               "measure TABLE|none|heat "
               "auto|weighted INPUT...",
               ""};
}

} // namespace

int main(int argc, char** argv) {
  if (auto done = run({argv, static_cast<std::size_t>(argc)}); !done) {
    std::fprintf(stderr, "skincells-prior: %s\n", done.error().text().c_str());
    return 2;
  }
  return 0;
}
