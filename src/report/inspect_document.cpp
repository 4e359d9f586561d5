#include <algorithm>

#include "report/facts.h"
#include "skincells/jobs/inspect_job.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

constexpr std::size_t kMostClipsListed = 12;

std::string counted(int count, const char* noun) {
  return text::counted(static_cast<unsigned>(count), noun);
}

std::string hierarchyText(const Skeleton& skeleton, const WeightStatistics& statistics, bool has_weights) {
  const auto children = childrenOf(skeleton);
  std::string out;
  struct Entry {
    int joint, depth;
  };
  std::vector<Entry> stack;
  for (int j = skeleton.jointCount() - 1; j >= 0; --j)
    if (skeleton.joints[j].parent == kNoParent) stack.push_back({j, 0});
  while (!stack.empty()) {
    const Entry e = stack.back();
    stack.pop_back();
    const int i = e.joint;
    out += "    " + std::string(static_cast<std::size_t>(2 * std::min(e.depth, 30)), ' ') +
           text::printable(skeleton.joints[i].name);
    if (!skeleton.joints[i].bind_usable) out += "  [no usable bind matrix]";
    if (has_weights)
      out += statistics.mass_of_joint[i] > 0 ? "  (" + text::counted(statistics.vertices_of_joint[i], "vertex") + ")"
                                             : "  (no weights)";
    out += "\n";
    for (auto child = children[i].rbegin(); child != children[i].rend(); ++child)
      stack.push_back({*child, e.depth + 1});
  }
  return out;
}

std::string clipsText(const std::vector<ClipInfo>& clips) {
  std::string out;
  for (std::size_t i = 0; i < std::min(clips.size(), kMostClipsListed); ++i)
    out += "    " + text::printable(clips[i].name) + ", " + text::fixed(clips[i].duration, 2) + " s\n";
  if (clips.size() > kMostClipsListed)
    out += "    ... and " + std::to_string(clips.size() - kMostClipsListed) + " more\n";
  return out;
}

Json jointsJson(const Skeleton& skeleton, const WeightStatistics& statistics) {
  Json out = Json::array();
  for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
    const Joint& joint = skeleton.joints[i];
    const Vec3d p = joint.bind.translation();
    out.push_back({{"name", joint.name},
                   {"parent", joint.parent},
                   {"position", {p.x, p.y, p.z}},
                   {"bind_usable", joint.bind_usable},
                   {"vertices", statistics.vertices_of_joint[i]},
                   {"weight", statistics.mass_of_joint[i]}});
  }
  return out;
}

Json clipsJson(const std::vector<ClipInfo>& clips) {
  Json out = Json::array();
  for (const ClipInfo& clip : clips)
    out.push_back({{"name", clip.name}, {"seconds", clip.duration}, {"channels", clip.channel_count}});
  return out;
}

void addFile(Facts& facts, const FileInfo& info) {
  std::string extensions;
  for (const std::string& e : info.extensions_used) extensions += (extensions.empty() ? "" : ", ") + e;
  facts.add("file", "format",
            {{"path", info.path},
             {"format", info.format, info.format},
             {"bytes", info.byte_size, text::grouped(info.byte_size) + " bytes"},
             {"generator", info.generator, info.generator.empty() ? "" : "written by " + info.generator}});
  facts.add("file", "extensions", {{"extensions", info.extensions_used, extensions}});
  facts.add("file", "levels",
            {{"levels", info.level_count,
              info.level_count == 1 ? "" : std::to_string(info.level_count) + " levels of detail, one of them read"}});
}

