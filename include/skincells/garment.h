// Garments: clothing that is bound over a body.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells {

// What a garment is worn on, in the garment's bind space. May consist of several skins: a body and inner garments.
struct Body {
  Mesh mesh;
  SparseWeights weights; // one row per vertex, over the joints of the garment's skeleton
};

struct GarmentOptions {
  // The distance to keep from the body, in % of the body's largest side, 0 .. 10; where a garment is nearer at rest,
  // its distance at rest.
  double margin = 0.6;
  // Joints that may move the garment: "auto" (the garment's own joints, and those body joints whose cloth they do not
  // carry), or names and patterns separated by commas.
  std::string garment_joints = "auto";
};
const OptionTable<GarmentOptions>& garmentOptionTable();

// How a skin of a garment moves over its body, in poses within range.
struct GarmentQuality {
  Penetration penetration;
  double stretch_p99 = 0; // 99th percentile of |ln(posed edge length / bind edge length)|
  double asymmetry = 0;   // mean half L1 distance of rows to those of their mirror image, 0 .. 1; 0 without symmetry
};

// The poses that garments are judged in. Joints of the body turn within their ranges of motion. Own joints of the
// garment sway, and the body pushes them out of its way, as the springs and colliders of an engine do.
struct TrialOptions {
  int poses = 64; // 1 .. 10000
  std::uint64_t seed = 1;
  std::string rom = "generic"; // see BindOptions::rom
};
class GarmentTrial {
public:
  // Fails for a body without triangles or weights, and for options out of range.
  static Result<GarmentTrial> make(const Character& garment, const Body& body,
                                   const GarmentOptions& garment_options = {}, const TrialOptions& options = {});

  // weights: one row per vertex of the garment's mesh.
  GarmentQuality measure(const SparseWeights& weights) const;

  const std::vector<JointMotion>& motions() const { return motions_; } // by joint; own joints sway
  const std::vector<Pose>& poses() const { return poses_; }
  void usePoses(std::vector<Pose> poses) { poses_ = std::move(poses); } // of the garment's skeleton
  const Body& body() const { return body_; }                            // welded, facing outward
  const std::vector<char>& under() const { return under_; } // by vertex of the body: whether it is under the garment
  const std::vector<int>& ownJoints() const { return own_; }

private:
  Mesh mesh_;
  Body body_;
  std::vector<char> under_;
  std::vector<int> own_;
  std::vector<JointMotion> motions_;
  std::vector<Pose> poses_;
  std::vector<std::uint32_t> mirror_; // by vertex: the vertex at its mirror image; empty without symmetry
  std::vector<int> twin_;             // by joint: its mirror image, -1: none
};

} // namespace skincells
