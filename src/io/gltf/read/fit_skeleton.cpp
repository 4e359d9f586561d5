#include "io/gltf/read/fit_skeleton.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/try.h"
#include "io/gltf/accessor.h"
#include "io/gltf/animation.h"
#include "io/gltf/constants.h"
#include "io/placement.h"
#include "skincells/options.h"
#include "text/split.h"
#include "text/table.h"

namespace skincells::io {
namespace {

// Measured on 329 artists' characters, whose joints never lie as badly, and on their copies in other units, up-axes and
// poses (docs/formats.md#mesh-and-skeleton-that-do-not-fit).
constexpr double kLeastInside = 0.3; // of the joints
constexpr double kMostCover = 0.25;  // of the diagonal
constexpr double kLeastAlong = 0.5;  // of the bones' length, and
constexpr double kMostAway = 0.4;    // of the bones, and
constexpr double kMostFar = 0.13;    // of the diagonal: limbs of mesh and skeleton are at different places
constexpr double kDoubtfulAway = 0.2;
constexpr double kElsewhere = 1;     // mean distance of bones, in diagonals of the mesh
constexpr double kSmallMesh = 2;     // size of the skeleton, in diagonals of the mesh
constexpr double kClearlyBetter = 2; // factor of quality that justifies a change
constexpr double kChangeCost = 0.9;  // of quality, for each kind of change: the fewest changes are preferred
constexpr int kFewestJoints = 3;     // fewer say nothing about unit and axis

double qualityOf(const Placement& p) {
  constexpr double kUsualCover = 0.05;
  return p.inside / (1 + p.cover * p.cover / (kUsualCover * kUsualCover));
}

bool fits(const Placement& p) {
  return p.inside >= kLeastInside && p.cover <= kMostCover;
}

// A garment or prop leaves most joints outside, so only a mesh as large as the skeleton, or one that is elsewhere, can
// be said not to fit.
bool isMisfit(const Placement& p, const LimbPlacement& limbs) {
  const bool limbs_apart = limbs.along < kLeastAlong && limbs.away > kMostAway && limbs.far > kMostFar;
  return p.cover > kElsewhere || (p.reach <= kSmallMesh && (p.cover > kMostCover || limbs_apart));
}

// What takes joints to the mesh, and how one asks for it: "100", "z-up", "0.01,z-up", "stored".
struct Turn {
  const char* name;
  double degrees; // about x
};
constexpr Turn kTurns[] = {{"", 0}, {"z-up", 90}, {"y-up", -90}};

constexpr const char* kStored = "stored";

struct Change {
  double scale = 1;
  Turn turn = kTurns[0];
  // The meshes' place in the scene, if the joints fit them as they are stored: viewers ignore it once they are skinned.
  std::optional<Affine> stored = {};

