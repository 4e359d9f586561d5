// Prints what the library makes of one turned joint, for the browser tests to compare with:
//   skin_probe FILE JOINT AXIS DEGREES
// The joint turns about its own axis 0, 1 or 2; one JSON document with the posed positions and the shape's figures.
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "deform/lbs.h"
#include "skincells/character_file.h"
#include "skincells/metrics.h"

namespace {

using namespace skincells;

int probe(const Character& c, const char* joint_name, int axis, double degrees) {
  const int joint = c.skeleton.find(joint_name);
  if (joint < 0) return std::fprintf(stderr, "no joint '%s'\n", joint_name), 1;
  std::vector<Affine> turns(c.skeleton.joints.size());
  const auto j = static_cast<std::size_t>(joint);
  turns[j] = Affine::rotation(c.skeleton.joints[j].bind.column(axis), degrees * 3.14159265358979323846 / 180);
  const Pose pose = poseFromTurns(c.skeleton, turns);
  std::vector<Vec3f> posed(c.mesh.positions.size());
  deform::skin(c.mesh.positions, c.weights, pose, posed);
  const ShapeStatistics shape = shapeStatistics(c.mesh, c.weights, {pose});
  nlohmann::json out{{"diagonal", c.mesh.bounds().diagonal()},
                     {"figures",
                      {{"stretchRms", shape.stretch_rms},
                       {"stretchP99", shape.stretch_p99},
                       {"extremeEdgesPercent", shape.extreme_edges_percent},
                       {"flippedPercent", shape.flipped_percent},
                       {"volumePercent", shape.volume_percent}}},
                     {"sections", nlohmann::json::array()}};
  for (const MeshSection& s : c.mesh.sections) {
    std::vector<float> numbers;
    for (std::size_t v = s.first_vertex; v < std::size_t{s.first_vertex} + s.vertex_count; ++v)
      numbers.insert(numbers.end(), {posed[v].x, posed[v].y, posed[v].z});
    out["sections"].push_back({{"where", s.where}, {"positions", numbers}});
  }
  std::puts(out.dump().c_str());
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fputs("usage: skin_probe FILE JOINT AXIS DEGREES\n", stderr), 1;
  const auto file = CharacterFile::read(argv[1]);
  if (!file) return std::fprintf(stderr, "%s\n", file.error().text().c_str()), 1;
  return probe(file->character(), argv[2], std::atoi(argv[3]), std::atof(argv[4]));
}
