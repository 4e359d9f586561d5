// What is known about the joints of a character before any weight exists: names, places and bind matrices.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rig/joint_places.h"
#include "rig/names/joint_names.h"
#include "skincells/character.h"

namespace skincells::joints {

// Measured once. All lengths are relative to the diagonal of the mesh.
class JointEvidence {
public:
  // The character must outlive the evidence.
  explicit JointEvidence(const Character& character);

  std::size_t jointCount() const { return names_.size(); }
  const Joint& joint(int j) const { return skeleton_.joints[index(j)]; }
  const rig::JointName& name(int j) const { return names_[index(j)]; }
  const std::vector<int>& children(int j) const { return children_[index(j)]; }
  const std::vector<int>& order() const { return order_; } // parents first
  std::size_t descendantCount(int j) const { return descendant_count_[index(j)]; }

  // At least half of the rays from the joint meet the mesh.
  bool inside(int j) const { return enclosure_[index(j)] >= 0.5; }
  double meshDistance(int j) const { return mesh_distance_[index(j)]; }

  bool atOrigin(int j) const;
  bool hasIdentityBind(int j) const;
  // How much larger the joint makes the mesh in the rest pose than most joints away from the origin do.
  double bindScale(int j) const { return bind_scale_[index(j)]; }
  bool mostBindsUsable() const { return most_binds_usable_; }
  double bindLength(int a, int b) const;
  double restLength(int a, int b) const;
  // A word of the name means the top of a skeleton ("root"), and is not in the names of most joints.
  bool isNamedTop(int j) const;
  // Two chains have a bone in the same place: of these joints to a child, or to their parents.
  bool sharesBone(int a, int b) const;
  // Other joints at the position of joint j, in the order of `order()`.
  std::vector<int> placeMates(int j) const;
  bool samePosition(int a, int b) const { return bindLength(a, b) <= kSamePosition; }

  // Some rigs mark their deform bones by name (DEF-spine).
  bool marksDeformBones() const { return !marked_.empty(); }
  bool isMarkedDeform(int j) const { return name(j).words.size() > 1 && name(j).words[0] == "def"; }
  bool onMarkedDeformBone(int j) const;

private:
  static constexpr double kSamePosition = 1e-4; // relative to the diagonal
  static std::size_t index(int j) { return static_cast<std::size_t>(j); }
  void countDescendants();
  void measurePlaces(const Mesh& mesh);
  void findMarkedBones();
  void compareScales();
  void countWords();

  const Skeleton& skeleton_;
  double diagonal_ = 1;
  std::vector<rig::JointName> names_;
  std::vector<std::vector<int>> children_;
  std::vector<int> order_;
  rig::JointPlaces places_;                  // of all joints, in that order
  std::map<std::string, std::size_t> users_; // of each word: how many names have it
  std::vector<std::size_t> descendant_count_;
  std::vector<double> enclosure_, mesh_distance_, bind_scale_;
  std::vector<int> marked_; // joints that the rig names as deform bones
  bool most_binds_usable_ = true;
};

} // namespace skincells::joints
