#include "skincells/viz/character_sheet.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "deform/lbs.h"
#include "viz/render/color.h"
#include "viz/render/legend.h"
#include "viz/render/render_mesh.h"

namespace skincells {
namespace {

using Positions = std::vector<Vec3f>;

std::vector<Positions> skinAll(const Mesh& mesh, std::span<const LabeledSkin> skins,
                               std::span<const LabeledPose> poses) {
  std::vector<Positions> posed;
  for (const LabeledPose& pose : poses)
    for (const LabeledSkin& skin : skins) {
      posed.emplace_back(mesh.positions.size());
      deform::skin(mesh.positions, *skin.weights, pose.pose, posed.back());
    }
  return posed;
}

double eyeDistance(const Camera& camera) {
  return length(camera.eye - camera.target);
}

// One camera a view, all equally far away, which gives every cell the same scale.
std::vector<Camera> commonCameras(const std::vector<Positions>& posed, const Orientation& orientation,
                                  const CharacterSheetOptions& options) {
  Positions all;
  for (const Positions& p : posed) all.insert(all.end(), p.begin(), p.end());
  const double aspect = static_cast<double>(options.render.width) / options.render.height;
  std::vector<Camera> cameras;
  double farthest = 0;
  for (View view : options.views) {
    cameras.push_back(frameCamera(all, view, orientation, aspect));
    farthest = std::max(farthest, eyeDistance(cameras.back()));
  }
  for (Camera& c : cameras) c.eye = c.target + (c.eye - c.target) * (farthest / eyeDistance(c));
  return cameras;
}

std::string captionOf(const LabeledPose& pose, const LabeledSkin& skin, View view, bool many_views) {
  std::string caption;
  const auto append = [&](std::string_view part) {
    if (!part.empty()) caption.append(caption.empty() ? "" : ", ").append(part);
  };
  append(skin.label);
  append(pose.label);
  if (many_views) append(viewName(view));
  return caption;
}

} // namespace

std::vector<SheetCell> characterCells(const Character& character, std::span<const LabeledSkin> skins,
                                      std::span<const LabeledPose> poses, const Orientation& orientation,
                                      const CharacterSheetOptions& options) {
  SKINCELLS_ASSERT(options.mode != ColorMode::Weights ||
                   (options.joint >= 0 && options.joint < character.skeleton.jointCount()));
  const render::MeshRenderer renderer(character.mesh);
  const std::vector<Positions> posed = skinAll(character.mesh, skins, poses);
  const std::vector<Camera> cameras = commonCameras(posed, orientation, options);
  RenderOptions render_options = options.render;
  render_options.up = orientation.up;
  const int most_influences = render::mostInfluencesShown(skins);
  std::vector<SheetCell> cells;
  for (std::size_t i = 0; i < posed.size(); ++i) {
    const LabeledSkin& skin = skins[i % skins.size()];
    const std::vector<Rgb> colors =
        vertexColors(character, *skin.weights, options.mode, options.joint, posed[i], most_influences);
    Paint paint;
    paint.vertices = colors;
    if (options.mode == ColorMode::Material) paint.triangles = options.triangle_colors;
    for (std::size_t view = 0; view < cameras.size(); ++view)
      cells.push_back({renderer.draw(posed[i], paint, cameras[view], render_options),
                       captionOf(poses[i / skins.size()], skin, options.views[view], cameras.size() > 1)});
  }
  return cells;
}

Image characterSheet(const Character& character, std::span<const LabeledSkin> skins, std::span<const LabeledPose> poses,
                     const Orientation& orientation, const CharacterSheetOptions& options) {
  SheetOptions sheet_options = options.sheet;
  const std::size_t row = skins.size() * options.views.size();
  if (sheet_options.columns == 0 && row > 1) sheet_options.columns = static_cast<int>(row);
  Image sheet = contactSheet(characterCells(character, skins, poses, orientation, options), sheet_options);
  if (!options.legend) return sheet;
  return render::withLegend(std::move(sheet), options.mode, sheet_options, render::mostInfluencesShown(skins));
}

} // namespace skincells
