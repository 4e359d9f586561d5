#include "io/gltf/edit/levels.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "base/try.h"
#include "io/gltf/constants.h"
#include "io/gltf/edit/geometry.h"
#include "text/json_access.h"

namespace skincells::io {
namespace {

constexpr const char* kExtension = "MSFT_lod";

// By node: the nodes of its coarser levels.
Result<std::vector<std::vector<int>>> levelsOfNodes(const GltfDocument& doc) {
  const text::JsonPlace nodes = text::JsonPlace(doc.json, doc.path + "#").at("nodes");
  std::vector<std::vector<int>> out(doc.model.nodes.size());
  for (std::size_t n = 0; n < out.size(); ++n) {
    const text::JsonPlace extension = nodes.at(n).at("extensions").at(kExtension);
    SKINCELLS_TRY(ids, extension.array("ids"));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Json& id = ids.at(i).value();
      if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= out.size())
        return ids.at(i).error("is not the index of a node");
      out[n].push_back(id.get<int>());
    }
  }
  return out;
}

void hideSubtree(int root, std::vector<GltfNode>& nodes) {
  std::vector<int> stack{root};
  while (!stack.empty()) {
    GltfNode& node = nodes[stack.back()];
    stack.pop_back();
    node.mesh = node.skin = -1;
    stack.insert(stack.end(), node.children.begin(), node.children.end());
  }
}

bool isSkinned(const Json& node) {
  return node.contains("mesh") && node.contains("skin");
}

// Copies pieces of one document to the end of another.
class Copier {
public:
  Copier(const EditedDocument& from, EditedDocument& to, const std::string& where)
      : from_(from), to_(to), where_(where) {}

  Result<int> mesh(int index) {
    if (const auto known = meshes_.find(index); known != meshes_.end()) return known->second;
    Json mesh = from_.json["meshes"][index];
    for (Json& primitive : mesh["primitives"]) {
      SKINCELLS_CHECK(moveAttributes(primitive["attributes"]));
      if (primitive.contains("indices")) SKINCELLS_CHECK(moveAccessor(primitive["indices"]));
      if (!primitive.contains("targets")) continue;
      for (Json& target : primitive["targets"]) SKINCELLS_CHECK(moveAttributes(target));
    }
    return meshes_[index] = append("meshes", std::move(mesh));
  }

  // The index of a skin with the same joints, which is copied if there is none.
  Result<int> skin(int index) {
    if (const auto known = skins_.find(index); known != skins_.end()) return known->second;
    Json skin = from_.json["skins"][index];
    const Json& skins = to_.json["skins"];
    const auto same = static_cast<std::size_t>(index);
    if (same < skins.size() && skins[same]["joints"] == skin["joints"]) return skins_[index] = index;
    if (skin.contains("inverseBindMatrices")) SKINCELLS_CHECK(moveAccessor(skin["inverseBindMatrices"]));
    return skins_[index] = append("skins", std::move(skin));
  }

  int append(const char* list, Json value) {
    to_.json[list].push_back(std::move(value));
    return static_cast<int>(to_.json[list].size()) - 1;
  }

private:
  Result<void> moveAttributes(Json& attributes) {
    for (Json& accessor : attributes)
      if (accessor.is_number_integer()) SKINCELLS_CHECK(moveAccessor(accessor));
    return {};
  }

  // Replaces an index by that of the copy, which is made on first use.
  template <class Make> static Result<void> replace(std::map<int, int>& copies, Json& index, const Make& make) {
    const int old = index.get<int>();
    if (!copies.contains(old)) {
      SKINCELLS_TRY(fresh, make(static_cast<std::size_t>(old)));
      copies[old] = fresh;
    }
    index = copies[old];
    return {};
  }

  Result<void> moveAccessor(Json& index) {
    return replace(accessors_, index, [&](std::size_t old) -> Result<int> {
      Json accessor = from_.json["accessors"][old];
      if (accessor.contains("bufferView")) SKINCELLS_CHECK(moveView(accessor["bufferView"]));
      if (accessor.contains("sparse"))
        for (const char* part : {"indices", "values"})
          SKINCELLS_CHECK(moveView(accessor["sparse"][part]["bufferView"]));
      return append("accessors", std::move(accessor));
    });
  }

