#include "io/gltf/read/base_colors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/read_file.h"
#include "base/try.h"
#include "io/gltf/accessor.h"
#include "io/gltf/draco.h"
#include "io/uri.h"
#include "text/json_access.h"

namespace skincells::io {
namespace {

using Place = std::array<float, 2>;
using text::JsonPlace;

JsonPlace entryOf(const Json& json, const char* list, int index) {
  static const Json kNothing;
  const JsonPlace entries = JsonPlace(json, "").at(list);
  if (index < 0 || static_cast<std::size_t>(index) >= entries.size()) return {kNothing, ""};
  return entries.at(static_cast<std::size_t>(index));
}

int indexOf(const JsonPlace& place, const char* key) {
  constexpr std::size_t kMost = 1U << 30U;
  const auto index = place.index(key, kMost, "entries");
  return index ? *index : -1;
}

JsonPlace extension(const JsonPlace& place, const char* name) {
  return place.at("extensions").at(name);
}

// A reference to a texture: which, which coordinates, and how they are moved (KHR_texture_transform).
struct TextureUse {
  int texture = -1;
  int coordinates = 0; // TEXCOORD_n
  double offset[2] = {0, 0}, scale[2] = {1, 1}, turn = 0;

  Place moved(float u, float v) const {
    const double x = u * scale[0], y = v * scale[1], c = std::cos(turn), s = std::sin(turn);
    return {static_cast<float>(c * x + s * y + offset[0]), static_cast<float>(c * y - s * x + offset[1])};
  }
};

TextureUse useOf(const JsonPlace& info) {
  TextureUse use;
  use.texture = indexOf(info, "index");
  use.coordinates = std::max(0, indexOf(info, "texCoord"));
  const JsonPlace transform = extension(info, "KHR_texture_transform");
  if (transform.has("texCoord")) use.coordinates = std::max(0, indexOf(transform, "texCoord"));
  (void)transform.numbers("offset", use.offset, 2).has_value(); // what is no pair of numbers changes nothing
  (void)transform.numbers("scale", use.scale, 2).has_value();
  if (transform.has("rotation") && transform.at("rotation").value().is_number())
    use.turn = transform.at("rotation").value().get<double>();
  return use;
}

TextureUse baseColorTexture(const JsonPlace& material) {
  const JsonPlace glossy = extension(material, "KHR_materials_pbrSpecularGlossiness");
  const TextureUse diffuse = useOf(glossy.at("diffuseTexture"));
  return diffuse.texture >= 0 ? diffuse : useOf(material.at("pbrMetallicRoughness").at("baseColorTexture"));
}

float alphaCutoff(const JsonPlace& material) {
  const std::string mode = material.text("alphaMode");
  if (mode == "BLEND") return 0.5F;
  if (mode != "MASK") return 0;
  const Json& cutoff = material.at("alphaCutoff").value();
  return cutoff.is_number() ? std::clamp(cutoff.get<float>(), 0.01F, 1.0F) : 0.5F;
}

TextureWrap wrapOf(const JsonPlace& sampler, const char* key) {
  const int mode = indexOf(sampler, key);
  return mode == 33071 ? TextureWrap::Clamp : mode == 33648 ? TextureWrap::Mirror : TextureWrap::Repeat;
}

class Reader {
public:
  Reader(const GltfDocument& doc, const GltfCharacter& content)
      : doc_(doc), content_(content), accessors_(doc.model, doc.path) {}

  BaseColors read() {
    const Mesh& mesh = content_.character.mesh;
    for (std::size_t s = 0; s < content_.streams.size(); ++s) {
      const VertexStream& stream = content_.streams[s];
      std::uint32_t first = mesh.sections[s].first_triangle; // one section per stream
      for (std::size_t p = 0; p < stream.primitives.size(); ++p) {
        addRun(stream, stream.primitives[p], first, stream.triangle_counts[p]);
        first += stream.triangle_counts[p];
      }
    }
    if (out_.textures.empty()) out_.texture_places.clear();
    return std::move(out_);
  }

private:
  void addRun(const VertexStream& stream, int p, std::uint32_t first, std::uint32_t count) {
    const int mesh = content_.instances[stream.instance].mesh;
    const GltfPrimitive& primitive = doc_.model.meshes[mesh].primitives[p];
    const JsonPlace material = entryOf(doc_.json, "materials", primitive.material);
    MaterialRun run{first, count, baseColorOf(doc_.json, primitive.material)};
    const TextureUse use = baseColorTexture(material);
    run.texture = textureOf(use.texture);
    if (run.texture >= 0) {
      const std::string where = doc_.path + "#" + primitivePointer(mesh, p);
      const auto coordinates = coordinatesOf(primitive, use.coordinates, where);
      if (coordinates.size() == std::size_t{stream.vertex_count} * 2) {
        run.alpha_cutoff = alphaCutoff(material);
        setPlaces(stream, run, use, coordinates);
      } else {
        run.texture = -1;
        warn("texture.no_coordinates", "has a texture but no usable texture coordinates; drawn without it", where);
      }
    }
    out_.runs.push_back(run);
  }

