#include "io/gltf/edit/unused.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "io/gltf/constants.h"
#include "io/gltf/views.h"

namespace skincells::io {
namespace {

template <class J, class Use> void forEachItem(J& object, const char* key, const Use& use) {
  if (object.is_object() && object.contains(key))
    for (auto& item : object[key]) use(item);
}

template <class J, class Visit> void visitNumber(J& object, const char* key, const Visit& visit) {
  if (object.is_object() && object.contains(key) && object[key].is_number_integer()) visit(object[key]);
}

// visit(number) is called for every reference to an accessor from meshes.
template <class J, class Visit> void forEachMeshAccessor(J& json, const Visit& visit) {
  const auto all = [&](J& attributes) {
    for (auto& item : attributes)
      if (item.is_number_integer()) visit(item);
  };
  forEachItem(json, "meshes", [&](J& mesh) {
    forEachItem(mesh, "primitives", [&](J& primitive) {
      if (primitive.contains("attributes")) all(primitive["attributes"]);
      visitNumber(primitive, "indices", visit);
      forEachItem(primitive, "targets", all);
    });
  });
}

// The same, from meshes, skins and animations.
template <class J, class Visit> void forEachAccessorReference(J& json, const Visit& visit) {
  forEachMeshAccessor(json, visit);
  forEachItem(json, "skins", [&](J& skin) { visitNumber(skin, "inverseBindMatrices", visit); });
  forEachItem(json, "animations", [&](J& animation) {
    forEachItem(animation, "samplers", [&](J& sampler) {
      visitNumber(sampler, "input", visit);
      visitNumber(sampler, "output", visit);
    });
  });
}

// Whether no extension of the document refers to accessors.
bool knowsAllReferences(const Json& json) {
  static constexpr const char* kWithout[] = {"KHR_materials_", "KHR_texture_", "KHR_draco_",    "KHR_mesh_quantization",
                                             "KHR_lights_",    "KHR_xmp",      "EXT_texture_",  "EXT_meshopt_",
                                             "MSFT_lod",       "MSFT_screen",  "MSFT_texture_", "VRM"};
  if (!json.contains("extensionsUsed") || !json["extensionsUsed"].is_array()) return true;
  return std::ranges::all_of(json["extensionsUsed"], [](const Json& name) {
    return name.is_string() && std::ranges::any_of(kWithout, [&](const char* known) {
             return name.get_ref<const std::string&>().starts_with(known);
           });
  });
}

void dropAccessors(const Json& source, Json& json) {
  if (!json.contains("accessors")) return;
  const std::set<int> before = accessorsInUse(source), now = accessorsInUse(json);
  const auto abandoned = [&](int a) { return before.contains(a) && !now.contains(a); };
  Json& accessors = json["accessors"];
  if (!knowsAllReferences(json)) {
    while (!accessors.empty() && abandoned(static_cast<int>(accessors.size()) - 1))
      accessors.erase(accessors.size() - 1);
    return;
  }
  std::vector<int> number(accessors.size());
  Json kept = Json::array();
  for (std::size_t a = 0; a < accessors.size(); ++a) {
    number[a] = static_cast<int>(kept.size());
    if (!abandoned(static_cast<int>(a))) kept.push_back(std::move(accessors[a]));
  }
  accessors = std::move(kept);
  forEachAccessorReference(json, [&](Json& reference) {
    const auto old = reference.get<std::int64_t>();
    if (old >= 0 && old < static_cast<std::int64_t>(number.size())) reference = number[static_cast<std::size_t>(old)];
  });
}

struct Range {
  std::size_t begin = 0, end = 0;
};

// The bytes of a buffer that only abandoned views cover, in order; what follows them keeps its alignment.
std::vector<Range> deadRanges(const Json& views, const std::vector<bool>& abandoned, std::size_t buffer,
                              std::size_t size) {
  enum : char { kGap, kDead, kLive };
  std::vector<char> state(size, kGap);
  const auto mark = [&](const Json& place, char as) {
    if (place.value("buffer", std::size_t{0}) != buffer) return;
    const std::size_t begin = std::min(size, place.value("byteOffset", std::size_t{0}));
    const std::size_t end = std::min(size, begin + place.value("byteLength", std::size_t{0}));
    for (std::size_t i = begin; i < end; ++i) state[i] = std::max(state[i], as);
  };
  for (std::size_t v = 0; v < views.size(); ++v) {
    mark(views[v], abandoned[v] ? kDead : kLive);
    if (views[v].contains("extensions") && views[v]["extensions"].contains(kMeshoptExtension))
      mark(views[v]["extensions"][kMeshoptExtension], abandoned[v] ? kDead : kLive);
  }
  std::vector<Range> out;
  for (std::size_t i = 0; i < size; ++i) {
    if (state[i] != kDead) continue;
    Range range{alignTo4(i), i};
    while (range.end < size && state[range.end] == kDead) ++range.end;
    i = range.end;
    while (range.end < size && state[range.end] == kGap && range.end % 4 != 0) ++range.end; // padding after it
    if (range.end < size || range.end % 4 != 0) range.end = range.end / 4 * 4;
    if (range.begin < range.end) out.push_back(range);
  }
  return out;
}

// Removes the bytes, and moves the places that come after them.
void cut(EditedDocument& d, std::size_t buffer, const std::vector<Range>& dead) {
  if (dead.empty()) return;
  const auto& old = d.buffers[buffer].bytes;
  std::vector<std::uint8_t> bytes;
  std::size_t at = 0;
  const auto copyTo = [&](std::size_t end) {
    bytes.insert(bytes.end(), old.begin() + static_cast<std::ptrdiff_t>(at),
                 old.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (const Range& range : dead) {
    copyTo(range.begin);
    at = range.end;
  }
  copyTo(old.size());
  d.buffers[buffer].bytes = std::move(bytes);
  d.json["buffers"][buffer]["byteLength"] = d.buffers[buffer].bytes.size();
  const auto move = [&](Json& place) {
    if (place.value("buffer", std::size_t{0}) != buffer || !place.contains("byteOffset")) return;
    const auto offset = place["byteOffset"].get<std::size_t>();
    std::size_t removed = 0;
    for (const Range& range : dead)
      if (range.end <= offset) removed += range.end - range.begin;
    if (removed > 0) place["byteOffset"] = offset - removed;
  };
  for (Json& view : d.json["bufferViews"]) {
    move(view);
    if (view.contains("extensions") && view["extensions"].contains(kMeshoptExtension))
      move(view["extensions"][kMeshoptExtension]);
  }
}

} // namespace

std::set<int> accessorsOfMeshes(const Json& json) {
  std::set<int> out;
  forEachMeshAccessor(json, [&](const Json& reference) { out.insert(reference.get<int>()); });
  return out;
}

std::set<int> accessorsInUse(const Json& json) {
  std::set<int> out;
  forEachAccessorReference(json, [&](const Json& reference) { out.insert(reference.get<int>()); });
  return out;
}

void dropReplaced(const Json& source, EditedDocument& d, bool every_buffer) {
  dropAccessors(source, d.json);
  if (!d.json.contains("bufferViews")) return;
  const std::vector<bool> before = viewsInUse(source), now = viewsInUse(d.json);
  std::vector<bool> abandoned(now.size());
  for (std::size_t v = 0; v < now.size(); ++v) abandoned[v] = !now[v] && v < before.size() && before[v];
  if (!std::ranges::count(abandoned, true)) return;
  for (std::size_t b = 0; b < d.buffers.size(); ++b)
    if ((every_buffer || static_cast<int>(b) == d.skin_buffer) && d.buffers[b].kind != GltfBuffer::Kind::Fallback)
      cut(d, b, deadRanges(d.json["bufferViews"], abandoned, b, d.buffers[b].bytes.size()));
  dropViews(d.json, abandoned);
}

} // namespace skincells::io
