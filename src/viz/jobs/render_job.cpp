// Contact sheets of one or several skins of a character.
#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "io/clip_poses.h"
#include "io/file_access.h"
#include "jobs/same_mesh.h"
#include "rig/motion/joint_motions.h"
#include "skincells/viz/render_job.h"
#include "viz/render/cell_shape.h"
#include "viz/render/pose_choice.h"

namespace skincells {
namespace {

// At least one part; parts may be empty.
std::vector<std::string> splitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

Result<std::vector<View>> parseViews(const std::string& text) {
  static constexpr View kAll[] = {View::Front, View::ThreeQuarter, View::Side, View::Back, View::Top};
  std::vector<View> views;
  for (const std::string& name : splitAtCommas(text)) {
    const auto view = std::find_if(std::begin(kAll), std::end(kAll), [&](View v) { return viewName(v) == name; });
    if (view == std::end(kAll))
      return Error{ErrorCode::InvalidOption,
                   "'" + name + "' is not a view; use front, three-quarter, side, back, top, separated by commas",
                   "--views"};
    views.push_back(*view);
  }
  return views;
}

// The pose with the first root where it stands in the bind pose: clips are in the space of the scene, which may lie on
// its back in bind space, and walk out of the picture.
Pose standing(const Skeleton& skeleton, const Pose& pose) {
  const int root = parentFirstOrder(skeleton).front();
  const Affine& moved = pose[static_cast<std::size_t>(root)];
  if (moved.determinant() == 0) return pose;
  Pose out;
  for (const Affine& a : pose) out.push_back(moved.inverse() * a);
  return out;
}

// The bind pose, the random poses in which the skins differ most (of a single skin: those that stretch it most), and
// poses of the clips where there are any.
std::vector<LabeledPose> overviewPoses(const CharacterFile& file, const std::vector<SparseWeights>& skins,
                                       const std::vector<Pose>& random, std::size_t count) {
  const Character& c = file.character();
  std::vector<LabeledPose> out{{"bind pose", bindPose(c.skeleton)}};
  const auto chosen = skins.size() > 1 ? render::differingPoses(c, skins[0], skins[1], random, count)
                                       : render::worstPoses(c, skins[0], random, count);
  out.insert(out.end(), chosen.begin(), chosen.end());
  for (const io::ClipPose& clip : io::clipPoses(file, 30, count))
    out.push_back({clip.label, standing(c.skeleton, clip.pose)});
  return out;
}

// Within the ranges of motion, or within one cone where an angle is given; more than are shown where the worst are
// picked.
Result<std::vector<Pose>> randomPosesFor(const Character& c, const RenderSheetOptions& options) {
  const int count = options.poses == SheetPoses::Random ? options.count : std::max(24, options.count);
  if (options.angle > 0)
    return randomPoses(c.skeleton, {.count = count, .max_angle = options.angle, .seed = options.seed});
  SKINCELLS_TRY(motions, rig::jointMotions(c.skeleton, c.clip_poses, options.rom));
  return rig::posesWithin(c.skeleton, motions, count, options.seed);
}

Result<std::vector<LabeledPose>> choosePoses(const CharacterFile& file, const std::vector<SparseWeights>& skins,
                                             const RenderSheetOptions& options) {
  const Character& c = file.character();
  const auto count = static_cast<std::size_t>(options.count);
  if (options.poses == SheetPoses::Bind) return std::vector<LabeledPose>{{"bind pose", bindPose(c.skeleton)}};
  if (options.poses == SheetPoses::Clip) {
    std::vector<LabeledPose> poses;
    for (io::ClipPose& clip : io::clipPoses(file, 30, count)) poses.push_back({clip.label, std::move(clip.pose)});
    if (poses.empty()) return Error{ErrorCode::InvalidOption, "the file has no clips; use --poses random", "--poses"};
    return poses;
  }
  SKINCELLS_TRY(random, randomPosesFor(c, options));
  if (options.poses == SheetPoses::Overview) return overviewPoses(file, skins, random, count);
  if (options.poses == SheetPoses::Worst) return render::worstPoses(c, c.weights, random, count);
  std::vector<LabeledPose> out;
  for (Pose& pose : random) out.push_back({"pose " + std::to_string(out.size()), std::move(pose)});
  return out;
}

std::size_t longestCaption(const std::vector<LabeledPose>& poses, const std::vector<LabeledSkin>& skins,
                           const std::vector<View>& views) {
  std::size_t pose = 0, skin = 0, view = 0;
  for (const LabeledPose& p : poses) pose = std::max(pose, p.label.size());
  for (const LabeledSkin& s : skins) skin = std::max(skin, s.label.size() + 2);
  for (View v : views) view = std::max(view, viewName(v).size() + 2);
  return pose + (skins.size() > 1 ? skin : 0) + (views.size() > 1 ? view : 0);
}

// Pictures as wide or high as the character needs: a standing one leaves half of a square empty. Captions fit below.
void setCellSize(CharacterSheetOptions& sheet, int size, double aspect, std::size_t caption) {
  sheet.render.width = static_cast<int>(std::lround(size * std::min(1.0, aspect)));
  sheet.render.height = static_cast<int>(std::lround(size / std::max(1.0, aspect)));
  const double full = textWidth(std::string(caption + 1, 'x'), 1); // wide, of letters one pixel high
  sheet.sheet.text_size = std::clamp(sheet.render.width / std::max(full, 1.0), 6.0, sheet.sheet.text_size);
}

} // namespace

const OptionTable<RenderSheetOptions>& renderSheetOptionTable() {
  using O = RenderSheetOptions;
  static const OptionTable<O> table{
      options::choice<O, SheetPoses>(
          "poses", &O::poses,
          {{"bind", SheetPoses::Bind},
           {"random", SheetPoses::Random},
           {"worst", SheetPoses::Worst},
           {"clip", SheetPoses::Clip},
           {"overview", SheetPoses::Overview}},
          "which poses; worst: the random ones that stretch the mesh most; overview: the "
          "bind pose, the random ones in which the skins differ most, and some of the clips"),
      options::integer("count", &O::count, 1, 64, "how many poses; of an overview: random ones, and as many of clips"),
      rig::romOption<O>(&O::rom),
      options::real("angle", &O::angle, 0.0, 180.0,
                    "how far every joint turns in a random pose, in degrees; 0: as --rom says"),
      options::text("views", &O::views, "front, three-quarter, side, back, top", "from where, separated by commas"),
      options::choice<O, ColorMode>("color", &O::color,
                                    {{"material", ColorMode::Material},
                                     {"plain", ColorMode::Plain},
                                     {"joints", ColorMode::Joints},
                                     {"dominant", ColorMode::Dominant},
                                     {"weights", ColorMode::Weights},
                                     {"stretch", ColorMode::Stretch},
                                     {"influences", ColorMode::InfluenceCount}},
                                    "what the colors show; weights: of the joint given by --joint"),
      options::text("joint", &O::joint, "a joint's name", "for --color weights"),
      options::text("labels", &O::labels, "one for each skin, separated by commas", "captions of the skins"),
      options::text("title", &O::title, "", "text above the pictures"),
      options::integer("size", &O::size, 32, 2048, "longer side of a picture, in pixels"),
      options::integer("columns", &O::columns, 0, 64, "pictures in a row; 0: one pose a row"),
      options::integer("seed", &O::seed, 0, std::int64_t{1} << 62U, "of the random poses"),
  };
  return table;
}

Result<Image> renderSheet(const CharacterFile& file, const std::vector<const CharacterFile*>& others,
                          const RenderSheetOptions& o) {
  SKINCELLS_CHECK(options::validate(renderSheetOptionTable(), o));
  const Character& c = file.character();
  if (c.weights.empty())
    return Error{ErrorCode::Mismatch, "has no weights to pose it with; bind it first", file.info().path};
  SKINCELLS_TRY(views, parseViews(o.views));
  CharacterSheetOptions sheet;
  sheet.sheet.columns = o.columns;
  sheet.sheet.title = o.title;
  sheet.views = views;
  sheet.mode = o.color;
  if (o.color == ColorMode::Material) sheet.triangle_colors = render::materialColors(c.mesh);
  if (o.color == ColorMode::Weights) {
    sheet.joint = c.skeleton.find(o.joint);
    if (sheet.joint < 0)
      return Error{ErrorCode::InvalidOption, "there is no joint '" + o.joint + "'; 'skincells inspect' lists them",
                   "--joint"};
  }
  std::vector<SparseWeights> weights{c.weights};
  for (const CharacterFile* other : others) {
    SKINCELLS_CHECK(jobs::checkSameMesh(file, *other));
    SKINCELLS_TRY(mapped, jobs::weightsOverReference(file, *other));
    weights.push_back(std::move(mapped));
  }
  SKINCELLS_TRY(poses, choosePoses(file, weights, o));
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < weights.size() && weights.size() > 1; ++i)
    labels.push_back(std::to_string(i + 1) + ": " + (i == 0 ? c.name : others[i - 1]->character().name));
  if (!o.labels.empty()) labels = splitAtCommas(o.labels);
  labels.resize(o.labels.empty() ? weights.size() : labels.size());
  if (labels.size() != weights.size())
    return Error{ErrorCode::InvalidOption,
                 "there are " + std::to_string(weights.size()) + " skins; give as many labels, separated by commas",
                 "--labels"};
  std::vector<LabeledSkin> skins;
  for (std::size_t i = 0; i < weights.size(); ++i) skins.push_back({labels[i], &weights[i]});
  setCellSize(sheet, o.size, render::contentAspect(c, skins, poses, orientationOf(file), views),
              longestCaption(poses, skins, views));
  return characterSheet(c, skins, poses, orientationOf(file), sheet);
}

Result<void> writeOutput(const std::string& path, const Image& image, bool force) {
  const io::OutputFile file{path, encodePng(image)};
  return io::writeFiles({&file, 1}, force);
}

} // namespace skincells
