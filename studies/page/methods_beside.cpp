#include <algorithm>
#include <cmath>
#include <optional>

#include "base/try.h"
#include "bind/training_poses.h"
#include "deform/lbs.h"
#include "field/initialize.h"
#include "fit/site_placement.h"
#include "guess/proximity.h"
#include "mesh/solve_space.h"
#include "mesh/solve_weld.h"
#include "skincells/viz/render.h"
#include "studies/beside/bounded_biharmonic.h"
#include "studies/beside/geodesic_voxels.h"
#include "studies/beside/learned_field.h"
#include "studies/beside/tetrahedra.h"
#include "studies/page/cases.h"
#include "studies/page/page.h"
#include "studies/page/tables.h"
#include "studies/problem.h"
#include "studies/vertex_fit.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

constexpr int kCap = 4;
constexpr int kSites = 6;

struct Skin {
  SparseWeights weights;                  // at the cap
  std::size_t bytes = 0;                  // of the parameters, float32; 0: there is only the table of weights
  std::optional<SparseWeights> full = {}; // without the cap
};

// A character, and what methods without a field work on.
struct Subject {
  const Case& c;
  rig::DeformRig rig;
  Weld weld;
  Mesh welded;
  std::vector<rig::BoneSegment> bones; // of the skeleton

  explicit Subject(const Case& given, rig::DeformRig chosen)
      : c(given), rig(std::move(chosen)), weld(mesh::weldForSolve(c.character.mesh)),
        welded(mesh::solveMesh(c.character.mesh, weld)), bones(rig::boneSegments(rig)) {}

  Skin ofVertices(SparseWeights rows) const {
    cleanUp(welded, weld, kCap, rows);
    return {std::move(rows)};
  }
  Result<Problem> problem(Basis basis) const {
    SKINCELLS_TRY(poses, binding::choosePoses(c.character, rig.deforming, {}));
    return makeProblem(c.character, weld, rig, std::move(poses.batches), basis, kCap);
  }
};

Result<Skin> byBind(const Subject& s, BindMethod method, bool with_prior) {
  BindOptions options;
  options.method = method;
  options.joints = jointsOf(s.c);
  SKINCELLS_TRY(bound, bindOn(with_prior ? BindBasis{} : BindBasis{.prior = nullptr}, s.c.character, options));
  return Skin{std::move(bound.weights), bound.field ? 4 * bound.field->values.size() : 0};
}

Result<Skin> byVariant(const Subject& s, Variant variant) {
  SKINCELLS_TRY(done, runVariant(s.c.character, {.variant = variant, .joints = jointsOf(s.c)}));
  return Skin{std::move(done.weights), done.field ? 4 * done.field->values.size() : 0};
}

Result<Skin> cells(const Subject& s) {
  return byBind(s, BindMethod::SkinCells, true);
}
Result<Skin> cellsWithoutPrior(const Subject& s) {
  return byBind(s, BindMethod::SkinCells, false);
}
Result<Skin> pureCells(const Subject& s) {
  return byVariant(s, Variant::Bones);
}
Result<Skin> heat(const Subject& s) {
  return byBind(s, BindMethod::Heat, false);
}
Result<Skin> proximity35(const Subject& s) {
  return s.ofVertices(guess::proximityWeights(s.welded.positions, s.bones, {.max_influences = kCap, .power = 3.5}));
}
Result<Skin> proximity4(const Subject& s) {
  return s.ofVertices(guess::proximityWeights(s.welded.positions, s.bones, {.max_influences = kCap, .power = 4}));
}
Result<Skin> voxels(const Subject& s) {
  return s.ofVertices(geodesicVoxelWeights(s.welded, s.bones, {.max_influences = kCap}));
}
Result<Skin> biharmonic(const Subject& s) {
  SKINCELLS_TRY(rows, boundedBiharmonicWeights(s.welded, s.bones, {.max_influences = kCap}));
  return s.ofVertices(std::move(rows));
}
Result<Skin> biharmonicThenLosses(const Subject& s) {
  SKINCELLS_TRY(rows, boundedBiharmonicWeights(s.welded, s.bones, {.max_influences = kCap}));
  SKINCELLS_TRY(problem, s.problem(Basis::FullGuess));
  std::vector<int> field_joint(s.rig.skeleton.joints.size(), -1);
  for (std::size_t f = 0; f < s.rig.deforming.size(); ++f) field_joint[s.rig.deforming[f]] = static_cast<int>(f);
  SparseWeights weights = s.ofVertices(std::move(rows)).weights;
  weights = gatherRows(weights, s.weld.first_vertex);
  weights::remapJoints(weights, field_joint);
  const fit::Tuning tuning;
  minimizeVertexLosses(weights, kCap, problem.mesh, problem.springs, problem.batches,
                       {.steps = tuning.loss_steps, .rates = tuning.loss_rates, .weights = tuning.loss_weights});
  weights::remapJoints(weights, s.rig.deforming);
  return s.ofVertices(std::move(weights));
}
Result<Skin> perVertex(const Subject& s) {
  return byVariant(s, Variant::Vertex);
}

