#include "rig/names/name_words.h"

#include <algorithm>
#include <array>

namespace skincells::rig {
namespace {

using Part = HumanPart;
using enum WordMeaning;

constexpr NameWord kNameWords[] = {
    {"def", Filler},
    {"org", Filler},
    {"bip", Filler},
    {"biped", Filler},
    {"valve", Filler},
    {"b", Filler},
    {"bn", Filler},
    {"c", Filler},
    {"cc", Filler},
    {"j", Filler},
    {"joint", Filler},
    {"jnt", Filler},
    {"jt", Filler},
    {"bone", Filler},
    {"sk", Filler},
    {"bind", Filler},
    {"base", Filler},

    {"ik", Control},
    {"pole", Control},
    {"target", Control},
    {"ctrl", Control},
    {"ctl", Control},
    {"control", Control},
    {"controller", Control},
    {"mch", Control},
    {"effector", Control},
    {"slot", Control},
    {"socket", Control},
    {"attach", Control},
    {"attacher", Control},
    {"attachment", Control},
    {"locator", Control},
    {"orient", Control},
    {"pt", Control},
    {"pv", Control},
    {"goal", Control},
    {"tweak", Control},
    {"dummy", Control},
    {"marker", Control},

    {"roll", Roll},

    {"end", BoneEnd},
    {"nub", BoneEnd},
    {"null", BoneEnd},
    {"site", BoneEnd},

    {"root", SkeletonTop},
    {"armature", SkeletonTop},
    {"skeleton", SkeletonTop},
    {"rig", SkeletonTop},

    {"hips", MiddlePart, Part::Hips},
    {"hip", MiddlePart, Part::Hips},
    {"pelvis", MiddlePart, Part::Hips},
    {"spine", MiddlePart, Part::Spine},
    {"abdomen", MiddlePart, Part::Spine},
    {"waist", MiddlePart, Part::Spine},
    {"torso", MiddlePart, Part::Spine},
    {"spinelower", MiddlePart, Part::Spine},
    {"spineupper", MiddlePart, Part::Spine},
    {"chest", MiddlePart, Part::Chest},
    {"upperchest", MiddlePart, Part::Chest},
    {"chestupper", MiddlePart, Part::Chest},
    {"ribcage", MiddlePart, Part::Chest},
    {"neck", MiddlePart, Part::Neck},
    {"necklower", MiddlePart, Part::Neck},
    {"neckupper", MiddlePart, Part::Neck},
    {"head", MiddlePart, Part::Head},
    {"jaw", MiddlePart, Part::Jaw},
    {"lowerjaw", MiddlePart, Part::Jaw},
    {"mjaw", MiddlePart, Part::Jaw},

    {"eye", PairedPart, Part::Eye},
    {"eyeball", PairedPart, Part::Eye},
    {"shoulder", PairedPart, Part::Shoulder},
    {"clavicle", PairedPart, Part::Shoulder},
    {"collar", PairedPart, Part::Shoulder},
    {"collarbone", PairedPart, Part::Shoulder},
    {"upperarm", PairedPart, Part::UpperArm},
    {"uparm", PairedPart, Part::UpperArm},
    {"arm", PairedPart, Part::UpperArm},
    {"armupper", PairedPart, Part::UpperArm},
    {"shldr", PairedPart, Part::UpperArm},
    {"lowerarm", PairedPart, Part::LowerArm},
    {"lowarm", PairedPart, Part::LowerArm},
    {"armlower", PairedPart, Part::LowerArm},
    {"forearm", PairedPart, Part::LowerArm},
    {"elbow", PairedPart, Part::LowerArm},
    {"hand", PairedPart, Part::Hand},
    {"wrist", PairedPart, Part::Hand},
    {"palm", PairedPart, Part::Palm},
    {"upperleg", PairedPart, Part::UpperLeg},
    {"upleg", PairedPart, Part::UpperLeg},
    {"legupper", PairedPart, Part::UpperLeg},
    {"thigh", PairedPart, Part::UpperLeg},
    {"hip", PairedPart, Part::Hips},
    {"leg", PairedPart, Part::LowerLeg},
    {"lowerleg", PairedPart, Part::LowerLeg},
    {"lowleg", PairedPart, Part::LowerLeg},
    {"leglower", PairedPart, Part::LowerLeg},
    {"calf", PairedPart, Part::LowerLeg},
    {"shin", PairedPart, Part::LowerLeg},
    {"knee", PairedPart, Part::LowerLeg},
    {"foot", PairedPart, Part::Foot},
    {"ankle", PairedPart, Part::Foot},
    {"toe", PairedPart, Part::Toe},
    {"toes", PairedPart, Part::Toe},
    {"ball", PairedPart, Part::Toe},

    {"thumb", Finger, Part::None, 0},
    {"index", Finger, Part::None, 1},
    {"middle", Finger, Part::None, 2},
    {"ring", Finger, Part::None, 3},
    {"little", Finger, Part::None, 4},
    {"pinky", Finger, Part::None, 4},
    {"finger", Finger, Part::None, -1},
    {"proximal", Phalanx, Part::None, 1},
    {"intermediate", Phalanx, Part::None, 2},
    {"distal", Phalanx, Part::None, 3},

    {"eye", Face},
    {"eyes", Face},
    {"eyebrow", Face},
    {"brow", Face},
    {"lid", Face},
    {"eyelid", Face},
    {"lip", Face},
    {"lips", Face},
    {"mouth", Face},
    {"nose", Face},
    {"tongue", Face},
    {"cheek", Face},
    {"teeth", Face},
    {"pupil", Face},

    {"hoof", AnimalFoot},
    {"paw", AnimalFoot},
    {"tail", Tail},

    {"ear", Ear},
    {"ears", Ear},
    {"horn", Ear},
    {"antenna", Ear},
    {"hair", Ear},
    {"bangs", Ear},
    {"ponytail", Ear},
    {"braid", Ear},
    {"whisker", Ear},
    {"beard", Ear},
    {"trunk", Ear},
    {"beak", Ear},
    {"wing", Wing},
    {"feather", Wing},
    {"fin", Wing},
    {"flipper", Wing},
    {"gill", Wing},
    {"skirt", Cloth},
    {"cape", Cloth},
    {"cloak", Cloth},
    {"coat", Cloth},
    {"robe", Cloth},
    {"sleeve", Cloth},
    {"cloth", Cloth},
    {"scarf", Cloth},
    {"ribbon", Cloth},
    {"dress", Cloth},
    {"tassel", Cloth},
    {"belt", Cloth},
    {"strap", Cloth},
    {"hood", Cloth},
    {"weapon", Prop},
    {"sword", Prop},
    {"gun", Prop},
    {"bow", Prop},
    {"shield", Prop},
    {"hat", Prop},
    {"cap", Prop},
    {"helmet", Prop},
    {"glasses", Prop},
    {"bag", Prop},
    {"backpack", Prop},
    {"quiver", Prop},
    {"prop", Prop},
    {"item", Prop},
    {"saddle", Prop},
    {"rein", Prop},
    {"reins", Prop},
};

bool isKnown(std::string_view word) {
  static constexpr auto kSorted = [] {
    std::array<std::string_view, std::size(kNameWords)> words;
    std::ranges::transform(kNameWords, words.begin(), &NameWord::text);
    std::ranges::sort(words);
    return words;
  }();
  return std::ranges::binary_search(kSorted, word);
}

// Does a word of the name have an entry that is accepted? Unknown words are searched for entries of three or more
// letters.
template <class Accept> bool mentionsAny(const JointName& name, const Accept& accept) {
  constexpr std::size_t kShortestInside = 3;
  return std::ranges::any_of(name.words, [&](const std::string& word) {
    const bool known = isKnown(word);
    return std::ranges::any_of(kNameWords, [&](const NameWord& entry) {
      if (!accept(entry)) return false;
      return known ? entry.text == word
                   : entry.text.size() >= kShortestInside && word.find(entry.text) != std::string::npos;
    });
  });
}

} // namespace

const NameWord* findWord(std::string_view word, WordMeaning meaning) {
  const auto found = std::ranges::find_if(
      kNameWords, [&](const NameWord& entry) { return entry.meaning == meaning && entry.text == word; });
  return found == std::end(kNameWords) ? nullptr : found;
}

std::string_view firstWord(const JointName& name, WordMeaning meaning) {
  for (const std::string& word : name.words)
    if (means(word, meaning)) return word;
  return {};
}

std::string_view controlWord(const JointName& name) {
  constexpr std::array<std::string_view, 6> kEndings{"slot", "socket", "target", "ctrl", "control", "locator"};
  if (const auto word = firstWord(name, Control); !word.empty()) return word;
  for (const std::string& word : name.words)
    for (std::string_view ending : kEndings)
      if (word.size() > ending.size() && std::string_view(word).ends_with(ending)) return ending;
  return {};
}

bool isBoneEndWord(std::string_view word) {
  return means(word, BoneEnd) || word.ends_with("nub");
}

bool mentionsPart(const JointName& name, std::initializer_list<HumanPart> parts) {
  return mentionsAny(name, [&](const NameWord& entry) {
    return entry.part != Part::None && std::ranges::find(parts, entry.part) != parts.end();
  });
}

bool mentions(const JointName& name, WordMeaning meaning) {
  return mentionsAny(name, [&](const NameWord& entry) { return entry.meaning == meaning; });
}

} // namespace skincells::rig
