#include "viz/render/render_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "base/assert.h"
#include "base/parallel.h"
#include "viz/render/ground.h"
#include "viz/render/light.h"
#include "viz/render/occlusion.h"

namespace skincells {
namespace render {
namespace {

constexpr int kMostSamples = 16;           // per pixel
constexpr double kOcclusionRadius = 0.045; // in figure sizes
constexpr Rgb kShadowTint{0.05f, 0.06f, 0.08f};

// The samples of one pixel that see one triangle; shaded once, at their middle.
struct Patch {
  std::uint32_t triangle;
  int count;
  double x, y; // sums
};

struct Scene {
  const Visibility& seen;
  const Surface& surface;
  const Paint& paint;
  const Studio& studio;
  const GroundShadow* ground;  // may be null
  std::span<const float> open; // per pixel; may be empty
  const RenderOptions& options;
};

// The texture of a triangle at shares of its corners; nothing: it has none.
std::optional<Texture::Sample> textureAt(const SurfaceTextures& textures, std::uint32_t t, const float (&share)[3],
                                         double footprint) {
  const int texture = textures.of_triangle[t];
  if (texture < 0) return std::nullopt;
  float u = 0, v = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    u += textures.places[std::size_t{t} * 3 + i][0] * share[i];
    v += textures.places[std::size_t{t} * 3 + i][1] * share[i];
  }
  return textures.textures[static_cast<std::size_t>(texture)].at(u, v, footprint);
}

// Size of a sample of the picture in pixels of the triangle's texture.
double footprintOf(const SurfaceTextures& textures, const Surface& surface, std::uint32_t t) {
  const Triangle& corner = surface.triangles[t];
  double x[3], y[3], u[3], v[3];
  const Texture& texture = textures.textures[static_cast<std::size_t>(textures.of_triangle[t])];
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3f& view = surface.view_positions[corner[i]];
    x[i] = surface.projection.pictureX(view), y[i] = surface.projection.pictureY(view);
    u[i] = static_cast<double>(textures.places[std::size_t{t} * 3 + i][0]) * texture.width();
    v[i] = static_cast<double>(textures.places[std::size_t{t} * 3 + i][1]) * texture.height();
  }
  const auto area = [](const double(&a)[3], const double(&b)[3]) {
    return std::abs((a[1] - a[0]) * (b[2] - b[0]) - (a[2] - a[0]) * (b[1] - b[0]));
  };
  const double seen = area(x, y);
  return seen > 0 ? std::sqrt(area(u, v) / seen) : 1;
}

Rgb albedoAt(const Scene& scene, std::uint32_t t, const SurfacePoint& point) {
  constexpr float kDarkest = 0.02f; // black textures would hide the shape
  if (!scene.paint.triangles.empty()) {
    const Rgb color = scene.paint.triangles[t];
    const SurfaceTextures* textures = scene.paint.textures;
    if (textures == nullptr || textures->empty() || textures->of_triangle[t] < 0) return color;
    const double pixel = footprintOf(*textures, scene.surface, t) * scene.options.supersampling;
    const Rgb shown = color * textureAt(*textures, t, point.share, pixel)->color;
    return {std::max(shown.r, kDarkest), std::max(shown.g, kDarkest), std::max(shown.b, kDarkest)};
  }
  if (scene.paint.vertices.empty()) return kClay;
  const Triangle& c = scene.surface.triangles[t];
  const auto& colors = scene.paint.vertices;
  return colors[c[0]] * point.share[0] + colors[c[1]] * point.share[1] + colors[c[2]] * point.share[2];
}

Rgb shadePatch(const Scene& scene, const Patch& patch, float open) {
  const SurfacePoint point = scene.surface.at(patch.triangle, patch.x / patch.count, patch.y / patch.count);
  const Vec3d to_eye = scene.surface.projection.toWorldDirection(-toDouble(point.view_position));
  return scene.studio.shade(albedoAt(scene, patch.triangle, point), point.normal, toFloat(to_eye), open);
}

// Collects the patches of a pixel; returns their number.
int gatherPatches(const Scene& scene, int px, int py, std::array<Patch, kMostSamples>& patches) {
  const int n = scene.options.supersampling;
  int count = 0, i = 0; // neighboring samples mostly see one triangle, so the search starts at the last one found
  for (int y = py * n; y < (py + 1) * n; ++y)
    for (int x = px * n; x < (px + 1) * n; ++x) {
      const std::uint32_t t = scene.seen.triangle[scene.seen.index(x, y)];
      if (t == kNothing) continue;
      if (i >= count || patches[static_cast<std::size_t>(i)].triangle != t)
        for (i = 0; i < count && patches[static_cast<std::size_t>(i)].triangle != t;) ++i;
      if (i == count) patches[static_cast<std::size_t>(count++)] = {t, 0, 0, 0};
      Patch& patch = patches[static_cast<std::size_t>(i)];
      ++patch.count;
      patch.x += x + 0.5, patch.y += y + 0.5;
    }
  return count;
}

float shadowAt(const Scene& scene, int px, int py) {
  if (scene.ground == nullptr) return 0;
  const Projection& projection = scene.surface.projection;
  const double n = scene.options.supersampling;
  const Vec3d ray = toDouble(projection.rayAt((px + 0.5) * n, (py + 0.5) * n));
  return scene.ground->along(projection.eye, projection.toWorldDirection(ray));
}

void writePixel(std::uint8_t* out, const Rgb& color, float alpha) {
  out[0] = toSrgbByte(color.r), out[1] = toSrgbByte(color.g), out[2] = toSrgbByte(color.b);
  out[3] = static_cast<std::uint8_t>(alpha * 255 + 0.5f);
}

void drawPixel(const Scene& scene, int px, int py, Image& image) {
  const RenderOptions& options = scene.options;
  const int samples = options.supersampling * options.supersampling;
  const float open = scene.open.empty() ? 1 : scene.open[static_cast<std::size_t>(py * options.width + px)];
  std::array<Patch, kMostSamples> patches;
  const int patch_count = gatherPatches(scene, px, py, patches);
  Rgb sum;
  int covered = 0;
  for (int i = 0; i < patch_count; ++i) {
    const Patch& patch = patches[static_cast<std::size_t>(i)];
    sum = sum + shadePatch(scene, patch, open) * static_cast<float>(patch.count);
    covered += patch.count;
  }
  const float coverage = static_cast<float>(covered) / static_cast<float>(samples);
  const Rgb figure = sum * (1 / static_cast<float>(samples));
  const float shadow = covered < samples ? shadowAt(scene, px, py) : 0;
  if (!options.transparent) {
    const Rgb behind = mix(options.background, kShadowTint * options.background, shadow);
    return writePixel(image.pixel(px, py), figure + behind * (1 - coverage), 1);
  }
  const float alpha = coverage + (1 - coverage) * shadow;
  const Rgb over = figure + kShadowTint * ((1 - coverage) * shadow);
  writePixel(image.pixel(px, py), alpha > 0 ? over * (1 / alpha) : Rgb{}, alpha);
}

Image resolve(const Scene& scene) {
  Image image(scene.options.width, scene.options.height);
  parallelChunks(static_cast<std::size_t>(image.height), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t y = begin; y < end; ++y)
      for (int x = 0; x < image.width; ++x) drawPixel(scene, x, static_cast<int>(y), image);
  });
  return image;
}

