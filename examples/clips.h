// Animation clips from functions of time.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "skincells/io/scene.h"
#include "skincells/rig.h"

namespace skincells::examples {

// How the joints are turned at one moment, in the axes of the skeleton's bind pose.
class Gesture {
public:
  explicit Gesture(const Skeleton& skeleton);
  // A further turn about the joint's own position, after the turns it already has.
  void turn(const std::string& joint, const Vec3d& axis, double degrees);
  // The same for `stem`.L, and the mirror image of the turn for `stem`.R.
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

// The motion sampled 30 times a second as channels for joints whose node indices are `first_node` + joint.
// Joints that never leave their rest get no channel, joints that stand still a single key.
SceneAnimation makeClip(const std::string& name, const Skeleton& skeleton, int first_node, double seconds,
                        const Motion& motion);

// A periodic smooth curve through evenly spaced values, at a phase of any size.
double cycle(std::initializer_list<double> values, double phase);
// sin(2 pi phase)
double swing(double phase);

} // namespace skincells::examples
