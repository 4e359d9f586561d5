// Every number of the garment path, in one place (docs/garments.md). Lengths in cm are on a garment whose largest
// side is mesh::kCharacterSize, as in the guess; those in % are of the body's largest side.
#pragma once

namespace skincells::garment {

struct Tuning {
  // Rows of the body's surface, held to the cloth beside it.
  double facing = 0.1;         // least cosine between the cloth's normal and that of the body below it
  double least_distance = 0.3; // cm; cloth nearer to the body is held no more strongly
  double heat = 4;             // hold per area at distance 1
  double astray_trust = 0.02;  // the body below faces another way

  // Own joints.
  double own_at_cloth = 0.5;    // %: a joint this near to the cloth is at it
  double own_off_center = 0.25; // a joint in a tube of cloth must be this much nearer to one side than to another
  double own_inside = 0.25;     // a joint inside the body must be this much nearer to the cloth than to the surface
  double within_spacing = 0.75; // of the distance between chains: cloth this near to a chain follows it
  double nearer_than_body = 3;  // or if the body is not this many times nearer
  double chain_core = 0.25;     // of the distance between chains: beyond this, chains hold the cloth less and less
  double carried = 0.5;         // a body joint leaves the cloth to the chains if they carry this share of its cloth

  // Obstacles and poses.
  double covered = 0.003;     // least share of the cloth over a joint for it to be under the garment
  double obstacle_cell = 1.5; // %: vertices of the body are clustered to this
  double reach = 5;           // %: deepest penetration that exerts a force
  double chain_margin = 3;    // %: distance that chains keep from the body, where they are that far away at rest
  double sway = 6;            // degrees: how far a chain's joints turn by themselves
  double most_push = 70;      // degrees: how far the body pushes a joint of a chain
  int push_rounds = 4;

  // Rows that are changed as little as keeps the cloth out of the body (keep_out.h).
  double border = 3;           // %: how far a change fades out
  double keep_out_step = 0.25; // by which the share of the guess grows in a round
  int keep_out_rounds = 6;     // of searching for places inside the body
  int keep_out_poses = 32;     // searched, and as many held out
  double most_stretch = 1.05;  // times that of the start, unless cloth that follows the body stretches more
  double large_part = 0.25;    // of the vertices: a part that is larger is no button
  double much_better = 0.3;    // remade rows must be inside this many times less often than the changed ones
};
inline constexpr Tuning kTuning{};

} // namespace skincells::garment
