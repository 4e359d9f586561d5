// Pictures of posed meshes, drawn on the CPU.
#pragma once

#include <span>

#include "skincells/mesh.h"
#include "skincells/options.h"
#include "skincells/viz/camera.h"
#include "skincells/viz/color.h"
#include "skincells/viz/image.h"
#include "skincells/viz/texture.h"

namespace skincells {

struct RenderOptions {
  int width = 512, height = 512; // pixels, 1 .. 8192
  int supersampling = 2;         // samples across a pixel, 1 .. 4
  bool ambient_occlusion = true; // darken folds and narrow gaps
  bool ground_shadow = true;     // soft shadow on a floor under the lowest point
  bool transparent = false;      // no background but the shadow
  double crease_angle = 45;      // edges that bend by more are drawn sharp, degrees, 0 .. 180
  Rgb background = rgbFromSrgb(238, 240, 243);
  Vec3d up{0, 1, 0}; // normal of the floor
};
const OptionTable<RenderOptions>& renderOptionTable();

// Colors of a mesh: by triangle, else by vertex, else plain clay.
struct Paint {
  std::span<const Rgb> triangles;            // empty, or one per triangle
  std::span<const Rgb> vertices;             // empty, or one per vertex
  const SurfaceTextures* textures = nullptr; // multiply the colors of triangles
};

// Draws the mesh with its vertices at `posed_positions`, one per vertex. Triangles with a corner that is not finite are
// left out. Both sides of a triangle are drawn. The same arguments give the same bytes for any number of threads.
Image renderMesh(const Mesh& mesh, std::span<const Vec3f> posed_positions, const Paint& paint, const Camera& camera,
                 const RenderOptions& options = {});

} // namespace skincells
