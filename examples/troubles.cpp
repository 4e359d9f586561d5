#include "troubles.h"

#include <algorithm>
#include <string>

#include "biped.h"
#include "characters.h"

namespace skincells::examples {
namespace {

constexpr int kLevel = 1; // of detail: troubles do not need more vertices

template <class Change> Scene withPositions(Scene scene, const Change& change) {
  for (SceneMesh& mesh : scene.meshes)
    for (ScenePrimitive& primitive : mesh.primitives) {
      primitive.normals.clear(); // they would have to turn, too
      for (Vec3f& p : primitive.positions) p = toFloat(change(toDouble(p)));
    }
  return scene;
}

Scene plainFigure() {
  return toScene(makeBipedAPose(), kLevel, Skinned::No);
}

Scene centimeters() {
  return withPositions(plainFigure(), [](const Vec3d& p) { return p * 100; });
}

Scene zUp() {
  return withPositions(plainFigure(), [](const Vec3d& p) { return Vec3d{p.x, -p.z, p.y}; });
}

Scene scaledNode() {
  Scene scene = plainFigure();
  for (SceneNode& node : scene.nodes)
    if (node.mesh >= 0) {
      node.scale = {0.01, 0.01, 0.01};
      node.translation = {0, 0, 0.5};
    }
  return scene;
}

// In the middle of a kick, with arms up; the mesh stands.
Model kicking() {
  Model model = makeBipedAPose();
  Gesture gesture(model.skeleton);
  gesture.turnPair("upper_arm", {0, 0, 1}, 130);
  gesture.turnPair("thigh", {1, 0, 0}, -80);
  gesture.turn("spine", {1, 0, 0}, 40);
  model.skeleton = rebound(model.skeleton, poseFromTurns(model.skeleton, gesture.turns()));
  model.clips.clear();
  return model;
}

Scene posedRest() {
  return toScene(kicking(), kLevel, Skinned::No);
}

Scene posedRestWithSkin() {
  Scene scene = posedRest();
  scene.skins = toScene(makeBipedAPose(), kLevel, Skinned::Yes).skins; // no mesh uses it
  return scene;
}

Scene ikFeet() {
  Model model = makeBipedAPose();
  for (const char* foot : {"foot.L", "foot.R"})
    model.skeleton.joints[static_cast<std::size_t>(model.skeleton.find(foot))].parent = 0;
  model.clips.clear();
  return toScene(model, kLevel, Skinned::Yes);
}

Scene shellsOnControls() {
  Model model = makeRobot();
  const int control = model.skeleton.find("ik_hand.L");
  for (Part& part : model.parts)
    if (part.name == "upper_arm.L" || part.name == "forearm.L")
      for (Surface& surface : part.lods)
        for (std::size_t i = 0; i < surface.weights.joints.size(); ++i)
          if (surface.weights.weights[i] > 0) surface.weights.joints[i] = static_cast<std::uint16_t>(control);
  return toScene(model, kLevel, Skinned::Yes);
}

Scene baggyTrousers() {
  const Skeleton skeleton = bipedSkeleton({}).build();
  Field field;
  Sculptor s(field, skeleton);
  s.paint(cloth::kTrousers).blend(0.01);
  constexpr double kHalfGap = 0.005, kRadius = 0.095;
  const Vec3d top{kRadius + kHalfGap, 0.86, 0}, bottom{kRadius + kHalfGap, 0.12, 0};
  s.addPair("thigh", cappedCone(top, {top.x, 0.5, 0}, kRadius, kRadius, 0.02));
  s.addPair("shin", cappedCone({top.x, 0.52, 0}, bottom, kRadius, kRadius, 0.02));
  s.add("hips", box({0, 0.95, 0}, {0.19, 0.1, 0.12}, 0.05));
  s.add("spine", roundCone({0, 1.0, 0}, {0, 1.3, 0}, 0.13, 0.15));
  Model model{skeleton, bipedMaterials(), {{"trousers", polygonize(field, skeleton, {0.004, 9000})}}, {}};
  return toScene(model, kLevel, Skinned::No);
}

Scene twoTrees() {
  Scene scene = plainFigure();
  const std::size_t count = scene.nodes.size();
  for (std::size_t n = 0; n < count; ++n) {
    if (scene.nodes[n].mesh >= 0) continue;
    SceneNode copy = scene.nodes[n];
    copy.name = "copy of " + copy.name;
    copy.parent += copy.parent >= 0 ? static_cast<int>(count) : 0; // joints come first, in the same order
    scene.nodes.push_back(std::move(copy));
  }
  return scene;
}

// A kit of weapons and hats on the joints that hold them, with nearly as many vertices as the body.
Scene props() {
  Scene scene = plainFigure();
  const Scene parts = toScene(makeRobot(), kLevel, Skinned::No);
  for (const char* holder : {"hand.L", "hand.R", "head", "chest"}) {
    const auto joint = std::ranges::find(scene.nodes, holder, &SceneNode::name);
    SceneNode prop;
    prop.name = std::string("prop on ") + holder;
    prop.parent = static_cast<int>(joint - scene.nodes.begin());
    prop.mesh = static_cast<int>(scene.meshes.size());
    prop.scale = {0.3, 0.3, 0.3};
    for (const SceneMesh& mesh : parts.meshes)
      if (mesh.name == "torso") scene.meshes.push_back(mesh);
    for (ScenePrimitive& primitive : scene.meshes.back().primitives) primitive.material = 0;
    scene.nodes.push_back(std::move(prop));
  }
  return scene;
}

constexpr Trouble kTroubles[] = {
    {"centimeters", "the mesh in centimeters, the skeleton in meters", centimeters},
    {"z_up", "the mesh with z up, the skeleton with y up", zUp},
    {"scaled_node", "a mesh that its node makes a hundred times too small", scaledNode},
    {"posed_rest", "nodes in the middle of a motion, and no bind pose in the file", posedRest},
    {"posed_rest_with_skin", "the same, with the bind pose in a skin that no mesh uses", posedRestWithSkin},
    {"ik_feet", "skinned; the feet are on IK targets below the root", ikFeet},
    {"shells_on_controls", "skinned; plates of an arm follow an IK target", shellsOnControls},
    {"baggy_trousers", "trousers with legs 1 cm apart", baggyTrousers},
    {"two_trees", "two node trees that could be the skeleton", twoTrees},
    {"props", "props on hands, head and chest", props},
};

} // namespace

std::span<const Trouble> troubles() {
  return kTroubles;
}

} // namespace skincells::examples
