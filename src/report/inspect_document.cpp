// What is in a file, in words a technical artist understands.
#include <algorithm>

#include "report/json_text.h"
#include "skincells/report.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

struct Findings {
  Weld weld;
  Topology topology;
  WeightStatistics statistics;
  int weighted_joints = 0, root_joints = 0, depth = 0;
  Box bounds;
};

Findings study(const CharacterFile& file) {
  const Character& c = file.character();
  Findings f;
  f.weld = weldByPosition(c.mesh.positions, weldTolerance(c.mesh));
  f.topology = analyzeTopology(c.mesh, f.weld);
  f.statistics = weightStatistics(c.weights, c.skeleton.jointCount());
  f.weighted_joints = static_cast<int>(std::count_if(f.statistics.mass_of_joint.begin(),
                                                     f.statistics.mass_of_joint.end(), [](double m) { return m > 0; }));
  f.bounds = c.mesh.bounds();
  std::vector<int> depth(c.skeleton.joints.size(), 1);
  for (int j : parentFirstOrder(c.skeleton)) {
    const int parent = c.skeleton.joints[static_cast<std::size_t>(j)].parent;
    if (parent == kNoParent)
      ++f.root_joints;
    else
      depth[static_cast<std::size_t>(j)] = depth[static_cast<std::size_t>(parent)] + 1;
    f.depth = std::max(f.depth, depth[static_cast<std::size_t>(j)]);
  }
  return f;
}

// Things a user should know before binding.
std::vector<std::string> problemsOf(const CharacterFile& file, const Findings& f) {
  std::vector<std::string> out;
  const FileInfo& info = file.info();
  const Topology& t = f.topology;
  if (info.bind_rest_rotation > 1 || info.bind_rest_offset > 0.5)
    out.push_back("the node tree's rest pose differs from the bind pose (up to " +
                  text::fixed(info.bind_rest_rotation, 0) + " degrees, " + text::fixed(info.bind_rest_offset, 1) +
                  " % of the size); weights are computed in the bind pose");
  if (t.non_manifold_edge_count > 0)
    out.push_back(text::counted(t.non_manifold_edge_count, "edge") + " with three or more triangles");
  if (t.degenerate_triangle_count > 0)
    out.push_back(text::counted(t.degenerate_triangle_count, "triangle") + " without area");
  if (t.duplicate_triangle_count > 0)
    out.push_back(text::counted(t.duplicate_triangle_count, "triangle") + " more than once");
  if (t.loose_vertex_count > 0) out.push_back(text::counted(t.loose_vertex_count, "vertex") + " that no triangle uses");
  if (info.unskinned_mesh_node_count > 0)
    out.push_back(text::counted(static_cast<unsigned>(info.unskinned_mesh_node_count), "mesh node") +
                  " without a skin (" + text::counted(info.unskinned_vertex_count, "vertex") + "): left as they are");
  for (const Warning& w : file.warnings()) out.push_back(w.where + ": " + w.message);
  for (const Defect& d : file.skinDefects())
    if (d.severity != Severity::Note) out.push_back("weights: " + d.message + " (" + text::grouped(d.count) + ")");
  return out;
}

std::string hierarchyText(const Skeleton& skeleton, const WeightStatistics& statistics, bool has_weights) {
  const auto children = childrenOf(skeleton);
  std::string out;
  struct Entry {
    int joint, depth;
  };
  std::vector<Entry> stack;
  for (int j = skeleton.jointCount() - 1; j >= 0; --j)
    if (skeleton.joints[static_cast<std::size_t>(j)].parent == kNoParent) stack.push_back({j, 0});
  while (!stack.empty()) {
    const Entry e = stack.back();
    stack.pop_back();
    const auto i = static_cast<std::size_t>(e.joint);
    out += "    " + std::string(static_cast<std::size_t>(2 * std::min(e.depth, 30)), ' ') + skeleton.joints[i].name;
    if (!skeleton.joints[i].bind_usable) out += "  [no usable bind matrix]";
    if (has_weights)
      out += statistics.mass_of_joint[i] > 0 ? "  (" + text::counted(statistics.vertices_of_joint[i], "vertex") + ")"
                                             : "  (no weight)";
    out += "\n";
    for (auto child = children[i].rbegin(); child != children[i].rend(); ++child)
      stack.push_back({*child, e.depth + 1});
  }
  return out;
}

