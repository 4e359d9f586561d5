#include "viz/page/picture_section.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "viz/render/cell_shape.h"
#include "viz/render/picture/legend.h"
#include "viz/render/pose_choice.h"
#include "viz/render/render_mesh.h"

namespace skincells::page {
namespace {

constexpr int kWeightMaps = 8; // joints whose weights are drawn

std::vector<std::uint8_t> legendOf(ColorMode mode, const std::vector<LabeledSkin>& skins) {
  const Image legend = render::legendAlone(mode, {}, render::mostInfluencesShown(skins));
  return legend.empty() ? std::vector<std::uint8_t>() : encodePng(legend);
}

PageGallery galleryOf(std::string caption, const std::vector<SheetCell>& cells, std::vector<std::uint8_t> legend) {
  PageGallery gallery{std::move(caption), {}, std::move(legend)};
  for (const SheetCell& cell : cells) gallery.images.push_back({encodePng(cell.image), cell.caption});
  return gallery;
}

// A picture in the shape of the character, 360 pixels long.
void setShape(RenderOptions& options, double aspect) {
  constexpr double kLonger = 360;
  options.width = static_cast<int>(std::lround(kLonger * std::min(1.0, aspect)));
  options.height = static_cast<int>(std::lround(kLonger / std::max(1.0, aspect)));
}

struct Subject {
  const Character& character;
  const Appearance& appearance;
  const std::vector<LabeledSkin>& skins;
  const Orientation& orientation;
};

PageGallery poseGallery(const Subject& subject, std::span<const LabeledPose> poses, ColorMode mode,
                        const std::string& caption) {
  const auto& [c, appearance, skins, orientation] = subject;
  CharacterSheetOptions options;
  options.views = {View::ThreeQuarter, View::Back};
  setShape(options.render, render::contentAspect(c, skins, poses, orientation, options.views));
  options.mode = mode;
  if (mode == ColorMode::Material) {
    options.triangle_colors = appearance.triangle_colors;
    options.textures = &appearance.textures;
  }
  return galleryOf(caption, characterCells(c, skins, poses, orientation, options), legendOf(mode, skins));
}

// The joints with the largest total weight, heaviest first.
std::vector<int> heaviestJoints(const SparseWeights& weights, int joint_count) {
  const WeightStatistics statistics = weightStatistics(weights, joint_count);
  const auto mass = [&](int j) { return statistics.mass_of_joint[j]; };
  std::vector<int> joints(static_cast<std::size_t>(joint_count));
  std::iota(joints.begin(), joints.end(), 0);
  std::erase_if(joints, [&](int j) { return mass(j) <= 0; });
  std::stable_sort(joints.begin(), joints.end(), [&](int a, int b) { return mass(a) > mass(b); });
  joints.resize(std::min<std::size_t>(joints.size(), kWeightMaps));
  return joints;
}

// One picture per joint, in bind pose.
PageGallery weightMaps(const Character& c, const LabeledSkin& skin, const Orientation& orientation) {
  static constexpr View kViews[] = {View::ThreeQuarter};
  const LabeledPose bind{"", bindPose(c.skeleton)};
  RenderOptions options;
  setShape(options, render::contentAspect(c, {&skin, 1}, {&bind, 1}, orientation, kViews));
  options.up = orientation.up;
  const render::MeshRenderer renderer(c.mesh);
  const Camera camera = frameCamera(c.mesh.positions, View::ThreeQuarter, orientation,
                                    static_cast<double>(options.width) / options.height);
  std::vector<SheetCell> cells;
  for (int joint : heaviestJoints(*skin.weights, c.skeleton.jointCount())) {
    const auto colors = vertexColors(c, *skin.weights, ColorMode::Weights, joint, c.mesh.positions);
    cells.push_back({renderer.draw(c.mesh.positions, {{}, colors}, camera, options), c.skeleton.joints[joint].name});
  }
  const std::string what = "Weights of the joints that move most; gray: none";
  return galleryOf(skin.label.empty() ? what : skin.label + ": " + what, cells, legendOf(ColorMode::Weights, {skin}));
}

} // namespace

PageSection pictureSection(const Character& c, const Appearance& appearance, const std::vector<LabeledSkin>& skins,
                           const PoseSelection& poses, const Orientation& orientation) {
  const std::span<const LabeledPose> all = poses.shown;
  const Subject subject{c, appearance, skins, orientation};
  PageSection section;
  section.heading = "How it moves";
  section.paragraphs = {describe(poses)};
  const auto add = [&](ColorMode mode, std::span<const LabeledPose> some, const char* caption) {
    section.galleries.push_back(poseGallery(subject, some, mode, caption));
  };
  add(ColorMode::Material, all, "Posed, with the materials' colors");
  if (!poses.test.empty()) add(ColorMode::Material, poses.test, "In poses that people know");
  if (skins.size() > 1) add(ColorMode::Difference, all.subspan(1), "Only where skins differ from the first one");
  add(ColorMode::Stretch, all.subspan(1), "Where edges shrink (blue) and stretch (orange)");
  add(ColorMode::Joints, all, "Which joint moves what: joint colors mixed by weight");
  add(ColorMode::InfluenceCount, all.first(1), "Joints per vertex");
  for (const LabeledSkin& skin : skins) section.galleries.push_back(weightMaps(c, skin, orientation));
  return section;
}

} // namespace skincells::page
