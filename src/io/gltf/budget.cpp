#include "io/gltf/budget.h"

#include <set>
#include <string>

#include "io/gltf/accessor.h"
#include "io/gltf/constants.h"

namespace skincells::io {
namespace {

constexpr std::size_t kNumberBytes = 4;

// Adds up without overflow: counts are below 2^27 and the sum is checked after each.
class Sum {
public:
  explicit Sum(const GltfDocument& document) : model_(document.model) {
    std::size_t size = 0;
    for (const GltfBuffer& buffer : model_.buffers) size += buffer.bytes.size();
    for (const GltfNode& node : model_.nodes) size += sizeof node + node.name.size();
    limit_ = kFreeBytes + kBytesPerByte * size;
  }

  void add(int accessor) {
    if (accessor < 0) return;
    const GltfAccessor& a = model_.accessors[accessor];
    const std::size_t numbers = a.count * static_cast<std::size_t>(a.columns);
    if (a.view < 0 && numbers > kMaxImpliedNumbers) return; // refused when it is read, with its own message
    bytes_ += numbers * kNumberBytes;
  }
  bool isTooLarge() const { return bytes_ > limit_; }
  std::size_t limit() const { return limit_; }

private:
  const GltfModel& model_;
  std::size_t bytes_ = 0, limit_ = 0;
};

bool isRead(const std::string& attribute) {
  return attribute == "POSITION" || isSkinningAttribute(attribute);
}

} // namespace

Result<void> checkBudget(const GltfDocument& document, std::span<const MeshInstance> instances) {
  const GltfModel& model = document.model;
  Sum sum(document);
  const auto tooLarge = [&](const std::string& where) {
    return Error{ErrorCode::TooLarge,
                 "the file refers to the same data so often that it unfolds to more than " +
                     std::to_string(sum.limit() >> 20U) + " MiB; this is no character",
                 document.path + "#" + where};
  };
  for (const MeshInstance& instance : instances) {
    std::set<int> vertices; // primitives of an instance share them
    const auto& primitives = model.meshes[instance.mesh].primitives;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      for (const auto& [name, accessor] : primitives[p].attributes)
        if (isRead(name) && vertices.insert(accessor).second) sum.add(accessor);
      sum.add(primitives[p].indices);
      if (sum.isTooLarge()) return tooLarge(primitivePointer(instance.mesh, static_cast<int>(p)));
    }
  }
  for (std::size_t s = 0; s < model.skins.size(); ++s) {
    sum.add(model.skins[s].inverse_bind_matrices);
    if (sum.isTooLarge()) return tooLarge("/skins/" + std::to_string(s));
  }
  for (std::size_t a = 0; a < model.animations.size(); ++a)
    for (const GltfChannel& channel : model.animations[a].channels) {
      const GltfSampler& sampler = model.animations[a].samplers[channel.sampler];
      sum.add(sampler.input);
      sum.add(sampler.output);
      if (sum.isTooLarge()) return tooLarge("/animations/" + std::to_string(a));
    }
  return {};
}

} // namespace skincells::io
