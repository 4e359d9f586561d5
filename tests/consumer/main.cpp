// Uses the library the way a stranger would: only what the package installed.
#include <cmath>
#include <cstdio>
#include <numbers>

#include <skincells/skincells.h>

namespace {

constexpr int kRings = 17, kSides = 8, kJoints = 3;
constexpr float kHeight = 2, kRadius = 0.2F;

// An open tube along +y.
skincells::Mesh makeTube() {
  skincells::Mesh mesh;
  for (int r = 0; r < kRings; ++r)
    for (int s = 0; s < kSides; ++s) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(s) / kSides;
      const float y = kHeight * static_cast<float>(r) / (kRings - 1);
      mesh.positions.push_back({kRadius * std::cos(angle), y, kRadius * std::sin(angle)});
    }
  const auto at = [](int r, int s) { return static_cast<std::uint32_t>(r * kSides + s % kSides); };
  for (int r = 0; r + 1 < kRings; ++r)
    for (int s = 0; s < kSides; ++s) {
      mesh.triangles.push_back({at(r, s), at(r + 1, s), at(r + 1, s + 1)});
      mesh.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r, s + 1)});
    }
  return mesh;
}

skincells::Skeleton makeChain() {
  skincells::Skeleton skeleton;
  for (int j = 0; j < kJoints; ++j) {
    skincells::Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j - 1;
    joint.bind = joint.rest = skincells::Affine::fromTranslation({0, kHeight * j / kJoints, 0});
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

// The tube as a GLB file in memory.
std::vector<std::uint8_t> tubeFile(const skincells::Mesh& mesh) {
  skincells::Scene scene;
  scene.generator = "consumer";
  skincells::ScenePrimitive primitive;
  primitive.positions = mesh.positions;
  primitive.triangles = mesh.triangles;
  scene.meshes.push_back({"tube", {primitive}});
  skincells::SceneNode node;
  node.name = "tube";
  node.mesh = 0;
  scene.nodes.push_back(node);
  return skincells::sceneToGlb(scene);
}

bool expect(bool condition, const char* what) {
  if (!condition) std::fprintf(stderr, "consumer: %s\n", what);
  return condition;
}

} // namespace

int main() {
  const skincells::Mesh mesh = makeTube();
  const skincells::Weld weld = skincells::weldByPosition(mesh.positions, skincells::weldTolerance(mesh));
  const skincells::Topology topology = skincells::analyzeTopology(mesh, weld);
  skincells::Character character;
  character.mesh = mesh;
  character.skeleton = makeChain();
  const auto bound = skincells::bind(character, {.max_influences = 2});
  const std::vector<std::uint8_t> file = tubeFile(mesh);

  const bool good = expect(weld.weldedCount() == kRings * kSides, "no two vertices of the tube are one") &&
                    expect(topology.open_edge_count == 2 * kSides, "the tube is open at both ends") &&
                    expect(bound && bound->weights.vertexCount() == mesh.positions.size(), "every vertex is bound") &&
                    expect(bound->weights.jointRow(0)[0] == 0, "the lowest vertex follows the root") &&
                    expect(file.size() > 12 && file[0] == 'g' && file[1] == 'l', "the file is a GLB");
  if (good) std::printf("consumer: skincells %s works\n", SKINCELLS_VERSION);
  return good ? 0 : 1;
}
