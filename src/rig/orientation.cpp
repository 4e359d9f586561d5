#include <algorithm>
#include <array>
#include <cctype>

#include "rig/names/joint_names.h"
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

std::string lowered(const std::string& name) {
  std::string out = name;
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

template <std::size_t N> bool containsAny(const std::string& name, const std::array<const char*, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](const char* w) { return name.find(w) != std::string::npos; });
}

// Mean position of the joints whose names have a word in them.
struct Group {
  Vec3d sum;
  int count = 0;
  std::vector<Vec3d> members;

  void add(const Vec3d& p) { sum += p, ++count, members.push_back(p); }
  bool empty() const { return count == 0; }
  Vec3d mean() const { return sum * (1.0 / count); }
};

struct Landmarks {
  Group feet, toes, heads, tails, hips, left, right;

  // From the character's right to its left; zero where names tell no sides.
  Vec3d leftward() const { return left.empty() || right.empty() ? Vec3d{} : left.mean() - right.mean(); }
};

// Ends of legs, for skeletons that name no feet: leg joints without a leg joint below them.
Group legEnds(const Skeleton& skeleton, const std::vector<bool>& is_leg) {
  std::vector<bool> has_lower = std::vector<bool>(is_leg.size());
  for (std::size_t j = 0; j < is_leg.size(); ++j)
    if (is_leg[j] && skeleton.joints[j].parent != kNoParent)
      has_lower[static_cast<std::size_t>(skeleton.joints[j].parent)] = true;
  Group ends;
  for (std::size_t j = 0; j < is_leg.size(); ++j)
    if (is_leg[j] && !has_lower[j]) ends.add(skeleton.bindPosition(static_cast<int>(j)));
  return ends;
}

Landmarks findLandmarks(const Skeleton& skeleton) {
  static constexpr std::array kFeet{"foot", "ankle", "toe", "hoof", "paw", "ball"};
  static constexpr std::array kToes{"toe", "ball"};
  static constexpr std::array kHeads{"head", "jaw", "nose", "eye"};
  static constexpr std::array kTails{"tail"};
  static constexpr std::array kHips{"hip", "pelvis"};
  static constexpr std::array kLegs{"leg", "calf", "shin", "knee"};
  static constexpr std::array kAids{"ik", "pole", "target", "ctrl", "control", "roll"};
  Landmarks found;
  const std::vector<rig::JointName> names = rig::jointNames(skeleton);
  std::vector<bool> is_leg(skeleton.joints.size());
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const Joint& joint = skeleton.joints[static_cast<std::size_t>(j)];
    const std::string name = lowered(joint.name);
    const Vec3d p = skeleton.bindPosition(j);
    if (!joint.bind_usable || !isFinite(p) || containsAny(name, kAids)) continue;
    const rig::Side side = names[static_cast<std::size_t>(j)].side;
    if (side != rig::Side::None) (side == rig::Side::Left ? found.left : found.right).add(p);
    is_leg[static_cast<std::size_t>(j)] = containsAny(name, kLegs);
    if (containsAny(name, kFeet)) (containsAny(name, kToes) ? found.toes : found.feet).add(p);
    if (containsAny(name, kHeads)) found.heads.add(p);
    if (containsAny(name, kTails)) found.tails.add(p);
    if (containsAny(name, kHips)) found.hips.add(p);
  }
  if (found.feet.empty() && found.toes.empty()) found.feet = legEnds(skeleton, is_leg);
  return found;
}

// The side of the mesh's box that all feet are near.
Axis upAxis(const Landmarks& marks, const Box& box) {
  Axis best{1, 1};
  double least = 0.35; // feet farther up than this are no feet
  Group feet = marks.feet;
  for (const Vec3d& toe : marks.toes.members) feet.add(toe);
  if (feet.empty()) return best;
  for (int axis : {1, 2, 0}) {
    const double lo = along(box.lo, axis), size = along(box.size(), axis);
    if (size <= 0) continue;
    const double height = (along(feet.mean(), axis) - lo) / size;
    if (height < least) least = height, best = {axis, 1, true};
    if (1 - height < least) least = 1 - height, best = {axis, -1, true};
  }
  return best;
}

// How badly the joints fail to mirror onto joints across the middle plane of an axis.
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

// The level axis along which the character looks: across the line from right to left where names tell sides, else
// the one whose middle plane mirrors joints worse.
int frontAxis(const Skeleton& skeleton, const Landmarks& marks, const Box& box, int up) {
  constexpr int kMostForSymmetry = 1000; // the comparison is quadratic
  const int usual = up == 2 ? 1 : 2, other = 3 - up - usual;
  const Vec3d leftward = marks.leftward();
  const double a = std::abs(along(leftward, usual)), b = std::abs(along(leftward, other));
  if (std::max(a, b) > 0) return a > b ? other : usual;
  if (skeleton.jointCount() == 0 || skeleton.jointCount() > kMostForSymmetry) return usual;
  const bool turned = asymmetry(skeleton, usual, along(box.center(), usual)) <
                      0.7 * asymmetry(skeleton, other, along(box.center(), other));
  return turned ? other : usual;
}

// What tells where the character looks, the surest first; zero where nothing does.
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
  const double default_sign = up.index == 2 ? -up.sign : 1; // z up usually comes from tools that look along -y
  const double told = along(ahead(marks, unit(up)), front);
  return {unit(up), unit({front, told == 0 ? default_sign : told < 0 ? -1.0 : 1.0}), up.known};
}

} // namespace skincells
