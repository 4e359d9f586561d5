#include "skincells/viz/character_sheet.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "deform/lbs.h"
#include "skincells/metrics.h"
#include "text/table.h"
#include "viz/render/picture/color.h"
#include "viz/render/picture/legend.h"
#include "viz/render/render_mesh.h"
#include "viz/render/skeleton_overlay.h"

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

// The vertices that follow one of the joints more than any other joint; none for an empty list.
std::vector<std::size_t> ledBy(const SparseWeights& weights, const std::vector<int>& joints) {
  std::vector<std::size_t> vertices;
  for (std::size_t v = 0; v < weights.vertexCount() && !joints.empty(); ++v) {
    const auto row = weights.weightRow(v);
    const auto strongest = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
    if (!row.empty() && row[strongest] > 0 && std::ranges::count(joints, weights.jointRow(v)[strongest]) > 0)
      vertices.push_back(v);
  }
  return vertices;
}

// What a pose shows: all skins of it, or the part that its focus moves.
Positions shownPoints(const LabeledPose& pose, std::span<const LabeledSkin> skins, std::span<const Positions> posed) {
  const std::vector<std::size_t> part = ledBy(*skins[0].weights, pose.focus);
  Positions points;
  for (const Positions& p : posed) {
    if (part.empty()) points.insert(points.end(), p.begin(), p.end());
    for (std::size_t v : part) points.push_back(p[v]);
  }
  return points;
}

// The cameras of every pose, a view after the other. Those of whole characters are equally far away, which gives them
// the same scale; a pose with a focus has its own.
std::vector<Camera> camerasFor(const std::vector<Positions>& posed, std::span<const LabeledSkin> skins,
                               std::span<const LabeledPose> poses, const Orientation& orientation,
                               const CharacterSheetOptions& options) {
  const double aspect = static_cast<double>(options.render.width) / options.render.height;
  const std::size_t views = options.views.size();
  std::vector<Camera> cameras;
  double whole = 0;
  std::vector<double> farthest(poses.size());
  for (std::size_t p = 0; p < poses.size(); ++p) {
    const Positions points = shownPoints(poses[p], skins, std::span(posed).subspan(p * skins.size(), skins.size()));
    for (View view : options.views) {
      cameras.push_back(frameCamera(points, view, orientation, aspect));
      farthest[p] = std::max(farthest[p], eyeDistance(cameras.back()));
    }
    if (poses[p].focus.empty()) whole = std::max(whole, farthest[p]);
  }
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    Camera& c = cameras[i];
    const double distance = poses[i / views].focus.empty() ? whole : farthest[i / views];
    c.eye = c.target + (c.eye - c.target) * (distance / eyeDistance(c));
  }
  return cameras;
}

// The first skin does not differ from itself.
std::size_t firstShown(ColorMode mode) {
  return mode == ColorMode::Difference ? 1 : 0;
}

// What the caption says of skin s in this pose; may be empty.
std::string numberOf(const Character& c, const LabeledPose& pose, std::span<const LabeledSkin> skins, std::size_t s) {
  if (pose.number == CaptionNumber::Stretch)
    return "stretch " + text::fixed(shapeStatistics(c.mesh, *skins[s].weights, {pose.pose}).stretch_rms, 3);
  if (pose.number == CaptionNumber::None || s == 0) return "";
  const auto distance = compareWeights(c.mesh, *skins[0].weights, *skins[s].weights, {PoseSet{"", {pose.pose}}});
  return text::fixed(distance.sets[0].error.rms, 2) + " % apart";
}

std::string captionOf(const LabeledPose& pose, const LabeledSkin& skin, const std::string& number, View view,
                      bool many_views) {
  std::string caption;
  const auto append = [&](std::string_view part) {
    if (!part.empty()) caption.append(caption.empty() ? "" : ", ").append(part);
  };
  append(skin.label);
  append(pose.label);
  append(number);
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
  const std::vector<Camera> cameras = camerasFor(posed, skins, poses, orientation, options);
  RenderOptions render_options = options.render;
  render_options.up = orientation.up;
  const int most_influences = render::mostInfluencesShown(skins);
  std::vector<SheetCell> cells;
  for (std::size_t i = 0; i < posed.size(); ++i) {
    if (i % skins.size() < firstShown(options.mode)) continue;
    const LabeledSkin& skin = skins[i % skins.size()];
    const std::size_t pose = i / skins.size(), views = options.views.size();
    const std::vector<Rgb> colors = vertexColors(character, *skin.weights, options.mode, options.joint, posed[i],
                                                 most_influences, posed[pose * skins.size()]);
    const std::string number = numberOf(character, poses[pose], skins, i % skins.size());
    Paint paint;
    paint.vertices = colors;
    if (options.mode == ColorMode::Material) {
      paint.triangles = options.triangle_colors;
      paint.textures = options.textures;
    }
    for (std::size_t view = 0; view < views; ++view) {
      const Camera& camera = cameras[pose * views + view];
      Image image = renderer.draw(posed[i], paint, camera, render_options);
      if (options.skeleton) render::drawSkeleton(image, character.skeleton, poses[pose].pose, camera);
      cells.push_back({std::move(image), captionOf(poses[pose], skin, number, options.views[view], views > 1)});
    }
  }
  return cells;
}

Image characterSheet(const Character& character, std::span<const LabeledSkin> skins, std::span<const LabeledPose> poses,
                     const Orientation& orientation, const CharacterSheetOptions& options,
                     std::vector<std::string>* captions) {
  SheetOptions sheet_options = options.sheet;
  const std::size_t row = (skins.size() - firstShown(options.mode)) * options.views.size();
  if (sheet_options.columns == 0 && row > 1) sheet_options.columns = static_cast<int>(row);
  const std::vector<SheetCell> cells = characterCells(character, skins, poses, orientation, options);
  for (const SheetCell& cell : cells)
    if (captions != nullptr) captions->push_back(cell.caption);
  Image sheet = contactSheet(cells, sheet_options);
  if (!options.legend) return sheet;
  return render::withLegend(std::move(sheet), options.mode, sheet_options, render::mostInfluencesShown(skins));
}

} // namespace skincells
