#include "io/gltf/read/weights.h"

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "io/gltf/accessor.h"
#include "io/gltf/constants.h"
#include "io/gltf/draco.h"

namespace skincells::io {
namespace {

constexpr int kMaxSets = 4; // JOINTS_0 .. JOINTS_3; further ones are ignored

// The influences of one stream as stored: positions in the skin's joint list, and weights.
struct RawWeights {
  std::size_t slots = 0;
  std::vector<std::uint32_t> joints;
  std::vector<float> weights;
  float rounding = 0; // largest error of a sum of weights due to the number format
};

// Numbers of defects of one stream.
struct Tally {
  std::uint64_t not_finite = 0, negative = 0, unnormalized = 0, far_from_one = 0, unweighted = 0, duplicate = 0;
  std::uint64_t out_of_range = 0, out_of_range_unused = 0, joint_under_zero = 0, unsorted = 0;
};

// Joint indices from the Draco decoder, which returns floats. Invalid ones become 65536, which is out of range.
std::vector<std::uint32_t> wholeNumbers(const std::vector<float>& values) {
  std::vector<std::uint32_t> out;
  for (float v : values) out.push_back(v >= 0 && v < 65536 ? static_cast<std::uint32_t>(v) : 65536);
  return out;
}

Result<RawWeights> readRaw(const GltfDocument& doc, const GltfCharacter& c, const VertexStream& stream,
                           AccessorReader& accessors) {
  RawWeights raw;
  const int mesh = c.instances[stream.instance].mesh;
  const GltfPrimitive& p = doc.model.meshes[mesh].primitives[stream.primitives[0]];
  const std::string where = doc.path + "#" + primitivePointer(mesh, stream.primitives[0]);
  DracoGeometry draco;
  if (p.draco_view >= 0) {
    SKINCELLS_TRY(decoded, decodeDraco(doc.model, p, where));
    draco = std::move(decoded);
  }
  std::vector<std::vector<std::uint32_t>> joint_sets;
  std::vector<std::vector<float>> weight_sets;
  for (int set = 0; set < kMaxSets; ++set) {
    const std::string joints_name = jointsAttribute(set), weights_name = weightsAttribute(set);
    const int joints = p.attribute(joints_name), weights = p.attribute(weights_name);
    if (joints < 0 || weights < 0) break;
    if (draco.attributes.contains(joints_name) && draco.attributes.contains(weights_name)) {
      joint_sets.push_back(wholeNumbers(draco.attributes[joints_name]));
      weight_sets.push_back(draco.attributes[weights_name]);
    } else {
      SKINCELLS_TRY(j, accessors.integers(joints, 4));
      SKINCELLS_TRY(w, accessors.floats(weights, 4));
      joint_sets.push_back(std::move(j));
      weight_sets.push_back(std::move(w));
    }
    if (joint_sets.back().size() != 4 * std::size_t{stream.vertex_count} ||
        weight_sets.back().size() != joint_sets.back().size())
      return Error{ErrorCode::InvalidFile,
                   "the element count of " + joints_name + " or " + weights_name + " differs from POSITION", where};
    switch (doc.model.accessors[weights].component) {
    case Component::U8:
      raw.rounding += 2.0f / 255;
      break;
    case Component::U16:
      raw.rounding += 2.0f / 65535;
      break;
    default:
      raw.rounding += 1e-6f;
    }
  }
  raw.slots = 4 * joint_sets.size();
  raw.joints.resize(raw.slots * stream.vertex_count);
  raw.weights.resize(raw.joints.size());
  for (std::size_t set = 0; set < joint_sets.size(); ++set)
    for (std::size_t v = 0; v < stream.vertex_count; ++v)
      for (std::size_t k = 0; k < 4; ++k) {
        raw.joints[v * raw.slots + 4 * set + k] = joint_sets[set][4 * v + k];
        raw.weights[v * raw.slots + 4 * set + k] = weight_sets[set][4 * v + k];
      }
  return raw;
}

void inspectRow(const RawWeights& raw, std::size_t v, std::size_t joint_count, Tally& t) {
  double sum = 0;
  bool not_finite = false, negative = false, duplicate = false, unsorted = false;
  for (std::size_t k = 0; k < raw.slots; ++k) {
    const float w = raw.weights[v * raw.slots + k];
    const std::uint32_t j = raw.joints[v * raw.slots + k];
    not_finite = not_finite || !std::isfinite(w);
    negative = negative || w < 0;
    if (j >= joint_count) ++(w == 0 ? t.out_of_range_unused : t.out_of_range);
    if (w == 0) t.joint_under_zero += j != 0 && j < joint_count;
    unsorted = unsorted || (k > 0 && w > raw.weights[v * raw.slots + k - 1]);
    for (std::size_t i = 0; i < k; ++i)
      duplicate = duplicate || (w > 0 && raw.weights[v * raw.slots + i] > 0 && raw.joints[v * raw.slots + i] == j);
    if (std::isfinite(w)) sum += w;
  }
  t.not_finite += not_finite;
  t.negative += negative;
  t.duplicate += duplicate;
  t.unsorted += unsorted;
  if (!(sum > 0)) {
    ++t.unweighted;
    return;
  }
  const double off = std::fabs(sum - 1);
  t.far_from_one += off > 0.02;
  t.unnormalized += off <= 0.02 && off > std::max(1e-3, static_cast<double>(raw.rounding));
}

void report(const Tally& t, const std::string& where, std::vector<Defect>& out) {
  const auto add = [&](std::uint64_t count, const char* code, Severity severity, const char* place, const char* message,
                       const char* advice) {
    if (count > 0) out.push_back({code, severity, where + place, message, advice, count});
  };
  add(t.not_finite, "weights.not_finite", Severity::Error, "/attributes/WEIGHTS_0", "weights that are not finite",
      "bind again");
  add(t.negative, "weights.negative", Severity::Error, "/attributes/WEIGHTS_0", "negative weights",
      "normalize the weights, or bind again");
  add(t.unweighted, "weights.unweighted", Severity::Error, "/attributes/WEIGHTS_0",
      "vertices without any weight: they stay behind when the character moves",
      "assign them to a joint, or bind again");
  add(t.far_from_one, "weights.not_normalized", Severity::Error, "/attributes/WEIGHTS_0",
      "weights whose sum is off by more than 2 %", "normalize all weights");
  add(t.unnormalized, "weights.not_exactly_normalized", Severity::Warning, "/attributes/WEIGHTS_0",
      "weights whose sum is slightly off", "normalize all weights on export");
  add(t.out_of_range, "joints.out_of_range", Severity::Error, "/attributes/JOINTS_0",
      "weighted influences of joints that the skin does not have", "export again; the skin lost joints");
  add(t.out_of_range_unused, "joints.out_of_range_unused", Severity::Warning, "/attributes/JOINTS_0",
      "joint indices out of range under zero weight", "write joint 0 under zero weight");
  add(t.joint_under_zero, "joints.under_zero_weight", Severity::Note, "/attributes/JOINTS_0",
      "joints other than 0 under zero weight", "harmless; write joint 0 under zero weight to avoid validator warnings");
  add(t.duplicate, "joints.duplicate", Severity::Error, "/attributes/JOINTS_0", "vertices with duplicate joints",
      "merge the influences, or bind again");
  add(t.unsorted, "weights.unsorted", Severity::Note, "/attributes/WEIGHTS_0", "influences not in descending order",
      "harmless; engines that drop the last influences need them sorted");
}

} // namespace

Result<void> readWeights(const GltfDocument& doc, GltfCharacter& out) {
  AccessorReader accessors(doc.model, doc.path);
  std::vector<RawWeights> all;
  std::size_t slots = 0;
  for (const VertexStream& stream : out.streams) {
    SKINCELLS_TRY(raw, readRaw(doc, out, stream, accessors));
    slots = std::max(slots, raw.slots);
    all.push_back(std::move(raw));
  }
  if (slots == 0) return {};
  SparseWeights weights(out.character.mesh.positions.size(), static_cast<int>(slots));
  for (std::size_t s = 0; s < out.streams.size(); ++s) {
    const VertexStream& stream = out.streams[s];
    const RawWeights& raw = all[s];
    const auto& joint_of_slot = out.bindings[out.instances[stream.instance].binding].joint_of_slot;
    const std::string where = primitivePointer(out.instances[stream.instance].mesh, stream.primitives[0]);
    if (raw.slots == 0) {
      out.defects.push_back(
          {"weights.missing", Severity::Error, where, "has a skin but no weights", "bind it", stream.vertex_count});
      continue;
    }
    Tally tally;
    for (std::size_t v = 0; v < stream.vertex_count; ++v) {
      inspectRow(raw, v, joint_of_slot.size(), tally);
      for (std::size_t k = 0; k < raw.slots; ++k) {
        const std::uint32_t j = raw.joints[v * raw.slots + k];
        if (j >= joint_of_slot.size()) continue;
        weights.jointRow(stream.first_vertex + v)[k] = static_cast<std::uint16_t>(joint_of_slot[j]);
        weights.weightRow(stream.first_vertex + v)[k] = raw.weights[v * raw.slots + k];
      }
    }
    if (tally.out_of_range > 0)
      out.warnings.push_back({"joints.out_of_range",
                              std::to_string(tally.out_of_range) +
                                  " weighted influences of joints that the skin does not have were dropped",
                              where});
    report(tally, where, out.defects);
  }
  canonicalize(weights, std::min(static_cast<int>(slots), kMaxInfluences));
  const int used = weightStatistics(weights, out.character.skeleton.jointCount()).max_influences;
  if (weights.slots > 4 && used <= 4) canonicalize(weights, 4);
  out.character.weights = std::move(weights);
  return {};
}

} // namespace skincells::io
