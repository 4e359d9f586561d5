// A guard against disasters: weights that are broken, that left a joint without its flesh, or that tear the mesh where
// the start did not. It judges nothing finer: stretch is a poor judge of which of two sound skins is better.
#pragma once

#include <string>
#include <vector>

#include "skincells/fit.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::fit {

class Guard {
public:
  // start: weights that are safe, one row per vertex of the mesh. poses: over the same joints. enabled: whether
  // anything is ever refused; it is measured all the same. The mesh must outlive the guard.
  Guard(const Mesh& mesh, const SparseWeights& start, std::vector<Pose> poses, int joint_count, bool enabled);

  // Measures a candidate and notes what was found. Returns false when it is a disaster.
  bool accept(const std::string& candidate, const SparseWeights& weights);
  // The same for the last resort, which is taken whatever it is like.
  void settleFor(const std::string& candidate, const SparseWeights& weights);

  const GuardReport& report() const { return report_; }
  // Why the first candidate was refused, for people.
  std::string complaint() const;

private:
  GuardFinding measure(const std::string& candidate, const SparseWeights& weights) const;
  bool isDisaster(const GuardFinding& finding) const;

  const Mesh& mesh_;
  std::vector<Pose> poses_;
  std::vector<double> flesh_; // by joint: weight at the start
  GuardReport report_;
};

} // namespace skincells::fit
