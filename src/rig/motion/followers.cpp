#include "rig/motion/followers.h"

#include <algorithm>
#include <map>

#include "rig/names/joint_names.h"
#include "rig/names/name_words.h"

namespace skincells::rig {
namespace {

constexpr double kReach = 1.75; // how far beyond a chain its end may be, in lengths of its last bone

class Finder {
public:
  explicit Finder(const Skeleton& skeleton)
      : skeleton_(skeleton), names_(jointNames(skeleton)), children_(childrenOf(skeleton)),
        order_(parentFirstOrder(skeleton)), root_of_(skeleton.joints.size()), tree_size_(skeleton.joints.size()),
        detached_(skeleton.joints.size()) {
    for (int j : order_) {
      const int parent = parentOf(j);
      root_of_[at(j)] = parent == kNoParent ? j : root_of_[at(parent)];
      ++tree_size_[at(root_of_[at(j)])];
    }
    for (int j = 0; j < skeleton.jointCount(); ++j) {
      if (parentOf(j) != kNoParent) continue;
      const auto main = main_root_.try_emplace(skeleton.joints[at(j)].skeleton, j).first;
      if (tree_size_[at(j)] > tree_size_[at(main->second)]) main->second = j;
    }
    for (int j : order_) detached_[at(j)] = isDetached(j) || (parentOf(j) != kNoParent && detached_[at(parentOf(j))]);
  }

  std::vector<Follower> followers() const {
    std::vector<Follower> out;
    for (int j = 0; j < skeleton_.jointCount(); ++j) {
      if (!isDetached(j)) continue;
      int leader = chainEndAt(j);
      if (leader < 0 && parentOf(j) == kNoParent) leader = nearestJoint(j);
      if (leader >= 0) out.push_back({j, leader});
    }
    return out;
  }

private:
  static std::size_t at(int joint) { return static_cast<std::size_t>(joint); }
  int parentOf(int joint) const { return skeleton_.joints[at(joint)].parent; }
  double distance(int a, int b) const { return length(skeleton_.bindPosition(a) - skeleton_.bindPosition(b)); }

  // The root with the most joints of the same skeleton (ties: the first).
  int mainRoot(int joint) const {
    const auto found = main_root_.find(skeleton_.joints[at(joint)].skeleton);
    return found != main_root_.end() ? found->second : -1;
  }

  bool isDetached(int joint) const {
    const int parent = parentOf(joint);
    if (parent == kNoParent) return joint != mainRoot(joint);
    using enum HumanPart;
    const JointName& name = names_[at(joint)];
    return parent == mainRoot(joint) && (!controlWord(name).empty() || mentions(name, WordMeaning::AnimalFoot) ||
                                         mentionsPart(name, {Foot, Toe, Hand}));
  }

  bool canLead(int leader, int joint) const {
    return !detached_[at(leader)] && root_of_[at(leader)] == mainRoot(joint) && leader != parentOf(joint);
  }

  // The end of a chain of at least two bones that the joint continues; -1 if there is none.
  int chainEndAt(int joint) const {
    int best = -1;
    for (int j = 0; j < skeleton_.jointCount(); ++j) {
      if (!canLead(j, joint) || !children_[at(j)].empty()) continue;
      const int parent = parentOf(j);
      if (parent == kNoParent || parentOf(parent) == kNoParent) continue;
      if (distance(j, joint) > kReach * distance(j, parent)) continue;
      if (best < 0 || distance(j, joint) < distance(best, joint)) best = j;
    }
    return best;
  }

  int nearestJoint(int joint) const {
    int best = -1;
    for (int j = 0; j < skeleton_.jointCount(); ++j)
      if (canLead(j, joint) && (best < 0 || distance(j, joint) < distance(best, joint))) best = j;
    return best;
  }

  const Skeleton& skeleton_;
  std::vector<JointName> names_;
  std::vector<std::vector<int>> children_;
  std::vector<int> order_, root_of_, tree_size_;
  std::map<int, int> main_root_; // by skeleton
  std::vector<char> detached_;   // the joint or one above it
};

} // namespace

std::vector<Follower> findFollowers(const Skeleton& skeleton) {
  return Finder(skeleton).followers();
}

Skeleton withFollowers(Skeleton skeleton) {
  for (const Follower& f : findFollowers(skeleton))
    skeleton.joints[static_cast<std::size_t>(f.joint)].parent = f.leader;
  return skeleton;
}

std::string describeFollowers(const Skeleton& skeleton) {
  constexpr std::size_t kNamed = 4;
  const std::vector<Follower> followers = findFollowers(skeleton);
  if (followers.empty()) return "";
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, followers.size()); ++i)
    names += (i == 0 ? "" : ", ") + skeleton.joints[static_cast<std::size_t>(followers[i].joint)].name;
  const bool one = followers.size() == 1;
  return std::to_string(followers.size()) + (one ? " detached joint follows" : " detached joints follow") +
         (one ? " its limb (" : " their limbs (") + names + (followers.size() > kNamed ? ", ..." : "") + ")";
}

} // namespace skincells::rig
