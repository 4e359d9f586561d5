#include "viz/viewer/payload.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "base/try.h"
#include "field/reference.h"
#include "report/json_text.h"
#include "report/skin_summary.h"
#include "rig/motion/joint_motions.h"
#include "rig/motion/swing_twist.h"
#include "rig/motion/test_poses.h"
#include "text/base64.h"
#include "viz/page/file_orientation.h"
#include "viz/page/pose_selection.h"

namespace skincells::viewer {
namespace {

using report::Json;

Json toJson(const Vec3d& v) {
  return {v.x, v.y, v.z};
}

Json jointsJson(const Skeleton& skeleton, const std::vector<JointDecision>& decisions) {
  Json out = Json::array();
  for (const JointDecision& d : decisions)
    out.push_back(
        {{"name", skeleton.joints[d.joint].name}, {"deforms", d.deforms}, {"rule", d.rule}, {"reason", d.reason}});
  return out;
}

// In the order of the skeleton, because the page draws random numbers in this order.
Json motionsJson(const Skeleton& skeleton, const std::vector<JointMotion>& motions) {
  const std::vector<Vec3d> bones = rig::boneDirections(skeleton);
  Json out = Json::array();
  for (std::size_t j = 0; j < motions.size(); ++j) {
    const JointMotion& m = motions[j];
    out.push_back({{"name", skeleton.joints[j].name},
                   {"source", m.source},
                   {"detail", m.detail},
                   {"swing", {m.range.swing.lo, m.range.swing.hi}},
                   {"twist", {m.range.twist.lo, m.range.twist.hi}},
                   {"bone", toJson(bones[j])}});
    if (m.range.isHinge()) out.back()["axis"] = toJson(m.range.axis);
  }
  return out;
}

// The ranges that the bind used if they are known, unless `rom` names others.
Result<std::vector<JointMotion>> motionsOf(const ViewCharacter& c, const std::string& rom) {
  const Character& character = c.file->character();
  const auto named = [&](const std::string& source) {
    return rig::jointMotions(character.skeleton, character.clip_poses, source);
  };
  if (rom != "bound") return named(rom);
  if (!c.motions.empty()) return c.motions;
  if (c.bound != nullptr)
    return c.bound->report.motions.empty() ? named("auto") : Result<std::vector<JointMotion>>(c.bound->report.motions);
  if (c.field == nullptr) return named("auto");
  for (const auto& [name, value] : c.field->provenance.options)
    if (name == "rom" && rig::isNamedSource(value)) return named(value);
  return named("auto"); // the bind used a range file, which may no longer exist
}

// The orientation in bind space. `up` only if it is derived from foot joints: the nodes may show the middle of a clip.
Json stanceJson(const Orientation& o) {
  if (!o.up_known) return {{"forward", toJson(o.forward)}};
  return {{"forward", toJson(o.forward)}, {"up", toJson(o.up)}};
}

// Named poses, as rotations in bind space from the bind pose: axis * angle in degrees.
Json testPosesJson(const CharacterFile& file, const std::vector<JointMotion>& motions, const Orientation& orientation) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  const Character& c = file.character();
  Json out = Json::array();
  for (const rig::TestPose& pose : rig::testPoses(c.skeleton, motions, orientation)) {
    Json turns = Json::object();
    const auto rotations = rig::turnsOf(c.skeleton, pose.pose);
    for (std::size_t j = 0; j < rotations.size(); ++j) {
      if (!rotations[j]) continue;
      const Vec3d turn = rig::splitTurn(*rotations[j], {}).swing; // without a bone, all of it
      if (length(turn) > 1e-4) turns[c.skeleton.joints[j].name] = toJson(turn * kDegrees);
    }
    out.push_back({{"name", pose.name}, {"turns", std::move(turns)}});
  }
  return out;
}

Json exponentials(std::span<const float> logarithms) {
  Json out = Json::array();
  for (float x : logarithms) out.push_back(std::exp(x));
  return out;
}

Json shapesJson(const FieldParameters& field) {
  Json out = Json::array();
  for (std::size_t s = 0; s < field.layout.sites(); ++s) {
    const float* stored = &field.values[field.layout.shapeBegin() + field.layout.shapeSize() * s];
    const auto f = field::shapeMatrix(field.layout.shape, stored);
    for (const auto& row : f.m)
      for (float entry : row) out.push_back(entry);
  }
  return out;
}

Json fieldJson(const std::vector<std::string>& joints, FieldParameters field) {
  SKINCELLS_ASSERT(joints.size() == field.layout.joints());
  return {{"joints", joints},
          {"siteCount", field.layout.site_count},
          {"maxInfluences", field.max_influences},
          {"unitOrigin", toJson(field.unit_origin)},
          {"unitScale", field.unit_scale},
          {"centers", std::vector<float>(field.centers().begin(), field.centers().end())},
          {"offsets", exponentials(field.logOffsets())},
          {"shapes", shapesJson(field)},
          {"falloffs", exponentials(field.logFalloffs())}};
}

// The cells to show, or null; a field that does not fit is left out with a warning.
Json cellsOf(const ViewCharacter& c, const std::vector<JointDecision>& decisions, Warnings& warnings) {
  const Skeleton& skeleton = c.file->character().skeleton;
  std::vector<std::string> joints;
  if (c.bound != nullptr) {
    if (!c.bound->field) return nullptr;
    for (const JointDecision& d : decisions)
      if (d.deforms) joints.push_back(skeleton.joints[d.joint].name);
    return fieldJson(joints, *c.bound->field);
  }
  if (c.field == nullptr) return nullptr;
  if (const auto fits = checkFieldFits(c.file->character(), *c.field); !fits) {
    warnings.push_back({"field.mismatch", fits.error().message, fits.error().where});
    return nullptr;
  }
  for (std::size_t j = 0; j < c.field->joints.size(); ++j) joints.push_back(c.field->jointName(j));
  return fieldJson(joints, c.field->field);
}

// One byte per vertex, by primitive.
Json confidenceJson(const Mesh& mesh, std::span<const float> confidence) {
  SKINCELLS_ASSERT(confidence.size() == mesh.positions.size());
  Json out = Json::array();
  for (const MeshSection& s : mesh.sections) {
    std::vector<std::uint8_t> bytes;
    for (float c : confidence.subspan(s.first_vertex, s.vertex_count))
      bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(c, 0.0F, 1.0F))));
    out.push_back({{"where", s.where}, {"values", text::encodeBase64(bytes)}});
  }
  return out;
}

