#include "skincells/bind.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/try.h"
#include "bind/bind_on.h"
#include "bind/input_check.h"
#include "bind/part_rules.h"
#include "bind/skin_cells.h"
#include "bind/stages.h"
#include "bind/subjects.h"
#include "bind/surroundings.h"
#include "bind/training_poses.h"
#include "bind/wrap_up.h"
#include "field/evaluate.h"
#include "guess/proximity.h"
#include "guess/surface_guess.h"
#include "joints/rules.h"
#include "mesh/solve_weld.h"
#include "rig/bones.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

// Placeholder joints must never end a bone, whatever --joints says.
std::vector<int> misplacedJoints(const Character& character, const BindOptions& options, bool chosen,
                                 const std::vector<JointDecision>& decisions) {
  return joints::misplacedJoints(chosen && options.joints == "auto" ? decisions : joints::chooseByRules(character));
}

// The joints of the field that a bind starts from. Both skeletons have the same joints.
std::vector<JointDecision> jointsOfStart(const FieldDocument& start) {
  std::vector<JointDecision> decisions;
  for (int j = 0; j < start.skeleton.jointCount(); ++j)
    decisions.push_back({j, false, "start", "the field that the bind starts from has no cell for it"});
  for (int j : start.joints)
    decisions[static_cast<std::size_t>(j)] = {j, true, "start",
                                              "the field that the bind starts from has a cell for it"};
  return decisions;
}

Result<rig::DeformRig> chooseRig(const Character& character, const BindOptions& options, const BindBasis& basis,
                                 BindReport& report) {
  std::vector<JointDecision> decisions;
  if (basis.start != nullptr) {
    decisions = jointsOfStart(*basis.start);
  } else {
    SKINCELLS_TRY(chosen, chooseJoints(character, options.joints, {options.keep_joints, options.drop_joints}));
    decisions = std::move(chosen);
  }
  rig::DeformRig rig{character.skeleton, {}, misplacedJoints(character, options, basis.start == nullptr, decisions)};
  for (const JointDecision& d : decisions)
    if (d.deforms) rig.deforming.push_back(d.joint);
  if (rig.deforming.empty())
    return Error{ErrorCode::NoJoints, "the choice of joints leaves none that deforms; keep at least one", "--joints"};
  report.joints = std::move(decisions);
  return rig;
}

void warnAboutInput(const Character& character, std::size_t deforming, const BindOptions& options, Warnings& warnings) {
  if (deforming < static_cast<std::size_t>(options.max_influences))
    warnings.push_back({"bind.few_joints",
                        "only " + std::to_string(deforming) + " joints deform, fewer than the " +
                            std::to_string(options.max_influences) + " influences a vertex may have",
                        character.name});
  if (character.mesh.triangles.empty())
    warnings.push_back({"bind.no_triangles", "the mesh has vertices but no triangles", character.name});
}

// Floats keep 24 bits. At this many sizes from the origin, 17 of them are left for the character.
void warnAboutPlace(const Character& character, Warnings& warnings) {
  constexpr double kFar = 100;
  const Box box = character.mesh.bounds();
  const double away = length(box.center()), size = box.diagonal();
  if (size > 0 && away > kFar * size)
    warnings.push_back({"bind.far_from_origin",
                        "the character is " + std::to_string(std::lround(away / size)) +
                            " times its size away from the origin, where coordinates are rounded coarsely; move it to "
                            "the origin before it is exported",
                        character.name});
}

// joints: of the skeleton that is bound; decisions: of all joints.
void warnAboutDistance(const std::string& name, std::span<const int> joints,
                       const std::vector<JointDecision>& decisions, Warnings& warnings) {
  // Of the joints. 2 of the 327 shared characters are beyond; both lose joints that they need.
  constexpr double kMostAway = 0.1;
  const auto away =
      std::ranges::count_if(joints, [&](int j) { return decisions[static_cast<std::size_t>(j)].rule == "outside"; });
  if (static_cast<double>(away) > kMostAway * static_cast<double>(joints.size()))
    warnings.push_back({"joints.away",
                        std::to_string(away) + " of " + std::to_string(joints.size()) +
                            " joints were left out because they lie away from the mesh; check that it is the right "
                            "skeleton, in the unit and pose of the mesh, or keep them with --keep-joints",
                        name});
}

