#include "skincells/viz/texture.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "viz/render/picture/color.h"

namespace skincells {
namespace {

using namespace render;

// Each pixel is the mean of four in linear light, weighted by alpha: transparent pixels have arbitrary colors.
Image halfOf(const Image& image) {
  Image half(std::max(1, image.width / 2), std::max(1, image.height / 2));
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x) {
      float sum[3] = {0, 0, 0}, plain[3] = {0, 0, 0}, alpha = 0;
      for (int i = 0; i < 4; ++i) {
        const std::uint8_t* p =
            image.pixel(std::min(2 * x + i % 2, image.width - 1), std::min(2 * y + i / 2, image.height - 1));
        const auto a = static_cast<float>(p[3]);
        alpha += a;
        for (int c = 0; c < 3; ++c) {
          const float light = fromSrgbByte(p[c]);
          sum[c] += a * light, plain[c] += light;
        }
      }
      std::uint8_t* out = half.pixel(x, y);
      for (int c = 0; c < 3; ++c) out[c] = toSrgbByte(alpha > 0 ? sum[c] / alpha : plain[c] / 4);
      out[3] = static_cast<std::uint8_t>(std::lround(alpha / 4));
    }
  return half;
}

int wrapped(int i, int size, TextureWrap wrap) {
  if (wrap == TextureWrap::Clamp) return std::clamp(i, 0, size - 1);
  const int period = wrap == TextureWrap::Mirror ? 2 * size : size, r = ((i % period) + period) % period;
  return r < size ? r : period - 1 - r;
}

// Moves a coordinate near 0 .. 1 without changing what is there, so that it fits an int.
float nearOrigin(float x, TextureWrap wrap) {
  if (wrap == TextureWrap::Clamp) return std::clamp(x, -1.0F, 2.0F);
  const float period = wrap == TextureWrap::Mirror ? 2.0F : 1.0F;
  return x - std::floor(x / period) * period;
}

} // namespace

Texture::Texture(Image image, TextureWrap wrap_u, TextureWrap wrap_v) : wrap_u_(wrap_u), wrap_v_(wrap_v) {
  constexpr int kLargest = 2048;
  SKINCELLS_ASSERT(!image.empty());
  while (std::max(image.width, image.height) > kLargest) image = halfOf(image);
  levels_.push_back(std::move(image));
  while (levels_.back().width > 1 || levels_.back().height > 1) levels_.push_back(halfOf(levels_.back()));
}

Texture::Sample Texture::at(float u, float v, double footprint) const {
  const double wanted = std::log2(std::max(1.0, footprint)) + 0.25;
  const auto level = std::min(static_cast<std::size_t>(wanted), levels_.size() - 1);
  const Image& image = levels_[level];
  const float x = nearOrigin(u, wrap_u_) * static_cast<float>(image.width) - 0.5F;
  const float y = nearOrigin(v, wrap_v_) * static_cast<float>(image.height) - 0.5F;
  const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
  const float fx = x - static_cast<float>(left), fy = y - static_cast<float>(top);
  Sample out{{}, 0};
  for (int i = 0; i < 4; ++i) {
    const int dx = i % 2, dy = i / 2;
    const float share = (dx == 1 ? fx : 1 - fx) * (dy == 1 ? fy : 1 - fy);
    const std::uint8_t* p =
        image.pixel(wrapped(left + dx, image.width, wrap_u_), wrapped(top + dy, image.height, wrap_v_));
    out.color = out.color + Rgb{fromSrgbByte(p[0]), fromSrgbByte(p[1]), fromSrgbByte(p[2])} * share;
    out.alpha += static_cast<float>(p[3]) / 255 * share;
  }
  return out;
}

Appearance appearanceOf(const Mesh& mesh, const BaseColors& colors) {
  Appearance out;
  out.triangle_colors = shownColors(colors.runs);
  SKINCELLS_ASSERT(out.triangle_colors.size() == mesh.triangles.size());
  out.warnings = colors.warnings;
  std::vector<Result<Image>> images(colors.textures.size(), Image{});
  parallelChunks(images.size(), 1, [&](std::size_t i, std::size_t, std::size_t) {
    images[i] = decodeImage(colors.textures[i].bytes, colors.textures[i].where);
  });
  std::vector<int> kept(images.size(), -1);
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (!images[i]) {
      out.warnings.push_back({"texture.unsupported", images[i].error().message, images[i].error().where});
      continue;
    }
    kept[i] = static_cast<int>(out.textures.textures.size());
    out.textures.textures.emplace_back(std::move(*images[i]), colors.textures[i].wrap_u, colors.textures[i].wrap_v);
  }
  if (out.textures.empty()) return out;
  out.textures.places = colors.texture_places;
  out.textures.places.resize(mesh.triangles.size() * 3);
  for (const MaterialRun& run : colors.runs) {
    const int texture = run.texture < 0 ? -1 : kept[static_cast<std::size_t>(run.texture)];
    out.textures.of_triangle.insert(out.textures.of_triangle.end(), run.triangle_count, texture);
    out.textures.alpha_cutoff_of_triangle.insert(out.textures.alpha_cutoff_of_triangle.end(), run.triangle_count,
                                                 texture < 0 ? 0.0F : run.alpha_cutoff);
  }
  return out;
}

} // namespace skincells
