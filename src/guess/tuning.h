// Every number of the surface-aware guess that was chosen by measuring, in one place. Each was chosen over many
// authors; the comment of a section names its rows of the table "Rules" in docs/experiments.md. Lengths without another
// unit are in cm of a character whose largest side is mesh::kCharacterSize.
#pragma once

#include <cstdint>

#include "mesh/solve_space.h"

namespace skincells::guess {

struct Tuning {
  // Heat: how strongly a vertex is held to its joint. Row: "Hold".
  double heat = 4; // hold per area at distance 1 and full trust

  // Simplified copies: budgets of time. Row: "Full mesh".
  double cluster_size = 2;                    // edge of a cell
  std::uint32_t largest_full_mesh = 20000;    // vertices; above, the guess is made on a simplified mesh
  std::uint32_t most_simple_vertices = 50000; // vertices of a simplified mesh; triangle soups would have more

  // Which bone a vertex belongs to. Rows: "Visible bones", "Reach of the search", "Facing", "Trust where blocked",
  // "Trust through layers".
  int candidates = 6;              // nearest joints that are tried
  double farthest_candidate = 1.5; // times the nearest joint's distance
  double facing = 0.5;             // least cosine of normal and direction from the bone, for a vertex seen from inside
  double blocked_trust = 0.05;     // the line to the bone is blocked by the vertex's own part, or leaves it
  double layer_trust = 0.3;        // only other parts block it: layers of clothing

  // Limbs whose chain of joints is cut. Row: "Joined chains".
  double longest_gap = 3;    // times the bone before the gap
  double gap_straight = 0.3; // least cosine between the bone before the gap and the gap
  double gap_beside = 0.01;  // of the diagonal: limbs are this far beside the middle

  // Bones of leaves along the axis of their joint. Rows: "Axis of leaves", "Axis inside", "Axis stop".
  double axis_inside = 0.6; // least mean enclosure of such a bone
  double axis_stop = 0.9;   // least cosine of a joint ahead that ends it

  // Bones corrected by the mesh. Rows: "Far side bones", "Side bones", "Bridges", "Enclosure", "Stubs", "Length of
  // stubs", "Hubs".
  double far_side_bone = 1.5;   // times the bone along the axis: bones beside it that are longer are dropped
  double side_bone_ahead = 0.8; // of the parent's bone: a side bone that ends before that runs backward
  double inside = 0.8;          // enclosure above this is inside the mesh
  double stub_length = 0.6;     // of the distance to where a line leaves the mesh, or to the farthest vertices
  double stub_reach = 0.9;      // share of the vertices that are not beyond the farthest
  double straight_ahead = 0.8;  // least cosine of a child that continues its parent's bone
  int deepest_feature = 2;      // joints below a hub that still count as features of its surface

  // Rigid parts. Sizes are box diagonals, relative to the mesh. Rows: "Accessories", "Bones near accessories",
  // "Contact", "Owned parts".
  double largest_accessory = 0.25;
  double bone_inside = 0.1;  // of the part's diagonal: a bone this near runs through the part
  double contact = 0.1;      // of the part's diagonal: this much farther than the nearest point still touches
  double owned_share = 0.75; // a part that gives one joint more than this follows it alone

  // Symmetry. Rows: "Symmetry", "Share of symmetry".
  double mirror_tolerance = 0.01 * mesh::kCharacterSize; // distance of a joint or point to a mirror image
  double least_mirrored = 0.85;                          // share of joints and of surface with a mirror image
};
inline constexpr Tuning kTuning{};

// Not chosen: vertices nearer to a bone than this are held no more strongly, so that holds are finite.
inline constexpr double kLeastDistance = 0.01;

} // namespace skincells::guess
