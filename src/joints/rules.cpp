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
constexpr double kOnSurface = 0.005;

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
    for (int j : e_.order()) placeholder(j) || humanoid(j) || root(j) || misscaled(j) || copy(j);
    for (auto j = e_.order().rbegin(); j != e_.order().rend(); ++j) {
      if (deforms(*j) && !humanoid(*j)) control(*j) || end(*j) || outside(*j) || unmarked(*j) || twin(*j);
      below_deforms_[index(*j)] = anyChildDeforms(*j);
    }
    keepAllIfNoneIsLeft();
    for (JointDecision& d : decisions_)
      if (d.deforms && d.rule.empty()) {
        d.rule = "deforms";
        d.reason = humanoid(d.joint) ? "the file maps it to the humanoid bone '" + e_.joint(d.joint).human_bone + "'"
                                     : "no rule applies";
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

  // What the file says about a joint is stronger than its name and place.
  bool humanoid(int j) const { return !e_.joint(j).human_bone.empty(); }

  // At the origin also in the node tree, but with the scale of another file.
  bool misscaled(int j) {
    constexpr double kOtherScale = 2;
    if (!e_.atOrigin(j) || std::fabs(std::log(e_.bindScale(j))) <= std::log(kOtherScale)) return false;
    return drop(j, kPlaceholder, "its bind matrix puts it at the origin, with another scale than the other joints");
  }

  // The top of the skeleton if it is outside the mesh (usually on the ground), and stacked roots: joints below it that
  // hold most of the skeleton, at the same position or clearly away from the mesh.
  bool root(int j) {
    const int parent = e_.joint(j).parent;
    const bool top = parent == kNoParent;
    if (!top && !droppedBy(parent, "root")) return false;
    if (e_.children(j).empty()) return false; // the only bone
    const bool named = e_.isNamedTop(j), stacked = !top && e_.samePosition(parent, j);
    if (stacked && (named || !rig::controlWord(e_.name(j)).empty()))
      return drop(j, "root", "it is at the position of the root above it, and named like a root or a control");
    // One of several skeletons of a file may start anywhere.
    if (2 * e_.descendantCount(j) < e_.jointCount() && !(top && named)) return false;
    if (isBodyRoot(e_.name(j))) return false;
    if (!rig::controlWord(e_.name(j)).empty())
      return drop(j, "root", "it carries most of the skeleton and is named like a control");
    if (!e_.inside(j) &&
        (top ? named || e_.meshDistance(j) > kOnSurface : stacked || e_.meshDistance(j) > kFarFromMesh))
      return drop(j, "root", "the top of the skeleton is outside the mesh");
    if (top && e_.hasIdentityBind(j) && named)
      return drop(j, "root", "the top of the skeleton has an identity bind matrix");
    return false;
  }

  // A joint of a chain that was duplicated in place: "Spine2.001" on "Spine2".
  bool copy(int j) {
    const int parent = e_.joint(j).parent;
    const bool below_copy = parent != kNoParent && droppedBy(parent, "copy");
    for (int o : e_.placeMates(j))
      if (!droppedBy(o, kPlaceholder) &&
          (below_copy ? !droppedBy(o, "copy") : isNamedCopy(j, o) && e_.sharesBone(j, o)))
        return drop(j, "copy", "it is a copy of '" + e_.joint(o).name + "' at the same position");
    return false;
  }

  // Is joint j called like joint o, with one number more?
  bool isNamedCopy(int j, int o) const {
    const auto &copy = e_.name(j).words, &original = e_.name(o).words;
    if (copy.size() != original.size() + 1 || e_.name(j).side != e_.name(o).side) return false;
    if (std::ranges::all_of(original, [](const std::string& w) { return rig::means(w, rig::WordMeaning::Filler); }))
      return false; // "Bone" and "Bone.001"
    const auto [c, i] = std::mismatch(copy.begin(), copy.end() - 1, original.begin());
    return numberOf(*c) >= 0 && std::equal(c + 1, copy.end(), i);
  }

  bool control(int j) {
    const std::string_view word = rig::controlWord(e_.name(j));
    if (word.empty()) return false;
    const std::string marked = "the word '" + std::string(word) + "' in its name marks a control, and ";
    if (!anyChildDeforms(j)) return drop(j, "control", marked + "nothing below it deforms");
    if (isAway(j)) return drop(j, "control", marked + "it is away from the mesh");
    for (int o : e_.placeMates(j))
      if (!droppedBy(o, kPlaceholder) && !droppedBy(o, "root"))
        return drop(j, "control", marked + "it is at the position of '" + e_.joint(o).name + "'");
    return false;
  }

  bool end(int j) {
    if (!e_.children(j).empty()) return false;
    const std::string_view last = e_.name(j).last();
    if (rig::isBoneEndWord(last) || (last == "tip" && has(e_.name(j), rig::WordMeaning::Finger)))
      return drop(j, "end", "a leaf named '" + std::string(last) + "': it marks where its parent's bone ends");
    if (isFingertip(j)) return drop(j, "end", "the fourth joint of a finger marks where the third one ends");
    return false;
  }

  // thumb4 below thumb3, thumb2 and thumb1. A finger with other numbers ends in a joint that deforms.
  bool isFingertip(int j) const {
    const rig::NameWord* finger =
        rig::findWord(rig::firstWord(e_.name(j), rig::WordMeaning::Finger), rig::WordMeaning::Finger);
    if (finger == nullptr || finger->number < 0) return false;
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

  bool isAway(int j) const { return !e_.inside(j) && e_.meshDistance(j) > kFarFromMesh; }

  bool outside(int j) {
    if (!isAway(j) || anyChildDeforms(j)) return false;
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
    if (!(deforms(child) || droppedBy(child, "copy")) || !e_.samePosition(j, child)) return false;
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
