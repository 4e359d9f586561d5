#include "mesh_converter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

#include "affine_conversion.h"

namespace skincells::importer {
namespace {

// The positions in bind space; those that are not finite are marked in `bad` and replaced by a finite one.
std::vector<Vec3f> convertPositions(const aiMesh& mesh, const Affine& map, std::vector<bool>& bad) {
  std::vector<Vec3f> positions(mesh.mNumVertices);
  Vec3f some;
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const aiVector3D& p = mesh.mVertices[v];
    // The identity keeps the numbers of the file, bit for bit.
    positions[v] = map == Affine{} ? Vec3f{p.x, p.y, p.z} : toFloat(map.apply(toVec(p)));
    bad[v] = !isFinite(positions[v]);
    if (!bad[v]) some = positions[v];
  }
  for (unsigned v = 0; v < mesh.mNumVertices; ++v)
    if (bad[v]) positions[v] = some;
  return positions;
}

std::vector<Triangle> convertTriangles(const aiMesh& mesh, const std::vector<bool>& bad, bool mirrored) {
  std::vector<Triangle> triangles;
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;
    Triangle t{face.mIndices[0], face.mIndices[1], face.mIndices[2]};
    if (std::any_of(t.begin(), t.end(), [&](std::uint32_t v) { return v >= bad.size() || bad[v]; })) continue;
    if (mirrored) std::swap(t[1], t[2]);
    triangles.push_back(t);
  }
  return triangles;
}

// Unit normals; an invalid one is replaced by the normal of the adjacent faces.
std::vector<Vec3f> convertNormals(const aiMesh& mesh, const Affine& map, const ScenePrimitive& primitive) {
  std::vector<Vec3f> normals;
  if (!mesh.HasNormals()) return normals;
  // Normals are transformed by the inverse transpose, whose rows are the inverse's columns.
  const Affine inverse = map.inverse();
  std::vector<bool> useless(mesh.mNumVertices);
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const Vec3d n = toVec(mesh.mNormals[v]);
    const Vec3d unit =
        normalized(Vec3d{dot(inverse.column(0), n), dot(inverse.column(1), n), dot(inverse.column(2), n)});
    useless[v] = !(std::abs(length(unit) - 1) < 1e-6);
    normals.push_back(useless[v] ? Vec3f{} : toFloat(unit));
  }
  if (std::find(useless.begin(), useless.end(), true) == useless.end()) return normals;
  const auto& p = primitive.positions;
  for (const Triangle& t : primitive.triangles) {
    const Vec3f n = cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
    for (std::uint32_t v : t)
      if (useless[v]) normals[v] += n;
  }
  for (unsigned v = 0; v < mesh.mNumVertices; ++v)
    if (useless[v]) normals[v] = toFloat(normalized(toDouble(normals[v])));
  for (Vec3f& n : normals)
    if (!(std::abs(length(n) - 1) < 1e-3f)) n = {0, 1, 0};
  return normals;
}

std::vector<std::array<float, 2>> convertUvs(const aiMesh& mesh) {
  std::vector<std::array<float, 2>> uvs;
  if (!mesh.HasTextureCoords(0)) return uvs;
  const auto finite = [](float x) { return std::isfinite(x) ? x : 0.0f; };
  for (unsigned v = 0; v < mesh.mNumVertices; ++v)
    uvs.push_back({finite(mesh.mTextureCoords[0][v].x), finite(mesh.mTextureCoords[0][v].y)});
  return uvs;
}

SparseWeights convertWeights(const aiMesh& mesh, const SkinPlacement& placement) {
  std::vector<int> used(mesh.mNumVertices);
  const auto forEachWeight = [&](const auto& action) {
    for (unsigned b = 0; b < mesh.mNumBones; ++b)
      for (unsigned w = 0; w < mesh.mBones[b]->mNumWeights; ++w) {
        const aiVertexWeight& weight = mesh.mBones[b]->mWeights[w];
        if (weight.mVertexId < mesh.mNumVertices && weight.mWeight > 0) action(b, weight.mVertexId, weight.mWeight);
      }
  };
  forEachWeight([&](unsigned, unsigned v, float) { ++used[v]; });
  const int most = std::max(1, used.empty() ? 0 : *std::max_element(used.begin(), used.end()));
  SparseWeights weights(mesh.mNumVertices, most);
  std::fill(used.begin(), used.end(), 0);
  forEachWeight([&](unsigned b, unsigned v, float weight) {
    const auto k = static_cast<std::size_t>(used[v]++);
    weights.jointRow(v)[k] = static_cast<std::uint16_t>(placement.bone_joint[b]);
    weights.weightRow(v)[k] = weight;
  });
  static_cast<void>(canonicalize(weights, std::min(most, kMaxInfluences)));
  return weights;
}

// Equality of all attributes of a vertex, bit for bit except that 0 equals -0.
struct VertexIdentity {
  const ScenePrimitive& p;

