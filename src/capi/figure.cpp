#include "capi/figure.h"

#include <cmath>
#include <cstring>

#include "bind/input_check.h"
#include "capi/arrays.h"
#include "capi/option_sets.h"
#include "capi/results.h"
#include "deform/matrix3.h"
#include "skincells/io/scene.h"

namespace skincells::capi {
namespace {

Mesh meshOf(const skincells_character_desc& desc, const std::string& name) {
  Mesh mesh;
  mesh.positions = points(desc.positions, "positions");
  const ArrayReader triangles(desc.triangles, 3, "triangles");
  mesh.triangles.resize(triangles.count());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      mesh.triangles[t][k] = static_cast<std::uint32_t>(triangles.index(t, k, mesh.positions.size()));
  MeshSection section;
  section.name = name;
  section.vertex_count = mesh.vertexCount();
  section.triangle_count = static_cast<std::uint32_t>(mesh.triangles.size());
  mesh.sections.push_back(std::move(section));
  return mesh;
}

// Bind matrices from the array that the caller gave.
std::vector<Affine> bindsOf(const skincells_character_desc& desc) {
  if (desc.heads.count > 0 && desc.matrices.count > 0) failArgument("joints have heads or matrices, not both", "heads");
  std::vector<Affine> binds;
  if (desc.matrices.count > 0) {
    binds = matrices(desc.matrices, "matrices");
    for (std::size_t j = 0; j < binds.size(); ++j)
      if (!binds[j].inverse().isFinite())
        throw Failure(SKINCELLS_INVALID_FILE, "the matrix cannot be inverted; repair the skeleton",
                      "matrices[" + std::to_string(j) + "]");
  } else {
    for (const Vec3d& head : precisePoints(desc.heads, "heads")) binds.push_back(Affine::fromTranslation(head));
  }
  return binds;
}

// An optional array that must have one element per joint.
void checkCount(std::size_t count, std::size_t joints, const char* argument) {
  if (count != 0 && count != joints)
    throw Failure(SKINCELLS_MISMATCH,
                  "it has " + std::to_string(count) + " elements, but there are " + std::to_string(joints) + " joints",
                  argument);
}

Skeleton skeletonOf(const skincells_character_desc& desc) {
  const std::vector<Affine> binds = bindsOf(desc);
  const std::vector<Affine> rests = matrices(desc.rest, "rest");
  const ArrayReader parents(desc.parents, 1, "parents");
  checkCount(rests.size(), binds.size(), "rest");
  checkCount(parents.count(), binds.size(), "parents");
  Skeleton skeleton;
  for (std::size_t j = 0; j < binds.size(); ++j) {
    Joint joint;
    joint.name = "joint_" + std::to_string(j);
    if (desc.names != nullptr) joint.name = required(desc.names[j], "names") == '\0' ? joint.name : desc.names[j];
    if (desc.bones != nullptr && desc.bones[j] != nullptr) joint.human_bone = desc.bones[j];
    if (parents.count() > 0) joint.parent = static_cast<int>(parents.index(j, 0, binds.size(), true));
    joint.bind = binds[j];
    joint.rest = rests.empty() ? binds[j] : rests[j];
    skeleton.joints.push_back(std::move(joint));
  }
  return skeleton;
}

SparseWeights weightsOf(const skincells_character_desc& desc, std::size_t vertex_count, std::size_t joint_count) {
  constexpr std::size_t kMostSlots = 64;
  if (desc.row_joints.count == 0 && desc.row_weights.count == 0) return {};
  if (desc.slots < 1 || desc.slots > kMostSlots)
    failArgument("a row has 1 .. " + std::to_string(kMostSlots) + " slots", "slots");
  const ArrayReader joints(desc.row_joints, desc.slots, "row_joints");
  const ArrayReader weights(desc.row_weights, desc.slots, "row_weights");
  for (const std::size_t count : {joints.count(), weights.count()})
    if (count != vertex_count)
      throw Failure(SKINCELLS_MISMATCH,
                    "there are " + std::to_string(count) + " rows, but " + std::to_string(vertex_count) + " vertices",
                    count == joints.count() ? "row_joints" : "row_weights");
  SparseWeights out(vertex_count, static_cast<int>(desc.slots));
  for (std::size_t v = 0; v < vertex_count; ++v)
    for (std::size_t k = 0; k < desc.slots; ++k) {
      const double weight = weights.real(v, k);
      if (!std::isfinite(weight) || weight < 0)
        throw Failure(SKINCELLS_INVALID_FILE, "a weight is negative or not finite",
                      "row_weights[" + std::to_string(v) + "]");
      if (weight == 0) continue;
      out.jointRow(v)[k] = static_cast<std::uint16_t>(joints.index(v, k, joint_count));
      out.weightRow(v)[k] = static_cast<float>(weight);
    }
  canonicalize(out, out.slots);
  return out;
}

SceneNode jointNode(const Skeleton& skeleton, const Joint& joint, const std::vector<int>& node_of_joint) {
  SceneNode node;
  node.name = joint.name;
  Affine local = joint.rest;
  if (joint.parent != kNoParent) {
    node.parent = node_of_joint[static_cast<std::size_t>(joint.parent)];
    const Affine inverse = skeleton.joints[static_cast<std::size_t>(joint.parent)].rest.inverse();
    if (inverse.isFinite()) local = inverse * joint.rest;
  }
  // Nodes have no shear: the nearest rotation is kept, and the lengths of the axes.
  const deform::Columns linear = deform::linearPart(local);
  const auto wxyz = deform::quaternionOf(deform::nearestRotation(linear));
  node.translation = local.translation();
  node.rotation = {wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
  node.scale = {length(linear[0]), length(linear[1]), length(linear[2])};
  return node;
}

Scene sceneOf(const Character& character, const SparseWeights& weights) {
  Scene scene;
  scene.generator = "skincells";
  const Skeleton& skeleton = character.skeleton;
  SceneSkin skin;
  std::vector<int> node_of_joint(skeleton.joints.size(), -1);
  for (int j : parentFirstOrder(skeleton)) {
    node_of_joint[static_cast<std::size_t>(j)] = static_cast<int>(scene.nodes.size());
    scene.nodes.push_back(jointNode(skeleton, skeleton.joints[static_cast<std::size_t>(j)], node_of_joint));
  }
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    skin.joints.push_back(node_of_joint[j]);
    skin.inverse_bind_matrices.push_back(skeleton.joints[j].bind.inverse());
  }
  scene.skins.push_back(std::move(skin));
  ScenePrimitive primitive;
  primitive.positions = character.mesh.positions;
  primitive.triangles = character.mesh.triangles;
  primitive.weights = weights;
  scene.meshes.push_back({character.name, {std::move(primitive)}});
  SceneNode mesh;
  mesh.name = character.name;
  mesh.mesh = mesh.skin = 0;
  scene.nodes.push_back(std::move(mesh));
  return scene;
}

} // namespace

std::shared_ptr<Figure> Figure::withWeights(SparseWeights weights) const {
  auto figure = std::make_shared<Figure>(*this);
  auto changed = std::make_shared<Character>(*character);
  changed->weights = std::move(weights);
  figure->character = std::move(changed);
  return figure;
}

CharacterFile Figure::fileWith(const SparseWeights& weights) const {
  const std::vector<std::uint8_t> bytes =
      file ? valueOf(file->encodeGlb(weights)) : sceneToGlb(sceneOf(*character, weights));
  return valueOf(CharacterFile::readGlb(bytes, file ? file->info().path : character->name));
}

CharacterFile Figure::skinnedFile(const char* argument) const {
  if (character->weights.empty())
    throw Failure(SKINCELLS_MISMATCH, "the character has no weights; bind it first", argument);
  return fileWith(character->weights);
}

void Figure::write(const std::string& path, const WriteOptions& options, const FieldOutput& field) const {
  if (character->weights.empty())
    throw Failure(SKINCELLS_MISMATCH, "the character has no weights to write; bind it first", "character");
  valueOf(file ? file->write(path, character->weights, options, field)
               : fileWith(character->weights).write(path, character->weights, options, field));
}

std::shared_ptr<Figure> figureFromArrays(const skincells_character_desc& desc) {
  auto character = std::make_shared<Character>();
  character->name = desc.name == nullptr || *desc.name == '\0' ? "character" : desc.name;
  character->mesh = meshOf(desc, character->name);
  character->skeleton = skeletonOf(desc);
  character->weights = weightsOf(desc, character->mesh.positions.size(), character->skeleton.joints.size());
  valueOf(binding::checkCharacter(*character));
  if (desc.up_axis != '\0' && std::strchr("xyzXYZ?", desc.up_axis) == nullptr)
    failArgument("it is one of x, y, z, X, Y, Z", "up_axis");
  if (!std::isfinite(desc.meters_per_unit) || desc.meters_per_unit < 0)
    failArgument("it must be positive, or 0 if unknown", "meters_per_unit");
  auto figure = std::make_shared<Figure>();
  figure->character = std::move(character);
  if (desc.meters_per_unit > 0) figure->meters_per_unit = desc.meters_per_unit;
  if (desc.up_axis != '\0') figure->up_axis = desc.up_axis;
  return figure;
}

std::shared_ptr<Figure> figureFromFile(const std::string& path, const ReadOptions& options) {
  auto figure = std::make_shared<Figure>();
  const auto file = std::make_shared<const CharacterFile>(valueOf(CharacterFile::read(path, options)));
  figure->character = {file, &file->character()};
  figure->file = file;
  figure->meters_per_unit = file->info().meters_per_unit;
  figure->up_axis = file->info().up_axis;
  return figure;
}

} // namespace skincells::capi

