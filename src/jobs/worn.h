// Garments of a file and what they are worn on, and how skins of them move.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/io/output_set.h"
#include "skincells/jobs/wear.h"
#include "skincells/verdict.h"

namespace skincells::jobs {

// Some sections of a character as a character of their own.
struct Piece {
  std::string name;
  Character character;
  std::vector<std::uint32_t> vertices; // of the whole
};
Piece pieceOf(const Character& whole, const std::string& name, const std::vector<char>& chosen);
std::vector<std::string> placesOf(const Piece& piece); // of its primitives

// The layers of an outfit, inner ones first. taken: by section, whether it is in a layer.
Result<std::vector<Piece>> layersOf(const WearOptions& wear, const Character& whole, std::vector<char>& taken);

void append(Body& body, const Mesh& mesh, const SparseWeights& weights);
// The files of --body, in the garment's bind space.
Result<Body> readBodies(const WearOptions& wear, const Character& garment, OutputSet& outputs, Warnings& warnings);

// The poses that garments are reported in: those of the verdict, but own joints of garments move as the body pushes
// them.
TrialOptions reportedPoses();

// Poses in which the own joints of several garments move.
class WornPoses {
public:
  void add(const GarmentTrial& trial);
  // The verdict on the whole skin in these poses, with the penetration of one skin of each garment.
  Verdict judge(const Character& whole, const SparseWeights& weights, const std::vector<GarmentOutcome>& garments,
                const Gate& gate, std::size_t skin = 0) const;

  const std::vector<Pose>& poses() const { return poses_; }
  const std::vector<JointMotion>& motions() const { return motions_; } // by joint; own joints of garments sway

private:
  std::vector<Pose> poses_;
  std::vector<JointMotion> motions_;
  bool own_ = false; // some joints are own ones
};

// Skins of one file, over its joints; the first one determines the poses.
struct NamedSkin {
  std::string name;
  const SparseWeights* weights;
};
struct WornSkins {
  std::vector<GarmentOutcome> garments; // inner layers first
  WornPoses poses;
  Warnings warnings;
};
// Measures the garments of skinned files. Each is worn on the bodies, on what is no garment, and on the layers before
// it.
Result<WornSkins> measureWorn(const WearOptions& wear, const Character& whole, std::span<const NamedSkin> skins,
                              OutputSet& outputs);

} // namespace skincells::jobs