  Result<void> moveView(Json& index) {
    return replace(views_, index, [&](std::size_t old) -> Result<int> {
      Json view = from_.json["bufferViews"][old];
      if (view.contains("extensions"))
        return Error{ErrorCode::UnsupportedFeature,
                     "has compressed points or lines, which a single file cannot hold; write levels as separate files",
                     where_};
      const auto& source = from_.buffers[view["buffer"].get<std::size_t>()].bytes;
      auto& bytes = to_.buffers[to_.skin_buffer].bytes;
      bytes.resize(alignTo4(bytes.size()));
      const auto begin = source.begin() + view.value("byteOffset", std::ptrdiff_t{0});
      view["buffer"] = to_.skin_buffer;
      view["byteOffset"] = bytes.size();
      bytes.insert(bytes.end(), begin, begin + view["byteLength"].get<std::ptrdiff_t>());
      to_.json["buffers"][to_.skin_buffer]["byteLength"] = bytes.size();
      return append("bufferViews", std::move(view));
    });
  }

  const EditedDocument& from_;
  EditedDocument& to_;
  const std::string& where_;
  std::map<int, int> meshes_, skins_, accessors_, views_; // old index -> new index
};

// Repeats the animation of morph targets of a node for another one.
void repeatMorphChannels(Json& json, std::size_t from, int to) {
  if (!json.contains("animations") || !json["animations"].is_array()) return;
  for (Json& animation : json["animations"]) {
    if (!animation.contains("channels") || !animation["channels"].is_array()) continue;
    Json& channels = animation["channels"];
    const std::size_t count = channels.size();
    for (std::size_t c = 0; c < count; ++c) {
      Json channel = channels[c];
      if (!channel.is_object() || !channel.contains("target") || !channel["target"].is_object()) continue;
      Json& target = channel["target"];
      if (target.value("node", Json()) != from || target.value("path", Json()) != "weights") continue;
      target["node"] = to;
      channels.push_back(std::move(channel));
    }
  }
}

// Whether the node tree, a skin or an animation refers to the node.
bool isNodeInUse(const Json& json, std::size_t index) {
  const auto holds = [&](const Json& owner, const char* key) {
    return owner.contains(key) && std::find(owner[key].begin(), owner[key].end(), Json(index)) != owner[key].end();
  };
  const auto any = [&](const char* list, const auto& test) {
    return json.contains(list) && std::any_of(json[list].begin(), json[list].end(), test);
  };
  const auto moves = [&](const Json& channel) {
    return channel.contains("target") && channel["target"].value("node", Json()) == index;
  };
  return any("scenes", [&](const Json& scene) { return holds(scene, "nodes"); }) ||
         any("nodes", [&](const Json& node) { return holds(node, "children"); }) ||
         any("skins",
             [&](const Json& skin) { return holds(skin, "joints") || skin.value("skeleton", Json()) == index; }) ||
         any("animations", [&](const Json& animation) {
           const Json channels = animation.value("channels", Json::array());
           return std::any_of(channels.begin(), channels.end(), moves);
         });
}

// Removes morph target channels of these nodes. An animation keeps at least one channel, or it would be invalid.
void dropMorphChannels(Json& json, const std::set<std::size_t>& nodes) {
  if (!json.contains("animations")) return;
  for (Json& animation : json["animations"]) {
    if (!animation.contains("channels") || !animation["channels"].is_array()) continue;
    Json kept = Json::array();
    for (const Json& channel : animation["channels"]) {
      const Json target = channel.value("target", Json::object());
      const Json node = target.value("node", Json());
      const bool of_level = node.is_number_unsigned() && nodes.contains(node.get<std::size_t>());
      if (!of_level || target.value("path", Json()) != "weights") kept.push_back(channel);
    }
    if (!kept.empty()) animation["channels"] = std::move(kept);
  }
}

// Unknown extensions may refer to elements by index, so only elements at the end of a list can be removed.
template <class InUse> void dropUnusedTail(Json& list, const std::set<std::size_t>& candidates, const InUse& in_use) {
  while (!list.empty() && candidates.contains(list.size() - 1) && !in_use(list.size() - 1)) list.erase(list.size() - 1);
}

void dropExtension(Json& node) {
  node["extensions"].erase(kExtension);
  if (node["extensions"].empty()) node.erase("extensions");
  if (!node.contains("extras") || !node["extras"].is_object()) return;
  node["extras"].erase("MSFT_screencoverage");
  if (node["extras"].empty()) node.erase("extras");
}

// Removes all but the finest level of each node. The document must have passed selectLevel.
void dropCoarserLevels(Json& json) {
  Json& nodes = json["nodes"];
  std::set<std::size_t> coarser, meshes;
  for (Json& node : nodes) {
    const Json ids = text::JsonPlace(node, "").at("extensions").at(kExtension).at("ids").value();
    if (!ids.is_array()) continue;
    for (const Json& id : ids) coarser.insert(id.get<std::size_t>());
    dropExtension(node);
  }
  for (const std::size_t n : coarser) {
    if (nodes[n].contains("mesh")) meshes.insert(nodes[n]["mesh"].get<std::size_t>());
    for (const char* key : {"mesh", "skin", "weights"}) nodes[n].erase(key);
  }
  dropMorphChannels(json, coarser);
  dropUnusedTail(nodes, coarser, [&](std::size_t n) { return isNodeInUse(json, n) || nodes[n].contains("children"); });
  const auto isShown = [&](std::size_t mesh) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const Json& node) { return node.value("mesh", Json()) == mesh; });
  };
  dropUnusedTail(json["meshes"], meshes, isShown);
}

