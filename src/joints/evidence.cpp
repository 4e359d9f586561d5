#include "joints/evidence.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "mesh/ray_query.h"
#include "rig/names/name_words.h"

namespace skincells::joints {

JointEvidence::JointEvidence(const Character& character)
    : skeleton_(character.skeleton), names_(rig::jointNames(skeleton_)), children_(childrenOf(skeleton_)),
      order_(parentFirstOrder(skeleton_)), places_(skeleton_, order_) {
  const double diagonal = character.mesh.bounds().diagonal();
  if (diagonal > 0) diagonal_ = diagonal;
  const auto usable =
      std::count_if(skeleton_.joints.begin(), skeleton_.joints.end(), [](const Joint& j) { return j.bind_usable; });
  most_binds_usable_ = 2 * static_cast<std::size_t>(usable) > jointCount();
  countDescendants();
  countWords();
  measurePlaces(character.mesh);
  findMarkedBones();
  compareScales();
}

void JointEvidence::countDescendants() {
  descendant_count_.assign(jointCount(), 0);
  for (auto j = order_.rbegin(); j != order_.rend(); ++j)
    if (const int parent = joint(*j).parent; parent != kNoParent)
      descendant_count_[index(parent)] += descendant_count_[index(*j)] + 1;
}

void JointEvidence::countWords() {
  for (const rig::JointName& n : names_)
    for (auto word = n.words.begin(); word != n.words.end(); ++word)
      if (std::find(n.words.begin(), word, *word) == word) ++users_[*word];
}

void JointEvidence::measurePlaces(const Mesh& mesh) {
  const mesh::RayQuery query(mesh);
  enclosure_.assign(jointCount(), 0);
  mesh_distance_.assign(jointCount(), 0);
  constexpr std::size_t kChunk = 16;
  parallelChunks(jointCount(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t j = begin; j < end; ++j) {
      const Vec3d p = skeleton_.bindPosition(static_cast<int>(j));
      const auto closest = query.closestPoint(p);
      enclosure_[j] = closest ? query.enclosure(p) : 1; // without a surface there is no outside
      mesh_distance_[j] = closest ? closest->distance / diagonal_ : 0;
    }
  });
}

void JointEvidence::findMarkedBones() {
  constexpr std::size_t kFewestMarked = 3; // fewer may be a coincidence
  for (int j : order_)
    if (isMarkedDeform(j)) marked_.push_back(j);
  if (marked_.size() < kFewestMarked) marked_.clear();
}

void JointEvidence::compareScales() {
  for (const Joint& j : skeleton_.joints) {
    const Affine rest_from_bind = j.rest * j.bind.inverse();
    double squares = 0;
    for (int c = 0; c < 3; ++c) squares += dot(rest_from_bind.column(c), rest_from_bind.column(c));
    bind_scale_.push_back(std::sqrt(squares / 3));
  }
  std::vector<double> sorted;
  for (int j : order_)
    if (joint(j).bind_usable && !atOrigin(j)) sorted.push_back(bind_scale_[index(j)]);
  if (sorted.empty()) sorted.push_back(1);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double median = *middle;
  for (double& s : bind_scale_) s = s > 0 && median > 0 ? s / median : 1;
}

bool JointEvidence::atOrigin(int j) const {
  return length(skeleton_.bindPosition(j)) <= kSamePosition * diagonal_;
}

bool JointEvidence::hasIdentityBind(int j) const {
  constexpr double kTolerance = 1e-6;
  const Affine identity;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      if (std::fabs(joint(j).bind.m[r][c] - identity.m[r][c]) > kTolerance) return false;
  return true;
}

double JointEvidence::bindLength(int a, int b) const {
  return length(skeleton_.bindPosition(a) - skeleton_.bindPosition(b)) / diagonal_;
}

double JointEvidence::restLength(int a, int b) const {
  return length(joint(a).rest.translation() - joint(b).rest.translation()) / diagonal_;
}

bool JointEvidence::isNamedTop(int j) const {
  return std::ranges::any_of(name(j).words, [this](const std::string& word) {
    if (!rig::means(word, rig::WordMeaning::SkeletonTop)) return false;
    const std::size_t users = users_.at(word);
    return users == 1 || 2 * users <= jointCount();
  });
}

bool JointEvidence::sharesBone(int a, int b) const {
  const auto meet = [this](int x, int y) { return x != y && samePosition(x, y); };
  const int parent_a = joint(a).parent, parent_b = joint(b).parent;
  if (parent_a != kNoParent && parent_b != kNoParent && meet(parent_a, parent_b)) return true;
  return std::ranges::any_of(
      children(a), [&](int x) { return std::ranges::any_of(children(b), [&](int y) { return meet(x, y); }); });
}

std::vector<int> JointEvidence::placeMates(int j) const {
  std::vector<int> mates = places_.near(skeleton_.bindPosition(j), kSamePosition * diagonal_);
  std::erase(mates, j);
  return mates;
}

bool JointEvidence::onMarkedDeformBone(int j) const {
  constexpr double kOnMarkedBone = 10 * kSamePosition;
  return std::any_of(marked_.begin(), marked_.end(), [&](int m) { return bindLength(j, m) <= kOnMarkedBone; });
}

} // namespace skincells::joints
