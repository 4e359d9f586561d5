#include "garment/cloth_rows.h"

#include <algorithm>
#include <cmath>

#include "garment/cloth.h"
#include "garment/tuning.h"
#include "guess/heat_solve.h"
#include "weights/rows_edit.h"

namespace skincells::garment {
namespace {

std::size_t at(int joint) {
  return static_cast<std::size_t>(joint);
}

// The joint with the largest weight in a canonical row.
int leader(const SparseWeights& rows, std::size_t v) {
  return rows.weightRow(v)[0] > 0 ? rows.jointRow(v)[0] : -1;
}

// Cloth over each joint of the body, by area, and how much of it own joints carry.
struct Cover {
  std::vector<double> all, carried;
  double total = 0;
};
Cover measureCover(const guess::GuessScene& scene, const Cloth& cloth, std::size_t joint_count) {
  Cover cover{std::vector<double>(joint_count, 0), std::vector<double>(joint_count, 0)};
  for (std::size_t v = 0; v < cloth.own.size(); ++v) {
    const int joint = cloth.facing[v] != 0 ? leader(cloth.rows, v) : -1;
    if (joint < 0) continue;
    const double area = scene.vertices[v].area;
    cover.total += area;
    cover.all[at(joint)] += area;
    if (cloth.own[v].joint >= 0) cover.carried[at(joint)] += area;
  }
  return cover;
}

// Joints above own chains.
std::vector<char> hosts(const Skeleton& skeleton, std::span<const int> own) {
  std::vector<char> host(skeleton.joints.size(), 0);
  for (int j : own)
    for (int p = skeleton.joints[at(j)].parent; p >= 0 && host[at(p)] == 0; p = skeleton.joints[at(p)].parent)
      host[at(p)] = 1;
  return host;
}

void decide(JointDecision& d, bool moves, const char* rule, const char* reason) {
  d.deforms = moves;
  d.rule = rule;
  d.reason = reason;
}

// Which joints may move the garment.
void decideAll(const Skeleton& skeleton, const Cover& cover, std::span<const int> own, const ClothOptions& options,
               std::vector<JointDecision>& decisions) {
  const std::vector<char> host = hosts(skeleton, own);
  for (JointDecision& d : decisions) {
    const std::size_t j = at(d.joint);
    const bool is_own = std::ranges::binary_search(own, d.joint);
    if (!options.chosen.empty()) {
      const bool chosen = std::ranges::binary_search(options.chosen, d.joint);
      decide(d, chosen, chosen ? "garment-chosen" : "garment-not-chosen",
             chosen ? "--garment-joints names it" : "--garment-joints does not name it");
    } else if (!d.deforms) {
      continue;
    } else if (is_own) {
      decide(d, true, "garment-own", "it moves nothing of the body and lies at the garment: its own joint");
    } else if (!(cover.all[j] > 0)) {
      decide(d, false, "garment-far", "the garment does not cover what it moves");
    } else if (!own.empty() && host[j] == 0 && cover.carried[j] > kTuning.carried * cover.all[j]) {
      decide(d, false, "garment-carried", "own joints of the garment carry the cloth over it");
    } else {
      decide(d, true, "garment-body", "the garment covers what it moves");
    }
  }
}

// For each joint itself or the nearest joint above it that may move the garment; else the first that may.
std::vector<int> standIns(const Skeleton& skeleton, const std::vector<JointDecision>& decisions) {
  std::vector<int> out(skeleton.joints.size(), -1);
  const auto any = std::ranges::find_if(decisions, &JointDecision::deforms);
  for (int j : parentFirstOrder(skeleton)) {
    const int parent = skeleton.joints[at(j)].parent;
    out[at(j)] = decisions[at(j)].deforms ? j : parent >= 0 ? out[at(parent)] : -1;
  }
  for (int& j : out)
    if (j < 0 && any != decisions.end()) j = any->joint;
  return out;
}

// What each vertex is held to, and how strongly.
struct Held {
  SparseWeights rows;
  std::vector<double> holds;
  std::vector<float> trust;
};
Held holdCloth(const guess::GuessScene& scene, const Cloth& cloth, const std::vector<int>& stand_in,
               const std::vector<JointDecision>& decisions) {
  Held out{cloth.rows, {}, {}};
  weights::remapJoints(out.rows, stand_in);
  double total = 0;
  for (const mesh::VertexMeasure& v : scene.vertices) total += v.area;
  const double least_area = total > 0 ? 1e-6 * total / static_cast<double>(cloth.own.size()) : 1;
  for (std::size_t v = 0; v < cloth.own.size(); ++v) {
    const OwnPlace& own = cloth.own[v];
    const bool carried = own.joint >= 0 && decisions[at(own.joint)].deforms;
    double d = std::abs(cloth.below[v].distance) * scene.scale,
           strength = cloth.facing[v] != 0 ? 1 : kTuning.astray_trust;
    if (carried) {
      std::ranges::fill(out.rows.weightRow(v), 0.0F);
      out.rows.jointRow(v)[0] = static_cast<std::uint16_t>(own.joint);
      out.rows.weightRow(v)[0] = 1;
      d = own.distance * scene.scale;
      const double core = kTuning.chain_core * cloth.spacing * scene.scale;
      strength = d > core ? (core / d) * (core / d) : 1;
    }
    d = std::max(d, kTuning.least_distance);
    out.holds.push_back(std::max(scene.vertices[v].area, least_area) * strength * kTuning.heat / (d * d));
    out.trust.push_back(static_cast<float>(carried ? 0.5 : strength / (1 + 0.1 * d)));
  }
  canonicalize(out.rows, out.rows.slots);
  return out;
}

} // namespace

ClothGuess guessCloth(const Mesh& welded, const Skeleton& skeleton, const WornBody& body,
                      std::vector<JointDecision> decisions, const ClothOptions& options) {
  ClothGuess out;
  std::vector<int> candidates;
  for (const JointDecision& d : decisions)
    if (d.deforms) candidates.push_back(d.joint);
  out.own = ownJoints(skeleton, candidates, body, welded);
  if (!options.chosen.empty())
    std::erase_if(out.own, [&](int j) { return !std::ranges::binary_search(options.chosen, j); });
  const guess::GuessScene scene(welded);
  const Cloth cloth = layOut(scene, welded, skeleton, body, ownBones(skeleton, out.own), options.max_influences);
  const Cover cover = measureCover(scene, cloth, skeleton.joints.size());
  for (int j = 0; j < skeleton.jointCount(); ++j)
    if (cover.all[at(j)] > kTuning.covered * cover.total) out.covered.push_back(j);
  decideAll(skeleton, cover, out.own, options, decisions);
  Held held = holdCloth(scene, cloth, standIns(skeleton, decisions), decisions);
  out.weights = guess::solveHeat(scene.edges, held.rows, held.holds, options.max_influences);
  out.trust = std::move(held.trust);
  const WeightStatistics statistics = weightStatistics(out.weights, skeleton.jointCount());
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    if (statistics.mass_of_joint[at(j)] > 0)
      out.moving.push_back(j);
    else if (decisions[at(j)].deforms)
      decide(decisions[at(j)], false, "garment-far", "no cloth is near it");
  }
  out.decisions = std::move(decisions);
  return out;
}

std::vector<char> verticesUnder(const WornBody& body, std::span<const int> covered) {
  std::vector<char> under(body.mesh().positions.size(), 0);
  for (std::size_t v = 0; v < under.size(); ++v)
    under[v] = std::ranges::binary_search(covered, leader(body.weights(), v)) ? 1 : 0;
  return under;
}

Body partOf(const WornBody& body, std::span<const char> under) {
  Body out;
  std::vector<std::uint32_t> used; // vertices of the body
  std::vector<std::uint32_t> renamed(body.mesh().positions.size(), 0xFFFFFFFFU);
  for (const Triangle& t : body.mesh().triangles) {
    if (std::ranges::none_of(t, [&](std::uint32_t v) { return under[v] != 0; })) continue;
    Triangle kept{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (renamed[t[k]] == 0xFFFFFFFFU) {
        renamed[t[k]] = static_cast<std::uint32_t>(used.size());
        used.push_back(t[k]);
        out.mesh.positions.push_back(body.mesh().positions[t[k]]);
      }
      kept[k] = renamed[t[k]];
    }
    out.mesh.triangles.push_back(kept);
  }
  out.weights = gatherRows(body.weights(), used);
  return out;
}

} // namespace skincells::garment
