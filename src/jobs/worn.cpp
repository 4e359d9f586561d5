#include "jobs/worn.h"

#include <algorithm>

#include "base/try.h"
#include "skincells/apply.h"
#include "skincells/io/character_file.h"
#include "skincells/transfer.h"
#include "text/glob.h"
#include "text/split.h"

namespace skincells::jobs {
namespace {

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

bool isAllGarment(const Mesh& mesh, const std::vector<GarmentOutcome>& garments) {
  return std::ranges::all_of(mesh.sections, [&](const MeshSection& s) {
    return std::ranges::any_of(garments,
                               [&](const GarmentOutcome& g) { return std::ranges::count(g.places, s.where) > 0; });
  });
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

} // namespace

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

std::vector<std::string> placesOf(const Piece& piece) {
  std::vector<std::string> out;
  for (const MeshSection& s : piece.character.mesh.sections) out.push_back(s.where);
  return out;
}

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

Result<Body> readBodies(const WearOptions& wear, const Character& garment, OutputSet& outputs, Warnings& warnings) {
  Body all;
  for (const std::string& path : wear.bodies()) {
    SKINCELLS_TRY(character, readBody(path, outputs));
    SKINCELLS_TRY(placed, placeBody(character, garment));
    warnings.insert(warnings.end(), placed.warnings.begin(), placed.warnings.end());
    append(all, placed.body.mesh, placed.body.weights);
  }
  return all;
}

TrialOptions reportedPoses() {
  return {.poses = 24, .seed = 0};
}

void WornPoses::add(const GarmentTrial& trial) {
  own_ = own_ || !trial.ownJoints().empty();
  if (poses_.empty()) {
    poses_ = trial.poses();
    motions_ = trial.motions();
    return;
  }
  for (int j : trial.ownJoints()) {
    const auto joint = static_cast<std::size_t>(j);
    motions_[joint] = trial.motions()[joint];
    for (std::size_t p = 0; p < poses_.size(); ++p) poses_[p][joint] = trial.poses()[p][joint];
  }
}

Verdict WornPoses::judge(const Character& whole, const SparseWeights& weights,
                         const std::vector<GarmentOutcome>& garments, const Gate& gate, std::size_t skin) const {
  const std::string text =
      std::to_string(poses_.size()) + " random poses" + (own_ ? ", own joints of garments pushed by the body" : "");
  Gate fitting = gate;
  if (isAllGarment(whole.mesh, garments)) // it need not fill the skeleton of its body
    std::erase_if(fitting, [](const Threshold& t) { return t.name == "size_factor"; });
  Verdict verdict = judgeSkinIn(poses_, text, whole, weights, fitting);
  Measure worst{"penetration_percent", -1, ""};
  for (const GarmentOutcome& g : garments) {
    const double inside = g.skins[skin].quality.penetration.vertex_percent;
    if (inside > worst.value) worst = {worst.name, inside, g.name};
  }
  const Verdict inside = skincells::judge({worst}, gate);
  verdict.findings.insert(verdict.findings.end(), inside.findings.begin(), inside.findings.end());
  verdict.grade = std::max(verdict.grade, inside.grade);
  return verdict;
}

Result<WornSkins> measureWorn(const WearOptions& wear, const Character& whole, std::span<const NamedSkin> skins,
                              OutputSet& outputs) {
  std::vector<char> taken;
  SKINCELLS_TRY(layers, layersOf(wear, whole, taken));
  for (char& t : taken) t = t == 0;
  const Piece rest = pieceOf(whole, "body", taken);
  WornSkins out;
  SKINCELLS_TRY(read, readBodies(wear, whole, outputs, out.warnings));
  std::vector<Body> bodies(skins.size(), read); // by skin
  for (std::size_t s = 0; s < skins.size(); ++s)
    if (!rest.vertices.empty()) append(bodies[s], rest.character.mesh, gatherRows(*skins[s].weights, rest.vertices));
  if (bodies.front().mesh.positions.empty())
    return Error{ErrorCode::InvalidOption, "all of the file is garment; give the body with --body", "--garment"};
  for (const Piece& layer : layers) {
    GarmentOutcome outcome{layer.name, reportedPoses().poses, 0, {}, placesOf(layer)};
    std::vector<Pose> poses;
    for (std::size_t s = 0; s < skins.size(); ++s) {
      SKINCELLS_TRY(trial, GarmentTrial::make(layer.character, bodies[s], {}, reportedPoses()));
      if (s == 0) {
        out.poses.add(trial);
        outcome.own_joints = static_cast<int>(trial.ownJoints().size());
        poses = trial.poses();
      } else {
        trial.usePoses(poses);
      }
      const SparseWeights rows = gatherRows(*skins[s].weights, layer.vertices);
      outcome.skins.push_back({skins[s].name, trial.measure(rows)});
      append(bodies[s], layer.character.mesh, rows);
    }
    out.garments.push_back(std::move(outcome));
  }
  return out;
}

} // namespace skincells::jobs

namespace skincells {

std::vector<std::string> WearOptions::bodies() const {
  const auto parts = text::splitNonEmpty(body, ',');
  return {parts.begin(), parts.end()};
}

const OptionTable<WearOptions>& wearOptionTable() {
  static const OptionTable<WearOptions> table{
      options::text("body", &WearOptions::body, "FILE, or several separated by commas",
                    "what the input is worn on: a skinned file, or one with its field; inner garments too"),
      options::text("garment", &WearOptions::garment, "names or patterns, separated by commas",
                    "meshes or materials of the input that are garments; the others are the body"),
      options::text("layers", &WearOptions::layers, "names or patterns, separated by commas",
                    "garments of the input from the inner to the outer one; each stays outside of those before it"),
  };
  return table;
}

} // namespace skincells
