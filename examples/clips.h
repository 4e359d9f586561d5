// Animation clips from functions of time.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "skincells/io/scene.h"
#include "skincells/rig.h"

namespace skincells::examples {

// Rotations of the joints at one time, in the axes of the skeleton's bind pose.
class Gesture {
public:
  explicit Gesture(const Skeleton& skeleton);
  // A further rotation about the joint's position, after the previous ones.
  void turn(const std::string& joint, const Vec3d& axis, double degrees);
  // The same for `stem`.L, and mirrored for `stem`.R.
  void turnPair(const std::string& stem, const Vec3d& axis, double degrees);
  void shift(const std::string& joint, const Vec3d& by);

  const std::vector<Affine>& turns() const { return turns_; }
  const std::vector<Vec3d>& shifts() const { return shifts_; }

private:
  std::size_t index(const std::string& joint) const;

  const Skeleton* skeleton_;
  std::vector<Affine> turns_;
  std::vector<Vec3d> shifts_;
};

// Fills in the gesture at a phase in [0, 1]; a loop has the same gesture at 0 and at 1.
using Motion = std::function<void(double phase, Gesture& gesture)>;

// The motion, sampled at 30 Hz, as channels of joints whose node indices are `first_node` + joint. Joints at rest get
// no channel, constant ones a single key.
SceneAnimation makeClip(const std::string& name, const Skeleton& skeleton, int first_node, double seconds,
                        const Motion& motion);

// A periodic smooth curve through evenly spaced values, at a phase of any size.
double cycle(std::initializer_list<double> values, double phase);
// sin(2 pi phase)
double swing(double phase);

} // namespace skincells::examples
