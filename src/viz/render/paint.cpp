#include "skincells/viz/paint.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "skincells/viz/joint_colors.h"
#include "viz/render/picture/color.h"

namespace skincells {
namespace {

using namespace render;

constexpr float kNoInfluence = 1e-4f; // as in weightStatistics
constexpr float kFadeLimit = 0.02f;   // smaller weights fade into gray
constexpr Rgb kUnweighted{0.75f, 0.02f, 0.03f};

// Calls color(joints, weights) for every vertex.
template <class Color> std::vector<Rgb> byVertex(const SparseWeights& weights, const Color& color) {
  std::vector<Rgb> colors(weights.vertexCount());
  for (std::size_t v = 0; v < colors.size(); ++v) colors[v] = color(weights.jointRow(v), weights.weightRow(v));
  return colors;
}

using Joints = std::span<const std::uint16_t>;
using Values = std::span<const float>;

std::vector<Rgb> weightColors(const SparseWeights& weights, int joint) {
  return byVertex(weights, [&](Joints joints, Values values) {
    float weight = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (joints[k] == joint) weight += values[k];
    return mix(kUnaffected, sequentialColor(static_cast<double>(weight)), std::clamp(weight / kFadeLimit, 0.0f, 1.0f));
  });
}

std::vector<Rgb> mixedColors(const SparseWeights& weights, const std::vector<Rgb>& palette) {
  return byVertex(weights, [&](Joints joints, Values values) {
    Rgb sum;
    float total = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k] > 0) sum = sum + palette[joints[k]] * values[k], total += values[k];
    return total > 0 ? sum * (1 / total) : kUnweighted;
  });
}

std::vector<Rgb> dominantColors(const SparseWeights& weights, const std::vector<Rgb>& palette) {
  return byVertex(weights, [&](Joints joints, Values values) {
    Rgb color = kUnweighted;
    float largest = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k] > largest) largest = values[k], color = palette[joints[k]];
    return color;
  });
}

std::vector<Rgb> countColors(const SparseWeights& weights, int most) {
  return byVertex(weights, [most](Joints, Values values) {
    int count = 0;
    for (float w : values) count += w > kNoInfluence ? 1 : 0;
    return count == 0 ? kUnweighted : sequentialColor((count - 1.0) / (most - 1));
  });
}

std::vector<Rgb> stretchColors(const Mesh& mesh, std::span<const Vec3f> posed) {
  std::vector<double> sum(mesh.positions.size()), count(mesh.positions.size());
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      const double before = length(toDouble(mesh.positions[a]) - toDouble(mesh.positions[b]));
      const double change = std::log2(length(toDouble(posed[a]) - toDouble(posed[b])) / before);
      if (!std::isfinite(change)) continue; // no length before, or none left
      for (std::uint32_t v : {a, b}) sum[v] += change, count[v] += 1;
    }
  std::vector<Rgb> colors(sum.size());
  for (std::size_t v = 0; v < colors.size(); ++v) colors[v] = divergingColor(count[v] > 0 ? sum[v] / count[v] : 0);
  return colors;
}

std::vector<Rgb> differenceColors(const Mesh& mesh, std::span<const Vec3f> posed, std::span<const Vec3f> reference) {
  constexpr double kMost = 0.03, kLeast = 0.001; // of the size; less is not seen
  const double size = std::max(mesh.bounds().diagonal(), 1e-30);
  std::vector<Rgb> colors(posed.size());
  for (std::size_t v = 0; v < colors.size(); ++v) {
    const double apart = length(toDouble(posed[v]) - toDouble(reference[v])) / size;
    const double seen = std::clamp(apart / kLeast - 1, 0.0, 1.0);
    colors[v] = mix(kUnaffected, sequentialColor(std::min(1.0, 0.15 + 0.85 * apart / kMost)), static_cast<float>(seen));
  }
  return colors;
}

} // namespace

std::vector<Rgb> vertexColors(const Character& character, const SparseWeights& weights, ColorMode mode, int joint,
                              std::span<const Vec3f> posed_positions, int most_influences,
                              std::span<const Vec3f> reference_positions) {
  SKINCELLS_ASSERT(most_influences > 1);
  SKINCELLS_ASSERT(weights.vertexCount() == character.mesh.positions.size());
  switch (mode) {
  case ColorMode::Plain:
  case ColorMode::Material:
    return {};
  case ColorMode::Weights:
    return weightColors(weights, joint);
  case ColorMode::Joints:
    return mixedColors(weights, jointColors(character.skeleton));
  case ColorMode::Dominant:
    return dominantColors(weights, jointColors(character.skeleton));
  case ColorMode::Stretch:
    return stretchColors(character.mesh, posed_positions);
  case ColorMode::Difference:
    return differenceColors(character.mesh, posed_positions, reference_positions);
  case ColorMode::InfluenceCount:
    return countColors(weights, most_influences);
  }
  return {};
}

namespace render {

std::vector<Rgb> shownColors(std::span<const MaterialRun> runs) {
  // Black materials would hide the shape. A character that is all black has probably lost its textures.
  constexpr float kBlack = 0.004F, kGray = 0.2F;
  const bool all_black = std::ranges::all_of(runs, [](const MaterialRun& r) {
    return std::max({r.color[0], r.color[1], r.color[2]}) < kBlack;
  });
  const float darkest = all_black ? kGray : 0.06F;
  std::vector<Rgb> colors;
  for (const MaterialRun& r : runs)
    colors.insert(colors.end(), r.triangle_count,
                  Rgb{std::max(r.color[0], darkest), std::max(r.color[1], darkest), std::max(r.color[2], darkest)});
  return colors;
}

} // namespace render

std::vector<Rgb> materialColors(const Mesh& mesh) {
  std::vector<MaterialRun> runs;
  for (const MeshSection& s : mesh.sections) runs.push_back({s.first_triangle, s.triangle_count, s.color});
  return render::shownColors(runs);
}

} // namespace skincells
