// Prints what the library makes of a pose, for the browser tests to compare with:
//   skin_probe FILE JOINT AXIS DEGREES     one joint turned about its own axis 0, 1 or 2
//   skin_probe FILE --random INDEX ROM     a random pose within ranges of motion
// One JSON document with the posed positions and the shape metrics.
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string_view>

#include <nlohmann/json.hpp>

#include "deform/lbs.h"
#include "rig/motion/joint_motions.h"
#include "skincells/io/character_file.h"
#include "skincells/metrics.h"

namespace {

using namespace skincells;

// Nothing where there is no such joint or range.
Pose poseOf(const Character& c, const char* const* words) {
  if (std::string_view(words[0]) == "--random") {
    const auto motions = rig::jointMotions(c.skeleton, c.clip_poses, words[2]);
    return motions ? rig::posesWithin(c.skeleton, *motions, std::atoi(words[1]) + 1, 0).back() : Pose{};
  }
  const int joint = c.skeleton.find(words[0]);
  if (joint < 0) return {};
  std::vector<Affine> turns(c.skeleton.joints.size());
  const auto j = static_cast<std::size_t>(joint);
  const Vec3d axis = c.skeleton.joints[j].bind.column(std::atoi(words[1]));
  turns[j] = Affine::rotation(axis, std::atof(words[2]) * std::numbers::pi / 180);
  return poseFromTurns(c.skeleton, turns);
}

void print(const Character& c, const Pose& pose) {
  std::vector<Vec3f> posed(c.mesh.positions.size());
  deform::skin(c.mesh.positions, c.weights, pose, posed);
  const ShapeStatistics shape = shapeStatistics(c.mesh, c.weights, {pose});
  nlohmann::json out{{"diagonal", c.mesh.bounds().diagonal()},
                     {"numbers",
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
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fputs("usage: skin_probe FILE JOINT AXIS DEGREES | FILE --random INDEX ROM\n", stderr), 1;
  const auto file = CharacterFile::read(argv[1]);
  if (!file) return std::fprintf(stderr, "%s\n", file.error().text().c_str()), 1;
  const Pose pose = poseOf(file->character(), argv + 2);
  if (pose.empty()) return std::fprintf(stderr, "no joint or range '%s'\n", argv[2]), 1;
  print(file->character(), pose);
  return 0;
}
