// What a skin does, joint by joint and part by part, for the document and the page of a bind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "metrics/confidence_survey.h"
#include "metrics/skin_survey.h"
#include "skincells/bind.h"

namespace skincells::report {

// The bones are those of the deforming joints.
metrics::SkinSurvey surveyWeights(const Character& character, const SparseWeights& weights,
                                  const std::vector<JointDecision>& decisions);

// Nothing if the method has no confidence.
std::optional<metrics::ConfidenceSurvey> surveyConfidence(const Character& character, const BindResult& result);

// Names of deforming joints without weights.
std::vector<std::string> idleJoints(const Skeleton& skeleton, const BindReport& report,
                                    const WeightStatistics& statistics);

// The name of the mesh section that a vertex belongs to.
std::string sectionOf(const Mesh& mesh, std::uint32_t vertex);

// Number of vertices by number of influences, and the deforming joints without weights.
nlohmann::ordered_json coverageJson(const Character& character, const BindReport& report,
                                    const metrics::SkinSurvey& survey, const WeightStatistics& statistics);
// How sure the bind is, and its least sure places.
nlohmann::ordered_json confidenceJson(const Skeleton& skeleton, const metrics::ConfidenceSurvey& survey);
// The joint of a place, and the other one that it might follow: "Hips, or Spine".
std::string jointsOf(const Skeleton& skeleton, const metrics::DoubtfulPlace& place);
// The connected parts, largest first, and why each is bound as it is.
nlohmann::ordered_json connectedPartsJson(const Character& character, const BindReport& report,
                                          const metrics::SkinSurvey& survey);

} // namespace skincells::report
