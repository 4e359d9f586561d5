#include "skincells/jobs/inspect_job.h"

#include <algorithm>
#include <map>

#include "base/read_file.h"
#include "base/try.h"
#include "jobs/field_path.h"
#include "jobs/run_alone.h"
#include "skincells/io/field_file.h"
#include "text/table.h"

namespace skincells {
namespace {

constexpr double kRotationNoticed = 1; // degrees between bind and rest pose
constexpr double kOffsetNoticed = 0.5; // % of the diagonal

std::vector<std::string> problemsOf(const CharacterFile& file, const Topology& t) {
  std::vector<std::string> out;
  const FileInfo& info = file.info();
  const auto report = [&](std::uint64_t count, const char* noun, const char* what) {
    if (count > 0) out.push_back(text::counted(count, noun) + what);
  };
  if (info.bind_rest_rotation > kRotationNoticed || info.bind_rest_offset > kOffsetNoticed)
    out.push_back("the node tree's rest pose differs from the bind pose (up to " +
                  text::fixed(info.bind_rest_rotation, 0) + " degrees, " + text::fixed(info.bind_rest_offset, 1) +
                  " % of the size); weights are computed in the bind pose");
  report(t.non_manifold_edge_count, "edge", " with three or more triangles");
  report(t.degenerate_triangle_count, "triangle", " without area");
  report(t.duplicate_triangle_count, "triangle", " more than once");
  report(t.loose_vertex_count, "vertex", " that no triangle uses");
  if (info.unskinned_mesh_node_count > 0)
    out.push_back(text::counted(static_cast<unsigned>(info.unskinned_mesh_node_count), "mesh node") +
                  " without a skin (" + text::counted(info.unskinned_vertex_count, "vertex") + "): left unchanged");
  for (const Warning& w : file.warnings()) out.push_back(w.where + ": " + w.message);
  for (const Defect& d : file.skinDefects())
    if (d.severity != Severity::Note) out.push_back("weights: " + d.message + " (" + text::grouped(d.count) + ")");
  return out;
}

int littleEndian16(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  return bytes[at] | (bytes[at + 1] << 8);
}

// The file can be read, but not the character: the user has to choose or add something.
bool needsDecision(ErrorCode code) {
  return code == ErrorCode::NoMesh || code == ErrorCode::NoSkeleton || code == ErrorCode::AmbiguousSkeleton;
}

Warnings warningsOf(const std::string& path, const FieldDocument& d) {
  Warnings out;
  const auto add = [&](const char* code, const std::string& message) { out.push_back({code, message, path}); };
  std::map<std::string, int> names;
  std::size_t repaired = 0;
  for (const Joint& joint : d.skeleton.joints) {
    ++names[joint.name];
    repaired += !joint.bind_usable;
  }
  for (const auto& [name, count] : names)
    if (count > 1)
      add("field.joint_name_twice", text::counted(static_cast<unsigned>(count), "joint") + " are called '" + name +
                                        "'; meshes with other joints are matched by name, in order");
  if (repaired > 0)
    add("field.bind_repaired", text::counted(repaired, "joint") + " had no usable bind transform; it was estimated");
  if (d.up_axis == '?') add("field.up_axis_unknown", "has no up-axis; --align uses the joints alone");
  if (d.provenance.tool.empty()) add("field.no_provenance", "does not name the program that wrote it");
  return out;
}

} // namespace

InspectedCharacter inspectCharacter(CharacterFile file) {
  InspectedCharacter out{std::move(file)};
  const Character& c = out.file.character();
  out.topology = analyzeTopology(c.mesh, weldByPosition(c.mesh.positions, weldTolerance(c.mesh)));
  out.statistics = weightStatistics(c.weights, c.skeleton.jointCount());
  out.bounds = c.mesh.bounds();
  out.weighted_joints =
      static_cast<int>(std::ranges::count_if(out.statistics.mass_of_joint, [](double m) { return m > 0; }));
  std::vector<int> depth(c.skeleton.joints.size(), 1);
  for (int j : parentFirstOrder(c.skeleton)) {
    const int parent = c.skeleton.joints[j].parent;
    if (parent == kNoParent)
      ++out.root_joints;
    else
      depth[j] = depth[parent] + 1;
    out.depth = std::max(out.depth, depth[j]);
  }
  out.problems = problemsOf(out.file, out.topology);
  return out;
}

Result<InspectedField> inspectFieldFile(const std::string& path) {
  SKINCELLS_TRY(bytes, readFile(path));
  SKINCELLS_TRY(document, decodeField(bytes, path));
  InspectedField out;
  out.path = path;
  out.bytes = bytes.size();
  out.major = littleEndian16(bytes, 8); // docs/field-file.md
  out.minor = littleEndian16(bytes, 10);
  out.parameter_bytes = document.field.values.size() * sizeof(float);
  // As bind writes them: two attribute sets for more than four influences, each with joints and weights.
  const bool many = document.field.max_influences > 4;
  out.bytes_per_vertex = (many ? 8U : 4U) * ((document.skeleton.jointCount() > 256 ? 2U : 1U) + (many ? 4U : 2U));
  out.break_even = (out.bytes + out.bytes_per_vertex - 1) / out.bytes_per_vertex;
  out.rigid_parts = static_cast<std::size_t>(std::ranges::count_if(document.parts, &FieldPart::rigid));
  out.warnings = warningsOf(path, document);
  out.document = std::move(document);
  return out;
}

JobFiles filesOf(const InspectJob& job) {
  return {{job.input, job.read.rig}, {}};
}

Result<InspectOutcome> run(const InspectJob& job, OutputSet& outputs, const ProgressFunction&) {
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  if (jobs::isFieldPath(job.input)) {
    SKINCELLS_TRY(field, inspectFieldFile(job.input));
    return InspectOutcome{job, std::move(field)};
  }
  if (isPlyPath(job.input) && job.read.rig.empty()) {
    SKINCELLS_TRY(cloud, PointCloudFile::read(job.input));
    return InspectOutcome{job, std::move(cloud)};
  }
  auto file = CharacterFile::read(job.input, job.read);
  if (!file && needsDecision(file.error().code)) {
    SKINCELLS_TRY(outline, CharacterFile::outline(job.input));
    SKINCELLS_CHECK(outputs.addInputs(outline.info.resources));
    return InspectOutcome{job, InspectedOutline{std::move(outline), file.error()}};
  }
  if (!file) return file.error();
  SKINCELLS_CHECK(outputs.addInputs(file->info().resources));
  return InspectOutcome{job, inspectCharacter(std::move(*file))};
}

Result<InspectOutcome> run(const InspectJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<InspectOutcome>(job, progress);
}

} // namespace skincells