// The sites that skin cells start with, by joint.
std::vector<std::vector<Vec3d>> startSites(const Problem& problem, int joint_count) {
  const mesh::SolveSpace unit = mesh::unitSpace(problem.mesh.bounds());
  std::vector<field::BoneSegment> segments;
  for (const rig::BoneSegment& b : problem.bones) segments.push_back({b.joint, unit.toSpace(b.a), unit.toSpace(b.b)});
  FieldParameters field = field::initializeField(segments, {joint_count, kSites}, kCap, 0);
  field.unit_origin = unit.origin;
  field.unit_scale = unit.scale;
  fit::placeSites(field, problem.mesh.positions, problem.guess);
  std::vector<std::vector<Vec3d>> sites(static_cast<std::size_t>(joint_count));
  for (std::size_t s = 0; s < field.layout.sites(); ++s)
    sites[s / kSites].push_back(
        toDouble({field.centers()[3 * s], field.centers()[3 * s + 1], field.centers()[3 * s + 2]}));
  return sites;
}

Skin learned(const Subject& s, const Problem& problem, LearnedField& field, int times = 1) {
  const fit::Tuning tuning;
  optimize(field, {problem.mesh, problem.springs, problem.guess, problem.batches, kCap},
           times * (tuning.fit_steps + tuning.refit_steps), times * tuning.loss_steps);
  const auto rows = [&](int slots) {
    SparseWeights w = weightsAt(field, problem.mesh, s.welded.positions, slots);
    weights::remapJoints(w, s.rig.deforming);
    return w;
  };
  Skin out = s.ofVertices(rows(kCap));
  out.bytes = 4 * field.parameters().size();
  out.full = gatherRows(rows(field.joint_count), s.weld.welded_of_vertex);
  return out;
}
Result<Skin> voronoi(const Subject& s) {
  SKINCELLS_TRY(problem, s.problem(Basis::Guess));
  const auto field = makeVoronoiField(startSites(problem, static_cast<int>(s.rig.deforming.size())));
  return learned(s, problem, *field);
}
Result<Skin> networkOf(const Subject& s, int times) {
  SKINCELLS_TRY(problem, s.problem(Basis::Guess));
  const auto field = makeNetworkField(static_cast<int>(s.rig.deforming.size()), 48, 1);
  return learned(s, problem, *field, times);
}
Result<Skin> network(const Subject& s) {
  return networkOf(s, 1);
}
Result<Skin> longNetwork(const Subject& s) {
  return networkOf(s, 5);
}

struct Method {
  const char* name;
  Result<Skin> (*run)(const Subject&);
  bool other; // counts for the verdict
  bool in_quick;
  bool in_shared = true;            // otherwise only on generated characters, for its time
  const char* in_picture = nullptr; // its caption
};
constexpr Method kMethods[] = {
    {"skin cells, `bind`", cells, false, true, true, "skin cells, bind"},
    {"the same without the prior", cellsWithoutPrior, false, true},
    {"skin cells from bones, no guess", pureCells, false, true, true, "skin cells, no guess"},
    {"proximity, 1/d^3.5", proximity35, true, true, true, "proximity"},
    {"proximity, 1/d^4", proximity4, true, true},
    {"bone heat (`--method heat`)", heat, true, true, true, "bone heat"},
    {"geodesic voxels", voxels, true, true, true, "geodesic voxels"},
    {"bounded biharmonic (BBW)", biharmonic, true, false, true, "BBW"},
    {"BBW, then losses per vertex", biharmonicThenLosses, true, false},
    {"heat, then losses per vertex", perVertex, true, true, true, "losses per vertex"},
    {"smooth Voronoi (softmax)", voronoi, true, false},
    {"network of 2 x 48", network, true, false},
    {"the same, 5 times the steps", longNetwork, true, false, false},
};

