// What the eye sees first in a posed skin: webs between limbs, and parts that fly off.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/welded_surface.h"
#include "skincells/mesh.h"

namespace skincells::metrics {

// Measures from pose to pose, on the welded mesh.
// - A triangle is a web where an edge grew by more than 4 % of the diagonal and to more than twice its length. Webs are
//   measured by the area that they gained.
// - A connected part departs where three quarters of the places at which it touched a larger part are more than 3 % of
//   the diagonal farther away than in the bind pose.
class PartMeter {
public:
  // trimmed: trimmedBounds of the mesh. The surface must outlive the meter.
  PartMeter(const WeldedSurface& surface, const Box& trimmed);

  // Adds one pose; `posed` are the skinned positions of all vertices.
  void add(std::span<const Vec3f> posed);

  // Means over the poses so far, in % of the area of the mesh.
  double webPercent() const { return percent(web_area_); }
  double departedPercent() const { return percent(departed_area_); }

  // Where it happened: area by triangle of the welded mesh, and by part.
  std::span<const double> webArea() const { return web_of_triangle_; }
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
  bool markLongEdges();
  bool isWeb(const Triangle& triangle) const;
  void addWebs();
  void addDepartures();
  double percent(double area) const { return poses_ > 0 && total_area_ > 0 ? 100 * area / (total_area_ * poses_) : 0; }

  const WeldedSurface& surface_;
  double diagonal_ = 0, total_area_ = 0;
  std::vector<Part> parts_;       // by island
  std::vector<Vec3f> posed_;      // the welded vertices, in the pose that was added last
  std::vector<double> web_limit_; // by edge: the squared length above which it may be part of a web
  std::vector<char> at_long_;     // by welded vertex: it is at such an edge
  std::vector<double> web_of_triangle_;
  double web_area_ = 0, departed_area_ = 0;
  int poses_ = 0;
};

} // namespace skincells::metrics
