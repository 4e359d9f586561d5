#include <algorithm>

#include "rig/names/name_words.h"
#include "skincells/rig.h"

namespace skincells {
namespace {

struct Axis {
  int index; // 0, 1, 2: x, y, z
  double sign;
  bool known = false;
};

double along(const Vec3d& p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}
Vec3d unit(const Axis& a) {
  return {a.index == 0 ? a.sign : 0, a.index == 1 ? a.sign : 0, a.index == 2 ? a.sign : 0};
}

// Positions of the joints that a word names.
struct Group {
  Vec3d sum;
  std::vector<Vec3d> members;

  void add(const Vec3d& p) {
    sum += p;
    members.push_back(p);
  }
  bool empty() const { return members.empty(); }
  Vec3d mean() const { return sum * (1.0 / static_cast<double>(members.size())); }
};

struct Landmarks {
  Group feet, toes, heads, tails, hips, left, right;

  // From the character's right to its left; zero if the names have no sides.
  Vec3d leftward() const { return left.empty() || right.empty() ? Vec3d{} : left.mean() - right.mean(); }
};

// The ends of legs, for skeletons without named feet: leg joints without a leg joint below them.
Group legEnds(const Skeleton& skeleton, const std::vector<bool>& is_leg) {
  std::vector<bool> has_lower(is_leg.size());
  for (std::size_t j = 0; j < is_leg.size(); ++j)
    if (is_leg[j] && skeleton.joints[j].parent != kNoParent) has_lower[skeleton.joints[j].parent] = true;
  Group ends;
  for (std::size_t j = 0; j < is_leg.size(); ++j)
    if (is_leg[j] && !has_lower[j]) ends.add(skeleton.bindPosition(static_cast<int>(j)));
  return ends;
}

Landmarks findLandmarks(const Skeleton& skeleton) {
  using Part = rig::HumanPart;
  Landmarks found;
  const std::vector<rig::JointName> names = rig::jointNames(skeleton);
  std::vector<bool> is_leg(skeleton.joints.size());
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const rig::JointName& name = names[j];
    const Vec3d p = skeleton.bindPosition(j);
    const bool helper = !rig::controlWord(name).empty() || rig::mentions(name, rig::WordMeaning::Roll);
    if (!skeleton.joints[j].bind_usable || !isFinite(p) || helper) continue;
    if (name.side != rig::Side::None) (name.side == rig::Side::Left ? found.left : found.right).add(p);
    is_leg[j] = rig::mentionsPart(name, {Part::UpperLeg, Part::LowerLeg});
    if (rig::mentionsPart(name, {Part::Toe}))
      found.toes.add(p);
    else if (rig::mentionsPart(name, {Part::Foot}) || rig::mentions(name, rig::WordMeaning::AnimalFoot))
      found.feet.add(p);
    const bool on_face = !rig::firstWord(name, rig::WordMeaning::Face).empty();
    if (on_face || rig::mentionsPart(name, {Part::Head, Part::Jaw, Part::Eye})) found.heads.add(p);
    if (rig::mentions(name, rig::WordMeaning::Tail)) found.tails.add(p);
    if (rig::mentionsPart(name, {Part::Hips})) found.hips.add(p);
  }
  if (found.feet.empty() && found.toes.empty()) found.feet = legEnds(skeleton, is_leg);
  return found;
}

// Up is away from the side of the box that is closest to the feet.
Axis upAxis(const Landmarks& marks, const Box& box) {
  constexpr double kHighestFeet = 0.35; // relative to the size of the box
  Axis best{1, 1};
  double least = kHighestFeet;
  Group feet = marks.feet;
  for (const Vec3d& toe : marks.toes.members) feet.add(toe);
  if (feet.empty()) return best;
  for (int axis : {1, 2, 0}) {
    const double lo = along(box.lo, axis), size = along(box.size(), axis);
    if (size <= 0) continue;
    const double height = (along(feet.mean(), axis) - lo) / size;
    if (height < least) {
      least = height;
      best = {axis, 1, true};
    }
    if (1 - height < least) {
      least = 1 - height;
      best = {axis, -1, true};
    }
  }
  return best;
}

// Sum over all joints of the distance from the mirror image across the middle plane of an axis to the nearest joint.
double asymmetry(const Skeleton& skeleton, int axis, double middle) {
  double sum = 0;
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const Vec3d p = skeleton.bindPosition(j), shift = unit({axis, 1}) * (2 * (middle - along(p, axis)));
    double nearest = INFINITY;
    for (int i = 0; i < skeleton.jointCount(); ++i)
      nearest = std::fmin(nearest, length(skeleton.bindPosition(i) - (p + shift)));
    sum += nearest;
  }
  return sum;
}

// The horizontal axis along which the character looks: perpendicular to the line from right to left if the names have
// sides, else the axis whose middle plane is the worse mirror plane of the joints.
int frontAxis(const Skeleton& skeleton, const Landmarks& marks, const Box& box, int up) {
  constexpr int kMostJointsForSymmetry = 1000; // the comparison is quadratic
  constexpr double kClearlyLess = 0.7;
  const int usual = up == 2 ? 1 : 2, other = 3 - up - usual;
  const Vec3d leftward = marks.leftward();
  const double a = std::abs(along(leftward, usual)), b = std::abs(along(leftward, other));
  if (std::max(a, b) > 0) return a > b ? other : usual;
  if (skeleton.jointCount() == 0 || skeleton.jointCount() > kMostJointsForSymmetry) return usual;
  const bool turned = asymmetry(skeleton, usual, along(box.center(), usual)) <
                      kClearlyLess * asymmetry(skeleton, other, along(box.center(), other));
  return turned ? other : usual;
}

// The direction in which the character looks, from the most reliable landmarks that there are; zero if there are none.
Vec3d ahead(const Landmarks& marks, const Vec3d& up) {
  if (!marks.tails.empty() && !marks.heads.empty()) return marks.heads.mean() - marks.tails.mean();
  if (!marks.toes.empty() && !marks.feet.empty()) return marks.toes.mean() - marks.feet.mean();
  if (const Vec3d leftward = marks.leftward(); length(leftward) > 0) return cross(leftward, up);
  if (!marks.heads.empty() && !marks.hips.empty()) return marks.heads.mean() - marks.hips.mean();
  return {};
}

} // namespace

Orientation guessOrientation(const Skeleton& skeleton, const Box& box) {
  const Landmarks marks = findLandmarks(skeleton);
  const Axis up = upAxis(marks, box);
  const int front = frontAxis(skeleton, marks, box, up.index);
  const double default_sign = up.index == 2 ? -up.sign : 1; // characters from z-up tools usually look along -y
  const double named = along(ahead(marks, unit(up)), front);
  return {unit(up), unit({front, named == 0 ? default_sign : named < 0 ? -1.0 : 1.0}), up.known, named != 0};
}

} // namespace skincells
