#include "viz/render/projection.h"

#include <numbers>

#include "base/parallel.h"

namespace skincells::render {

Frame frameOf(const Vec3d& forward, const Vec3d& up) {
  Frame frame;
  frame.forward = normalized(forward);
  if (frame.forward == Vec3d{}) frame.forward = {0, 0, -1};
  frame.right = cross(frame.forward, normalized(up));
  if (length(frame.right) < 1e-6) {
    const bool along_x = std::fabs(frame.forward.x) > 0.9;
    frame.right = cross(frame.forward, along_x ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0});
  }
  frame.right = normalized(frame.right);
  frame.up = cross(frame.right, frame.forward);
  return frame;
}

Projection makeProjection(const Camera& camera, int width, int height) {
  const Frame frame = frameOf(camera.target - camera.eye, camera.up);
  Projection p;
  p.eye = camera.eye;
  p.right = frame.right;
  p.up = frame.up;
  p.forward = frame.forward;
  p.width = width;
  p.height = height;
  p.focal = height / (2 * std::tan(camera.field_of_view * std::numbers::pi / 360));
  p.inverse_focal = 1 / p.focal;
  p.center_x = width / 2.0;
  p.center_y = height / 2.0;
  p.near_depth = std::fmax(1e-3 * length(camera.target - camera.eye), 1e-30);
  return p;
}

std::vector<Vec3f> toViewSpace(std::span<const Vec3f> positions, const Projection& projection) {
  std::vector<Vec3f> view(positions.size());
  parallelChunks(positions.size(), 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) view[v] = projection.toView(positions[v]);
  });
  return view;
}

} // namespace skincells::render
