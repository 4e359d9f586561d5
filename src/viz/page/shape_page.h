// What report pages say about a skin in poses: figures with a verdict, pictures, left-out joints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "metrics/skin_survey.h"
#include "skincells/report.h"
#include "skincells/viz/page.h"
#include "skincells/viz/render.h"

namespace skincells::page {

constexpr int kRandomPoses = 24; // measured to find the worst ones

// A metric of the posed shape: good up to `good`, bad above `bad`.
struct ShapeThreshold {
  const char* metric; // its key in JSON
  const char* label;
  double ShapeStatistics::*value;
  int digits; // after the decimal point
  double good, bad;
};
// Those of report pages and of the viewer.
std::span<const ShapeThreshold> shapeThresholds();

// Random poses that were measured, and those worth a look: bind pose first, then the ones that stretch the mesh most.
struct Looked {
  std::vector<Pose> poses;
  std::vector<LabeledPose> shown;
  int worst_count = 0;
  std::string ranges; // of motion, in words
};
// Within these ranges of motion, chosen for these weights; other skins of the mesh are shown in the same poses.
Looked lookForBadPoses(const Character& character, const SparseWeights& weights,
                       const std::vector<JointMotion>& motions);

// "The bind pose and the 3 of 24 random poses ..."
std::string describe(const Looked& looked);

struct NamedShape {
  std::string name;
  ShapeStatistics shape;
};
// The figures of one or more skins, one column each, against the thresholds.
PageSection shapeSection(const std::vector<NamedShape>& skins);
// The page's verdict: the worst of the figures, and bad whatever they are for skins that are not sound.
void setVerdict(PageInput& page, bool sound, const std::vector<NamedShape>& skins);

// The poses in the colors of materials, joints, influences and stretch, and the weights of the joints that move most.
PageSection pictureSection(const Character& character, const std::vector<LabeledSkin>& skins, const Looked& looked,
                           const Orientation& orientation);

PageSection jointSection(const Character& character, const std::vector<JointDecision>& decisions,
                         const WeightStatistics& statistics, const metrics::SkinSurvey& survey);
// How many influences vertices have, and which joints move which connected parts.
PageSection coverageSection(const Character& character, const metrics::SkinSurvey& survey);
void appendSections(PageInput& page, std::vector<PageSection> sections);
// Of both lists, what stands in both once. Nothing where there are no warnings.
std::vector<PageSection> warningSections(const Warnings& warnings, const Warnings& more = {});

} // namespace skincells::page
