#include "io/gltf/edit/usage.h"

#include "io/gltf/constants.h"

namespace skincells::io {

AccessorUsage::AccessorUsage(const GltfModel& model)
    : model_(model), uses_(model.accessors.size(), 0), skinning_uses_(uses_) {
  for (const GltfMesh& mesh : model.meshes)
    for (const GltfPrimitive& p : mesh.primitives) {
      for (const auto& [name, accessor] : p.attributes) {
        ++uses_[accessor];
        skinning_uses_[accessor] += isSkinningAttribute(name);
      }
      if (p.indices >= 0) ++uses_[p.indices];
    }
  for (const GltfSkin& s : model.skins)
    if (s.inverse_bind_matrices >= 0) {
      ++uses_[s.inverse_bind_matrices];
      ++skinning_uses_[s.inverse_bind_matrices];
    }
  for (const GltfAnimation& a : model.animations)
    for (const GltfSampler& s : a.samplers) {
      ++uses_[s.input];
      ++uses_[s.output];
    }
}

bool AccessorUsage::isSkinningOnly(std::size_t accessor) const {
  return uses_[accessor] > 0 && uses_[accessor] == skinning_uses_[accessor] && !model_.accessors[accessor].sparse;
}

int AccessorUsage::skinningBuffer() const {
  // A view is skinning data if it has accessors and all of them are; one without accessors may hold an image or belong
  // to an extension.
  std::vector<bool> claimed(model_.views.size(), false), foreign(model_.views.size(), false);
  for (std::size_t a = 0; a < model_.accessors.size(); ++a)
    if (const int view = model_.accessors[a].view; view >= 0) (isSkinningOnly(a) ? claimed : foreign)[view] = true;
  std::vector<bool> held(model_.buffers.size(), false), mixed(model_.buffers.size(), false);
  for (std::size_t v = 0; v < model_.views.size(); ++v) {
    const GltfView& view = model_.views[v];
    const bool skinning = claimed[v] && !foreign[v] && !view.meshopt;
    (skinning ? held : mixed)[view.buffer] = true;
    if (view.meshopt) mixed[view.meshopt->buffer] = true;
  }
  for (std::size_t b = 0; b < model_.buffers.size(); ++b) {
    const GltfBuffer::Kind kind = model_.buffers[b].kind;
    const bool separate = kind == GltfBuffer::Kind::External || kind == GltfBuffer::Kind::Data;
    if (separate && held[b] && !mixed[b]) return static_cast<int>(b);
  }
  return -1;
}

} // namespace skincells::io