  void setPlaces(const VertexStream& stream, const MaterialRun& run, const TextureUse& use,
                 const std::vector<float>& coordinates) {
    const auto& triangles = content_.character.mesh.triangles;
    out_.texture_places.resize(triangles.size() * 3);
    for (std::size_t t = run.first_triangle; t < std::size_t{run.first_triangle} + run.triangle_count; ++t)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t v = triangles[t][i] - stream.first_vertex;
        const Place place = use.moved(coordinates[2 * v], coordinates[2 * v + 1]);
        if (std::isfinite(place[0]) && std::isfinite(place[1])) out_.texture_places[t * 3 + i] = place;
      }
  }

  std::vector<float> coordinatesOf(const GltfPrimitive& primitive, int set, const std::string& where) {
    const std::string name = "TEXCOORD_" + std::to_string(set);
    if (primitive.draco_view >= 0) {
      auto geometry = decodeDraco(doc_.model, primitive, where, DracoAttributes::All);
      if (!geometry || geometry->columns[name] != 2) return {};
      return std::move(geometry->attributes[name]);
    }
    const int accessor = primitive.attribute(name);
    if (accessor < 0) return {};
    auto numbers = accessors_.floats(accessor, 2);
    return numbers ? std::move(*numbers) : std::vector<float>{};
  }

  // The entry of out_.textures for a texture of the file; -1: none, or it cannot be shown.
  int textureOf(int texture) {
    if (texture < 0) return -1;
    const auto [entry, fresh] = known_.try_emplace(texture, -1);
    if (!fresh) return entry->second;
    const std::string where = doc_.path + "#/textures/" + std::to_string(texture);
    const JsonPlace place = entryOf(doc_.json, "textures", texture);
    auto bytes = imageBytes(indexOf(place, "source"));
    if (!bytes) {
      warn("texture.unreadable", "its image cannot be read; drawn without it", where);
      return -1;
    }
    const JsonPlace sampler = entryOf(doc_.json, "samplers", indexOf(place, "sampler"));
    entry->second = static_cast<int>(out_.textures.size());
    out_.textures.push_back({std::move(*bytes), where, wrapOf(sampler, "wrapS"), wrapOf(sampler, "wrapT")});
    return entry->second;
  }

  std::optional<std::vector<std::uint8_t>> imageBytes(int image) const {
    const JsonPlace place = entryOf(doc_.json, "images", image);
    if (const int v = indexOf(place, "bufferView"); v >= 0 && static_cast<std::size_t>(v) < doc_.model.views.size()) {
      const GltfView& view = doc_.model.views[v];
      const auto& buffer = doc_.model.buffers[view.buffer].bytes;
      if (view.meshopt || view.offset > buffer.size() || view.length > buffer.size() - view.offset) return std::nullopt;
      const auto begin = buffer.begin() + static_cast<std::ptrdiff_t>(view.offset);
      return std::vector<std::uint8_t>(begin, begin + static_cast<std::ptrdiff_t>(view.length));
    }
    const std::string uri = place.text("uri");
    if (uri.empty()) return std::nullopt;
    if (isDataUri(uri)) {
      auto bytes = decodeDataUri(uri, "");
      return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
    }
    const auto relative = relativePathOfUri(uri, "");
    if (!relative || doc_.folder.empty()) return std::nullopt;
    auto bytes = readFileBelow(doc_.folder, *relative);
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
  }

  void warn(std::string code, std::string message, std::string where) {
    out_.warnings.push_back({std::move(code), std::move(message), std::move(where)});
  }

  const GltfDocument& doc_;
  const GltfCharacter& content_;
  AccessorReader accessors_;
  std::map<int, int> known_; // texture of the file -> entry of out_.textures, or -1
  BaseColors out_;
};

} // namespace

std::array<float, 3> baseColorOf(const Json& json, int material) {
  std::array<float, 3> color{0.8f, 0.8f, 0.8f};
  const JsonPlace place = entryOf(json, "materials", material);
  const JsonPlace glossy = extension(place, "KHR_materials_pbrSpecularGlossiness");
  double rgba[4] = {color[0], color[1], color[2], 1};
  const bool textured = baseColorTexture(place).texture >= 0;
  if (textured) std::fill_n(rgba, 3, 1.0); // the default of the format
  const auto read = glossy.has("diffuseFactor") ? glossy.numbers("diffuseFactor", rgba, 4)
                                                : place.at("pbrMetallicRoughness").numbers("baseColorFactor", rgba, 4);
  if (!read) return color;
  for (std::size_t k = 0; k < 3; ++k) color[k] = static_cast<float>(std::clamp(rgba[k], 0.0, 1.0));
  return color;
}

BaseColors readBaseColors(const GltfDocument& document, const GltfCharacter& content) {
  return Reader(document, content).read();
}

} // namespace skincells::io
