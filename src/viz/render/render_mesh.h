// The renderer behind renderMesh; it shares work between pictures of one mesh.
#pragma once

#include "skincells/viz/render_mesh.h"
#include "viz/render/normals.h"

namespace skincells::render {

class MeshRenderer {
public:
  explicit MeshRenderer(const Mesh& mesh) : mesh_(mesh), normals_(mesh) {}

  // As renderMesh.
  Image draw(std::span<const Vec3f> posed_positions, const Paint& paint, const Camera& camera,
             const RenderOptions& options) const;

private:
  const Mesh& mesh_;
  SmoothNormals normals_;
};

} // namespace skincells::render
