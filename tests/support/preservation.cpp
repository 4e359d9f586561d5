#include "support/preservation.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "io/gltf/accessor.h"
#include "io/gltf/edit/unused.h"
#include "io/gltf/views.h"
#include "support/files.h"

namespace skincells::test {
namespace {

using io::GltfDocument;
using io::Json;

bool isSkinning(const std::string& attribute) {
  return attribute.starts_with("JOINTS_") || attribute.starts_with("WEIGHTS_");
}

std::set<int> skinningAccessors(const GltfDocument& doc) {
  std::set<int> out;
  for (const auto& mesh : doc.model.meshes)
    for (const auto& primitive : mesh.primitives)
      for (const auto& [name, accessor] : primitive.attributes)
        if (isSkinning(name)) out.insert(accessor);
  for (const auto& skin : doc.model.skins) out.insert(skin.inverse_bind_matrices);
  return out;
}

void eraseSkinning(Json& attributes) {
  std::vector<std::string> names;
  for (const auto& item : attributes.items())
    if (isSkinning(item.key())) names.push_back(item.key());
  for (const std::string& name : names) attributes.erase(name);
}

// The document without data that skinning may change, and without list entries that `before` does not have.
Json masked(const GltfDocument& doc, const GltfDocument& before, const std::set<int>& accessors) {
  Json json = doc.json;
  for (Json& mesh : json["meshes"])
    for (Json& primitive : mesh["primitives"]) {
      eraseSkinning(primitive["attributes"]);
      if (primitive.contains("extensions") && primitive["extensions"].contains("KHR_draco_mesh_compression"))
        eraseSkinning(primitive["extensions"]["KHR_draco_mesh_compression"]["attributes"]);
    }
  for (int a : accessors)
    if (a >= 0 && static_cast<std::size_t>(a) < json["accessors"].size())
      json["accessors"][static_cast<std::size_t>(a)] = nullptr;
  for (const char* list : {"accessors", "bufferViews", "buffers"})
    while (json.contains(list) && json[list].size() > before.json[list].size()) json[list].erase(json[list].size() - 1);
  for (Json& buffer : json["buffers"]) buffer.erase("byteLength");
  if (json.contains("skins"))
    for (std::size_t s = 0; s < std::min(json["skins"].size(), before.model.skins.size()); ++s) {
      Json& joints = json["skins"][s]["joints"];
      while (joints.size() > before.model.skins[s].joints.size()) joints.erase(joints.size() - 1);
      json["skins"][s].erase("inverseBindMatrices");
      json["skins"][s].erase("skeleton");
    }
  return json;
}

// Bytes of a buffer that belong to skinning accessors.
std::vector<bool> skinningBytes(const GltfDocument& doc, int buffer, const std::set<int>& accessors) {
  const auto& model = doc.model;
  std::vector<bool> out(model.buffers[static_cast<std::size_t>(buffer)].bytes.size(), false);
  for (int index : accessors) {
    if (index < 0) continue;
    const io::GltfAccessor& a = model.accessors[static_cast<std::size_t>(index)];
    if (a.view < 0) continue;
    const io::GltfView& view = model.views[static_cast<std::size_t>(a.view)];
    if (view.buffer != buffer || view.meshopt) continue;
    const std::size_t size = io::componentSize(a.component) * static_cast<std::size_t>(a.columns);
    const std::size_t stride = view.stride != 0 ? view.stride : size;
    for (std::size_t i = 0; i < a.count; ++i)
      std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(view.offset + a.offset + i * stride), size, true);
  }
  return out;
}

} // namespace

GltfDocument loadDocument(const std::filesystem::path& path) {
  auto document = io::loadDocument(readBytes(path), path.string(), path.parent_path().string());
  EXPECT_TRUE(document) << document.error().text();
  return document ? std::move(*document) : GltfDocument{};
}

