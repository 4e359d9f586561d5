#include "io/gltf/read/vrm_humanoid.h"

#include <unordered_map>

#include "text/json_access.h"

namespace skincells::io {
namespace {

class HumanoidReader {
public:
  HumanoidReader(const GltfDocument& doc, GltfCharacter& out) : doc_(doc), out_(out) {
    for (std::size_t j = 0; j < out.node_of_joint.size(); ++j) joint_of_node_.emplace(out.node_of_joint[j], j);
  }

  // VRM 1: {"hips": {"node": 3}, ...}
  void readObject(const text::JsonPlace& bones) {
    for (const auto& [bone, entry] : bones.members()) note(entry, bone);
  }
  // VRM 0: [{"bone": "hips", "node": 3}, ...]
  void readList(const text::JsonPlace& bones) {
    for (std::size_t i = 0; i < bones.size(); ++i) note(bones.at(i), bones.at(i).text("bone"));
  }

private:
  void note(const text::JsonPlace& entry, const std::string& bone) {
    const auto node = entry.index("node", doc_.model.nodes.size(), "node");
    if (!node || *node < 0 || bone.empty()) {
      out_.warnings.push_back(
          {"vrm.human_bone", "an entry of the humanoid map has no bone or no node; it is ignored", entry.pointer()});
      return;
    }
    const auto joint = joint_of_node_.find(*node);
    if (joint != joint_of_node_.end()) out_.character.skeleton.joints[joint->second].human_bone = bone;
  }

  const GltfDocument& doc_;
  GltfCharacter& out_;
  std::unordered_map<int, std::size_t> joint_of_node_;
};

} // namespace

void readHumanBones(const GltfDocument& document, GltfCharacter& out) {
  const text::JsonPlace extensions = text::JsonPlace(document.json, document.path + "#").at("extensions");
  HumanoidReader reader(document, out);
  const text::JsonPlace vrm1 = extensions.at("VRMC_vrm").at("humanoid").at("humanBones");
  const text::JsonPlace vrm0 = extensions.at("VRM").at("humanoid").at("humanBones");
  if (vrm1.value().is_object())
    reader.readObject(vrm1);
  else
    reader.readList(vrm0);
}

} // namespace skincells::io
