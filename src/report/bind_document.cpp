// What a bind did.
#include <algorithm>

#include "base/assert.h"
#include "report/json_text.h"
#include "report/table.h"
#include "skincells/report.h"

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

Json jointsJson(const Skeleton& skeleton, const BindReport& report, const WeightStatistics& statistics) {
  Json out = Json::array();
  for (const JointDecision& d : report.joints) {
    const auto j = static_cast<std::size_t>(d.joint);
    out.push_back({{"name", skeleton.joints[j].name},
                   {"deforms", d.deforms},
                   {"rule", d.rule},
                   {"reason", d.reason},
                   {"vertices", statistics.vertices_of_joint[j]},
                   {"weight", statistics.mass_of_joint[j]}});
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

std::string leftOutText(const Skeleton& skeleton, const std::vector<JointDecision>& joints) {
  std::string out;
  for (const JointDecision& d : joints)
    if (!d.deforms) out += "    " + skeleton.joints[static_cast<std::size_t>(d.joint)].name + ": " + d.reason + "\n";
  return out;
}

} // namespace

Document bindDocument(const BindSummary& summary) {
  SKINCELLS_ASSERT(summary.input != nullptr && summary.result != nullptr);
  const CharacterFile& file = *summary.input;
  const Character& c = file.character();
  const BindResult& result = *summary.result;
  const int joint_count = c.skeleton.jointCount();
  const WeightStatistics statistics = weightStatistics(result.weights, joint_count);
  const auto deforming = std::count_if(result.report.joints.begin(), result.report.joints.end(),
                                       [](const JointDecision& d) { return d.deforms; });
  const auto used =
      std::count_if(statistics.mass_of_joint.begin(), statistics.mass_of_joint.end(), [](double m) { return m > 0; });

  Json j = heading("bind");
  j["input"] = {{"path", file.info().path},
                {"format", file.info().format},
                {"vertices", c.mesh.vertexCount()},
                {"triangles", c.mesh.triangles.size()},
                {"joints", joint_count}};
  j["output"] = {{"path", summary.output_path}};
  j["options"] = optionsJson(bindOptionTable(), summary.options);
  j["options"].update(optionsJson(writeOptionTable(), summary.write_options));
  j["stop_reason"] = result.report.stop_reason;
  if (!result.report.poses.empty()) j["poses"] = result.report.poses;
  j["weights"] = toJson(statistics);
  j["weights"]["joints_used"] = used;
  j["joints"] = jointsJson(c.skeleton, result.report, statistics);
  j["parts"] = sectionsJson(c.mesh, result.weights, joint_count);
  if (summary.measure_shape) {
    RandomPoseOptions poses;
    poses.count = 8;
    j["posed_shape"] = toJson(shapeStatistics(c.mesh, result.weights, randomPoses(c.skeleton, poses)));
    j["posed_shape"]["poses"] = poses.count;
    j["posed_shape"]["max_angle_degrees"] = poses.max_angle;
  }
  Json curves = Json::object();
  for (const LossCurve& curve : result.report.curves) curves[curve.name] = curve.values;
  j["loss_curves"] = curves;
  j["rigid_parts"] = result.report.rigid_part_count;
  if (const auto& plane = result.report.symmetry)
    j["symmetry"] = {{"normal", {plane->normal.x, plane->normal.y, plane->normal.z}},
                     {"offset", plane->offset},
                     {"joint_pairs", plane->joint_pairs},
                     {"joint_share", plane->joint_share},
                     {"surface_share", plane->surface_share}};
  Warnings warnings = file.warnings();
  warnings.insert(warnings.end(), result.report.warnings.begin(), result.report.warnings.end());
  j["warnings"] = toJson(warnings);
  Json timings = Json::object();
  double total = 0;
  for (const StageTime& t : result.report.timings) timings[t.name] = t.seconds, total += t.seconds;
  j["timings_seconds"] = timings;

  std::string text = file.info().path + " -> " + summary.output_path + "\n  " +
                     counted(c.mesh.vertexCount(), "vertex") + " bound to " + std::to_string(used) + " of " +
                     counted(static_cast<unsigned>(joint_count), "joint") + ", at most " +
                     counted(static_cast<unsigned>(statistics.max_influences), "influence") + " (mean " +
                     fixed(statistics.mean_influences, 2) + "), " + fixed(total, 2) + " s\n";
  if (deforming < joint_count) text += "  left out:\n" + leftOutText(c.skeleton, result.report.joints);
  for (const Warning& w : warnings) text += "  warning: " + (w.where.empty() ? "" : w.where + ": ") + w.message + "\n";
  return {text, print(j)};
}

} // namespace skincells