  Affine map() const {
    if (stored) return *stored;
    const Affine scaling = Affine::fromTrs({}, {0, 0, 0, 1}, {scale, scale, scale});
    return turn.degrees == 0 ? scaling : Affine::rotation({1, 0, 0}, turn.degrees * std::numbers::pi / 180) * scaling;
  }
  int kinds() const { return (scale != 1) + (turn.degrees != 0) + stored.has_value(); }
  std::string option() const {
    if (stored) return kStored;
    const std::string number = scale == 1 ? "" : options::printReal(scale);
    return number + (number.empty() || turn.degrees == 0 ? "" : ",") + turn.name;
  }
};

// The place that all meshes have in the scene, if it is one.
std::optional<Affine> placeOfMeshes(const GltfCharacter& c) {
  if (c.bindings.size() != 1 || c.bindings.front().bind_from_mesh == Affine{}) return {};
  return c.bindings.front().bind_from_mesh;
}

Result<Change> parseChange(const std::string& text, const GltfCharacter& c) {
  if (text == kStored) return Change{.stored = placeOfMeshes(c).value_or(Affine{})};
  const Error bad{ErrorCode::InvalidOption,
                  "must be auto, none, stored, or how the mesh differs from the skeleton: a factor, z-up (mesh) or "
                  "y-up, or both with a comma (100,z-up); it is '" +
                      text + "'",
                  "--align-rig"};
  Change change;
  for (const std::string_view word : text::split(text, ',')) {
    const auto turn = std::ranges::find_if(kTurns, [&](const Turn& t) { return *t.name != 0 && word == t.name; });
    if (turn != std::end(kTurns)) {
      change.turn = *turn;
      continue;
    }
    const auto scale = options::parseReal({"align-rig", "", OptionKind::Real, "", ""}, word, 1e-6, 1e6);
    if (!scale) return bad;
    change.scale = *scale;
  }
  return change;
}

// A pose that the skeleton may have been bound in.
struct Candidate {
  std::string name; // "rest", "skin", or a clip
  Skeleton skeleton;
};

// The pose of the inverse bind matrices of a skin that no mesh uses; joints that it does not list follow their parents.
std::optional<Candidate> poseOfSkin(const GltfDocument& doc, const GltfSkin& skin, const GltfCharacter& c) {
  if (skin.inverse_bind_matrices < 0 || c.bindings.empty()) return {};
  AccessorReader reader(doc.model, doc.path);
  const auto numbers = reader.floats(skin.inverse_bind_matrices, 16);
  if (!numbers || numbers->size() < 16 * skin.joints.size()) return {};
  Candidate out{"skin", c.character.skeleton};
  for (int j : parentFirstOrder(out.skeleton)) {
    Joint& joint = out.skeleton.joints[static_cast<std::size_t>(j)];
    const auto slot = std::ranges::find(skin.joints, c.node_of_joint[static_cast<std::size_t>(j)]);
    if (slot != skin.joints.end()) {
      const Affine inverse = fromColumnMajor(numbers->data() + 16 * (slot - skin.joints.begin()));
      joint.bind = c.bindings.front().bind_from_mesh * inverse.inverse();
    } else if (joint.parent != kNoParent) {
      const auto parent = static_cast<std::size_t>(joint.parent);
      joint.bind = out.skeleton.joints[parent].bind * c.character.skeleton.joints[parent].bind.inverse() *
                   c.character.skeleton.joints[static_cast<std::size_t>(j)].bind;
    }
    if (!joint.bind.isFinite()) return {};
  }
  return out;
}

std::vector<Candidate> otherPoses(const GltfDocument& doc, const GltfCharacter& c) {
  constexpr std::size_t kMostClips = 16;
  std::vector<Candidate> out;
  for (const GltfSkin& skin : doc.model.skins)
    if (auto pose = poseOfSkin(doc, skin, c)) out.push_back(std::move(*pose));
  Warnings ignored; // reported when the clips are read
  const ClipSampler sampler(doc, c, ignored);
  for (std::size_t clip = 0; clip < std::min(kMostClips, sampler.clips().size()); ++clip) {
    Candidate pose{sampler.clips()[clip].name, c.character.skeleton};
    const Pose at = sampler.sample(clip, 0);
    for (std::size_t j = 0; j < at.size(); ++j) pose.skeleton.joints[j].bind = at[j] * pose.skeleton.joints[j].bind;
    out.push_back(std::move(pose));
  }
  return out;
}

Result<std::vector<Candidate>> allowedPoses(const GltfDocument& doc, const ReadOptions& options,
                                            const GltfCharacter& c) {
  std::vector<Candidate> poses{{"rest", c.character.skeleton}};
  if (options.bind_pose == "rest") return poses;
  for (Candidate& pose : otherPoses(doc, c)) poses.push_back(std::move(pose));
  if (options.bind_pose == "auto") return poses;
  const auto named = std::ranges::find(poses, options.bind_pose, &Candidate::name);
  if (named == poses.end()) {
    std::string names;
    for (const Candidate& p : poses) names += (names.empty() ? "" : ", ") + p.name;
    return Error{ErrorCode::InvalidOption, "'" + options.bind_pose + "' is no pose of the file; there are: " + names,
                 "--bind-pose"};
  }
  return std::vector<Candidate>{*named};
}

std::vector<Change> allowedChanges(const std::string& align, const Change& given, const GltfCharacter& c) {
  if (align != "auto") return {given};
  std::vector<Change> out;
  for (double scale : {1.0, 100.0, 0.01, 1000.0, 0.001, 10.0, 0.1, 39.37, 0.0254})
    for (const Turn& turn : kTurns) out.push_back({scale, turn});
  if (const auto place = placeOfMeshes(c)) out.push_back({.stored = place});
  return out;
}

struct Choice {
  const Candidate* pose = nullptr;
  Change change;
  Placement placement;
  double score = -1;
};

Choice bestChoice(const PlacementMeter& meter, const std::vector<Candidate>& poses,
                  const std::vector<Change>& changes) {
  Choice best;
  for (const Candidate& pose : poses)
    for (const Change& change : changes) {
      const Placement p = meter.measure(pose.skeleton, change.map());
      const int kinds = (&pose != &poses.front()) + change.kinds();
      const double score = qualityOf(p) * std::pow(kChangeCost, kinds);
      if (score > best.score) best = {&pose, change, p, score};
    }
  return best;
}

std::string describe(const Placement& p) {
  return text::fixed(100 * p.inside, 0) + " % of the joints lie in or near the mesh, and its surface is on average " +
         text::fixed(100 * p.cover, 0) + " % of its size away from the bones";
}

void take(const Choice& choice, Skeleton& skeleton) {
  const Affine map = choice.change.map();
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    Joint& joint = skeleton.joints[j];
    joint.bind = map * choice.pose->skeleton.joints[j].bind;
    joint.rest = map * joint.rest;
  }
}

void report(const Choice& choice, const Placement& before, const std::string& path, Warnings& warnings) {
  if (choice.change.kinds() > 0)
    warnings.push_back({"skeleton.aligned",
                        "the mesh is in another space than the skeleton (" + describe(before) +
                            "); aligned with --align-rig " + choice.change.option() +
                            "; --align-rig none leaves it as it is",
                        path});
  if (choice.pose->name != "rest")
    warnings.push_back({"skeleton.bind_pose",
                        "the nodes are not in the pose of the mesh (" + describe(before) +
                            "); the bind pose was found with --bind-pose '" + choice.pose->name +
                            "'; --bind-pose rest takes the nodes as they are",
                        path});
}

// kept: the user wants the skeleton where it is.
void warnAboutPlace(const PlacementMeter& meter, const Skeleton& skeleton, bool kept, const std::string& path,
                    Warnings& warnings) {
  const Placement now = meter.measure(skeleton);
  const LimbPlacement limbs = meter.measureLimbs(skeleton);
  const std::string outside = text::fixed(100 * limbs.away, 0) + " % of the bones lie outside of it";
  if (isMisfit(now, limbs))
    warnings.push_back(
        {kept ? "skeleton.away" : "skeleton.misfit",
         "mesh and skeleton do not fit: " + describe(now) + "; " + outside +
             (kept ? ""
                   : "; give --align-rig SCALE, --align-rig z-up or y-up, --bind-pose CLIP, or --rig with another "
                     "skeleton; --align-rig none binds it as it is"),
         path});
  else if (now.reach <= kSmallMesh && limbs.away > kDoubtfulAway)
    warnings.push_back({"skeleton.doubtful",
                        "the skeleton may be in another pose than the mesh: " + outside +
                            "; look at the result with 'skincells render --bones', or name a pose with --bind-pose",
                        path});
}

} // namespace

