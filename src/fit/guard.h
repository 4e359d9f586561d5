// Rejects broken results: empty rows, joints that lost their weight, or far more stretch than at the start. It judges
// nothing finer: stretch does not tell which of two valid skins is better.
#pragma once

#include <string>
#include <vector>

#include "metrics/welded_surface.h"
#include "skincells/fit.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::fit {

class Guard {
public:
  // start: safe weights, one row per vertex of the mesh. poses: over the same joints. enabled: false accepts
  // everything, but still measures. The mesh must outlive the guard.
  Guard(const Mesh& mesh, const SparseWeights& start, std::vector<Pose> poses, int joint_count, bool enabled);

  // Measures a candidate and records the findings. Returns false if it is rejected.
  bool accept(const std::string& candidate, const SparseWeights& weights);
  // The same for the last candidate, which is accepted unconditionally.
  void acceptLast(const std::string& candidate, const SparseWeights& weights);

  const GuardReport& report() const { return report_; }
  // Whether the last candidate stretches far more than the start, and what these weights would.
  bool stretchesMore() const;
  double stretchOf(const SparseWeights& weights) const;
  // Why the candidates before the last one were rejected, for people; empty: none was.
  std::string complaint() const;

private:
  GuardFinding measure(const std::string& candidate, const SparseWeights& weights) const;
  // Why a candidate is rejected; empty: it is not.
  std::string reasonAgainst(const GuardFinding& finding) const;

  const Mesh& mesh_;
  metrics::WeldedSurface surface_;
  std::vector<Pose> poses_;
  std::vector<double> start_weight_; // by joint: weight at the start
  GuardReport report_;
};

} // namespace skincells::fit