// What a method computes: one row per welded vertex (later: per vertex of the character), over the skeleton's joints.
struct Bound {
  SparseWeights weights;
  std::optional<FieldParameters> field;
  std::vector<float> confidence;        // the same; empty: none
  std::vector<PartOrigin> origins = {}; // the same

  // From rows of welded vertices, or of a part of a character, to those of all vertices.
  void gather(std::span<const std::uint32_t> row_of_vertex) {
    weights = gatherRows(weights, row_of_vertex);
    std::vector<PartOrigin> gathered;
    for (std::uint32_t r : row_of_vertex) gathered.push_back(origins[r]);
    origins = std::move(gathered);
    if (confidence.empty()) return;
    std::vector<float> all;
    for (std::uint32_t r : row_of_vertex) all.push_back(confidence[r]);
    confidence = std::move(all);
  }
};

// Sets values[vertex_of[i]] = part[i]; other values of a new list are 0.
void scatter(std::span<const float> part, std::span<const std::uint32_t> vertex_of, std::size_t count,
             std::vector<float>& values) {
  if (part.empty()) return;
  values.resize(count);
  for (std::size_t i = 0; i < part.size(); ++i) values[vertex_of[i]] = part[i];
}

// Where the rows of the body come from, by welded vertex. bends: those that --part names.
std::vector<PartOrigin> originsOf(const Mesh& welded, const std::vector<bool>& bends,
                                  std::span<const guess::RigidPart> parts) {
  constexpr PartOrigin kOrigins[] = {PartOrigin::Accessory, PartOrigin::OneJoint, PartOrigin::LeafInside};
  std::vector<PartOrigin> origins(welded.positions.size());
  for (std::size_t v = 0; v < bends.size(); ++v)
    if (bends[v]) origins[v] = PartOrigin::FieldByName;
  for (const guess::RigidPart& part : parts)
    for (std::uint32_t v : part.vertices) origins[v] = kOrigins[static_cast<std::size_t>(part.reason)];
  return origins;
}

Result<Bound> bindByProximity(const Mesh& welded, const std::vector<bool>& bends, const rig::DeformRig& rig,
                              const BindOptions& options, binding::Stages& stages) {
  SKINCELLS_CHECK(stages.begin("proximity", 0.3));
  return Bound{
      guess::proximityWeights(welded.positions, rig::boneSegments(rig), {.max_influences = options.max_influences}),
      {},
      {},
      originsOf(welded, bends, {})};
}

Result<Bound> bindByHeat(const Mesh& welded, const std::vector<bool>& bends, const rig::DeformRig& rig,
                         const BindOptions& options, binding::Stages& stages, BindReport& report) {
  SKINCELLS_CHECK(stages.begin("heat", 0.3));
  guess::Guess guess = guess::guessWeights(
      welded, rig,
      {.max_influences = options.max_influences, .symmetry = options.symmetry == SymmetryChoice::Auto, .bends = bends});
  report.rigid_part_count = static_cast<int>(guess.rigid_parts.size());
  report.symmetry = guess.symmetry;
  return Bound{std::move(guess.weights), {}, {}, originsOf(welded, bends, guess.rigid_parts)};
}

