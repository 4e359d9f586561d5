#include "io/gltf/usage.h"

namespace skincells::io {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

bool isSkinningAttribute(const std::string& name) {
  return name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
}

} // namespace

AccessorUsage::AccessorUsage(const GltfModel& model)
    : model_(model), uses_(model.accessors.size(), 0), skinning_uses_(uses_) {
  for (const GltfMesh& mesh : model.meshes)
    for (const GltfPrimitive& p : mesh.primitives) {
      for (const auto& [name, accessor] : p.attributes) {
        ++uses_[at(accessor)];
        skinning_uses_[at(accessor)] += isSkinningAttribute(name);
      }
      if (p.indices >= 0) ++uses_[at(p.indices)];
    }
  for (const GltfSkin& s : model.skins)
    if (s.inverse_bind_matrices >= 0)
      ++uses_[at(s.inverse_bind_matrices)], ++skinning_uses_[at(s.inverse_bind_matrices)];
  for (const GltfAnimation& a : model.animations)
    for (const GltfSampler& s : a.samplers) ++uses_[at(s.input)], ++uses_[at(s.output)];
}

bool AccessorUsage::isSkinningOnly(std::size_t accessor) const {
  return uses_[accessor] > 0 && uses_[accessor] == skinning_uses_[accessor] && !model_.accessors[accessor].sparse;
}

int AccessorUsage::skinningBuffer() const {
  // A view counts as skinning data when an accessor says so and none says otherwise; one that no accessor uses may
  // be a picture or belong to an extension.
  std::vector<bool> claimed(model_.views.size(), false), foreign(model_.views.size(), false);
  for (std::size_t a = 0; a < model_.accessors.size(); ++a)
    if (const int view = model_.accessors[a].view; view >= 0) (isSkinningOnly(a) ? claimed : foreign)[at(view)] = true;
  std::vector<bool> held(model_.buffers.size(), false), mixed(model_.buffers.size(), false);
  for (std::size_t v = 0; v < model_.views.size(); ++v) {
    const GltfView& view = model_.views[v];
    const bool skinning = claimed[v] && !foreign[v] && !view.meshopt;
    (skinning ? held : mixed)[at(view.buffer)] = true;
    if (view.meshopt) mixed[at(view.meshopt->buffer)] = true;
  }
  for (std::size_t b = 0; b < model_.buffers.size(); ++b) {
    const GltfBuffer::Kind kind = model_.buffers[b].kind;
    const bool beside = kind == GltfBuffer::Kind::External || kind == GltfBuffer::Kind::Data;
    if (beside && held[b] && !mixed[b]) return static_cast<int>(b);
  }
  return -1;
}

} // namespace skincells::io