struct Score {
  std::vector<double> random;     // by character; not a number if it failed
  std::vector<double> clip, full; // of those that were processed
  double seconds = 0, bytes = 0;
  SparseWeights last; // of the last character; empty if it failed

  std::vector<double> processed() const {
    std::vector<double> out;
    std::ranges::copy_if(random, std::back_inserter(out), [](double e) { return std::isfinite(e); });
    return out;
  }
  double mean(double sum) const { return sum / static_cast<double>(std::max<std::size_t>(1, processed().size())); }
};

// The geometric mean of the errors relative to those of another method, on the characters that both processed.
double relativeTo(const Score& other, const Score& score) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < score.random.size(); ++i)
    if (const double r = score.random[i] / other.random[i]; std::isfinite(r)) ratios.push_back(r);
  return ratios.empty() ? NAN : geometricMean(ratios);
}

Result<void> measure(const Case& c, const Method& method, Score& score, std::string* failures) {
  SKINCELLS_TRY(rig, rigOf(c));
  const Subject subject(c, std::move(rig));
  std::optional<Skin> skin;
  const double seconds = secondsOf([&] {
    if (auto done = method.run(subject)) skin = std::move(*done);
  });
  score.last = skin ? skin->weights : SparseWeights();
  if (!skin) {
    score.random.push_back(NAN);
    if (failures != nullptr) *failures += (failures->empty() ? "" : ", ") + c.name;
    return {};
  }
  score.random.push_back(errorOf(c, skin->weights));
  if (const double e = clipErrorOf(c, skin->weights); std::isfinite(e)) score.clip.push_back(e);
  if (skin->full) score.full.push_back(errorOf(c, *skin->full));
  score.seconds += seconds;
  score.bytes += static_cast<double>(skin->bytes);
  return {};
}

// One character in one pose, by method.
Image casePicture(const Case& c, const std::vector<std::pair<std::string, SparseWeights>>& skins) {
  std::vector<SheetCell> cells;
  for (const auto& [name, weights] : skins) {
    std::vector<Vec3f> posed(c.character.mesh.positions.size());
    deform::skin(c.character.mesh.positions, weights, c.poses.front(), posed);
    const std::vector<Rgb> colors = vertexColors(c.character, weights, ColorMode::Joints, -1, posed);
    RenderOptions options;
    options.width = options.height = 240;
    cells.push_back(
        {renderMesh(c.character.mesh, posed, {{}, colors}, frameCamera(posed, View::ThreeQuarter, {}), options), name});
  }
  return contactSheet(cells, {.columns = 4, .title = "", .text_size = 8});
}

Result<std::string> generatedTable(const Context& context, std::vector<Score>& scores) {
  SKINCELLS_TRY(cases, generatedCases(context));
  std::vector<std::string> head{"method"};
  for (const Case& c : cases) head.push_back(c.name);
  for (const char* column : {"before the cap", "seconds", "parameters, KB"}) head.emplace_back(column);
  Table table(head);
  std::vector<std::pair<std::string, SparseWeights>> shown;
  for (std::size_t m = 0; m < std::size(kMethods); ++m) {
    if (context.quick && !kMethods[m].in_quick) continue;
    std::vector<std::string> row{kMethods[m].name};
    Score& s = scores[m];
    for (const Case& c : cases) {
      SKINCELLS_CHECK(measure(c, kMethods[m], s, nullptr));
      row.push_back(std::isfinite(s.random.back()) ? number(s.random.back(), 3) : "fails");
      if (&c == &cases.front() && kMethods[m].in_picture && !s.last.empty())
        shown.emplace_back(kMethods[m].in_picture, s.last);
    }
    row.push_back(s.full.empty() ? "" : number(geometricMean(s.full) / geometricMean(s.processed()), 3) + " times");
    row.push_back(number(s.mean(s.seconds), 1));
    row.push_back(s.bytes > 0 ? number(s.mean(s.bytes) / 1024, 0) : "");
    table.add(row);
  }
  shown.emplace_back("the generator's own", cases.front().reference);
  SKINCELLS_TRY(sheet, picture(context, "methods", "One character in one pose, by method; colors by joint",
                               [&] { return casePicture(cases.front(), shown); }));
  return table.text() + "\n" + sheet;
}