Result<Bound> bindBySkinCells(const Character& character, const Mesh& welded, const std::vector<bool>& bends,
                              const rig::DeformRig& rig, const BindOptions& options, const BindBasis& basis,
                              binding::Stages& stages, BindReport& report) {
  const fit::Tuning tuning = binding::tuningFor(options);
  SKINCELLS_TRY(poses, binding::choosePoses(character, rig.deforming, options));
  std::optional<binding::Start> start;
  if (basis.start != nullptr) start.emplace(binding::Start{basis.start->field, basis.same_shape});
  SKINCELLS_TRY(cells, binding::computeSkinCells(welded, rig, basis.prior, poses.batches, options,
                                                 start ? fit::warmTuning(tuning) : tuning, stages, nullptr,
                                                 start ? &*start : nullptr, bends));
  std::vector<PartOrigin> origins = originsOf(welded, bends, cells.rigid_parts);
  binding::noteCells(cells, character.name, report);
  report.motions = std::move(poses.motions);
  report.poses = poses.poses;
  return Bound{std::move(cells.weights), std::move(cells.field), std::move(cells.confidence), std::move(origins)};
}

// Triangles that share no corner with others: nothing can be diffused over them.
bool isSoup(const Mesh& welded) {
  constexpr std::size_t kFewest = 50; // triangles; fewer may be a joke, but no soup
  if (welded.triangles.size() < kFewest) return false;
  const Islands islands = findIslands(welded);
  std::vector<std::uint32_t> triangles(islands.count);
  for (const Triangle& t : welded.triangles) ++triangles[islands.island_of_vertex[t[0]]];
  return 2 * static_cast<std::size_t>(std::ranges::count(triangles, 1U)) > welded.triangles.size();
}

// bends: by welded vertex, where --part says so.
Result<Bound> computeWeights(const Character& character, const Mesh& welded, const std::vector<bool>& bends,
                             const rig::DeformRig& rig, const BindOptions& options, const BindBasis& basis,
                             binding::Stages& stages, BindReport& report) {
  if (options.method != BindMethod::Proximity && isSoup(welded)) {
    report.warnings.push_back({"bind.soup",
                               "most triangles share no corner with another, so weights cannot follow the surface; "
                               "the nearest bones are used (proximity). Merge vertices by distance and export again",
                               character.name});
    return bindByProximity(welded, bends, rig, options, stages);
  }
  switch (options.method) {
  case BindMethod::Proximity:
    return bindByProximity(welded, bends, rig, options, stages);
  case BindMethod::Heat:
    return bindByHeat(welded, bends, rig, options, stages, report);
  case BindMethod::SkinCells:
    break;
  }
  return bindBySkinCells(character, welded, bends, rig, options, basis, stages, report);
}

// The joints of a skeleton; all joints if it has none.
std::vector<int> jointsOf(const Skeleton& skeleton, int number) {
  std::vector<int> all(skeleton.joints.size()), mine;
  std::iota(all.begin(), all.end(), 0);
  for (int j : all)
    if (skeleton.joints[static_cast<std::size_t>(j)].skeleton == number) mine.push_back(j);
  return mine.empty() ? all : mine;
}

// Keeps the joints of one skeleton, unless none of them deforms.
void restrictTo(std::span<const int> joints, rig::DeformRig& rig) {
  std::vector<int> mine;
  std::ranges::set_intersection(rig.deforming, joints, std::back_inserter(mine));
  if (!mine.empty()) rig.deforming = std::move(mine);
}

// The deforming joint nearest to a root: scenery moves with it.
int highestJoint(const rig::DeformRig& rig) {
  const auto depth = [&](int j) {
    int d = 0;
    for (; j != kNoParent; ++d) j = rig.skeleton.joints[static_cast<std::size_t>(j)].parent;
    return d;
  };
  return *std::ranges::min_element(rig.deforming, {}, depth);
}

// Rows of vertices that belong to no surface, by position alone.
SparseWeights rowsInSpace(std::span<const Vec3f> positions, const Bound& bound, const rig::DeformRig& rig,
                          int max_influences) {
  if (!bound.field) return guess::proximityWeights(positions, rig::boneSegments(rig), {max_influences});
  SparseWeights rows = field::evaluateHard(*bound.field, FieldPoints(positions, {}));
  weights::remapJoints(rows, rig.deforming);
  return rows;
}

