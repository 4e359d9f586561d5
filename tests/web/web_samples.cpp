// Writes files in formats that only the library's own tests can make, for the browser tests: web_samples FOLDER
#include <cstdio>

#include "io/draco_encoder.h"
#include "io/foreign_samples.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace {

using namespace skincells;

// The tube with its geometry packed by Draco; its upper half follows joint 2, its lower half joint 1.
std::vector<std::uint8_t> dracoTube() {
  test::TubeDocument tube(4);
  const Mesh& mesh = tube.parts.mesh;
  std::vector<std::array<std::uint8_t, 4>> joints;
  for (const Vec3f& p : mesh.positions) joints.push_back({p.y < 2 ? std::uint8_t{1} : std::uint8_t{2}, 0, 0, 0});
  const std::vector<std::array<float, 4>> weights(mesh.positions.size(), {1, 0, 0, 0});
  const test::DracoData packed = test::encodeDraco(mesh, joints, weights);
  for (int a : {tube.parts.position, tube.parts.indices, tube.parts.joints, tube.parts.weights})
    tube.at("accessors", a).erase("bufferView");
  for (int a : {tube.parts.position, tube.parts.joints, tube.parts.weights})
    tube.at("accessors", a)["count"] = packed.vertex_count;
  tube.primitive()["extensions"]["KHR_draco_mesh_compression"] = {
      {"bufferView", tube.view(packed.bytes)}, {"attributes", {{"POSITION", 0}, {"JOINTS_0", 1}, {"WEIGHTS_0", 2}}}};
  tube.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  tube.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  return tube.glb();
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: web_samples FOLDER\n", stderr), 1;
  const std::filesystem::path folder(argv[1]);
  test::writeBytes(folder / "draco.glb", dracoTube());
  test::writeText(folder / "tetrahedron.dae", test::sampleDae());
  test::writeText(folder / "triangle.fbx", test::samplePivotFbx(test::RotationPivot::Without));
  return 0;
}
