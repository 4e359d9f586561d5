#include "jobs/outfit.h"

#include <algorithm>
#include <filesystem>

#include "base/try.h"
#include "skincells/jobs/outfit_job.h"
#include "skincells/transfer.h"

namespace skincells::jobs {
namespace {

// The joints that are a garment's own; the body must not follow them.
struct OwnJoints {
  std::string names;           // of all layers, separated by commas
  std::vector<char> has_joint; // by layer
};
OwnJoints findOwn(const Character& whole, const Body& body, const std::vector<Piece>& layers) {
  OwnJoints own;
  for (const Piece& layer : layers) {
    own.has_joint.push_back(0);
    if (const auto trial = GarmentTrial::make(layer.character, body, {}, {.poses = 1}))
      for (int j : trial->ownJoints()) {
        const std::string& name = whole.skeleton.joints[j].name;
        own.has_joint.back() = 1;
        if (name.find(',') == std::string::npos) own.names += (own.names.empty() ? "" : ",") + name;
      }
  }
  return own;
}

// Adds the sections of a layer.
void addSections(const Mesh& mesh, const Piece& layer, std::vector<char>& sections) {
  for (std::size_t s = 0; s < mesh.sections.size(); ++s)
    if (std::ranges::binary_search(layer.vertices, mesh.sections[s].first_vertex)) sections[s] = 1;
}

void merge(const Piece& piece, const BindResult& from, bool first, BindResult& into) {
  const auto slots = static_cast<std::size_t>(from.weights.slots);
  for (std::size_t v = 0; v < piece.vertices.size(); ++v)
    for (std::size_t k = 0; k < slots; ++k) {
      into.weights.jointRow(piece.vertices[v])[k] = from.weights.jointRow(v)[k];
      into.weights.weightRow(piece.vertices[v])[k] = from.weights.weightRow(v)[k];
    }
  if (first) {
    into.report = from.report;
    return;
  }
  for (std::size_t j = 0; j < from.report.joints.size(); ++j)
    if (from.report.joints[j].deforms && !into.report.joints[j].deforms) into.report.joints[j] = from.report.joints[j];
  for (std::size_t j = 0; j < from.report.motions.size(); ++j)
    if (from.report.motions[j].source == "garment") into.report.motions[j] = from.report.motions[j];
  into.report.warnings.insert(into.report.warnings.end(), from.report.warnings.begin(), from.report.warnings.end());
  for (const StageTime& t : from.report.timings) into.report.timings.push_back({piece.name + ": " + t.name, t.seconds});
  into.report.rigid_part_count += from.report.rigid_part_count;
}

// The garment and the three baselines, measured in the same poses.
// before: the rows without the garment path; empty: none.
Result<GarmentOutcome> judgeGarment(const Piece& layer, const Body& body, const SparseWeights& weights,
                                    const SparseWeights& before, const BindJob& job, WornPoses& poses) {
  SKINCELLS_TRY(trial, GarmentTrial::make(layer.character, body, job.garment, reportedPoses()));
  poses.add(trial);
  GarmentOutcome out{
      layer.name, reportedPoses().poses, static_cast<int>(trial.ownJoints().size()), {}, placesOf(layer)};
  out.skins.push_back({"skin-cells", trial.measure(weights)});
  if (before.vertexCount() > 0) out.skins.push_back({"whole", trial.measure(before)});
  if (const auto proximity = skincells::bind(
          layer.character,
          {.method = BindMethod::Proximity, .max_influences = job.bind.max_influences, .joints = "all"}))
    out.skins.push_back({"proximity", trial.measure(proximity->weights)});
  const Character source{"body", body.mesh, layer.character.skeleton, body.weights};
  for (const auto& [name, via] :
       {std::pair{"closest point", TransferMethod::Closest}, {"robust", TransferMethod::Robust}})
    if (const auto transferred = transferSkin(source, layer.character, {.via = via}))
      out.skins.push_back({name, trial.measure(transferred->weights)});
  return out;
}

} // namespace

Result<CharacterFile> readWearer(const BindJob& job) {
  auto file = CharacterFile::read(job.input, job.read);
  if (file || job.wear.body.empty() || !job.read.rig.empty() || file.error().code != ErrorCode::NoSkeleton) return file;
  ReadOptions with_rig = job.read;
  with_rig.rig = job.wear.bodies().front();
  return CharacterFile::read(job.input, with_rig);
}

Result<Outfit> bindOutfit(const BindJob& job, const CharacterFile& file, std::span<const Character> inner,
                          OutputSet& outputs, const ProgressFunction& progress) {
  const Character& whole = file.character();
  std::vector<char> taken;
  SKINCELLS_TRY(layers, layersOf(job.wear, whole, taken));
  Outfit out;
  out.result.weights = SparseWeights(whole.mesh.positions.size(), job.bind.max_influences);
  Body body;
  Warnings warnings;
  bool first = true;
  if (!job.wear.body.empty()) {
    SKINCELLS_TRY(read, readBodies(job.wear, whole, outputs, warnings));
    body = std::move(read);
  }
  for (const Character& garment : inner) {
    SKINCELLS_TRY(placed, placeBody(garment, whole));
    append(body, placed.body.mesh, placed.body.weights);
  }
  for (char& t : taken) t = t == 0;
  const Piece rest = pieceOf(whole, "body", taken);
  OwnJoints own;
  if (!rest.vertices.empty()) {
    own = findOwn(whole, {rest.character.mesh, SparseWeights(rest.vertices.size(), 1)}, layers);
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (own.has_joint[i] == 0) addSections(whole.mesh, layers[i], taken);
    BindOptions options = job.bind;
    options.drop_joints += (options.drop_joints.empty() || own.names.empty() ? "" : ",") + own.names;
    const Piece together = pieceOf(whole, "body", taken);
    SKINCELLS_TRY(bound, skincells::bind(together.character, options, progress));
    merge(together, bound, first, out.result);
    first = false;
    append(body, rest.character.mesh, gatherRows(out.result.weights, rest.vertices));
  }
  if (body.mesh.positions.empty())
    return Error{ErrorCode::InvalidOption, "all of the file is garment; give the body with --body", "--garment"};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Piece& layer = layers[i];
    const bool started = !rest.vertices.empty() && own.has_joint[i] == 0; // its rows are those of the whole
    const SparseWeights start = started ? gatherRows(out.result.weights, layer.vertices) : SparseWeights();
    SKINCELLS_TRY(bound,
                  bindGarment(layer.character, body, job.bind, job.garment, progress, started ? &start : nullptr));
    SKINCELLS_TRY(judged, judgeGarment(layer, body, bound.weights, start, job, out.poses));
    merge(layer, bound, first, out.result);
    first = false;
    out.garments.push_back(std::move(judged));
    append(body, layer.character.mesh, bound.weights);
    if (layers.size() == 1 && rest.vertices.empty()) out.result.field = std::move(bound.field);
  }
  out.result.report.warnings.insert(out.result.report.warnings.end(), warnings.begin(), warnings.end());
  return out;
}

} // namespace skincells::jobs