std::vector<std::string> foreignChanges(const GltfDocument& before, const GltfDocument& after) {
  std::vector<std::string> out;
  const std::set<int> old_accessors = skinningAccessors(before);
  const Json a = masked(before, before, old_accessors), b = masked(after, before, old_accessors);
  std::vector<std::string> keys_a, keys_b;
  for (const auto& item : a.items()) keys_a.push_back(item.key());
  for (const auto& item : b.items()) keys_b.push_back(item.key());
  if (keys_a != keys_b) out.push_back("the top-level keys or their order");
  for (const auto& item : a.items())
    if (!b.contains(item.key()) || b[item.key()].dump() != item.value().dump()) out.push_back("/" + item.key());
  for (std::size_t i = 0; i < before.model.buffers.size(); ++i) {
    const auto &x = before.model.buffers[i].bytes, &y = after.model.buffers[i].bytes;
    const auto free = skinningBytes(before, static_cast<int>(i), old_accessors);
    bool same = y.size() >= x.size();
    for (std::size_t k = 0; same && k < x.size(); ++k) same = free[k] || x[k] == y[k];
    if (!same) out.push_back("the bytes of buffer " + std::to_string(i));
  }
  return out;
}

namespace {

// Places of accessors in the document, and their numbers there.
std::map<std::string, int> accessorPlaces(const GltfDocument& doc) {
  std::map<std::string, int> out;
  const auto& model = doc.model;
  for (std::size_t m = 0; m < model.meshes.size(); ++m)
    for (std::size_t p = 0; p < model.meshes[m].primitives.size(); ++p) {
      const auto& primitive = model.meshes[m].primitives[p];
      if (primitive.draco_view >= 0) continue;
      const std::string place = "mesh " + std::to_string(m) + "." + std::to_string(p) + " ";
      for (const auto& [name, accessor] : primitive.attributes)
        if (!isSkinning(name)) out[place + name] = accessor;
      if (primitive.indices >= 0) out[place + "indices"] = primitive.indices;
    }
  for (std::size_t a = 0; a < model.animations.size(); ++a)
    for (std::size_t s = 0; s < model.animations[a].samplers.size(); ++s) {
      const std::string place = "animation " + std::to_string(a) + "." + std::to_string(s);
      out[place + " input"] = model.animations[a].samplers[s].input;
      out[place + " output"] = model.animations[a].samplers[s].output;
    }
  return out;
}

std::vector<std::vector<std::uint8_t>> imagesOf(const GltfDocument& doc) {
  std::vector<std::vector<std::uint8_t>> out;
  for (const Json& image : doc.json.value("images", Json::array())) {
    if (!image.contains("bufferView")) continue;
    const io::GltfView& view = doc.model.views[image["bufferView"].get<std::size_t>()];
    const auto& bytes = doc.model.buffers[static_cast<std::size_t>(view.buffer)].bytes;
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(view.offset);
    out.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(view.length));
  }
  return out;
}

std::size_t idle(const GltfDocument& doc) {
  const std::vector<bool> views = io::viewsInUse(doc.json);
  return doc.model.accessors.size() - io::accessorsInUse(doc.json).size() +
         static_cast<std::size_t>(std::ranges::count(views, false));
}

} // namespace

std::vector<std::string> dataChanges(const GltfDocument& before, const GltfDocument& after) {
  std::vector<std::string> out;
  const auto old_places = accessorPlaces(before);
  const auto new_places = accessorPlaces(after);
  io::AccessorReader old_reader(before.model, "before"), new_reader(after.model, "after");
  for (const auto& [place, accessor] : old_places) {
    const auto found = new_places.find(place);
    if (found == new_places.end()) {
      out.push_back(place + " is gone");
      continue;
    }
    const auto a = old_reader.words(accessor), b = new_reader.words(found->second);
    if (bool(a) != bool(b) || (a && *a != *b)) out.push_back(place);
  }
  const auto old_images = imagesOf(before), new_images = imagesOf(after); // external ones may be embedded now
  if (!std::equal(old_images.begin(), old_images.end(), new_images.begin(),
                  new_images.begin() + static_cast<std::ptrdiff_t>(std::min(old_images.size(), new_images.size()))))
    out.push_back("images");
  if (idle(after) > idle(before)) out.push_back("data without a use");
  return out;
}

} // namespace skincells::test
