// What is in a field file.
#include <algorithm>
#include <filesystem>
#include <map>

#include "base/try.h"
#include "io/file_access.h"
#include "report/json_text.h"
#include "skincells/io/field_file.h"
#include "skincells/jobs/field_report.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

// What is known of the file beside the document in it.
struct FieldFacts {
  std::string path;
  std::size_t bytes = 0, parameter_bytes = 0;
  int major = 0, minor = 0;
  std::size_t bytes_per_vertex = 0; // of a table of joints and weights with as many influences
  std::size_t break_even = 0;       // vertices whose table is as large as the file
  std::size_t rigid_parts = 0;
};

int numberAt(const std::vector<std::uint8_t>& bytes, std::size_t at) { // little-endian, 16 bits
  return bytes[at] | (bytes[at + 1] << 8);
}

FieldFacts study(const std::string& path, const std::vector<std::uint8_t>& bytes, const FieldDocument& d) {
  FieldFacts f;
  f.path = path;
  f.bytes = bytes.size();
  f.major = numberAt(bytes, 8), f.minor = numberAt(bytes, 10); // docs/field-file.md
  f.parameter_bytes = d.field.values.size() * sizeof(float);
  const bool many = d.field.max_influences > 4; // two attribute sets, as bind writes them: joints, then weights
  f.bytes_per_vertex = (many ? 8U : 4U) * ((d.skeleton.jointCount() > 256 ? 2U : 1U) + (many ? 4U : 2U));
  f.break_even = (f.bytes + f.bytes_per_vertex - 1) / f.bytes_per_vertex;
  f.rigid_parts = static_cast<std::size_t>(std::ranges::count_if(d.parts, &FieldPart::rigid));
  return f;
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
    add("field.bind_repaired",
        text::counted(repaired, "joint") + " had no usable bind transform; their place was guessed");
  if (d.up_axis == '?') add("field.up_axis_unknown", "does not say which way is up; --align goes by the joints alone");
  if (d.provenance.tool.empty()) add("field.no_provenance", "does not say what wrote it");
  return out;
}

Json corner(const Vec3d& p) {
  return {p.x, p.y, p.z};
}

Json jsonOf(const FieldFacts& f, const FieldDocument& d, const Warnings& warnings) {
  Json j = heading("inspect");
  Json options = Json::object();
  for (const auto& [name, value] : d.provenance.options) options[name] = value;
  std::vector<std::string> joints;
  for (std::size_t i = 0; i < d.joints.size(); ++i) joints.push_back(d.jointName(i));
  j["field"] = {{"path", f.path},
                {"bytes", f.bytes},
                {"format_version", {f.major, f.minor}},
                {"joints", joints},
                {"skeleton_joints", d.skeleton.jointCount()},
                {"sites_per_joint", d.field.layout.site_count},
                {"site_shape", d.field.layout.shape == FieldShape::ScaleRotation ? "scale-rotation" : "triangular"},
                {"max_influences", d.field.max_influences},
                {"parameter_bytes", f.parameter_bytes},
                {"parts", d.parts.size()},
                {"rigid_parts", f.rigid_parts},
                {"box", {{"min", corner(d.box.lo)}, {"max", corner(d.box.hi)}}},
                {"meters_per_unit", d.meters_per_unit},
                {"up_axis", std::string(1, d.up_axis)},
                {"table_bytes_per_vertex", f.bytes_per_vertex},
                {"break_even_vertices", f.break_even},
                {"provenance",
                 {{"tool", d.provenance.tool},
                  {"input", d.provenance.input},
                  {"input_sha256", d.provenance.input_sha256},
                  {"options", options}}}};
  j["warnings"] = toJson(warnings);
  return j;
}

std::string textOf(const FieldFacts& f, const FieldDocument& d, const Warnings& warnings) {
  std::string out = f.path + "\n";
  const auto line = [&](const std::string& key, const std::string& value) {
    out += "  " + key + std::string(12 - key.size(), ' ') + value + "\n";
  };
  const Vec3d size = d.box.size();
  line("format", "field file, version " + std::to_string(f.major) + "." + std::to_string(f.minor) + ", " +
                     text::grouped(f.bytes) + " bytes, " + text::grouped(f.parameter_bytes) + " of them parameters");
  line("cells", text::counted(d.joints.size(), "joint") + " of " +
                    text::grouped(static_cast<unsigned>(d.skeleton.jointCount())) + ", " +
                    text::counted(static_cast<unsigned>(d.field.layout.site_count), "site") + " each, at most " +
                    text::counted(static_cast<unsigned>(d.field.max_influences), "influence") + " at a point");
  line("parts", d.parts.empty() ? "none beside the field"
                                : text::counted(d.parts.size(), "part") + " listed, " + text::grouped(f.rigid_parts) +
                                      " with one row of weights");
  line("size", text::significant(size.x, 4) + " x " + text::significant(size.y, 4) + " x " +
                   text::significant(size.z, 4) + " in bind space, " + d.up_axis + " up; one unit is " +
                   text::significant(d.meters_per_unit, 4) + " m");
  line("saves", "a table of joints and weights takes " + std::to_string(f.bytes_per_vertex) +
                    " bytes for each vertex: as much as this file at " + text::counted(f.break_even, "vertex"));
  line("written by", d.provenance.tool.empty() ? "unknown" : d.provenance.tool);
  line("from", d.provenance.input.empty() ? "unknown" : d.provenance.input + ", SHA-256 " + d.provenance.input_sha256);
  out += "  joints\n";
  for (std::size_t i = 0; i < d.joints.size(); ++i) out += "    " + d.jointName(i) + "\n";
  out += warnings.empty() ? "  no problems found\n" : "  worth knowing\n";
  for (const Warning& w : warnings) out += "    - " + w.message + "\n";
  return out;
}

} // namespace

bool isFieldPath(const std::string& path) {
  return std::filesystem::path(path).extension() == ".skc";
}

Result<Document> inspectFieldFile(const std::string& path) {
  SKINCELLS_TRY(bytes, io::readFile(path));
  SKINCELLS_TRY(document, decodeField(bytes, path));
  const FieldFacts facts = study(path, bytes, document);
  const Warnings warnings = warningsOf(path, document);
  return Document{textOf(facts, document, warnings), print(jsonOf(facts, document, warnings))};
}

} // namespace skincells