void addMesh(Facts& facts, const InspectedCharacter& found) {
  const Mesh& mesh = found.file.character().mesh;
  const FileInfo& info = found.file.info();
  const Topology& t = found.topology;
  facts.add(
      "mesh", "mesh",
      {{"vertices", mesh.vertexCount(),
        text::counted(mesh.vertexCount(), "vertex") + " (" + text::grouped(t.welded_vertex_count) + " after welding)"},
       {"welded_vertices", t.welded_vertex_count},
       {"triangles", mesh.triangles.size(), text::counted(mesh.triangles.size(), "triangle")},
       {"primitives", info.skinned_primitive_count, counted(info.skinned_primitive_count, "primitive")},
       {"islands", t.island_count, text::counted(t.island_count, "island")}});
  facts.add("mesh", "surface",
            {{"edges", t.edge_count},
             {"open_edges", t.open_edge_count,
              t.open_edge_count == 0 ? "closed" : text::counted(t.open_edge_count, "open edge")},
             {"non_manifold_edges", t.non_manifold_edge_count},
             {"degenerate_triangles", t.degenerate_triangle_count},
             {"duplicate_triangles", t.duplicate_triangle_count},
             {"loose_vertices", t.loose_vertex_count}});
  facts.add("mesh", "size",
            {sizeFact(found.bounds.size()),
             {"diagonal", found.bounds.diagonal()},
             {"up_axis", std::string(1, info.up_axis), std::string(1, info.up_axis) + " up"},
             {"meters_per_unit", info.meters_per_unit,
              "one unit is " + text::significant(info.meters_per_unit, 4) + " m in the scene"}});
  facts.add("mesh", "morphs",
            {{"morph_targets", info.morph_target_count,
              info.morph_target_count == 0 ? "" : counted(info.morph_target_count, "morph target")}});
  facts.add("unskinned", "",
            {{"mesh_nodes", info.unskinned_mesh_node_count},
             {"vertices", info.unskinned_vertex_count},
             {"triangles", info.unskinned_triangle_count}});
}

void addSkeleton(Facts& facts, const InspectedCharacter& found) {
  const Character& c = found.file.character();
  const FileInfo& info = found.file.info();
  const int joint_count = c.skeleton.jointCount();
  facts.add("skeleton", "skeleton",
            {{"joints", joint_count, counted(joint_count, "joint") + " from " + info.skeleton_source},
             {"weighted_joints", found.weighted_joints},
             {"roots", found.root_joints, counted(found.root_joints, "root")},
             {"depth", found.depth, std::to_string(found.depth) + " levels deep"},
             {"source", info.skeleton_source},
             {"bind_rest_rotation_degrees", info.bind_rest_rotation},
             {"bind_rest_offset_percent", info.bind_rest_offset},
             {"list", jointsJson(c.skeleton, found.statistics)}});
  facts.json()["weights"] = c.weights.empty() ? Json() : toJson(found.statistics);
  facts.add(
      "weights", "weights",
      {{"",
        {},
        c.weights.empty() ? "none"
                          : std::to_string(found.weighted_joints) + " of " + counted(joint_count, "joint") +
                                " carry weight, at most " + counted(found.statistics.max_influences, "influence") +
                                " (mean " + text::fixed(found.statistics.mean_influences, 2) + ")"}});
}

Document describe(const InspectedCharacter& found) {
  const FileInfo& info = found.file.info();
  const Character& c = found.file.character();
  const auto& clips = found.file.clips();
  Facts facts("inspect", info.path);
  addFile(facts, info);
  addMesh(facts, found);
  addSkeleton(facts, found);
  facts.add("", "materials",
            {{"", {}, counted(info.material_count, "material")}, {"", {}, counted(info.image_count, "image")}});
  facts.json()["clips"] = clipsJson(clips);
  facts.add("", "clips", {{"", {}, clips.empty() ? "none" : text::counted(clips.size(), "clip")}});
  facts.addText(clipsText(clips));
  facts.addText("  hierarchy\n" + hierarchyText(c.skeleton, found.statistics, !c.weights.empty()));
  facts.json()["warnings"] = toJson(found.file.warnings());
  facts.json()["problems"] = found.problems;
  facts.addProblems(found.problems);
  return facts.document();
}

