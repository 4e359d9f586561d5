#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "report/bind_survey.h"
#include "report/skin_summary.h"
#include "skincells/jobs/outfit_job.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

Json rangeJson(const JointMotion& m) {
  Json out{{"source", m.source},
           {"detail", m.detail},
           {"swing_degrees", {m.range.swing.lo, m.range.swing.hi}},
           {"twist_degrees", {m.range.twist.lo, m.range.twist.hi}}};
  if (m.range.isHinge()) out["axis"] = {m.range.axis.x, m.range.axis.y, m.range.axis.z};
  return out;
}

Json jointsJson(const Skeleton& skeleton, const BindReport& report, const WeightStatistics& statistics,
                const metrics::SkinSurvey& survey, const std::optional<metrics::ConfidenceSurvey>& confidence) {
  Json out = Json::array();
  for (const JointDecision& d : report.joints) {
    const auto j = static_cast<std::size_t>(d.joint);
    out.push_back({{"name", skeleton.joints[j].name},
                   {"deforms", d.deforms},
                   {"rule", d.rule},
                   {"reason", d.reason},
                   {"vertices", statistics.vertices_of_joint[j]},
                   {"led", survey.joints[j].led},
                   {"weight", statistics.mass_of_joint[j]},
                   {"extent_percent", survey.joints[j].extent},
                   {"farthest_percent", survey.joints[j].farthest}});
    if (confidence && survey.joints[j].led > 0) out.back()["confidence"] = confidence->of_joint[j];
    if (!report.motions.empty()) out.back()["range"] = rangeJson(report.motions[j]);
  }
  return out;
}

Json sectionsJson(const Mesh& mesh, const SparseWeights& weights, int joint_count) {
  Json out = Json::array();
  for (const MeshSection& s : mesh.sections) {
    SparseWeights part(s.vertex_count, weights.slots);
    for (std::size_t v = 0; v < s.vertex_count; ++v) {
      std::copy_n(weights.jointRow(s.first_vertex + v).begin(), weights.slots, part.jointRow(v).begin());
      std::copy_n(weights.weightRow(s.first_vertex + v).begin(), weights.slots, part.weightRow(v).begin());
    }
    Json entry{{"name", s.name}, {"where", s.where}, {"vertices", s.vertex_count}, {"triangles", s.triangle_count}};
    entry.update(toJson(weightStatistics(part, joint_count)));
    out.push_back(std::move(entry));
  }
  return out;
}

Json curvesJson(const std::vector<LossCurve>& curves) {
  Json out = Json::object();
  for (const LossCurve& curve : curves) {
    Json held_out = Json::array();
    for (const HeldOutLoss& h : curve.held_out) held_out.push_back({{"step", h.step}, {"loss", h.loss}});
    out[curve.name] = {{"stop_reason", curve.stop_reason}, {"loss", curve.values}, {"held_out", std::move(held_out)}};
  }
  return out;
}

Json guardJson(const GuardReport& guard) {
  Json findings = Json::array();
  for (const GuardFinding& f : guard.findings)
    findings.push_back({{"candidate", f.candidate},
                        {"accepted", f.accepted},
                        {"reason", f.reason},
                        {"stretch_rms", f.stretch_rms},
                        {"empty_vertices", f.empty_vertices},
                        {"lost_joints", f.lost_joints}});
  return {{"enabled", guard.enabled},
          {"result", guard.findings.empty() ? "unguarded" : guard.findings.back().candidate},
          {"start_stretch_rms", guard.start_stretch_rms},
          {"findings", std::move(findings)}};
}

Json planeJson(const MirrorPlane& plane) {
  return {{"normal", {plane.normal.x, plane.normal.y, plane.normal.z}},
          {"offset", plane.offset},
          {"joint_pairs", plane.joint_pairs},
          {"joint_share", plane.joint_share},
          {"surface_share", plane.surface_share}};
}

std::string leastSureText(const Skeleton& skeleton, const std::optional<metrics::ConfidenceSurvey>& confidence) {
  constexpr std::size_t kListed = 3;
  std::string out;
  for (std::size_t i = 0; confidence && i < std::min(kListed, confidence->places.size()); ++i)
    out += "    " + text::printable(jointsOf(skeleton, confidence->places[i])) + " (" +
           text::fixed(confidence->places[i].confidence, 2) + ")\n";
  return out.empty() ? out : "  least sure, 0 .. 1:\n" + out;
}

// "a, b, c and 12 more"
std::string shortList(const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 6;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kListed); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kListed) out += " and " + text::grouped(names.size() - kListed) + " more";
  return out;
}

std::string leftOutText(const Skeleton& skeleton, const std::vector<JointDecision>& joints) {
  // By rule, as people call them. The reason of each joint is in the JSON.
  struct Kind {
    const char *rule, *one, *many;
  };
  static constexpr Kind kKinds[] = {
      {"root", "root", "roots"},
      {"copy", "copy of another joint", "copies of other joints"},
      {"control", "control", "controls"},
      {"end", "end joint", "end joints"},
      {"outside", "joint away from the mesh", "joints away from the mesh"},
      {"unmarked", "joint without the rig's mark for deform bones", "joints without the rig's mark for deform bones"},
      {"twin", "joint at the place of its child", "joints at the place of their child"}};
  std::vector<std::string> order; // rules, as they come up
  std::map<std::string, std::vector<std::string>> names;
  for (const JointDecision& d : joints) {
    if (d.deforms) continue;
    if (!names.contains(d.rule)) order.push_back(d.rule);
    names[d.rule].push_back(skeleton.joints[d.joint].name);
  }
  std::string out;
  for (const std::string& rule : order) {
    const std::vector<std::string>& list = names[rule];
    const auto kind = std::ranges::find_if(kKinds, [&](const Kind& k) { return rule == k.rule; });
    const std::string noun = kind == std::end(kKinds) ? "by the rule '" + rule + "'"
                             : list.size() == 1       ? kind->one
                                                      : kind->many;
    out += "    " + text::grouped(list.size()) + " " + noun + ": " + text::printable(shortList(list)) + "\n";
  }
  return out.empty() ? out : "  left out:\n" + out;
}

