#include "splats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <string>

#include "base/random.h"
#include "skeleton_builder.h"

static_assert(std::endian::native == std::endian::little, "splats are written as they are in memory");

namespace skincells::examples {
namespace {

constexpr std::size_t kFloats = 62, kHarmonics = 45, kPerColor = 15;
constexpr double kConstantHarmonic = 0.28209479177387814; // sqrt(1 / 4 pi)
constexpr double kThickness = 0.1;                        // thickness relative to the width of a splat
constexpr float kOpacity = 2.5F;                          // before the logistic function: 0.92

// All triangles of level 0, for sampling by area.
struct Sampler {
  struct Item {
    const Surface* surface;
    std::size_t triangle;
  };
  std::vector<Item> items;
  std::vector<double> area_until;

  explicit Sampler(const Model& model) {
    double sum = 0;
    for (const Part& part : model.parts)
      for (std::size_t t = 0; t < part.lods[0].triangles.size(); ++t) {
        const Triangle& c = part.lods[0].triangles[t];
        const auto& p = part.lods[0].positions;
        sum += 0.5 * length(cross(p[c[1]] - p[c[0]], p[c[2]] - p[c[0]]));
        items.push_back({&part.lods[0], t});
        area_until.push_back(sum);
      }
  }
  double area() const { return area_until.empty() ? 0 : area_until.back(); }
  const Item& at(double area) const {
    const auto it = std::ranges::upper_bound(area_until, area);
    return items[std::min(static_cast<std::size_t>(it - area_until.begin()), items.size() - 1)];
  }
};

std::string header(std::size_t count) {
  std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(count) + "\n";
  const auto add = [&](const std::string& name) { out += "property float " + name + "\n"; };
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2"}) add(name);
  for (std::size_t i = 0; i < kHarmonics; ++i) add("f_rest_" + std::to_string(i));
  for (const char* name : {"opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"}) add(name);
  return out + "end_header\n";
}

// The rotation that takes z to the normal.
std::array<double, 4> facing(const Vec3d& normal) {
  const Vec3d axis = cross(Vec3d{0, 0, 1}, normal);
  const double angle = std::atan2(length(axis), normal.z);
  return quaternionOf(Affine::rotation(length(axis) > 1e-9 ? axis : Vec3d{1, 0, 0}, angle));
}

std::array<float, kFloats> splat(const Model& model, const Sampler::Item& item, double width, Random& random) {
  const Surface& s = *item.surface;
  const Triangle& t = s.triangles[item.triangle];
  // Uniform over the triangle.
  const double root = std::sqrt(random.uniform()), u = 1 - root, v = root * random.uniform(), w = 1 - u - v;
  const Vec3d p = s.positions[t[0]] * u + s.positions[t[1]] * v + s.positions[t[2]] * w;
  const Vec3d n = normalized(s.normals[t[0]] * u + s.normals[t[1]] * v + s.normals[t[2]] * w);
  const auto& color = model.materials[static_cast<std::size_t>(s.materials[item.triangle])].base_color;
  std::array<float, kFloats> out{};
  const Vec3f position = toFloat(p);
  out[0] = position.x, out[1] = position.y, out[2] = position.z; // normals stay zero, as in captures
  for (std::size_t c = 0; c < 3; ++c) {
    const double srgb = std::pow(static_cast<double>(color[c]), 1 / 2.2);
    out[6 + c] = static_cast<float>((srgb - 0.5) / kConstantHarmonic);
    // Lighter if seen from the front: the functions of degree 1 are -y, z, -x.
    float* rest = &out[9 + c * kPerColor];
    const Vec3f sheen = toFloat(n * -0.1);
    rest[0] = -sheen.y, rest[1] = sheen.z, rest[2] = -sheen.x;
    for (std::size_t i = 3; i < kPerColor; ++i) rest[i] = static_cast<float>(random.uniform(-0.02, 0.02));
  }
  out[54] = kOpacity;
  out[55] = out[56] = static_cast<float>(std::log(width));
  out[57] = static_cast<float>(std::log(width * kThickness));
  const auto q = facing(n); // x, y, z, w
  for (std::size_t i = 0; i < 4; ++i) out[58 + i] = static_cast<float>(q[(i + 3) % 4]);
  return out;
}

} // namespace

bool writeSplats(const Model& model, std::size_t count, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  const std::string text = header(count);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  const Sampler sampler(model);
  const double width = 0.7 * std::sqrt(sampler.area() / static_cast<double>(std::max<std::size_t>(count, 1)));
  Random random(1);
  for (std::size_t i = 0; i < count; ++i) {
    // Strata of equal area, so that splats are spread evenly.
    const double area = sampler.area() * (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
    const auto row = splat(model, sampler.at(area), width, random);
    out.write(reinterpret_cast<const char*>(row.data()), sizeof row);
  }
  out.close();
  return static_cast<bool>(out);
}

} // namespace skincells::examples