namespace skincells {
namespace {

Result<void> checkOutfit(const OutfitJob& job) {
  if (job.bind.wear.body.empty())
    return Error{ErrorCode::InvalidOption, "several garments need the body that wears them", "--body"};
  for (const auto& [patterns, option] :
       {std::pair{&job.bind.wear.garment, "--garment"}, {&job.bind.wear.layers, "--layers"}})
    if (!patterns->empty())
      return Error{
          ErrorCode::InvalidOption,
          "does nothing with several files: each is a garment, the inner ones first; name the files in that order",
          option};
  if (!job.bind.field.field.empty())
    return Error{ErrorCode::InvalidOption, "several garments have no single field; use --embed-field", "--field"};
  return {};
}

} // namespace

std::vector<BindJob> OutfitJob::jobs() const {
  std::vector<BindJob> out;
  for (std::size_t i = 0; i <= outer.size(); ++i) {
    BindJob one = bind;
    one.input = i == 0 ? bind.input : outer[i - 1];
    const std::filesystem::path path(one.input);
    const std::string kind = path.extension().string();
    one.output = (std::filesystem::path(bind.output) /
                  (path.stem().string() + (kind == ".gltf" || kind == ".vrm" ? kind : ".glb")))
                     .string();
    out.push_back(std::move(one));
  }
  return out;
}

JobFiles filesOf(const OutfitJob& job) {
  JobFiles all;
  for (const BindJob& one : job.jobs()) {
    const JobFiles files = filesOf(one);
    all.inputs.insert(all.inputs.end(), files.inputs.begin(), files.inputs.end());
    all.outputs.insert(all.outputs.end(), files.outputs.begin(), files.outputs.end());
    all.force = files.force;
  }
  return all;
}

Result<OutfitOutcome> run(const OutfitJob& job, OutputSet& outputs, const ProgressFunction& progress) {
  SKINCELLS_CHECK(checkOutfit(job));
  SKINCELLS_CHECK(outputs.addFolder(job.bind.output));
  const std::vector<BindJob> jobs = job.jobs();
  OutfitOutcome out;
  std::vector<Character> inner;
  for (const BindJob& one : jobs) {
    const auto done = static_cast<double>(out.garments.size()), all = static_cast<double>(jobs.size());
    const auto within = [&](Progress now) {
      now.fraction = (done + now.fraction) / all;
      return progress(now);
    };
    SKINCELLS_TRY(bound, jobs::runOver(one, inner, outputs, progress ? ProgressFunction(within) : progress));
    inner.push_back(bound.input.character());
    inner.back().weights = bound.result.weights;
    out.garments.push_back(std::move(bound));
  }
  return out;
}

} // namespace skincells