// The points of a cloud, with the skeleton that they were bound to.
Character pointsOf(const BoundCloud& cloud, const Character& surface) {
  return {surface.name, cloud.file.mesh(), surface.skeleton, {}};
}

// Adds what was bound in place of the points.
void addSurface(const BindOutcome& outcome, Json& j, std::string& text) {
  if (!outcome.cloud || !outcome.cloud->file.mesh().triangles.empty()) return;
  const Mesh& mesh = outcome.input.character().mesh;
  j["surface"] = {{"vertices", mesh.vertexCount()}, {"triangles", mesh.triangles.size()}};
  text += "  bound as a surface of " + text::counted(mesh.vertexCount(), "vertex") + " through the points\n";
}

} // namespace

Document documentOf(const BindOutcome& outcome, const DocumentOptions&) {
  const BindJob& job = outcome.job;
  const Character& c = outcome.input.character();
  const BindResult& result = outcome.result;
  const int joint_count = c.skeleton.jointCount();
  const WeightStatistics statistics = weightStatistics(result.weights, joint_count);
  const metrics::SkinSurvey survey = surveyWeights(c, result.weights, result.report.joints);
  const std::optional<metrics::ConfidenceSurvey> confidence = surveyConfidence(c, result);
  const Character points = outcome.cloud ? pointsOf(*outcome.cloud, c) : Character{};
  const Character& written = outcome.cloud ? points : c;
  const SparseWeights& weights = outcome.cloud ? outcome.cloud->weights : result.weights;
  const WrittenField field{job.field, outcome.field_bytes, tableBytes(weights, joint_count, job.write.quantize)};
  Warnings warnings = joined(outcome.input.warnings(), result.report.warnings);
  if (outcome.cloud) warnings = joined(outcome.cloud->file.warnings(), warnings);

  Json j = heading("bind");
  j["input"] =
      fileJson(job.input, outcome.cloud ? outcome.cloud->file.info().format : outcome.input.info().format, written);
  addRequest(j, job.output, valuesOf(bindOptionTable(), job.bind), job.write);
  j["options"].update(optionsJson(valuesOf(verdictOptionTable(), job.verdict)));
  if (!job.start.empty()) j["options"]["start"] = job.start;
  if (job.same_shape) j["options"]["same-shape"] = true;
  if (job.wear.wanted()) {
    j["options"].update(optionsJson(valuesOf(wearOptionTable(), job.wear)));
    j["options"].update(optionsJson(valuesOf(garmentOptionTable(), job.garment)));
  }
  j["stop_reason"] = result.report.stop_reason;
  if (!result.report.poses.empty()) j["poses"] = result.report.poses;
  addSkin(j, written, weights, {.measure_shape = false});
  j["verdict"] = toJson(outcome.verdict);
  j["coverage"] = coverageJson(c, result.report, survey, statistics);
  if (confidence) j["confidence"] = confidenceJson(c.skeleton, *confidence);
  j["joints"] = jointsJson(c.skeleton, result.report, statistics, survey, confidence);
  j["parts"] = sectionsJson(c.mesh, result.weights, joint_count);
  j["connected_parts"] = connectedPartsJson(c, result.report, survey);
  if (!outcome.garments.empty()) j["garments"] = garmentsJson(outcome.garments);
  j["has_field"] = result.field.has_value();
  if (outcome.field) j["field"] = writtenFieldJson(*outcome.field, field);
  j["loss_curves"] = curvesJson(result.report.curves);
  j["guard"] = guardJson(result.report.guard);
  j["rigid_parts"] = result.report.rigid_part_count;
  if (result.report.symmetry) j["symmetry"] = planeJson(*result.report.symmetry);
  j["warnings"] = toJson(warnings);
  j["timings_seconds"] = toJson(result.report.timings);

  double total = 0;
  for (const StageTime& t : result.report.timings) total += t.seconds;
  std::string text =
      text::printable(job.input + " -> " + job.output) + "\n  " + weightsText(written, weights, "bound to", total);
  addSurface(outcome, j, text);
  if (job.bind.method == BindMethod::SkinCells && !result.field) text += "  no field: these weights are per vertex\n";
  if (outcome.field) text += writtenFieldText(field);
  text += garmentsText(outcome.garments);
  text +=
      warningsText(warnings) + leastSureText(c.skeleton, confidence) + leftOutText(c.skeleton, result.report.joints);
  const std::vector<std::string> idle = idleJoints(c.skeleton, result.report, statistics);
  if (!idle.empty())
    text += "  " + text::counted(idle.size(), "joint") + " without weights: " + text::printable(shortList(idle)) + "\n";
  return {text + verdictText(outcome.verdict), print(j), warningsText(warnings, "")};
}

Document documentOf(const OutfitOutcome& outcome, const DocumentOptions& options) {
  Json j = heading("bind_outfit");
  Document out;
  for (const BindOutcome& garment : outcome.garments) {
    const Document one = documentOf(garment, options);
    out.text += one.text;
    out.warnings += one.warnings;
    j["garments"].push_back(Json::parse(one.json));
  }
  out.json = print(j);
  return out;
}

} // namespace skincells