using namespace skincells::capi;

skincells_code skincells_character_create(skincells_context* context, const skincells_character_desc* desc,
                                          skincells_character* character) {
  return call(context, [&](skincells_context& c) {
    required(character, "character");
    *character = c.add(figureFromArrays(taken(desc, "desc")));
  });
}

skincells_code skincells_character_read(skincells_context* context, const char* path, skincells_options options,
                                        skincells_character* character) {
  return call(context, [&](skincells_context& c) {
    required(character, "character");
    *character = c.add(figureFromFile(&required(path, "path"), valuesOf<skincells::ReadOptions>(c, options)));
  });
}

skincells_code skincells_character_write(skincells_context* context, skincells_character character, const char* path,
                                         skincells_field field, skincells_options options) {
  return call(context, [&](skincells_context& c) {
    const auto figure = c.get<Figure>(character, "character");
    skincells::FieldOutput output;
    if (const auto f = c.getOptional<FieldObject>(field, "field")) {
      output.options.embed_field = true;
      output.bytes = skincells::encodeField(f->document);
    }
    figure->write(&required(path, "path"), valuesOf<skincells::WriteOptions>(c, options), output);
  });
}

skincells_code skincells_character_get(skincells_context* context, skincells_character character,
                                       skincells_character_view* view) {
  return call(context, [&](skincells_context& c) {
    const auto figure = c.get<Figure>(character, "character");
    const skincells::Character& f = *figure->character;
    static_assert(sizeof(skincells::Vec3f) == 3 * sizeof(float));
    const auto* positions = reinterpret_cast<const float*>(f.mesh.positions.data());
    const auto* triangles = reinterpret_cast<const uint32_t*>(f.mesh.triangles.data());
    fill(view,
         {0, f.name.c_str(), f.mesh.positions.size(), positions, f.mesh.triangles.size(), triangles,
          f.skeleton.joints.size(), f.weights.empty() ? 0 : static_cast<size_t>(f.weights.slots),
          f.weights.joints.data(), f.weights.weights.data(), figure->meters_per_unit, figure->up_axis},
         "view");
  });
}

skincells_code skincells_character_joint(skincells_context* context, skincells_character character, size_t index,
                                         skincells_joint_view* view) {
  return call(context, [&](skincells_context& c) {
    const auto figure = c.get<Figure>(character, "character");
    const auto& joints = figure->character->skeleton.joints;
    if (index >= joints.size()) failArgument("the character has " + std::to_string(joints.size()) + " joints", "index");
    const skincells::Joint& joint = joints[index];
    skincells_joint_view out{0, joint.name.c_str(), joint.human_bone.c_str(), joint.parent, {}, {}};
    toColumns(joint.bind, out.matrix);
    toColumns(joint.rest, out.rest);
    fill(view, out, "view");
  });
}
