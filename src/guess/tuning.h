// Every number of the surface-aware guess, in one place. They were chosen on the 24 shared characters. Each section
// names the rows of the table "Surface guess" in docs/experiments.md that measured its rules; rows of the table "Field"
// are marked. Lengths without another unit are in cm of a character whose largest side is mesh::kCharacterSize.
#pragma once

#include <cstdint>

#include "mesh/solve_space.h"

namespace skincells::guess {

struct Tuning {
  // Heat: how strongly a vertex is held to its joint, and how the result is shaped.
  // Rows: "Heat coefficient ...", "Weights to the power ...".
  double heat = 4;             // hold per area at distance 1 and full trust
  double least_distance = 0.3; // vertices nearer to a bone than this are held no more strongly
  double sharpness = 1.2;      // exponent on the weights: heat has longer tails than artists' weights

  // Simplified copies. Measured below the table, and in the first row of "Field".
  double cluster_size = 2;                    // edge of a cell
  std::uint32_t largest_full_mesh = 20000;    // vertices; above, the guess is made on a simplified mesh
  std::uint32_t most_simple_vertices = 50000; // vertices of a simplified mesh; triangle soups would have more

  // Which bone a vertex belongs to. Rows: "Heat with the nearest visible bone ...", "Facing test ...", "The same
  // only for joints with a side ...", "Patches that touch no patch ...".
  int candidates = 6;              // nearest joints that are tried
  double farthest_candidate = 1.5; // times the nearest joint's distance
  double facing = 0.4;             // least cosine of normal and direction from the bone, for a vertex seen from inside
  double blocked_trust = 0.1;      // the line to the bone is blocked by the vertex's own part, or leaves it
  double layer_trust = 0.3;        // only other parts block it: layers of clothing
  double stray_trust = 0.01;       // no joint nearby fits
  double most_limb_penalty = 1.2;  // most by which a limb's distance is scaled outside its usual radius

  // Bones corrected by the mesh. Rows: "Side bones that run backward ...", "The same only where all joints below are
  // near ...", "Leaves above placeholder joints ...", "Joints of a face ...", "Leaves whose chain was cut ...", "Joints
  // with bones much shorter ..."; in "Field": "An only child that is a jaw ...".
  double side_bone_ahead = 0.9;      // of the parent's bone: a side bone that ends before that runs backward
  double phantom_enclosure = 0.6;    // least mean enclosure of a bone to one of several children
  double bridge_enclosure = 0.9;     // least mean enclosure of a bone that bridges a cut chain
  double longest_bridge = 1.5;       // times the bone before it
  double line_start_enclosure = 0.5; // a line starts inside the mesh above this
  double behind_wall = 0.5;          // distance behind a wall at which enclosure is measured
  double outside_enclosure = 0.8;    // enclosure below this is outside the mesh
  double stub_length = 0.9;          // of the distance to where a line leaves the mesh, or to the farthest vertices
  double long_stub = 0.25;           // of the parent's bone: always kept
  double short_stub = 0.15;          // of the parent's bone: kept only if it is also ...
  double stub_radii = 2;             // ... this many times the distance to the nearest vertices
  double straight_ahead = 0.8;       // least cosine of a child that continues its parent's bone
  double half_way = 0.5;             // a child nearer than this share of the line does not continue the bone
  int deepest_feature = 2;           // joints below a hub that still count as features of its surface
  int face_leaves = 6;               // this many leaves make a face: more than a hand has fingers
  double starved = 1.4; // a joint whose vertices lie farther away than this times its longest bone gets a bone to them

  // Rigid parts. Sizes are box diagonals, relative to the mesh. Rows: "Small parts without a bone ...", "Eyeballs ...";
  // in "Field": "One implementation of rigid parts ...".
  double largest_accessory = 0.25;
  double bone_inside = 0.15; // of the part's diagonal: a bone this near runs through the part
  double contact = 0.1;      // of the part's diagonal: this much farther than the nearest point still touches
  double largest_ball = 0.15;
  double ball_aspect = 2;   // longest side of a ball's box over the shortest
  double ball_center = 0.2; // of the ball's diagonal: how far from the middle its joint may be
  double small_part = 0.25, tiny_part = 0.10;
  double small_variation = 0.36;  // mean half L1 to the mean row: a small part without joints below this is rigid
  double little_variation = 0.20; // any part below this is rigid
  int most_joints_in_tiny = 2;    // a tiny part with no more joints inside is rigid

  // Symmetry. Rows of "Field": "Symmetric guess ...".
  double mirror_tolerance = 0.01 * mesh::kCharacterSize; // distance of a joint or point to a mirror image
  double average_tolerance = 0.3;                        // rows are averaged only where both sides are this close
  double least_mirrored = 0.85;                          // share of joints and of surface with a mirror image
};
inline constexpr Tuning kTuning{};

} // namespace skincells::guess