// Which welded vertices --part lets bend; empty: it says nothing. vertex_of: by vertex of the subject; empty: the same.
std::vector<bool> bendingVertices(std::span<const binding::PartRule> rules, const Weld& weld,
                                  std::span<const std::uint32_t> vertex_of) {
  if (rules.empty()) return {};
  std::vector<bool> bends(weld.weldedCount());
  for (std::size_t v = 0; v < weld.welded_of_vertex.size(); ++v)
    if (rules[vertex_of.empty() ? v : vertex_of[v]].origin == PartOrigin::FieldByName)
      bends[weld.welded_of_vertex[v]] = true;
  return bends;
}

// Binds one character. joints: of its skeleton; rules: what --part asks, by vertex. The rows are those of the
// character's vertices.
Result<Bound> bindSubject(const Character& character, std::span<const int> joints,
                          std::span<const binding::PartRule> rules, const BindOptions& options, const BindBasis& basis,
                          binding::Stages& stages, BindReport& report) {
  SKINCELLS_CHECK(stages.begin("weld", 0));
  binding::Surroundings around = binding::findSurroundings(character, joints, rules);
  const bool alone = !around.any();
  std::vector<std::uint32_t> vertex_of;
  const Character body = alone ? Character{} : binding::bodyOf(character, around, vertex_of);
  const Character& subject = alone ? character : body;
  if (subject.mesh.positions.empty())
    return Error{ErrorCode::InvalidOption,
                 "leaves nothing of the mesh to bind; leave out one part, or name it NAME=field", "--part"};
  const Weld weld = alone ? std::move(around.weld) : mesh::weldForSolve(subject.mesh);
  const Mesh welded = mesh::solveMesh(subject.mesh, weld);

  SKINCELLS_CHECK(stages.begin("choose joints", 0.01));
  SKINCELLS_TRY(rig, chooseRig(subject, options, basis, report));
  restrictTo(joints, rig);
  warnAboutInput(subject, rig.deforming.size(), options, report.warnings);
  warnAboutPlace(subject, report.warnings);
  warnAboutDistance(subject.name, joints, report.joints, report.warnings);

  SKINCELLS_TRY(bound, computeWeights(subject, welded, bendingVertices(rules, weld, vertex_of), rig, options, basis,
                                      stages, report));

  stages.proceed("clean up", binding::kCellsShare.end);
  binding::cleanUpRows(welded.positions, options.max_influences, bound.weights, report.warnings);
  bound.gather(weld.welded_of_vertex);
  if (alone) return bound;
  const int anchor = highestJoint(rig);
  std::vector<Vec3f> positions;
  for (std::uint32_t v : around.weld.first_vertex) positions.push_back(character.mesh.positions[v]);
  SparseWeights in_space = rowsInSpace(positions, bound, rig, options.max_influences);
  binding::cleanUpRows(positions, options.max_influences, in_space, report.warnings);
  bound.weights = binding::completedRows(character, around, {bound.weights, vertex_of, in_space, anchor});
  std::vector<float> confidence;
  scatter(bound.confidence, vertex_of, character.mesh.positions.size(), confidence);
  bound.confidence = std::move(confidence);
  bound.origins = binding::completedOrigins(around, bound.origins, vertex_of);
  binding::warnAboutSurroundings(character, around, anchor, report.warnings);
  return bound;
}

// Adds what another skeleton's bind reports. The details of an optimization are those of the largest character.
void addReport(BindReport&& part, std::span<const int> joints, bool largest, BindReport& whole) {
  whole.warnings.insert(whole.warnings.end(), part.warnings.begin(), part.warnings.end());
  whole.rigid_part_count += part.rigid_part_count;
  if (whole.joints.empty()) whole.joints = part.joints;
  for (int j : joints) whole.joints[static_cast<std::size_t>(j)] = part.joints[static_cast<std::size_t>(j)];
  if (whole.motions.empty()) whole.motions = std::move(part.motions);
  whole.poses = part.poses;
  if (whole.stop_reason == "done") whole.stop_reason = part.stop_reason;
  if (!largest) return;
  whole.curves = std::move(part.curves);
  whole.guard = std::move(part.guard);
}

