#include "joints/rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "joints/evidence.h"

namespace skincells::joints {
namespace {

constexpr std::string_view kPlaceholder = "placeholder";
constexpr double kFar = 0.04; // from the mesh, of the diagonal

template <std::size_t N> bool isOneOf(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

template <std::size_t N>
std::string_view firstWordOf(const rig::JointName& name, const std::array<std::string_view, N>& list) {
  for (const std::string& word : name.words)
    if (isOneOf(word, list)) return word;
  return {};
}

// The number a word spells, or -1.
int numberOf(std::string_view word) {
  int value = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() ? value : -1;
}

// The word that makes a joint a control, or nothing. Short words must stand alone; long ones may also end a word that
// was written without a break ("handslot").
std::string_view controlWord(const rig::JointName& name) {
  constexpr std::array<std::string_view, 22> kWords{
      "ik",       "pole", "target", "ctrl",   "ctl",      "control",    "controller", "mch",
      "effector", "slot", "socket", "attach", "attacher", "attachment", "locator",    "orient",
      "pt",       "pv",   "goal",   "tweak",  "dummy",    "marker"};
  constexpr std::array<std::string_view, 6> kEndings{"slot", "socket", "target", "ctrl", "control", "locator"};
  if (const auto word = firstWordOf(name, kWords); !word.empty()) return word;
  for (const std::string& word : name.words)
    for (std::string_view ending : kEndings)
      if (word.size() > ending.size() && std::string_view(word).ends_with(ending)) return ending;
  return {};
}

bool isEndWord(std::string_view word) {
  constexpr std::array<std::string_view, 4> kWords{"end", "nub", "null", "site"};
  return isOneOf(word, kWords) || (word.size() > 3 && word.ends_with("nub"));
}

class Rules {
public:
  explicit Rules(const Character& character) : e_(character), decisions_(e_.jointCount()) {
    for (std::size_t j = 0; j < decisions_.size(); ++j) decisions_[j].joint = static_cast<int>(j);
  }

  std::vector<JointDecision> decide() {
    for (int j : e_.order()) placeholder(j) || root(j);
    for (auto j = e_.order().rbegin(); j != e_.order().rend(); ++j) {
      if (deforms(*j)) control(*j) || end(*j) || outside(*j) || unmarked(*j) || twin(*j);
      below_deforms_[index(*j)] = anyChildDeforms(*j);
    }
    keepAllIfNoneIsLeft();
    for (JointDecision& d : decisions_)
      if (d.deforms && d.rule.empty()) d.rule = "deforms", d.reason = "no rule speaks against it";
    return std::move(decisions_);
  }

private:
  static std::size_t index(int j) { return static_cast<std::size_t>(j); }
  bool deforms(int j) const { return decisions_[index(j)].deforms; }
  bool droppedBy(int j, std::string_view rule) const { return decisions_[index(j)].rule == rule; }

  bool drop(int j, std::string_view rule, std::string reason) {
    decisions_[index(j)].deforms = false;
    decisions_[index(j)].rule = rule;
    decisions_[index(j)].reason = std::move(reason);
    return true;
  }

  bool anyChildDeforms(int j) const {
    return std::any_of(e_.children(j).begin(), e_.children(j).end(),
                       [this](int c) { return deforms(c) || below_deforms_[index(c)]; });
  }

  // Parents come first, so that a joint is measured against the nearest ancestor whose position can be trusted.
  bool placeholder(int j) {
    if (!e_.joint(j).bind_usable && e_.mostBindsUsable())
      return drop(j, kPlaceholder, "its bind matrix cannot be used");
    if (!e_.atOrigin(j)) return false;
    int anchor = e_.joint(j).parent;
    while (anchor != kNoParent && droppedBy(anchor, kPlaceholder)) anchor = e_.joint(anchor).parent;
    constexpr double kDifference = 0.02; // of the diagonal
    if (anchor == kNoParent || std::fabs(e_.bindLength(anchor, j) - e_.restLength(anchor, j)) <= kDifference)
      return false;
    return drop(j, kPlaceholder, "its bind matrix puts it at the origin, the node tree puts it elsewhere");
  }

  // The top of the skeleton outside the mesh (mostly on the ground), and joints below it that hold most of the skeleton
  // but stand in the same place or clearly away from the mesh: stacked roots.
  bool root(int j) {
    const int parent = e_.joint(j).parent;
    const bool top = parent == kNoParent;
    if (!top && !droppedBy(parent, "root")) return false;
    if (e_.children(j).empty()) return false; // a body of one bone
    if (!top && 2 * e_.descendantCount(j) < e_.jointCount()) return false;
    constexpr std::array<std::string_view, 5> kBody{"pelvis", "hips", "hip", "spine", "torso"};
    if (!firstWordOf(e_.name(j), kBody).empty()) return false;
    if (!e_.inside(j) && (top || e_.sameSpot(parent, j) || e_.meshDistance(j) > kFar))
      return drop(j, "root", "the top of the skeleton stands outside the mesh");
    constexpr std::array<std::string_view, 4> kSynthetic{"root", "armature", "skeleton", "rig"};
    if (top && e_.hasIdentityBind(j) && !firstWordOf(e_.name(j), kSynthetic).empty())
      return drop(j, "root", "the top of the skeleton has no bind pose of its own");
    return false;
  }

  bool control(int j) {
    const std::string_view word = controlWord(e_.name(j));
    if (word.empty() || anyChildDeforms(j)) return false;
    return drop(j, "control",
                "the word '" + std::string(word) + "' in its name marks a control, and nothing below it deforms");
  }

  bool end(int j) {
    if (!e_.children(j).empty()) return false;
    if (isEndWord(e_.name(j).last()))
      return drop(j, "end",
                  "a leaf named '" + std::string(e_.name(j).last()) + "': it marks where its parent's bone ends");
    if (isFingertip(j)) return drop(j, "end", "the fourth joint of a finger marks where the third one ends");
    return false;
  }

  // thumb4 below thumb3, thumb2 and thumb1. A finger numbered otherwise ends in a joint that deforms.
  bool isFingertip(int j) const {
    constexpr std::array<std::string_view, 7> kFingers{"thumb", "index", "middle", "ring", "pinky", "little", "finger"};
    if (firstWordOf(e_.name(j), kFingers).empty()) return false;
    int number = 4;
    for (int a = j; number > 0; --number, a = e_.joint(a).parent)
      if (a == kNoParent || !isNumbered(a, j, number)) return false;
    return true;
  }

  // Is joint a called like joint b, with this number at its end?
  bool isNumbered(int a, int b, int number) const {
    const auto &wa = e_.name(a).words, &wb = e_.name(b).words;
    return wa.size() == wb.size() && std::equal(wa.begin(), wa.end() - 1, wb.begin()) && numberOf(wa.back()) == number;
  }

  bool outside(int j) {
    if (e_.inside(j) || e_.meshDistance(j) <= kFar || anyChildDeforms(j)) return false;
    return drop(j, "outside", "it lies away from the mesh, and nothing below it deforms");
  }

  bool unmarked(int j) {
    if (!e_.marksDeformBones() || e_.isMarkedDeform(j)) return false;
    if (e_.onMarkedDeformBone(j))
      return drop(j, "unmarked", "the rig marks its deform bones, and this joint lies on one of them");
    if (!e_.inside(j))
      return drop(j, "unmarked", "the rig marks its deform bones, and this joint is none and lies outside the mesh");
    return false;
  }

  bool twin(int j) {
    if (e_.children(j).size() != 1) return false;
    const int child = e_.children(j)[0];
    if (!deforms(child) || !e_.sameSpot(j, child)) return false;
    return drop(j, "twin", "it lies on the same spot as its only child '" + e_.joint(child).name + "'");
  }

  void keepAllIfNoneIsLeft() {
    if (std::any_of(decisions_.begin(), decisions_.end(), [](const JointDecision& d) { return d.deforms; })) return;
    for (JointDecision& d : decisions_) {
      d.deforms = true;
      d.reason = "kept although the rule '" + d.rule + "' applies, because no joint would be left";
      d.rule = "deforms";
    }
  }

  JointEvidence e_;
  std::vector<JointDecision> decisions_;
  std::vector<bool> below_deforms_ = std::vector<bool>(decisions_.size(), false);
};

} // namespace

std::vector<JointDecision> chooseByRules(const Character& character) {
  return Rules(character).decide();
}

std::vector<int> misplacedJoints(const std::vector<JointDecision>& decisions) {
  std::vector<int> joints;
  for (const JointDecision& d : decisions)
    if (!d.deforms && d.rule == kPlaceholder) joints.push_back(d.joint);
  return joints;
}

} // namespace skincells::joints