Json cornerJson(const Vec3d& p) {
  return {p.x, p.y, p.z};
}

Json provenanceJson(const FieldProvenance& p) {
  Json options = Json::object();
  for (const auto& [name, value] : p.options) options[name] = value;
  return {{"tool", p.tool}, {"input", p.input}, {"input_sha256", p.input_sha256}, {"options", options}};
}

Document describe(const InspectedField& found) {
  const FieldDocument& d = found.document;
  const FieldLayout& layout = d.field.layout;
  std::vector<std::string> joints;
  std::string joint_lines;
  for (std::size_t i = 0; i < d.joints.size(); ++i) {
    joints.push_back(d.jointName(i));
    joint_lines += "    " + text::printable(d.jointName(i)) + "\n";
  }
  Facts facts("inspect", found.path);
  facts.add("field", "format",
            {{"path", found.path},
             {"format_version",
              {found.major, found.minor},
              "field file, version " + std::to_string(found.major) + "." + std::to_string(found.minor)},
             {"bytes", found.bytes, text::grouped(found.bytes) + " bytes"},
             {"parameter_bytes", found.parameter_bytes, text::grouped(found.parameter_bytes) + " of them parameters"}});
  facts.add(
      "field", "cells",
      {{"joints", joints,
        text::counted(joints.size(), "joint") + " of " + text::grouped(static_cast<unsigned>(d.skeleton.jointCount()))},
       {"skeleton_joints", d.skeleton.jointCount()},
       {"sites_per_joint", layout.site_count, counted(layout.site_count, "site") + " each"},
       {"site_shape", layout.shape == FieldShape::ScaleRotation ? "scale-rotation" : "triangular"},
       {"normals", layout.normals, layout.normals ? "sees normals" : ""},
       {"max_influences", d.field.max_influences,
        "at most " + counted(d.field.max_influences, "influence") + " at a point"}});
  facts.add("field", "parts",
            {{"parts", d.parts.size(),
              d.parts.empty() ? "none besides the field" : text::counted(d.parts.size(), "part") + " listed"},
             {"rigid_parts", found.rigid_parts,
              d.parts.empty() ? "" : text::grouped(found.rigid_parts) + " with one row of weights"}});
  Fact size = sizeFact(d.box.size());
  size.key.clear(); // the corners are in the JSON
  facts.add("field", "size",
            {size,
             {"box", {{"min", cornerJson(d.box.lo)}, {"max", cornerJson(d.box.hi)}}},
             {"up_axis", std::string(1, d.up_axis), std::string(1, d.up_axis) + " up"},
             {"meters_per_unit", d.meters_per_unit, "one unit is " + text::significant(d.meters_per_unit, 4) + " m"}});
  facts.add("field", "saves",
            {{"table_bytes_per_vertex", found.bytes_per_vertex,
              "a table of joints and weights takes " + std::to_string(found.bytes_per_vertex) + " bytes per vertex"},
             {"break_even_vertices", found.break_even,
              "as much as this file at " + text::counted(found.break_even, "vertex")}});
  const FieldProvenance& p = d.provenance;
  facts.add("field", "written by", {{"provenance", provenanceJson(p), p.tool.empty() ? "unknown" : p.tool}});
  facts.add("field", "from", {{"", {}, p.input.empty() ? "unknown" : p.input + ", SHA-256 " + p.input_sha256}});
  facts.addText("  joints\n" + joint_lines);
  facts.json()["warnings"] = toJson(found.warnings);
  std::vector<std::string> problems;
  for (const Warning& w : found.warnings) problems.push_back(w.message);
  facts.addProblems(problems);
  return facts.document();
}

