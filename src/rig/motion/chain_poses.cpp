#include "rig/motion/chain_poses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rig/motion/swing_twist.h"
#include "rig/names/joint_names.h"

namespace skincells::rig {
namespace {

constexpr double kRadians = std::numbers::pi / 180;
constexpr std::size_t kMostPoses = 8;
constexpr double kShortest = 0.08; // length of a chain, relative to the size of the skeleton
constexpr double kMostBend = 150;  // of a whole chain, degrees
constexpr double kAlong = 0.9;     // a cosine: directions that count as parallel

// Joints below each other without a branch.
struct Chain {
  std::vector<int> joints;
  double length = 0;
};

// By joint: whether all joints but those above it are below it. Such a joint turns the whole character.
std::vector<bool> turnsAll(const Skeleton& skeleton) {
  std::vector<int> below(skeleton.joints.size()), above(skeleton.joints.size());
  for (int j = 0; j < skeleton.jointCount(); ++j)
    for (int a = skeleton.joints[j].parent; a != kNoParent; a = skeleton.joints[a].parent) ++below[a], ++above[j];
  std::vector<bool> all(skeleton.joints.size());
  for (int j = 0; j < skeleton.jointCount(); ++j) all[j] = below[j] + above[j] + 1 == skeleton.jointCount();
  return all;
}

// Longest first, without joints that turn the whole character.
std::vector<Chain> chainsOf(const Skeleton& skeleton) {
  const auto children = childrenOf(skeleton);
  const std::vector<bool> whole = turnsAll(skeleton);
  Box box;
  for (int j = 0; j < skeleton.jointCount(); ++j) box.add(skeleton.bindPosition(j));
  std::vector<Chain> chains;
  for (int j : parentFirstOrder(skeleton)) {
    const int parent = skeleton.joints[j].parent;
    if (parent == kNoParent || whole[j] || !(whole[parent] || children[parent].size() > 1)) continue;
    Chain chain{{j}, 0};
    while (children[chain.joints.back()].size() == 1) {
      const int next = children[chain.joints.back()].front();
      chain.length += length(skeleton.bindPosition(next) - skeleton.bindPosition(chain.joints.back()));
      chain.joints.push_back(next);
    }
    if (chain.joints.size() > 1 && chain.length > kShortest * box.diagonal()) chains.push_back(std::move(chain));
  }
  std::ranges::stable_sort(chains, std::greater{}, &Chain::length);
  return chains;
}

// "both wing", or the name of a joint without exporter numbers.
std::string pairName(const JointName& name) {
  std::string out = "both";
  for (const std::string& word : name.words) out += " " + word;
  return out;
}
std::vector<std::string> plainNames(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Joint& j : skeleton.joints) names.push_back(j.name);
  return withoutExporterNumbers(std::move(names));
}

class ChainPoser {
public:
  ChainPoser(const Skeleton& skeleton, const std::vector<JointMotion>& motions, const Orientation& orientation)
      : skeleton_(skeleton), motions_(motions), orientation_(orientation), bones_(boneDirections(skeleton)),
        turns_(skeleton.joints.size()) {}

  // Further in the direction in which it is bent already; else upward, or forward if the chain is upright.
  void bend(const Chain& chain) {
    constexpr double kCurved = 0.25; // about 15 degrees
    const Vec3d along =
        normalized(skeleton_.bindPosition(chain.joints.back()) - skeleton_.bindPosition(chain.joints[0]));
    const bool upright = std::abs(dot(along, orientation_.up)) > kAlong;
    Vec3d axis = cross(along, upright ? orientation_.forward : orientation_.up), curve;
    for (std::size_t i = 2; i < chain.joints.size(); ++i) curve += cross(stepTo(chain, i - 1), stepTo(chain, i));
    if (length(curve) > kCurved) axis = curve;
    const double share = kMostBend / static_cast<double>(chain.joints.size());
    for (int j : chain.joints) {
      const JointRange& range = motions_[j].range;
      const double most = std::max(std::abs(range.swing.lo), std::abs(range.swing.hi));
      turns_[j] = Affine::rotation(axis, std::min(most, share) * kRadians);
    }
  }
  void twist(const Chain& chain) {
    for (int j : chain.joints)
      if (length(bones_[j]) > 0) turns_[j] = Affine::rotation(bones_[j], motions_[j].range.twist.hi * kRadians);
  }
  TestPose take(std::string name) {
    TestPose pose{std::move(name), poseFromTurns(skeleton_, turns_), {}};
    turns_.assign(turns_.size(), {});
    return pose;
  }

private:
  Vec3d stepTo(const Chain& chain, std::size_t i) const {
    return normalized(skeleton_.bindPosition(chain.joints[i]) - skeleton_.bindPosition(chain.joints[i - 1]));
  }

  const Skeleton& skeleton_;
  const std::vector<JointMotion>& motions_;
  const Orientation& orientation_;
  std::vector<Vec3d> bones_;
  std::vector<Affine> turns_;
};

} // namespace

std::vector<TestPose> chainPoses(const Skeleton& skeleton, const std::vector<JointMotion>& motions,
                                 const Orientation& orientation) {
  const std::vector<Chain> chains = chainsOf(skeleton);
  const std::vector<JointName> names = jointNames(skeleton);
  const std::vector<std::string> plain = plainNames(skeleton);
  ChainPoser poser(skeleton, motions, orientation);
  std::vector<TestPose> poses;
  std::vector<bool> done(chains.size());
  for (std::size_t c = 0; c < chains.size() && poses.size() + 1 < kMostPoses; ++c) {
    if (done[c]) continue;
    const int first = chains[c].joints[0];
    poser.bend(chains[c]);
    std::string name = plain[first];
    for (std::size_t o = c + 1; o < chains.size(); ++o) { // the same chain on the other side
      const JointName &a = names[first], &b = names[chains[o].joints[0]];
      if (done[o] || a.side == Side::None || b.side == Side::None || a.side == b.side || a.words != b.words) continue;
      poser.bend(chains[o]);
      name = pairName(a);
      done[o] = true;
      break;
    }
    poses.push_back(poser.take(name + " bent"));
  }
  if (!chains.empty()) {
    poser.twist(chains[0]);
    poses.push_back(poser.take(plain[chains[0].joints[0]] + " twisted"));
  }
  return poses;
}

} // namespace skincells::rig