const char* arrangementName(ViewArrangement arrangement) {
  switch (arrangement) {
  case ViewArrangement::Single:
    return "single";
  case ViewArrangement::SideBySide:
    return "side by side";
  case ViewArrangement::Together:
    return "together";
  case ViewArrangement::Auto:
    break;
  }
  return "auto";
}

} // namespace

Json settingsJson(const Gate& gate, ViewArrangement arrangement) {
  Json thresholds = Json::array();
  for (const Threshold& t : gate)
    thresholds.push_back(
        {{"metric", t.name}, {"label", t.label}, {"digits", t.digits}, {"good", t.good}, {"bad", t.bad}});
  const AngleInterval swing = JointRange{}.swing;
  return {{"thresholds", thresholds},
          {"randomPoses", page::kRandomPoses},
          {"defaultSwing", {swing.lo, swing.hi}},
          {"arrangement", arrangementName(arrangement)}};
}

Result<Json> characterJson(const ViewCharacter& c, const ViewOptions& options, const Gate& gate) {
  SKINCELLS_ASSERT(c.file != nullptr);
  const Character& character = c.file->character();
  SKINCELLS_TRY(glb, c.bound != nullptr ? c.file->encodeGlb(c.bound->weights) : c.file->encodeGlb());
  SKINCELLS_TRY(motions, motionsOf(c, options.rom));
  SKINCELLS_TRY(orientation, page::orientationOf(*c.file, options.front));
  Warnings warnings = c.file->warnings();
  std::vector<JointDecision> decisions;
  if (c.bound != nullptr) {
    decisions = c.bound->report.joints;
    warnings.insert(warnings.end(), c.bound->report.warnings.begin(), c.bound->report.warnings.end());
  } else if (auto chosen = chooseJoints(character, "auto")) {
    decisions = std::move(*chosen); // if it fails, the page shows everything but the decisions
  }
  Json cells = cellsOf(c, decisions, warnings);
  Json json{{"name", c.label.empty() ? character.name : c.label},
            {"path", c.file->info().path},
            {"format", c.file->info().format},
            {"glb", text::encodeBase64(glb)},
            {"stance", stanceJson(orientation)},
            {"joints", jointsJson(character.skeleton, decisions)},
            {"motions", motionsJson(character.skeleton, motions)},
            {"testPoses", testPosesJson(*c.file, motions, orientation)},
            {"warnings", report::toJson(warnings)}};
  const SparseWeights& weights = c.bound != nullptr ? c.bound->weights : character.weights;
  if (!weights.empty()) json["verdict"] = report::toJson(c.verdict ? *c.verdict : judgeSkin(character, weights, gate));
  if (!c.garments.empty()) json["garments"] = report::garmentsJson(c.garments);
  if (c.bound != nullptr && !c.bound->confidence.empty())
    json["confidence"] = confidenceJson(character.mesh, c.bound->confidence);
  if (!cells.is_null()) json["field"] = std::move(cells);
  return json;
}

} // namespace skincells::viewer
