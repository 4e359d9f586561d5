// What report pages say about a skin in poses: figures with a verdict, pictures, left-out joints.
#pragma once

#include <string>
#include <vector>

#include "metrics/skin_survey.h"
#include "skincells/page.h"
#include "skincells/report.h"

namespace skincells::report {

// Random poses that were measured, and those worth a look: bind pose first, then the ones that stretch the mesh most.
struct Looked {
  std::vector<Pose> poses;
  std::vector<LabelledPose> shown;
  int worst_count = 0;
  double max_angle = 0;
};
// Chosen for these weights; other skins of the mesh are shown in the same poses.
Looked lookForBadPoses(const Character& character, const SparseWeights& weights);

// "The bind pose and the 3 of 24 random poses ..."
std::string describe(const Looked& looked);

// The figures of one or more skins, one column each, against the thresholds.
struct NamedShape {
  std::string name;
  ShapeStatistics shape;
};
PageTable shapeTable(const std::vector<NamedShape>& skins);
// The worst verdict in the table.
Tone worstTone(const std::vector<NamedShape>& skins);

PageImage poseSheet(const Character& character, const std::vector<LabelledSkin>& skins, const Looked& looked,
                    const Orientation& orientation, ColorMode mode, const std::string& caption);

PageSection jointSection(const Character& character, const std::vector<JointDecision>& decisions,
                         const WeightStatistics& statistics, const metrics::SkinSurvey& survey);
// How many influences vertices have, and which joints move which connected parts.
PageSection coverageSection(const Character& character, const metrics::SkinSurvey& survey);
// Nothing where there are no warnings.
std::vector<PageSection> warningSections(const Warnings& warnings);

} // namespace skincells::report
