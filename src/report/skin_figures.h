// What a bound skin does, joint by joint and part by part, for the documents of a bind.
#pragma once

#include <string>
#include <vector>

#include "metrics/skin_survey.h"
#include "report/json_text.h"
#include "skincells/report.h"

namespace skincells::report {

// The bones are those of the deforming joints.
metrics::SkinSurvey surveyBind(const BindSummary& summary);
metrics::SkinSurvey surveyWeights(const Character& character, const SparseWeights& weights,
                                  const std::vector<JointDecision>& decisions);

// Names of deforming joints that no vertex follows.
std::vector<std::string> idleJoints(const Skeleton& skeleton, const BindReport& report,
                                    const WeightStatistics& statistics);

// The name of the mesh section that a vertex belongs to.
std::string sectionOf(const Mesh& mesh, std::uint32_t vertex);

// How many vertices have how many influences, and the deforming joints that none follows.
Json coverageJson(const BindSummary& summary, const metrics::SkinSurvey& survey, const WeightStatistics& statistics);
// The connected parts, largest first.
Json connectedPartsJson(const Character& character, const metrics::SkinSurvey& survey);

} // namespace skincells::report
