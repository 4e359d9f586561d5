// Sections about joints, coverage and warnings that all report pages share.
#pragma once

#include <span>
#include <vector>

#include "metrics/confidence_survey.h"
#include "metrics/skin_survey.h"
#include "skincells/bind.h"
#include "skincells/character.h"
#include "skincells/joints.h"
#include "skincells/result.h"
#include "skincells/viz/page.h"

namespace skincells::page {

// Joints left out and why, and what the others move.
PageSection jointSection(const Character& character, const std::vector<JointDecision>& decisions,
                         const WeightStatistics& statistics, const metrics::SkinSurvey& survey);
// How many influences vertices have, and which joints move which connected parts. origins: one per vertex, why the
// parts of a bind are bound so; may be empty.
PageSection coverageSection(const Character& character, const metrics::SkinSurvey& survey,
                            std::span<const PartOrigin> origins = {});
// Where the bind is least sure.
PageSection doubtSection(const Skeleton& skeleton, const metrics::ConfidenceSurvey& confidence);
// Both lists, without duplicates. No section if there are no warnings.
std::vector<PageSection> warningSections(const Warnings& warnings, const Warnings& more = {});

void appendSections(PageInput& page, std::vector<PageSection> sections);

} // namespace skincells::page
