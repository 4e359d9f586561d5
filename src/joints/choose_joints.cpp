#include "base/assert.h"
#include "base/try.h"
#include "joints/joint_list.h"
#include "joints/rules.h"
#include "skincells/joints.h"

namespace skincells {
namespace {

std::vector<JointDecision> keepAll(const Skeleton& skeleton) {
  std::vector<JointDecision> decisions(skeleton.joints.size());
  for (std::size_t j = 0; j < decisions.size(); ++j)
    decisions[j] = {static_cast<int>(j), true, "all", "--joints all keeps every joint"};
  return decisions;
}

Result<std::vector<JointDecision>> keepWeighted(const Character& character) {
  if (character.weights.empty())
    return Error{ErrorCode::NoJoints,
                 "'weighted' keeps the joints with weight in the skin of the file, but this file has no skin; use "
                 "auto, all or a "
                 "joint list",
                 "--joints"};
  std::vector<JointDecision> decisions(character.skeleton.joints.size());
  for (std::size_t j = 0; j < decisions.size(); ++j)
    decisions[j] = {static_cast<int>(j), false, "unweighted", "it has no weight in the skin of the file"};
  for (std::size_t i = 0; i < character.weights.weights.size(); ++i) {
    if (!(character.weights.weights[i] > 0)) continue;
    SKINCELLS_ASSERT(character.weights.joints[i] < decisions.size());
    JointDecision& decision = decisions[character.weights.joints[i]];
    if (decision.deforms) continue;
    decision.deforms = true;
    decision.rule = "weighted";
    decision.reason = "it has weight in the skin of the file";
  }
  return decisions;
}

Result<std::vector<JointDecision>> chooseBySpec(const Character& character, const std::string& spec) {
  if (spec == "auto") return joints::chooseByRules(character);
  if (spec == "all") return keepAll(character.skeleton);
  if (spec == "weighted") return keepWeighted(character);
  return joints::chooseByListFile(character.skeleton, spec);
}

} // namespace

Result<std::vector<JointDecision>> chooseJoints(const Character& character, const std::string& spec,
                                                const JointOverrides& overrides) {
  if (character.skeleton.joints.empty())
    return Error{ErrorCode::NoSkeleton, "the skeleton has no joints", character.name};
  auto decisions = chooseBySpec(character, spec);
  if (!decisions) return decisions;
  SKINCELLS_CHECK(joints::applyOverrides(character.skeleton, overrides, *decisions));
  return decisions;
}

} // namespace skincells