std::string textOf(const CharacterFile& file, const Findings& f) {
  const Character& c = file.character();
  const FileInfo& info = file.info();
  const Topology& t = f.topology;
  const Vec3d size = f.bounds.size();
  std::string out = info.path + "\n";
  const auto line = [&](const std::string& key, const std::string& value) {
    out += "  " + key + std::string(key.size() < 12 ? 12 - key.size() : 1, ' ') + value + "\n";
  };
  line("format", info.format + ", " + text::grouped(info.byte_size) + " bytes" +
                     (info.generator.empty() ? "" : ", written by " + info.generator));
  std::string extensions;
  for (const std::string& e : info.extensions_used) extensions += (extensions.empty() ? "" : ", ") + e;
  if (!extensions.empty()) line("extensions", extensions);
  if (info.level_count > 1)
    line("levels", std::to_string(info.level_count) + " levels of detail, of which one was read");
  line("mesh", text::counted(c.mesh.vertexCount(), "vertex") + " (" + text::grouped(t.welded_vertex_count) +
                   " after welding), " + text::counted(c.mesh.triangles.size(), "triangle") + ", " +
                   text::counted(static_cast<unsigned>(info.skinned_primitive_count), "primitive") + ", " +
                   text::counted(t.island_count, "island"));
  line("surface", t.open_edge_count == 0 ? "closed" : text::counted(t.open_edge_count, "open edge"));
  line("size", text::significant(size.x, 4) + " x " + text::significant(size.y, 4) + " x " +
                   text::significant(size.z, 4) + " in bind space, " + info.up_axis + " up; one unit is " +
                   text::significant(info.meters_per_unit, 4) + " m in the scene");
  line("skeleton", text::counted(static_cast<unsigned>(c.skeleton.jointCount()), "joint") + " from " +
                       info.skeleton_source + ", " + text::counted(static_cast<unsigned>(f.root_joints), "root") +
                       ", " + std::to_string(f.depth) + " levels deep");
  line("weights", c.weights.empty()
                      ? "none yet"
                      : std::to_string(f.weighted_joints) + " of " + std::to_string(c.skeleton.jointCount()) +
                            " joints carry weight, at most " +
                            text::counted(static_cast<unsigned>(f.statistics.max_influences), "influence") + " (mean " +
                            text::fixed(f.statistics.mean_influences, 2) + ")");
  if (info.morph_target_count > 0)
    line("morphs", text::counted(static_cast<unsigned>(info.morph_target_count), "morph target"));
  line("materials", text::counted(static_cast<unsigned>(info.material_count), "material") + ", " +
                        text::counted(static_cast<unsigned>(info.image_count), "image"));
  line("clips", file.clips().empty() ? "none" : text::counted(file.clips().size(), "clip"));
  for (std::size_t i = 0; i < std::min<std::size_t>(file.clips().size(), 12); ++i)
    out += "    " + file.clips()[i].name + ", " + text::fixed(file.clips()[i].duration, 2) + " s\n";
  if (file.clips().size() > 12) out += "    ... and " + std::to_string(file.clips().size() - 12) + " more\n";
  out += "  hierarchy\n" + hierarchyText(c.skeleton, f.statistics, !c.weights.empty());
  const auto problems = problemsOf(file, f);
  out += problems.empty() ? "  no problems found\n" : "  worth knowing\n";
  for (const std::string& p : problems) out += "    - " + p + "\n";
  return out;
}

Json jsonOf(const CharacterFile& file, const Findings& f) {
  const Character& c = file.character();
  const FileInfo& info = file.info();
  const Topology& t = f.topology;
  const Vec3d size = f.bounds.size();
  Json j = heading("inspect");
  j["file"] = {{"path", info.path},
               {"format", info.format},
               {"bytes", info.byte_size},
               {"generator", info.generator},
               {"extensions", info.extensions_used},
               {"levels", info.level_count}};
  j["mesh"] = {{"vertices", c.mesh.vertexCount()},
               {"welded_vertices", t.welded_vertex_count},
               {"triangles", c.mesh.triangles.size()},
               {"primitives", info.skinned_primitive_count},
               {"islands", t.island_count},
               {"edges", t.edge_count},
               {"open_edges", t.open_edge_count},
               {"non_manifold_edges", t.non_manifold_edge_count},
               {"degenerate_triangles", t.degenerate_triangle_count},
               {"duplicate_triangles", t.duplicate_triangle_count},
               {"loose_vertices", t.loose_vertex_count},
               {"size", {size.x, size.y, size.z}},
               {"diagonal", f.bounds.diagonal()},
               {"meters_per_unit", info.meters_per_unit},
               {"up_axis", std::string(1, info.up_axis)},
               {"morph_targets", info.morph_target_count}};
  j["unskinned"] = {{"mesh_nodes", info.unskinned_mesh_node_count},
                    {"vertices", info.unskinned_vertex_count},
                    {"triangles", info.unskinned_triangle_count}};
  Json joints = Json::array();
  for (std::size_t i = 0; i < c.skeleton.joints.size(); ++i) {
    const Joint& joint = c.skeleton.joints[i];
    const Vec3d p = joint.bind.translation();
    joints.push_back({{"name", joint.name},
                      {"parent", joint.parent},
                      {"position", {p.x, p.y, p.z}},
                      {"bind_usable", joint.bind_usable},
                      {"vertices", f.statistics.vertices_of_joint[i]},
                      {"weight", f.statistics.mass_of_joint[i]}});
  }
  j["skeleton"] = {{"joints", c.skeleton.jointCount()},
                   {"weighted_joints", f.weighted_joints},
                   {"roots", f.root_joints},
                   {"depth", f.depth},
                   {"source", info.skeleton_source},
                   {"bind_rest_rotation_degrees", info.bind_rest_rotation},
                   {"bind_rest_offset_percent", info.bind_rest_offset},
                   {"list", joints}};
  if (c.weights.empty())
    j["weights"] = nullptr;
  else
    j["weights"] = toJson(f.statistics);
  Json clips = Json::array();
  for (const ClipInfo& clip : file.clips())
    clips.push_back({{"name", clip.name}, {"seconds", clip.duration}, {"channels", clip.channel_count}});
  j["clips"] = clips;
  j["warnings"] = toJson(file.warnings());
  j["problems"] = problemsOf(file, f);
  return j;
}

} // namespace

Document inspectDocument(const CharacterFile& file) {
  const Findings f = study(file);
  return {textOf(file, f), print(jsonOf(file, f))};
}

} // namespace skincells