// Binds the characters of a file one by one.
Result<Bound> bindSeparately(const Character& character, std::span<const int> skeletons, const BindOptions& options,
                             std::span<const binding::PartRule> rules, const BindBasis& basis,
                             const ProgressFunction& progress, BindReport& report) {
  Bound whole;
  whole.weights = SparseWeights(character.mesh.positions.size(), options.max_influences);
  whole.origins.resize(character.mesh.positions.size());
  std::size_t most_vertices = 0;
  for (std::size_t s = 0; s < skeletons.size(); ++s) {
    const auto share = [&](const Progress& p) {
      return !progress ||
             progress({p.stage, (static_cast<double>(s) + p.fraction) / static_cast<double>(skeletons.size()), p.loss,
                       p.seconds_left});
    };
    const ProgressFunction part_progress = share;
    const std::vector<bool> mine = binding::verticesOf(character.mesh, skeletons[s]);
    const std::vector<int> joints = jointsOf(character.skeleton, skeletons[s]);
    std::vector<std::uint32_t> vertex_of;
    const Character part = binding::partOf(
        character, [&](std::uint32_t v) { return mine[v]; }, vertex_of);
    std::vector<binding::PartRule> part_rules;
    for (std::size_t i = 0; !rules.empty() && i < vertex_of.size(); ++i) part_rules.push_back(rules[vertex_of[i]]);
    BindReport part_report;
    binding::Stages stages(part_progress, report.timings);
    SKINCELLS_TRY(bound, bindSubject(part, joints, part_rules, options, {.prior = basis.prior}, stages, part_report));
    stages.finish();
    for (std::size_t v = 0; v < vertex_of.size(); ++v) {
      weights::copyRow(bound.weights, v, whole.weights, vertex_of[v]);
      whole.origins[vertex_of[v]] = bound.origins[v];
    }
    scatter(bound.confidence, vertex_of, character.mesh.positions.size(), whole.confidence);
    addReport(std::move(part_report), joints, vertex_of.size() > most_vertices, report);
    most_vertices = std::max(most_vertices, vertex_of.size());
  }
  report.warnings.push_back({"bind.separate_skeletons",
                             "the file has " + std::to_string(skeletons.size()) +
                                 " skeletons with meshes of their own, which were bound separately; there is no common "
                                 "field (--skeletons together binds every mesh to every joint)",
                             character.name});
  return whole;
}

Result<Bound> bindAll(const Character& character, const BindOptions& options, const BindBasis& basis,
                      const ProgressFunction& progress, BindReport& report) {
  SKINCELLS_TRY(rules, binding::partRules(character, options.parts));
  const std::vector<int> skeletons = options.skeletons == SkeletonChoice::Together
                                         ? std::vector<int>{binding::kAllSkeletons}
                                         : binding::skeletonsOf(character.mesh);
  if (skeletons.size() > 1) return bindSeparately(character, skeletons, options, rules, basis, progress, report);
  binding::Stages stages(progress, report.timings);
  SKINCELLS_TRY(bound, bindSubject(character, jointsOf(character.skeleton, binding::kAllSkeletons), rules, options,
                                   basis, stages, report));
  stages.finish();
  return bound;
}

// Passes progress on until the time is up, and remembers that it was.
class Clock {
public:
  Clock(double limit, const ProgressFunction& progress) : progress_(progress), limit_(limit) {}