Result<void> fitSkeleton(const GltfDocument& doc, const ReadOptions& options, GltfCharacter& c) {
  Skeleton& skeleton = c.character.skeleton;
  const bool skinned = std::ranges::any_of(c.bindings, [](const SkinBinding& b) { return b.skin >= 0; });
  const bool asked = options.align != "auto" && options.align != "none";
  if (skinned) {
    if (asked || options.bind_pose != "auto")
      return Error{ErrorCode::InvalidOption,
                   "the file already has a skin, which says how mesh and skeleton fit; remove "
                   "--align-rig and --bind-pose",
                   doc.path};
    return {};
  }
  Change given;
  if (asked) {
    SKINCELLS_TRY(parsed, parseChange(options.align, c));
    given = parsed;
  }
  SKINCELLS_TRY(poses, allowedPoses(doc, options, c));
  if (c.character.mesh.triangles.empty()) return {};
  const PlacementMeter meter(c.character.mesh);
  const Placement before = meter.measure(skeleton);
  const bool told = asked || (options.bind_pose != "auto" && options.bind_pose != "rest");
  if (!told && (skeleton.jointCount() < kFewestJoints || kClearlyBetter * qualityOf(before) >= 1)) return {};
  const Choice best = bestChoice(meter, poses, allowedChanges(options.align, given, c));
  if (told || (fits(best.placement) && best.score >= kClearlyBetter * qualityOf(before))) {
    take(best, skeleton);
    report(best, before, doc.path, c.warnings);
  }
  if (!told) warnAboutPlace(meter, skeleton, options.align == "none", doc.path, c.warnings);
  return {};
}

} // namespace skincells::io
