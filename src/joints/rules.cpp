#include "joints/rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "joints/evidence.h"
#include "rig/names/name_words.h"

namespace skincells::joints {
namespace {

constexpr std::string_view kPlaceholder = "placeholder";
constexpr double kFarFromMesh = 0.04; // relative to the diagonal

// The number a word spells, or -1.
int numberOf(std::string_view word) {
  int value = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() ? value : -1;
}

// A joint that carries the body: the lower trunk.
bool isBodyRoot(const rig::JointName& name) {
  return std::ranges::any_of(name.words, [](const std::string& word) {
    const rig::NameWord* found = rig::findWord(word, rig::WordMeaning::MiddlePart);
    return found != nullptr && (found->part == rig::HumanPart::Hips || found->part == rig::HumanPart::Spine);
  });
}

bool has(const rig::JointName& name, rig::WordMeaning meaning) {
  return !rig::firstWord(name, meaning).empty();
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
      if (d.deforms && d.rule.empty()) {
        d.rule = "deforms";
        d.reason = "no rule applies";
      }
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

  // Called for parents first, so that a joint is measured against the nearest ancestor with a valid position.
  bool placeholder(int j) {
    if (!e_.joint(j).bind_usable && e_.mostBindsUsable())
      return drop(j, kPlaceholder, "its bind matrix cannot be used");
    if (!e_.atOrigin(j)) return false;
    int anchor = e_.joint(j).parent;
    while (anchor != kNoParent && droppedBy(anchor, kPlaceholder)) anchor = e_.joint(anchor).parent;
    constexpr double kLengthTolerance = 0.02; // relative to the diagonal
    if (anchor == kNoParent || std::fabs(e_.bindLength(anchor, j) - e_.restLength(anchor, j)) <= kLengthTolerance)
      return false;
    return drop(j, kPlaceholder, "its bind matrix puts it at the origin, the node tree puts it elsewhere");
  }

  // The top of the skeleton if it is outside the mesh (usually on the ground), and stacked roots: joints below it that
  // hold most of the skeleton, at the same position or clearly away from the mesh.
  bool root(int j) {
    const int parent = e_.joint(j).parent;
    const bool top = parent == kNoParent;
    if (!top && !droppedBy(parent, "root")) return false;
    if (e_.children(j).empty()) return false; // the only bone
    if (!top && 2 * e_.descendantCount(j) < e_.jointCount()) return false;
    if (isBodyRoot(e_.name(j))) return false;
    if (!e_.inside(j) && (top || e_.samePosition(parent, j) || e_.meshDistance(j) > kFarFromMesh))
      return drop(j, "root", "the top of the skeleton is outside the mesh");
    if (top && e_.hasIdentityBind(j) && has(e_.name(j), rig::WordMeaning::SkeletonTop))
      return drop(j, "root", "the top of the skeleton has an identity bind matrix");
    return false;
  }

  bool control(int j) {
    const std::string_view word = rig::controlWord(e_.name(j));
    if (word.empty() || anyChildDeforms(j)) return false;
    return drop(j, "control",
                "the word '" + std::string(word) + "' in its name marks a control, and nothing below it deforms");
  }

  bool end(int j) {
    if (!e_.children(j).empty()) return false;
    if (rig::isBoneEndWord(e_.name(j).last()))
      return drop(j, "end",
                  "a leaf named '" + std::string(e_.name(j).last()) + "': it marks where its parent's bone ends");
    if (isFingertip(j)) return drop(j, "end", "the fourth joint of a finger marks where the third one ends");
    return false;
  }

  // thumb4 below thumb3, thumb2 and thumb1. A finger with other numbers ends in a joint that deforms.
  bool isFingertip(int j) const {
    if (!has(e_.name(j), rig::WordMeaning::Finger)) return false;
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
    if (e_.inside(j) || e_.meshDistance(j) <= kFarFromMesh || anyChildDeforms(j)) return false;
    return drop(j, "outside", "it is away from the mesh, and nothing below it deforms");
  }

  bool unmarked(int j) {
    if (!e_.marksDeformBones() || e_.isMarkedDeform(j)) return false;
    if (e_.onMarkedDeformBone(j))
      return drop(j, "unmarked",
                  "the rig marks its deform bones; this joint is not marked and is at the position of one");
    if (!e_.inside(j))
      return drop(j, "unmarked", "the rig marks its deform bones; this joint is not marked and is outside the mesh");
    return false;
  }

  bool twin(int j) {
    if (e_.children(j).size() != 1) return false;
    const int child = e_.children(j)[0];
    if (!deforms(child) || !e_.samePosition(j, child)) return false;
    return drop(j, "twin", "it is at the same position as its only child '" + e_.joint(child).name + "'");
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
