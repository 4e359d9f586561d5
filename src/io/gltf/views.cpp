#include "io/gltf/views.h"

#include <algorithm>

#include "io/gltf/constants.h"
#include "io/gltf/edit/pack.h"

namespace skincells::io {
namespace {

// Calls visit(value) for every "bufferView" number in the document.
template <class J, class Visit> void forEachViewReference(J& json, const Visit& visit) {
  if (json.is_object()) {
    for (auto item = json.begin(); item != json.end(); ++item)
      if (item.key() == "bufferView" && item.value().is_number_integer())
        visit(item.value());
      else
        forEachViewReference(item.value(), visit);
  } else if (json.is_array()) {
    for (auto& item : json) forEachViewReference(item, visit);
  }
}

bool hasExtension(const Json& json, const std::string& name) {
  if (json.is_object()) {
    if (json.contains("extensions") && json["extensions"].is_object() && json["extensions"].contains(name)) return true;
    return std::any_of(json.begin(), json.end(), [&](const Json& item) { return hasExtension(item, name); });
  }
  return json.is_array() &&
         std::any_of(json.begin(), json.end(), [&](const Json& item) { return hasExtension(item, name); });
}

void dropUnusedCompressions(Json& json) {
  for (const std::string name : {kDracoExtension, kMeshoptExtension}) {
    if (hasExtension(json, name)) continue;
    for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
      if (!json.contains(list) || !json[list].is_array()) continue;
      Json& names = json[list];
      names.erase(std::remove(names.begin(), names.end(), Json(name)), names.end());
      if (names.empty()) json.erase(list);
    }
  }
}

// Moves the bytes of a view (or of its compressed form) from the old buffer to the new one.
void moveBytes(Json& place, const std::vector<GltfBuffer>& from, std::vector<GltfBuffer>& to) {
  const auto b = place["buffer"].get<std::size_t>();
  if (from[b].kind == GltfBuffer::Kind::Fallback) return;
  const std::size_t offset = place.contains("byteOffset") ? place["byteOffset"].get<std::size_t>() : 0;
  const auto length = place["byteLength"].get<std::size_t>();
  auto& bytes = to[b].bytes;
  bytes.resize(alignTo4(bytes.size()));
  place["byteOffset"] = bytes.size();
  const auto begin = from[b].bytes.begin() + static_cast<std::ptrdiff_t>(offset);
  bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
}

} // namespace

std::vector<bool> viewsInUse(const Json& json) {
  std::vector<bool> used(json.contains("bufferViews") ? json["bufferViews"].size() : 0, false);
  forEachViewReference(json, [&](const Json& view) {
    const auto index = view.get<std::int64_t>();
    if (index >= 0 && index < static_cast<std::int64_t>(used.size())) used[index] = true;
  });
  return used;
}

void dropViews(Json& json, const std::vector<bool>& dropped) {
  std::vector<std::size_t> index(dropped.size());
  Json kept = Json::array();
  for (std::size_t v = 0; v < dropped.size(); ++v) {
    index[v] = kept.size();
    if (!dropped[v]) kept.push_back(std::move(json["bufferViews"][v]));
  }
  json["bufferViews"] = std::move(kept);
  forEachViewReference(json, [&](Json& view) {
    const auto old = view.get<std::int64_t>();
    if (old >= 0 && old < static_cast<std::int64_t>(index.size())) view = index[static_cast<std::size_t>(old)];
  });
}

void dropAbandonedViews(EditedDocument& d, const std::vector<bool>& used_before) {
  if (!d.json.contains("bufferViews")) return;
  const std::vector<bool> used = viewsInUse(d.json);
  std::vector<bool> dropped(used.size());
  std::vector<GltfBuffer> buffers = d.buffers;
  for (GltfBuffer& buffer : buffers) buffer.bytes.clear();
  for (std::size_t v = 0; v < used.size(); ++v) {
    dropped[v] = !used[v] && v < used_before.size() && used_before[v];
    if (dropped[v]) continue;
    Json& view = d.json["bufferViews"][v];
    moveBytes(view, d.buffers, buffers);
    if (view.contains("extensions") && view["extensions"].contains(kMeshoptExtension))
      moveBytes(view["extensions"][kMeshoptExtension], d.buffers, buffers);
  }
  dropViews(d.json, dropped);
  d.buffers = std::move(buffers);
  dropUnusedCompressions(d.json);
  mergeBuffers(d);
}

} // namespace skincells::io
