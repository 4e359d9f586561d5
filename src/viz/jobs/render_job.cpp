#include "skincells/viz/render_job.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/try.h"
#include "io/clip_poses.h"
#include "jobs/option_file.h"
#include "jobs/read_all.h"
#include "jobs/run_alone.h"
#include "jobs/same_mesh.h"
#include "jobs/skin_labels.h"
#include "report/json_text.h"
#include "report/skin_summary.h"
#include "rig/motion/joint_motions.h"
#include "skincells/viz/character_sheet.h"
#include "skincells/viz/text.h"
#include "text/printable.h"
#include "text/split.h"
#include "viz/jobs/shown_files.h"
#include "viz/page/file_orientation.h"
#include "viz/render/cell_shape.h"
#include "viz/render/pose_choice.h"

namespace skincells {
namespace {

constexpr double kClipFramesPerSecond = 30;
constexpr int kPosesSearched = 24; // random poses among which the worst are found

Result<std::vector<View>> parseViews(const std::string& text) {
  static constexpr View kAll[] = {View::Front, View::ThreeQuarter, View::Side, View::Back, View::Top};
  std::vector<View> views;
  const auto unknown = [](std::string_view name) {
    return Error{ErrorCode::InvalidOption,
                 "'" + std::string(name) +
                     "' is not a view; use front, three-quarter, side, back, top, separated by commas",
                 "--views"};
  };
  for (const std::string_view name : text::split(text, ',')) {
    const auto view = std::ranges::find(kAll, name, viewName);
    if (view == std::end(kAll)) return unknown(name);
    views.push_back(*view);
  }
  if (views.empty()) return unknown("");
  return views;
}

// The pose with the first root moved back to its bind transform: clips may walk out of the picture.
Pose withRootInBindPose(const Skeleton& skeleton, const Pose& pose) {
  const int root = parentFirstOrder(skeleton).front();
  const Affine& moved = pose[root];
  if (moved.determinant() == 0) return pose;
  Pose out;
  for (const Affine& a : pose) out.push_back(moved.inverse() * a);
  return out;
}

// The bind pose, the random poses in which the skins differ most (a single skin: those that stretch it most), and poses
// of the clips if there are any.
std::vector<LabeledPose> overviewPoses(const CharacterFile& file, const std::vector<SparseWeights>& skins,
                                       const std::vector<Pose>& random, std::size_t count) {
  const Character& c = file.character();
  std::vector<LabeledPose> out{{"bind pose", bindPose(c.skeleton)}};
  const auto chosen = skins.size() > 1 ? render::differingPoses(c, skins[0], skins[1], random, count)
                                       : render::worstPoses(c, skins[0], random, count);
  out.insert(out.end(), chosen.begin(), chosen.end());
  for (const io::ClipPose& clip : io::clipPoses(file, kClipFramesPerSecond, count))
    out.push_back({clip.label, withRootInBindPose(c.skeleton, clip.pose)});
  return out;
}

// Within the ranges of motion, or within one cone if an angle is given; more than are shown if the worst are chosen.
Result<std::vector<Pose>> randomPosesFor(const Character& c, const RenderSheetOptions& options) {
  const int count = options.poses == SheetPoses::Random ? options.count : std::max(kPosesSearched, options.count);
  if (options.angle >= 0)
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
    for (io::ClipPose& clip : io::clipPoses(file, kClipFramesPerSecond, count))
      poses.push_back({clip.label, std::move(clip.pose)});
    if (poses.empty()) return Error{ErrorCode::InvalidOption, "the file has no clips; use --poses random", "--poses"};
    return poses;
  }
  if (options.poses == SheetPoses::Test) {
    SKINCELLS_TRY(motions, rig::jointMotions(c.skeleton, c.clip_poses, options.rom));
    SKINCELLS_TRY(orientation, page::orientationOf(file, options.front));
    std::vector<LabeledPose> poses = render::testPosesOf(c, motions, orientation);
    if (poses.empty())
      return Error{ErrorCode::InvalidOption, "no chain of joints is long enough to bend; use --poses random",
                   "--poses"};
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
  constexpr std::size_t kNumber[] = {0, std::string_view(", stretch 0.000").size(),
                                     std::string_view(", 0.00 % apart").size()};
  for (const LabeledPose& p : poses) pose = std::max(pose, p.label.size() + kNumber[static_cast<int>(p.number)]);
  for (const LabeledSkin& s : skins) skin = std::max(skin, s.label.size() + 2);
  for (View v : views) view = std::max(view, viewName(v).size() + 2);
  return pose + (skins.size() > 1 ? skin : 0) + (views.size() > 1 ? view : 0);
}

// Makes pictures as wide and high as the character needs, with text small enough for the longest caption.
void setCellSize(CharacterSheetOptions& sheet, int size, double aspect, std::size_t caption) {
  sheet.render.width = static_cast<int>(std::lround(size * std::min(1.0, aspect)));
  sheet.render.height = static_cast<int>(std::lround(size / std::max(1.0, aspect)));
  const double width_at_size_1 = textWidth(std::string(caption + 1, 'x'), 1);
  sheet.sheet.text_size = std::clamp(sheet.render.width / std::max(width_at_size_1, 1.0), 6.0, sheet.sheet.text_size);
}

Result<CharacterSheetOptions> sheetOptions(const Character& c, std::size_t skin_count, const RenderSheetOptions& o) {
  CharacterSheetOptions sheet;
  sheet.sheet.columns = o.columns;
  sheet.sheet.title = o.title;
  SKINCELLS_TRY(views, parseViews(o.views));
  sheet.views = std::move(views);
  sheet.mode = o.color;
  sheet.skeleton = o.bones;
  if (o.color == ColorMode::Difference && skin_count < 2)
    return Error{ErrorCode::InvalidOption, "there is one skin; give another file of the same mesh to compare with",
                 "--color"};
  if (o.color == ColorMode::Weights) {
    sheet.joint = c.skeleton.find(o.joint);
    if (sheet.joint < 0)
      return Error{ErrorCode::InvalidOption, "there is no joint '" + o.joint + "'; 'skincells inspect' lists them",
                   "--joint"};
  }
  return sheet;
}

// The labels that are given, else numbers and names, else nothing for a single skin.
Result<std::vector<std::string>> labelsOf(const CharacterFile& file, const std::vector<const CharacterFile*>& others,
                                          const std::string& given) {
  std::vector<std::string> paths{file.info().path};
  for (const CharacterFile* other : others) paths.push_back(other->info().path);
  SKINCELLS_TRY(labels, jobs::skinLabels(paths, given));
  if (others.empty() && given.empty()) return std::vector<std::string>{""};
  for (std::size_t i = 0; i < labels.size() && given.empty(); ++i) labels[i] = std::to_string(i + 1) + ": " + labels[i];
  return std::move(labels);
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
           {"test", SheetPoses::Test},
           {"overview", SheetPoses::Overview}},
          "which poses; worst: the random ones that stretch the mesh most; test: arms up, elbows and knees bent, "
          "twist, squat, fists, head turned (others: each chain of joints bent); overview: the bind pose, the random "
          "ones in "
          "which the skins differ most, and some of the clips"),
      options::integer("count", &O::count, 1, 64,
                       "number of poses (but all of the test poses); of an overview: of random poses, and as many clip "
                       "poses"),
      rig::romOption<O>(&O::rom),
      options::real("angle", &O::angle, -1.0, 180.0,
                    "largest rotation of every joint in a random pose, in degrees; -1: use --rom"),
      options::text("views", &O::views, "front, three-quarter, side, back, top",
                    "views of the character, separated by commas"),
      options::choice<O, ColorMode>("color", &O::color,
                                    {{"material", ColorMode::Material},
                                     {"plain", ColorMode::Plain},
                                     {"joints", ColorMode::Joints},
                                     {"dominant", ColorMode::Dominant},
                                     {"weights", ColorMode::Weights},
                                     {"stretch", ColorMode::Stretch},
                                     {"influences", ColorMode::InfluenceCount},
                                     {"difference", ColorMode::Difference}},
                                    "what the colors show; weights: those of the joint named by --joint; difference: "
                                    "only where the other skins differ from the first"),
      options::text("joint", &O::joint, "a joint's name", "the joint for --color weights"),
      options::flag("bones", &O::bones, "draw the skeleton over the pictures"),
      options::text("labels", &O::labels, "one for each skin, separated by commas", "captions of the skins"),
      options::text("title", &O::title, "", "text above the pictures"),
      options::integer("size", &O::size, 32, 2048, "longer side of a picture, in pixels"),
      options::integer("columns", &O::columns, 0, 64, "pictures in a row; 0: one row per pose"),
      options::integer("seed", &O::seed, 0, std::int64_t{1} << 62U, "seed of the random poses"),
      page::frontOption(&O::front),
  };
  return table;
}