Result<std::string> sharedTable(const Context& context, std::vector<Score>& scores) {
  std::vector<Case> cases;
  for (const SharedFile& file : sharedFiles(context))
    if (auto c = readShared(file); c && !c->reference.empty()) cases.push_back(std::move(*c));
  if (cases.empty()) return std::string();
  Table table({"method", "processed", "median, random poses", "relative to `bind`, same characters", "median, clips",
               "seconds each"});
  std::string failed;
  for (std::size_t m = 0; m < std::size(kMethods); ++m) {
    std::string failures;
    Score& s = scores[m];
    if (!kMethods[m].in_shared) continue;
    for (const Case& c : cases) SKINCELLS_CHECK(measure(c, kMethods[m], s, &failures));
    table.add({kMethods[m].name, std::to_string(s.processed().size()) + " of " + std::to_string(cases.size()),
               number(median(s.processed()), 3), number(relativeTo(scores[0], s), 2), number(median(s.clip), 3),
               number(s.mean(s.seconds), 1)});
    if (!failures.empty()) failed += std::string(kMethods[m].name) + " fails on " + failures + ". ";
  }
  return "\n" +
         wrapped(
             "The " + std::to_string(cases.size()) +
             " shared characters, with the artist's joints, in the poses of their pose files. The prior was trained "
             "on them, among others. " +
             failed) +
         "\n" + table.text();
}

} // namespace

Result<Finding> studyMethods(const Context& context) {
  std::vector<Score> generated(std::size(kMethods)), shared(std::size(kMethods));
  SKINCELLS_TRY(first, generatedTable(context, generated));
  SKINCELLS_TRY(second, sharedTable(context, shared));
  // The shared characters decide where they are there.
  const std::vector<Score>& scores = second.empty() ? generated : shared;
  constexpr std::size_t kPure = 2;
  int behind = 0, others = 0;
  std::string ahead;
  for (std::size_t m = 0; m < std::size(kMethods); ++m) {
    const double ratio = relativeTo(scores[kPure], scores[m]);
    if (!kMethods[m].other || !std::isfinite(ratio)) continue;
    ++others;
    if (ratio > 1)
      ++behind;
    else
      ahead += std::string(ahead.empty() ? "" : ", ") + kMethods[m].name + " " + number(ratio, 2);
  }
  Finding out;
  out.holds = behind == others ? Holds::Yes : behind > 0 ? Holds::Partly : Holds::No;
  out.sentence =
      "The method without a guess is closer to the reference than " + std::to_string(behind) + " of " +
      std::to_string(others) + " other methods on the characters that both process" +
      (ahead.empty() ? "" : ", but not than these (error relative to its own): " + ahead) +
      ". `bind`, which starts from heat and a prior, is at " + number(relativeTo(scores[kPure], scores[0]), 2) + "." +
      (second.empty() ? std::string()
                      : " The median of the method without a guess is " + number(median(shared[kPure].processed()), 2) +
                            " in random poses and " + number(median(shared[kPure].clip), 2) + " in clips.");
  out.notes =
      "The rms distance to the reference skin in 20 random poses, in % of the diagonal, at most 4 influences. All "
      "methods are told the joints. Losses, poses and steps are those of `bind`; both learned fields are fitted "
      "to the guess first, as skin cells are, and one network takes five times the steps. *Before the cap* is "
      "the error of all their weights relative to that of the four largest. BBW is computed on at most 2,500 "
      "vertices, and on the largest connected part where the whole has no tetrahedra.";
  out.body = first + second;
  return out;
}

} // namespace skincells::studies