  ProgressFunction function() {
    return [this](const Progress& p) {
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
      expired_ = expired_ || (limit_ > 0 && elapsed.count() > limit_);
      return !expired_ && (!progress_ || progress_(p));
    };
  }
  bool expired() const { return expired_; }

private:
  const ProgressFunction& progress_;
  double limit_;
  bool expired_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Binds by proximity, which takes next to no time, after a stop before there was a result.
Result<Bound> bindInNoTime(const Character& character, BindOptions options, BindReport& report) {
  report = {};
  options.method = BindMethod::Proximity;
  SKINCELLS_TRY(bound, bindAll(character, options, {}, {}, report));
  report.stop_reason = "cancelled";
  return bound;
}

void warnAboutStop(bool expired, bool by_proximity, BindReport& report) {
  const std::string kept = by_proximity
                               ? "before there was a result; the weights are those of the nearest bones (proximity)"
                               : "while the field was optimized; the best state so far was kept";
  if (expired) {
    report.stop_reason = "time_limit";
    report.warnings.push_back({"bind.time_limit", "the time limit was reached " + kept, "--time-limit"});
  } else {
    report.warnings.push_back({"bind.interrupted", "the bind was stopped " + kept, ""});
  }
}

Error unfit(const std::string& why) {
  return {ErrorCode::Mismatch, why + "; start from a field of a character with the same skeleton", "--start"};
}

Result<void> checkStart(const FieldDocument& start, const Skeleton& skeleton, const BindOptions& options) {
  constexpr double kNear = 1e-3; // of the size of the character that was bound first
  if (options.method != BindMethod::SkinCells) return unfit("only --method skin-cells has a field");
  if (start.skeleton.jointCount() != skeleton.jointCount())
    return unfit("its character has " + std::to_string(start.skeleton.jointCount()) + " joints, and this one " +
                 std::to_string(skeleton.jointCount()));
  const double near = kNear * start.box.diagonal();
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const Joint &mine = skeleton.joints[static_cast<std::size_t>(j)],
                &theirs = start.skeleton.joints[static_cast<std::size_t>(j)];
    if (mine.name != theirs.name || mine.parent != theirs.parent)
      return unfit("joint '" + mine.name + "' has another name or parent there");
    if (length(skeleton.bindPosition(j) - start.skeleton.bindPosition(j)) > near)
      return unfit("joint '" + mine.name + "' is at another place there");
  }
  const FieldLayout& layout = start.field.layout;
  if (layout.shape != FieldShape::ScaleRotation || layout.site_count != options.sites ||
      layout.normals != options.normals || start.field.max_influences != options.max_influences)
    return unfit("it was made with other options (--sites, --normals, --max-influences)");
  return {};
}

Result<BindResult> bindCharacter(const Character& character, const BindOptions& options, const BindBasis& basis,
                                 const ProgressFunction& progress) {
  SKINCELLS_CHECK(options::validate(bindOptionTable(), options));
  SKINCELLS_CHECK(binding::checkCharacter(character));
  if (basis.start != nullptr) SKINCELLS_CHECK(checkStart(*basis.start, character.skeleton, options));
  BindResult result;
  BindReport& report = result.report;
  Clock clock(options.time_limit, progress);
  auto bound = bindAll(character, options, basis, clock.function(), report);
  const bool too_early = !bound && bound.error().code == ErrorCode::Cancelled &&
                         (clock.expired() || options.on_interrupt == InterruptChoice::Keep);
  if (too_early) bound = bindInNoTime(character, options, report);
  if (!bound) return std::move(bound).error();
  if (report.stoppedEarly()) warnAboutStop(clock.expired(), too_early, report);
  result.weights = std::move(bound->weights);
  result.confidence = std::move(bound->confidence);
  report.origins = std::move(bound->origins);
  result.field = std::move(bound->field);
  if (progress) progress({"done", 1, {}, {}});
  return result;
}

} // namespace

Result<BindResult> bind(const Character& character, const BindOptions& options, const ProgressFunction& progress) {
  return bindCharacter(character, options, {}, progress);
}

Result<BindResult> bindOn(const BindBasis& basis, const Character& character, const BindOptions& options,
                          const ProgressFunction& progress) {
  return bindCharacter(character, options, basis, progress);
}

} // namespace skincells