Result<Image> renderSheet(const CharacterFile& file, const std::vector<const CharacterFile*>& others,
                          const RenderSheetOptions& o, SheetNotes* notes) {
  SKINCELLS_CHECK(options::validate(renderSheetOptionTable(), o));
  const Character& c = file.character();
  if (c.weights.empty())
    return Error{ErrorCode::Mismatch, "has no weights to pose it with; bind it first", file.info().path};
  SKINCELLS_TRY(sheet, sheetOptions(c, others.size() + 1, o));
  SKINCELLS_TRY(weights, jobs::weightsOfAll(file, others));
  SKINCELLS_TRY(poses, choosePoses(file, weights, o));
  SKINCELLS_TRY(labels, labelsOf(file, others, o.labels));
  std::vector<LabeledSkin> skins;
  for (std::size_t i = 0; i < weights.size(); ++i) skins.push_back({labels[i], &weights[i]});
  SKINCELLS_TRY(orientation, page::orientationOf(file, o.front));
  setCellSize(sheet, o.size, render::contentAspect(c, skins, poses, orientation, sheet.views),
              longestCaption(poses, skins, sheet.views));
  Appearance appearance;
  if (o.color == ColorMode::Material) {
    appearance = appearanceOf(c.mesh, file.baseColors());
    sheet.triangle_colors = std::move(appearance.triangle_colors);
    sheet.textures = &appearance.textures;
    if (notes != nullptr)
      notes->warnings.insert(notes->warnings.end(), appearance.warnings.begin(), appearance.warnings.end());
  }
  return characterSheet(c, skins, poses, orientation, sheet, notes != nullptr ? &notes->captions : nullptr);
}

