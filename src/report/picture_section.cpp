// The pictures of a report page.
#include <algorithm>
#include <numeric>

#include "render/legend.h"
#include "render/render_mesh.h"
#include "report/pose_choice.h"
#include "report/shape_page.h"

namespace skincells::report {
namespace {

constexpr int kMaps = 8; // joints whose weights are drawn

PageImage poseSheet(const Character& c, const std::vector<LabelledSkin>& skins, const Looked& looked,
                    const Orientation& orientation, ColorMode mode, const std::string& caption) {
  CharacterSheetOptions options;
  options.render.width = 360;
  options.render.height = 360;
  options.views = {View::ThreeQuarter, View::Back};
  options.mode = mode;
  options.sheet.columns = skins.size() == 1 ? 4 : 0;
  if (mode == ColorMode::Material) options.triangle_colors = materialColors(c.mesh);
  return {encodePng(characterSheet(c, skins, looked.shown, orientation, options)), caption};
}

// The joints that carry most weight, heaviest first.
std::vector<int> heaviestJoints(const SparseWeights& weights, int joint_count) {
  const WeightStatistics statistics = weightStatistics(weights, joint_count);
  const auto mass = [&](int j) { return statistics.mass_of_joint[static_cast<std::size_t>(j)]; };
  std::vector<int> joints(static_cast<std::size_t>(joint_count));
  std::iota(joints.begin(), joints.end(), 0);
  std::erase_if(joints, [&](int j) { return mass(j) <= 0; });
  std::stable_sort(joints.begin(), joints.end(), [&](int a, int b) { return mass(a) > mass(b); });
  joints.resize(std::min<std::size_t>(joints.size(), kMaps));
  return joints;
}

// One picture a joint, in bind pose.
PageImage weightMaps(const Character& c, const LabelledSkin& skin, const Orientation& orientation) {
  RenderOptions options;
  options.width = options.height = 240;
  options.up = orientation.up;
  const render::MeshRenderer renderer(c.mesh);
  const Camera camera = frameCamera(c.mesh.positions, View::ThreeQuarter, orientation);
  std::vector<SheetCell> cells;
  for (int joint : heaviestJoints(*skin.weights, c.skeleton.jointCount())) {
    const auto colors = vertexColors(c, *skin.weights, ColorMode::Weights, joint, c.mesh.positions);
    cells.push_back({renderer.draw(c.mesh.positions, {{}, colors}, camera, options),
                     c.skeleton.joints[static_cast<std::size_t>(joint)].name});
  }
  SheetOptions sheet;
  sheet.columns = 4;
  sheet.title = skin.label;
  return {encodePng(render::withLegend(contactSheet(cells, sheet), ColorMode::Weights, sheet)),
          "Weights of the joints that move most; grey: none"};
}

} // namespace

PageSection pictureSection(const Character& c, const std::vector<LabelledSkin>& skins, const Looked& looked,
                           const Orientation& orientation) {
  const auto pictured = [&](ColorMode mode, const std::string& caption) {
    return poseSheet(c, skins, looked, orientation, mode, caption);
  };
  PageSection section;
  section.heading = "How it moves";
  section.paragraphs = {describe(looked)};
  section.images = {pictured(ColorMode::Material, "Posed, with the materials' colours"),
                    pictured(ColorMode::Stretch, "Where edges shrink (blue) and stretch (orange)"),
                    pictured(ColorMode::Joints, "Which joint moves what: joint colours mixed by weight"),
                    pictured(ColorMode::InfluenceCount, "Joints per vertex")};
  for (const LabelledSkin& skin : skins) section.images.push_back(weightMaps(c, skin, orientation));
  return section;
}

} // namespace skincells::report