Holes holesIn(const Paint& paint, const Surface& surface) {
  const SurfaceTextures* textures = paint.textures;
  if (paint.triangles.empty() || textures == nullptr || textures->empty()) return {};
  return {textures->alpha_cutoff_of_triangle, [textures, &surface](std::uint32_t t, int x, int y) {
            const SurfacePoint point = surface.at(t, x + 0.5, y + 0.5);
            const auto sample = textureAt(*textures, t, point.share, footprintOf(*textures, surface, t));
            return sample->alpha >= textures->alpha_cutoff_of_triangle[t];
          }};
}

double figureSize(std::span<const Vec3f> positions) {
  Box box;
  for (const Vec3f& p : positions)
    if (isFinite(p)) box.add(toDouble(p));
  return box.diagonal();
}

} // namespace

Image MeshRenderer::draw(std::span<const Vec3f> posed_positions, const Paint& paint, const Camera& camera,
                         const RenderOptions& options) const {
  SKINCELLS_ASSERT(posed_positions.size() == mesh_.positions.size());
  SKINCELLS_ASSERT(paint.triangles.empty() || paint.triangles.size() == mesh_.triangles.size());
  SKINCELLS_ASSERT(paint.vertices.empty() || paint.vertices.size() == mesh_.positions.size());
  SKINCELLS_ASSERT(paint.textures == nullptr || paint.textures->empty() ||
                   paint.textures->of_triangle.size() == mesh_.triangles.size());
  SKINCELLS_ASSERT(options::validate(renderOptionTable(), options).has_value());
  const int n = options.supersampling;
  const Projection projection = makeProjection(camera, options.width * n, options.height * n);
  const std::vector<Vec3f> view_positions = toViewSpace(posed_positions, projection);
  const std::vector<Vec3f> normals = normals_.corners(posed_positions, options.crease_angle);
  const Surface surface{projection, mesh_.triangles, view_positions, normals};
  const Holes holes = holesIn(paint, surface);
  const Visibility seen = rasterize(view_positions, mesh_.triangles, projection, holes.solid ? &holes : nullptr);
  const double size = figureSize(posed_positions);
  std::vector<float> open;
  if (options.ambient_occlusion && size > 0) open = openness(seen, surface, n, kOcclusionRadius * size);
  std::unique_ptr<GroundShadow> ground;
  if (options.ground_shadow) ground = std::make_unique<GroundShadow>(posed_positions, mesh_.triangles, options.up);
  const Studio studio(projection);
  return resolve({seen, surface, paint, studio, ground.get(), open, options});
}

} // namespace render

Image renderMesh(const Mesh& mesh, std::span<const Vec3f> posed_positions, const Paint& paint, const Camera& camera,
                 const RenderOptions& options) {
  return render::MeshRenderer(mesh).draw(posed_positions, paint, camera, options);
}

const OptionTable<RenderOptions>& renderOptionTable() {
  using namespace options;
  static const OptionTable<RenderOptions> table = {
      integer("width", &RenderOptions::width, 1, 8192, "width of one picture, pixels"),
      integer("height", &RenderOptions::height, 1, 8192, "height of one picture, pixels"),
      integer("supersampling", &RenderOptions::supersampling, 1, 4, "samples across a pixel, against jagged edges"),
      flag("ambient-occlusion", &RenderOptions::ambient_occlusion, "darken what lies in folds"),
      flag("ground-shadow", &RenderOptions::ground_shadow, "soft shadow on the floor"),
      flag("transparent", &RenderOptions::transparent, "leave the background transparent"),
      real("crease-angle", &RenderOptions::crease_angle, 0, 180, "edges that bend more look sharp, degrees"),
  };
  return table;
}

} // namespace skincells