// Nodes as a tree. Long lists of siblings and what is below them are cut.
std::string nodesText(const std::vector<FileOutline::Node>& nodes) {
  constexpr std::size_t kMostListed = 200;
  std::string out;
  for (std::size_t i = 0; i < std::min(nodes.size(), kMostListed); ++i)
    out += "    " + std::string(static_cast<std::size_t>(2 * std::min(nodes[i].depth, 30)), ' ') +
           text::printable(nodes[i].name) +
           (nodes[i].vertices == 0 ? "" : "  (mesh, " + text::counted(nodes[i].vertices, "vertex") + ")") + "\n";
  if (nodes.size() > kMostListed) out += "    ... and " + text::grouped(nodes.size() - kMostListed) + " more\n";
  return out;
}

Document describe(const InspectedOutline& found) {
  const FileOutline& o = found.outline;
  Facts facts("inspect", o.info.path);
  addFile(facts, o.info);
  Json trees = Json::array();
  std::string lines;
  for (const FileOutline::Tree& t : o.trees) {
    trees.push_back({{"root", t.root}, {"nodes", t.nodes}});
    lines += "    --skeleton '" + text::printable(t.root) + "'  (" + counted(t.nodes, "node") + ")\n";
  }
  facts.json()["trees"] = std::move(trees);
  Json nodes = Json::array();
  for (const FileOutline::Node& n : o.nodes)
    nodes.push_back({{"name", n.name}, {"depth", n.depth}, {"vertices", n.vertices}});
  facts.json()["nodes"] = std::move(nodes);
  if (!lines.empty()) facts.addText("  node trees that may be the skeleton\n" + lines);
  facts.addText("  nodes\n" + nodesText(o.nodes));
  facts.json()["problems"] = {found.problem.message};
  facts.addProblems({found.problem.message});
  return facts.document();
}

Document describe(const PointCloudFile& cloud) {
  const PointCloudInfo& info = cloud.info();
  const Mesh& mesh = cloud.mesh();
  Facts facts("inspect", info.path);
  facts.add("cloud", "format",
            {{"path", info.path},
             {"format", info.format, info.format},
             {"bytes", info.byte_size, text::grouped(info.byte_size) + " bytes"}});
  facts.add("cloud", info.splats ? "splats" : "points",
            {{"kind", info.splats ? "splats" : "points"},
             {"points", mesh.vertexCount(), text::counted(mesh.vertexCount(), info.splats ? "splat" : "point")},
             {"triangles", mesh.triangles.size(),
              mesh.triangles.empty() ? "" : text::counted(mesh.triangles.size(), "triangle")},
             {"normals", info.has_normals, info.has_normals && !info.splats ? "with normals" : ""},
             {"harmonics_degree", info.harmonics_degree,
              info.splats ? "colors of degree " + std::to_string(info.harmonics_degree) : ""}});
  const Box bounds = mesh.bounds();
  facts.add("cloud", "size", {sizeFact(bounds.size())});
  const SparseWeights& weights = cloud.weights();
  const auto joints = static_cast<int>(cloud.jointNames().size());
  facts.add("cloud", "weights",
            {{"joints", cloud.jointNames(),
              weights.empty() ? "none" : "of " + counted(joints, "joint") + ", " + counted(weights.slots, "influence")},
             {"weighted", !weights.empty()}});
  std::vector<std::string> problems;
  for (const Warning& w : cloud.warnings()) problems.push_back(w.message);
  if (mesh.triangles.empty() && weights.empty())
    problems.push_back(std::string(info.splats ? "the splats" : "the points") +
                       " have no weights: bind them with 'skincells bind' and --rig, the file with the skeleton, or "
                       "give them the field of a mesh of the character with 'skincells apply'");
  facts.json()["warnings"] = toJson(cloud.warnings());
  facts.json()["problems"] = problems;
  facts.addProblems(problems);
  return facts.document();
}

} // namespace

Document documentOf(const InspectOutcome& outcome, const DocumentOptions&) {
  return std::visit([](const auto& found) { return describe(found); }, outcome.found);
}

} // namespace skincells
