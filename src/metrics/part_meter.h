// What the eye sees first in a posed skin: webs between limbs, and parts that fly off.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::metrics {

// Measures from pose to pose, on the mesh welded by position; a welded vertex moves with its first vertex.
// - A triangle is a web where an edge grew by more than 4 % of the diagonal and to more than twice its length. Webs are
//   measured by the area that they gained.
// - A connected part departs where three quarters of the places at which it touched a larger part are more than 3 % of
//   the diagonal farther away than in the bind pose.
class PartMeter {
public:
  explicit PartMeter(const Mesh& mesh);

  // Adds one pose; `posed` are the skinned positions of all vertices.
  void add(std::span<const Vec3f> posed);

  // Means over the poses so far, in % of the area of the mesh.
  double webPercent() const { return percent(web_area_); }
  double departedPercent() const { return percent(departed_area_); }

  // Where it happened: area by triangle of the welded mesh, and by part.
  std::span<const Triangle> triangles() const { return welded_.triangles; }
  std::span<const double> webArea() const { return web_of_triangle_; }
  std::uint32_t vertexOf(std::uint32_t welded) const { return weld_.first_vertex[welded]; }
  // A vertex of the part that departed the most; false if none did.
  bool departedVertex(std::uint32_t& vertex) const;

private:
  // A vertex of a part, and the nearest one of a larger part.
  struct Contact {
    std::uint32_t vertex, other;
    double distance;
  };
  struct Part {
    double area = 0, departed = 0;
    std::uint32_t first_vertex = 0; // welded
    std::vector<Contact> contacts;
  };
  void findContacts();
  void addWebs();
  void addDepartures();
  double percent(double area) const { return poses_ > 0 && total_area_ > 0 ? 100 * area / (total_area_ * poses_) : 0; }

  Weld weld_;
  Mesh welded_;
  Islands islands_;
  double diagonal_ = 0, total_area_ = 0;
  std::vector<Part> parts_; // by island
  std::vector<Vec3f> posed_;
  std::vector<double> web_of_triangle_;
  double web_area_ = 0, departed_area_ = 0;
  int poses_ = 0;
};

} // namespace skincells::metrics