void declareExtension(Json& json) {
  Json& used = json["extensionsUsed"];
  if (!used.is_array()) used = Json::array();
  if (std::find(used.begin(), used.end(), Json(kExtension)) == used.end()) used.push_back(kExtension);
}

} // namespace

Result<int> selectLevel(GltfDocument& doc, int level) {
  SKINCELLS_TRY(levels, levelsOfNodes(doc));
  std::size_t most = 0;
  for (const auto& ids : levels) most = std::max(most, ids.size());
  if (static_cast<std::size_t>(level) > most)
    return Error{ErrorCode::InvalidOption,
                 doc.path + (most == 0 ? " has no levels of detail (MSFT_lod); remove this option"
                                       : " has levels 0 to " + std::to_string(most)),
                 "--level"};
  std::vector<int> hidden;
  for (std::size_t n = 0; n < levels.size(); ++n) {
    if (levels[n].empty()) continue;
    std::vector<int> all{static_cast<int>(n)};
    all.insert(all.end(), levels[n].begin(), levels[n].end());
    const std::size_t shown = std::min(static_cast<std::size_t>(level), all.size() - 1);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] != all[shown]) hidden.push_back(all[i]);
  }
  // The node of the finest level may have joints or other levels below it: only its own mesh is hidden.
  for (const int n : hidden)
    if (levels[n].empty())
      hideSubtree(n, doc.model.nodes);
    else
      doc.model.nodes[n].mesh = doc.model.nodes[n].skin = -1;
  return static_cast<int>(most) + 1;
}

void showLevel(Json& json, int level) {
  if (level == 0 || !json.contains("nodes")) return;
  Json& nodes = json["nodes"];
  for (Json& node : nodes) {
    const Json ids = text::JsonPlace(node, "").at("extensions").at(kExtension).at("ids").value();
    if (!ids.is_array() || ids.empty()) continue;
    const Json& shown = nodes[ids[std::min(static_cast<std::size_t>(level), ids.size()) - 1].get<std::size_t>()];
    for (const char* key : {"mesh", "skin", "weights"}) {
      node.erase(key);
      if (shown.contains(key)) node[key] = Json(shown[key]);
    }
  }
}

EditedDocument onlyLevel(const GltfDocument& document, const GltfCharacter& character, int level) {
  GeometryEditor editor(document, character);
  showLevel(editor.json(), level);
  dropCoarserLevels(editor.json());
  return std::move(editor).finish();
}

Result<void> addLevel(EditedDocument& doc, const EditedDocument& level, int number, const std::string& where) {
  Copier copier(level, doc, where);
  const std::size_t count = std::min(doc.json["nodes"].size(), level.json["nodes"].size());
  for (std::size_t n = 0; n < count; ++n) {
    const Json& coarse = level.json["nodes"][n];
    if (!isSkinned(coarse) || !isSkinned(doc.json["nodes"][n])) continue;
    SKINCELLS_TRY(mesh, copier.mesh(coarse["mesh"].get<int>()));
    SKINCELLS_TRY(skin, copier.skin(coarse["skin"].get<int>()));
    Json node;
    const bool named = coarse.contains("name") && coarse["name"].is_string();
    node["name"] = (named ? coarse["name"].get<std::string>() : "mesh") + "_LOD" + std::to_string(number);
    node["mesh"] = mesh;
    node["skin"] = skin;
    if (coarse.contains("weights")) node["weights"] = coarse["weights"];
    const int index = copier.append("nodes", std::move(node));
    Json& extensions = doc.json["nodes"][n]["extensions"];
    if (!extensions.is_object()) extensions = Json::object();
    if (number == 1) extensions[kExtension] = {{"ids", Json::array()}};
    extensions[kExtension]["ids"].push_back(index);
    repeatMorphChannels(doc.json, n, index);
  }
  declareExtension(doc.json);
  return {};
}

void setScreenCoverage(EditedDocument& doc, std::span<const double> coverage) {
  for (Json& node : doc.json["nodes"]) {
    if (!isSkinned(node) || !node.contains("extensions") || !node["extensions"].contains(kExtension)) continue;
    if (!node.contains("extras") || !node["extras"].is_object()) node["extras"] = Json::object();
    node["extras"]["MSFT_screencoverage"] = std::vector<double>(coverage.begin(), coverage.end());
  }
}

} // namespace skincells::io