JobFiles filesOf(const RenderJob& job) {
  JobFiles files{job.others, {job.output}, job.force};
  files.inputs.push_back(job.input);
  files.inputs.push_back(job.rig);
  files.inputs.push_back(jobs::optionFile(job.sheet.rom));
  return files;
}

Result<RenderOutcome> run(const RenderJob& job, OutputSet& outputs, const ProgressFunction&) {
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  ReadOptions read;
  read.rig = job.rig;
  SKINCELLS_TRY(shown, jobs::readShown(job.input, job.others, true, outputs, read));
  SheetNotes notes{{}, std::move(shown.warnings)};
  RenderSheetOptions sheet = job.sheet;
  if (shown.still) sheet.poses = SheetPoses::Bind;
  SKINCELLS_TRY(image, renderSheet(shown.files.front(), jobs::othersOf(shown.files), sheet, &notes));
  SKINCELLS_CHECK(outputs.stage(job.output, encodePng(image), job.force));
  return RenderOutcome{job, image.width, image.height, std::move(notes)};
}

Result<RenderOutcome> run(const RenderJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<RenderOutcome>(job, progress);
}

Document documentOf(const RenderOutcome& outcome, const DocumentOptions&) {
  report::Json j = report::heading("render");
  j["inputs"] = report::Json::array({outcome.job.input});
  for (const std::string& other : outcome.job.others) j["inputs"].push_back(other);
  j["output"] = outcome.job.output;
  j["width"] = outcome.width;
  j["height"] = outcome.height;
  j["captions"] = outcome.notes.captions;
  const std::string size = std::to_string(outcome.width) + " x " + std::to_string(outcome.height) + " pixels\n";
  return {text::printable(outcome.job.output) + ": " + size + report::warningsText(outcome.notes.warnings),
          report::print(j), report::warningsText(outcome.notes.warnings, "")};
}

} // namespace skincells
