// The renderer behind renderMesh, with the work that many pictures of one mesh share done once.
#pragma once

#include "skincells/viz/render.h"
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
