#include "jobs/outfit.h"

#include <algorithm>

#include "base/try.h"
#include "skincells/apply.h"
#include "skincells/transfer.h"
#include "text/glob.h"
#include "text/split.h"

namespace skincells::jobs {
namespace {

const TrialOptions kReportedPoses{.poses = 16};

// Some sections of a character as a character of their own.
struct Piece {
  std::string name;
  Character character;
  std::vector<std::uint32_t> vertices; // of the whole
};
Piece pieceOf(const Character& whole, const std::string& name, const std::vector<char>& chosen) {
  Piece out{name, {name, {}, whole.skeleton, {}, whole.clip_poses}, {}};
  for (std::size_t s = 0; s < whole.mesh.sections.size(); ++s) {
    if (chosen[s] == 0) continue;
    MeshSection section = whole.mesh.sections[s];
    const std::uint32_t first = section.first_vertex, moved = out.character.mesh.vertexCount();
    for (std::uint32_t v = 0; v < section.vertex_count; ++v) {
      out.vertices.push_back(first + v);
      out.character.mesh.positions.push_back(whole.mesh.positions[first + v]);
    }
    section.first_vertex = moved;
    const auto first_triangle = static_cast<std::uint32_t>(out.character.mesh.triangles.size());
    for (std::uint32_t t = section.first_triangle; t < section.first_triangle + section.triangle_count; ++t) {
      Triangle corners = whole.mesh.triangles[t];
      for (std::uint32_t& v : corners) v = v - first + moved;
      out.character.mesh.triangles.push_back(corners);
    }
    section.first_triangle = first_triangle;
    out.character.mesh.sections.push_back(section);
  }
  if (!whole.weights.empty()) out.character.weights = gatherRows(whole.weights, out.vertices);
  return out;
}

// Marks the sections whose mesh or material a pattern matches.
Result<void> mark(const Mesh& mesh, std::string_view pattern, const char* option, std::vector<char>& chosen) {
  bool any = false;
  for (std::size_t s = 0; s < mesh.sections.size(); ++s) {
    const MeshSection& section = mesh.sections[s];
    if (!text::globMatches(pattern, section.name) && !text::globMatches(pattern, section.material)) continue;
    chosen[s] = 1;
    any = true;
  }
  if (any) return {};
  std::string known;
  for (const MeshSection& s : mesh.sections) {
    known += (known.empty() ? "'" : ", '") + s.name + "'";
    if (!s.material.empty()) known += " (material '" + s.material + "')";
  }
  return Error{ErrorCode::InvalidOption,
               "'" + std::string(pattern) + "' matches no mesh or material; the file has " + known, option};
}

// The layers of the outfit, inner ones first. taken: sections of any layer.
Result<std::vector<Piece>> layersOf(const WearOptions& wear, const Character& whole, std::vector<char>& taken) {
  std::vector<Piece> layers;
  const std::size_t count = whole.mesh.sections.size();
  taken.assign(count, 0);
  const auto add = [&](const std::string& name, std::vector<char> chosen) {
    for (std::size_t s = 0; s < count; ++s) {
      if (taken[s] != 0) chosen[s] = 0;
      taken[s] |= chosen[s];
    }
    if (std::ranges::count(chosen, 1) > 0) layers.push_back(pieceOf(whole, name, chosen));
  };
  std::vector<std::pair<std::string, std::vector<char>>> named;
  std::vector<char> in_layers(count, 0), inner(count, wear.body.empty() || !wear.garment.empty() ? 0 : 1);
  for (std::string_view pattern : text::splitNonEmpty(wear.layers, ',')) {
    named.emplace_back(pattern, std::vector<char>(count, 0));
    SKINCELLS_CHECK(mark(whole.mesh, pattern, "--layers", named.back().second));
    for (std::size_t s = 0; s < count; ++s) in_layers[s] |= named.back().second[s];
  }
  for (std::string_view pattern : text::splitNonEmpty(wear.garment, ','))
    SKINCELLS_CHECK(mark(whole.mesh, pattern, "--garment", inner));
  for (std::size_t s = 0; s < count; ++s)
    if (in_layers[s] != 0) inner[s] = 0;
  add(wear.garment.empty() ? whole.name : wear.garment, std::move(inner));
  for (auto& [name, chosen] : named) add(name, std::move(chosen));
  return layers;
}

void append(Body& body, const Mesh& mesh, const SparseWeights& weights) {
  const std::uint32_t first = body.mesh.vertexCount();
  body.mesh.positions.insert(body.mesh.positions.end(), mesh.positions.begin(), mesh.positions.end());
  for (const Triangle& t : mesh.triangles) body.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  SparseWeights rows(body.mesh.positions.size(), std::max(body.weights.slots, weights.slots));
  const auto copy = [&](const SparseWeights& from, std::size_t at) {
    for (std::size_t v = 0; v < from.vertexCount(); ++v) {
      std::ranges::copy(from.jointRow(v), rows.jointRow(at + v).begin());
      std::ranges::copy(from.weightRow(v), rows.weightRow(at + v).begin());
    }
  };
  copy(body.weights, 0);
  copy(weights, first);
  body.weights = std::move(rows);
}

// A body file: skinned, or with its field.
Result<Character> readBody(const std::string& path, OutputSet& outputs) {
  SKINCELLS_TRY(file, CharacterFile::read(path));
  SKINCELLS_CHECK(outputs.addInputs(file.info().resources));
  Character character = file.character();
  if (!character.weights.empty()) return character;
  SKINCELLS_TRY(field, file.field());
  if (!field) return Error{ErrorCode::Mismatch, "the body has neither weights nor a field; bind it first", path};
  SKINCELLS_TRY(applied, applyField(*field, character));
  character.weights = std::move(applied.weights);
  return character;
}

Result<Body> readBodies(const BindJob& job, const Character& garment, OutputSet& outputs, Warnings& warnings) {
  Body all;
  for (std::string_view path : text::splitNonEmpty(job.wear.body, ',')) {
    SKINCELLS_TRY(character, readBody(std::string(path), outputs));
    SKINCELLS_TRY(placed, placeBody(character, garment));
    warnings.insert(warnings.end(), placed.warnings.begin(), placed.warnings.end());
    append(all, placed.body.mesh, placed.body.weights);
  }
  return all;
}

// What a garment's own joints are; the body must not follow them.
std::string ownNames(const Character& whole, const Body& body, const std::vector<Piece>& layers) {
  std::string names;
  for (const Piece& layer : layers)
    if (const auto trial = GarmentTrial::make(layer.character, body, {}, {.poses = 1}))
      for (int j : trial->ownJoints()) {
        const std::string& name = whole.skeleton.joints[j].name;
        if (name.find(',') == std::string::npos) names += (names.empty() ? "" : ",") + name;
      }
  return names;
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
  into.report.warnings.insert(into.report.warnings.end(), from.report.warnings.begin(), from.report.warnings.end());
  for (const StageTime& t : from.report.timings) into.report.timings.push_back({piece.name + ": " + t.name, t.seconds});
  into.report.rigid_part_count += from.report.rigid_part_count;
}

// The garment and the three baselines, measured in the same poses.
Result<GarmentOutcome> judgeGarment(const Piece& layer, const Body& body, const SparseWeights& weights,
                                    const BindJob& job) {
  SKINCELLS_TRY(trial, GarmentTrial::make(layer.character, body, job.garment, kReportedPoses));
  GarmentOutcome out{layer.name, kReportedPoses.poses, static_cast<int>(trial.ownJoints().size()), {}};
  out.skins.push_back({"skin-cells", trial.measure(weights)});
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
  with_rig.rig = std::string(text::splitNonEmpty(job.wear.body, ',').front());
  return CharacterFile::read(job.input, with_rig);
}

Result<Outfit> bindOutfit(const BindJob& job, const CharacterFile& file, OutputSet& outputs,
                          const ProgressFunction& progress) {
  const Character& whole = file.character();
  std::vector<char> taken;
  SKINCELLS_TRY(layers, layersOf(job.wear, whole, taken));
  Outfit out;
  out.result.weights = SparseWeights(whole.mesh.positions.size(), job.bind.max_influences);
  Body body;
  Warnings warnings;
  bool first = true;
  if (!job.wear.body.empty()) {
    SKINCELLS_TRY(read, readBodies(job, whole, outputs, warnings));
    body = std::move(read);
  }
  for (char& t : taken) t = t == 0;
  const Piece rest = pieceOf(whole, "body", taken);
  if (!rest.vertices.empty()) {
    BindOptions options = job.bind;
    Body bare{rest.character.mesh, SparseWeights(rest.vertices.size(), 1)};
    const std::string own = ownNames(whole, bare, layers);
    options.drop_joints += (options.drop_joints.empty() || own.empty() ? "" : ",") + own;
    SKINCELLS_TRY(bound, skincells::bind(rest.character, options, progress));
    merge(rest, bound, first, out.result);
    first = false;
    append(body, rest.character.mesh, bound.weights);
  }
  if (body.mesh.positions.empty())
    return Error{ErrorCode::InvalidOption, "all of the file is garment; give the body with --body", "--garment"};
  for (const Piece& layer : layers) {
    SKINCELLS_TRY(bound, bindGarment(layer.character, body, job.bind, job.garment, progress));
    SKINCELLS_TRY(judged, judgeGarment(layer, body, bound.weights, job));
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
