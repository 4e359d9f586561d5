#include "report/bind_survey.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "joints/rules.h"
#include "rig/bones.h"

namespace skincells::report {

using Json = nlohmann::ordered_json;

metrics::SkinSurvey surveyWeights(const Character& c, const SparseWeights& weights,
                                  const std::vector<JointDecision>& decisions) {
  std::vector<int> deforming;
  for (const JointDecision& d : decisions)
    if (d.deforms) deforming.push_back(d.joint);
  const auto bones = rig::boneSegments(c.skeleton, deforming, joints::misplacedJoints(decisions));
  return metrics::surveySkin(c.mesh, weights, c.skeleton.jointCount(), bones);
}

std::optional<metrics::ConfidenceSurvey> surveyConfidence(const Character& c, const BindResult& result) {
  if (result.confidence.empty()) return std::nullopt;
  return metrics::surveyConfidence(c.mesh, result.weights, result.confidence, c.skeleton.jointCount());
}

std::string jointsOf(const Skeleton& skeleton, const metrics::DoubtfulPlace& place) {
  if (place.joint < 0) return "no joint";
  std::string names = skeleton.joints[place.joint].name;
  if (place.other >= 0) names += ", or " + skeleton.joints[place.other].name;
  return names;
}

Json confidenceJson(const Skeleton& skeleton, const metrics::ConfidenceSurvey& survey) {
  Json places = Json::array();
  for (const metrics::DoubtfulPlace& p : survey.places) {
    places.push_back(
        {{"vertex", p.vertex}, {"position", {p.position.x, p.position.y, p.position.z}}, {"confidence", p.confidence}});
    if (p.joint >= 0) places.back()["joint"] = skeleton.joints[p.joint].name;
    if (p.other >= 0) places.back()["other_joint"] = skeleton.joints[p.other].name;
  }
  return {{"mean", survey.mean}, {"percent_doubtful", survey.percent_doubtful}, {"least_sure", places}};
}

std::vector<std::string> idleJoints(const Skeleton& skeleton, const BindReport& report,
                                    const WeightStatistics& statistics) {
  std::vector<std::string> names;
  for (const JointDecision& d : report.joints)
    if (d.deforms && statistics.vertices_of_joint[d.joint] == 0) names.push_back(skeleton.joints[d.joint].name);
  return names;
}

std::string sectionOf(const Mesh& mesh, std::uint32_t vertex) {
  const auto section = std::ranges::find_if(
      mesh.sections, [&](const MeshSection& s) { return vertex - s.first_vertex < s.vertex_count; });
  return section == mesh.sections.end() ? std::string() : section->name;
}

Json coverageJson(const Character& c, const BindReport& report, const metrics::SkinSurvey& survey,
                  const WeightStatistics& statistics) {
  const auto vertex_count = static_cast<double>(c.mesh.vertexCount());
  Json percents = Json::array();
  for (std::uint32_t count : survey.by_influences) percents.push_back(100 * count / vertex_count);
  return {{"joints_without_weight", idleJoints(c.skeleton, report, statistics)},
          {"vertices_by_influences", survey.by_influences},
          {"percent_by_influences", percents},
          {"vertices_at_cap", survey.by_influences.back()}};
}

Json connectedPartsJson(const Character& character, const BindReport& report, const metrics::SkinSurvey& survey) {
  constexpr std::size_t kListed = 100; // a triangle soup has as many parts as triangles
  Json list = Json::array();
  for (const metrics::PartSurvey& part : survey.parts) {
    if (list.size() == kListed) break;
    Json joints = Json::array();
    for (std::size_t i = 0; i < part.joints.size(); ++i)
      joints.push_back({{"name", character.skeleton.joints[part.joints[i]].name}, {"share", part.shares[i]}});
    list.push_back({{"section", sectionOf(character.mesh, part.first_vertex)},
                    {"vertices", part.vertices},
                    {"triangles", part.triangles},
                    {"size_percent", part.size},
                    {"rigid", part.rigid},
                    {"joints", joints}});
    if (report.origins.empty()) continue;
    const PartOrigin origin = report.origins[part.first_vertex];
    list.back()["rule"] = partOriginName(origin);
    list.back()["reason"] = partOriginReason(origin);
  }
  return {{"count", survey.parts.size()},
          {"rigid", std::ranges::count_if(survey.parts, [](const metrics::PartSurvey& p) { return p.rigid; })},
          {"list", list}};
}

} // namespace skincells::report