  template <class Action> void forEachNumber(std::uint32_t v, const Action& action) const {
    const auto vector = [&](const Vec3f& a) { action(a.x), action(a.y), action(a.z); };
    vector(p.positions[v]);
    if (!p.normals.empty()) vector(p.normals[v]);
    if (!p.uvs.empty()) action(p.uvs[v][0]), action(p.uvs[v][1]);
    if (p.weights.empty()) return;
    for (float w : p.weights.weightRow(v)) action(w);
    for (std::uint16_t j : p.weights.jointRow(v)) action(j);
  }
  std::size_t operator()(std::uint32_t v) const {
    std::uint64_t hash = 1469598103934665603ULL;
    forEachNumber(v, [&](float x) { hash = (hash ^ std::bit_cast<std::uint32_t>(x + 0.0f)) * 1099511628211ULL; });
    return hash ^ (hash >> 32U);
  }
  bool operator()(std::uint32_t a, std::uint32_t b) const {
    const auto rows_equal = [](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin()); };
    return p.positions[a] == p.positions[b] && (p.normals.empty() || p.normals[a] == p.normals[b]) &&
           (p.uvs.empty() || p.uvs[a] == p.uvs[b]) &&
           (p.weights.empty() || (rows_equal(p.weights.weightRow(a), p.weights.weightRow(b)) &&
                                  rows_equal(p.weights.jointRow(a), p.weights.jointRow(b))));
  }
};

// Copies vertex v of `from` to the end of `to`.
void appendVertex(const ScenePrimitive& from, std::uint32_t v, ScenePrimitive& to) {
  to.positions.push_back(from.positions[v]);
  if (!from.normals.empty()) to.normals.push_back(from.normals[v]);
  if (!from.uvs.empty()) to.uvs.push_back(from.uvs[v]);
  if (from.weights.empty()) return;
  const auto joints = from.weights.jointRow(v);
  const auto weights = from.weights.weightRow(v);
  to.weights.joints.insert(to.weights.joints.end(), joints.begin(), joints.end());
  to.weights.weights.insert(to.weights.weights.end(), weights.begin(), weights.end());
}

ScenePrimitive joined(const ScenePrimitive& in) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<bool> is_used(in.positions.size());
  for (const Triangle& t : in.triangles)
    for (std::uint32_t v : t) is_used[v] = true;
  ScenePrimitive out;
  out.weights.slots = in.weights.slots;
  const VertexIdentity identity{in};
  std::unordered_set<std::uint32_t, VertexIdentity, VertexIdentity> seen(in.positions.size(), identity, identity);
  std::vector<std::uint32_t> renumbered(in.positions.size(), kNone);
  for (std::uint32_t v = 0; v < in.positions.size(); ++v) {
    if (!is_used[v]) continue;
    const auto [same, is_new] = seen.insert(v);
    if (is_new) {
      renumbered[v] = static_cast<std::uint32_t>(out.positions.size());
      appendVertex(in, v, out);
    } else {
      renumbered[v] = renumbered[*same];
    }
  }
  for (const Triangle& t : in.triangles)
    out.triangles.push_back({renumbered[t[0]], renumbered[t[1]], renumbered[t[2]]});
  return out;
}

std::size_t unweightedVertices(const SparseWeights& weights) {
  std::size_t n = 0;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) n += !(weights.weightRow(v)[0] > 0);
  return n;
}

} // namespace

ScenePrimitive convertMesh(const aiMesh& mesh, const SkinPlacement* placement, Warnings& warnings) {
  const Affine map = placement == nullptr ? Affine{} : placement->bind_from_mesh;
  ScenePrimitive primitive;
  std::vector<bool> bad(mesh.mNumVertices);
  primitive.positions = convertPositions(mesh, map, bad);
  primitive.triangles = convertTriangles(mesh, bad, map.determinant() < 0);
  primitive.normals = convertNormals(mesh, map, primitive);
  primitive.uvs = convertUvs(mesh);
  if (placement != nullptr) primitive.weights = convertWeights(mesh, *placement);
  primitive = joined(primitive);

  const std::string name = mesh.mName.C_Str();
  if (const auto n = std::count(bad.begin(), bad.end(), true); n > 0)
    warnings.push_back({"import.bad_positions",
                        "vertices that are not finite, removed with their triangles: " + std::to_string(n), name});
  if (const std::size_t n = unweightedVertices(primitive.weights); n > 0)
    warnings.push_back(
        {"import.unweighted_vertices", "vertices without weights in a skinned mesh: " + std::to_string(n), name});
  if (mesh.mNumAnimMeshes > 0)
    warnings.push_back({"import.morph_targets_dropped",
                        "morph targets removed (export as glTF to keep them): " + std::to_string(mesh.mNumAnimMeshes),
                        name});
  return primitive;
}

} // namespace skincells::importer
