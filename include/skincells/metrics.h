// Quality of a skin: compared with a reference skin of the same mesh, and by itself.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/result.h"

namespace skincells {

// Distances in % of the bind-space bounding-box diagonal, over all poses and vertices.
struct PoseError {
  double rms = 0, p95 = 0, max = 0;
};

// The shape of a posed mesh against its bind shape, over all poses; measured on the mesh welded by position.
struct ShapeStatistics {
  double stretch_rms = 0;           // rms of |ln(posed edge length / bind edge length)|
  double stretch_p99 = 0;           // 99th percentile of the same
  double extreme_edges_percent = 0; // edges stretched or shrunk by more than a factor of two
  double flipped_percent = 0;       // triangles flipped or collapsed
  double volume_percent = 0;        // mean |posed / bind volume - 1| of all closed parts together; 0 if there are none
  double tear_percent = 0;          // widest gap between vertices that share a bind position, % of the diagonal
};

struct PoseSetComparison {
  std::string label; // label of the pose set
  int pose_count = 0;
  PoseError error;
  ShapeStatistics shape; // shape of the candidate
};

struct Comparison {
  std::vector<PoseSetComparison> sets;
  double half_l1 = 0;                    // mean over vertices of half the L1 distance of weight rows, 0 .. 1
  std::uint32_t unweighted_vertices = 0; // in the candidate; they take the row of the nearest weighted vertex
  int max_influences = 0;                // in the candidate; counts weights above 1e-4
};

// Shape of `mesh` skinned with `weights` in `poses`.
ShapeStatistics shapeStatistics(const Mesh& mesh, const SparseWeights& weights, const std::vector<Pose>& poses);

// Compares two skins of one mesh. Both index the same joints, and every pose has an entry for each of them.
Comparison compareWeights(const Mesh& mesh, const SparseWeights& reference, const SparseWeights& candidate,
                          const std::vector<PoseSet>& pose_sets);

// How far a garment is inside its body, over all poses. A vertex penetrates where it is behind the body's surface, and
// deeper than at rest. Depths are in % of the body's largest side.
struct Penetration {
  double vertex_percent = 0; // share of penetrating vertices, over all poses
  double mean_depth = 0;     // of those that penetrate: how much deeper than at rest
  double max_depth = 0;
  std::vector<float> vertex_depth; // by vertex: its largest depth in any pose
};
// Both meshes are in the same bind space, both weights over the joints of the poses. under: by vertex of the body,
// whether it is under the garment; places elsewhere, such as hands beside a skirt, do not count. The body is welded and
// faces outward.
Penetration measurePenetration(const Mesh& garment, const SparseWeights& weights, const Mesh& body,
                               const SparseWeights& body_weights, const std::vector<char>& under,
                               const std::vector<Pose>& poses);

// A defect of a skin.
enum class Severity { Note, Warning, Error };
struct Defect {
  std::string code; // stable: "weights.not_normalized", ...
  Severity severity = Severity::Error;
  std::string where;       // JSON pointer or other place
  std::string message;     // what is wrong
  std::string advice;      // what to do about it
  std::uint64_t count = 1; // how many vertices, joints, ... are affected
};

} // namespace skincells
