#include "report/skin_summary.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "text/printable.h"
#include "text/table.h"

namespace skincells::report {

Json fileJson(const std::string& path, const std::string& format, const Character& character) {
  return {{"path", path},
          {"format", format},
          {"vertices", character.mesh.vertexCount()},
          {"triangles", character.mesh.triangles.size()},
          {"joints", character.skeleton.jointCount()}};
}

Json fileJson(const CharacterFile& file) {
  return fileJson(file.info().path, file.info().format, file.character());
}

namespace {

long usedJoints(const WeightStatistics& statistics) {
  return std::count_if(statistics.mass_of_joint.begin(), statistics.mass_of_joint.end(),
                       [](double m) { return m > 0; });
}

} // namespace

Json weightsJson(const SparseWeights& weights, int joint_count) {
  const WeightStatistics statistics = weightStatistics(weights, joint_count);
  Json out = toJson(statistics);
  out["joints_used"] = usedJoints(statistics);
  return out;
}

std::string weightsText(const Character& character, const SparseWeights& weights, const std::string& verb,
                        double seconds) {
  const int joint_count = character.skeleton.jointCount();
  const WeightStatistics statistics = weightStatistics(weights, joint_count);
  return text::counted(character.mesh.vertexCount(), "vertex") + " " + verb + " " +
         std::to_string(usedJoints(statistics)) + " of " + text::counted(static_cast<unsigned>(joint_count), "joint") +
         ", at most " + text::counted(static_cast<unsigned>(statistics.max_influences), "influence") + " (mean " +
         text::fixed(statistics.mean_influences, 2) + "), " + text::fixed(seconds, 2) + " s\n";
}

Json garmentsJson(const std::vector<GarmentOutcome>& garments) {
  Json out = Json::array();
  for (const GarmentOutcome& g : garments) {
    Json skins = Json::array();
    for (const GarmentOutcome::Skin& s : g.skins)
      skins.push_back({{"method", s.method},
                       {"inside_percent", s.quality.penetration.vertex_percent},
                       {"mean_depth_percent", s.quality.penetration.mean_depth},
                       {"max_depth_percent", s.quality.penetration.max_depth},
                       {"stretch_p99", s.quality.stretch_p99},
                       {"asymmetry", s.quality.asymmetry}});
    out.push_back({{"name", g.name},
                   {"places", g.places},
                   {"poses", g.poses},
                   {"own_joints", g.own_joints},
                   {"skins", std::move(skins)}});
  }
  return out;
}

std::string garmentsText(const std::vector<GarmentOutcome>& garments) {
  std::string out;
  for (const GarmentOutcome& g : garments) {
    out += "  garment " + text::printable(g.name) + ", " +
           text::counted(static_cast<unsigned>(g.own_joints), "own joint") + ", in " +
           text::counted(static_cast<unsigned>(g.poses), "pose") + ":\n";
    for (const GarmentOutcome::Skin& s : g.skins)
      out += "    " + text::printable(s.method) + ": " + text::fixed(s.quality.penetration.vertex_percent, 2) +
             " % of vertices inside the body, " + text::fixed(s.quality.penetration.mean_depth, 2) +
             " % of its size deep, stretch p99 " + text::fixed(s.quality.stretch_p99, 2) + ", asymmetry " +
             text::fixed(s.quality.asymmetry, 3) + "\n";
  }
  return out;
}

std::string verdictText(const Verdict& verdict) {
  std::string text = std::string("  verdict: ") + gradeName(verdict.grade) + " (" + verdict.poses + ")\n";
  for (const Finding* f : verdict.reasons()) {
    const Threshold& t = f->threshold;
    const bool bad = f->grade == Grade::Bad;
    text += std::string("    ") + gradeName(f->grade) + ": " + t.label + ": " + text::fixed(f->value, t.digits) +
            (bad ? ", bad beyond " : ", good up to ") + text::fixed(bad ? t.bad : t.good, t.digits);
    if (!f->where.empty()) text += ", most at " + text::printable(f->where);
    text += "; " + t.advice + "\n";
  }
  return text;
}

std::string warningsText(const Warnings& warnings, const std::string& indent) {
  std::string text;
  for (const Warning& w : warnings)
    text += indent + "warning: " + text::printable((w.where.empty() ? "" : w.where + ": ") + w.message) + "\n";
  return text;
}

void addRequest(Json& j, const std::string& output, OptionValues command_options, const WriteOptions& write) {
  j["output"] = {{"path", output}};
  j["options"] = optionsJson(command_options);
  j["options"].update(optionsJson(valuesOf(writeOptionTable(), write)));
}

void addSkin(Json& j, const Character& character, const SparseWeights& weights, const DocumentOptions& options) {
  j["weights"] = weightsJson(weights, character.skeleton.jointCount());
  if (options.measure_shape) j["verdict"] = toJson(judgeSkin(character, weights));
}

Warnings joined(Warnings of_file, const Warnings& of_work) {
  of_file.insert(of_file.end(), of_work.begin(), of_work.end());
  return of_file;
}

Json fieldJson(const FieldDocument& document) {
  const auto rigid =
      std::count_if(document.parts.begin(), document.parts.end(), [](const FieldPart& part) { return part.rigid(); });
  return {{"joints", document.field.layout.joint_count},
          {"sites", document.field.layout.site_count},
          {"max_influences", document.field.max_influences},
          {"rigid_parts", rigid},
          {"tool", document.provenance.tool},
          {"input", document.provenance.input},
          {"input_sha256", document.provenance.input_sha256}};
}

Json writtenFieldJson(const FieldDocument& document, const WrittenField& written) {
  Json j{{"path", written.options.field},
         {"embedded", written.options.embed_field},
         {"bytes", written.bytes},
         {"table_bytes", written.table_bytes},
         {"times_smaller", static_cast<double>(written.table_bytes) / static_cast<double>(written.bytes)}};
  j.update(fieldJson(document));
  return j;
}

std::string writtenFieldText(const WrittenField& written) {
  const std::string where =
      written.options.field.empty() ? " in the file" : ": " + text::printable(written.options.field);
  return "  field" + where + ", " + text::grouped(written.bytes) + " bytes; joints and weights of the vertices take " +
         text::grouped(written.table_bytes) + " (" +
         text::fixed(static_cast<double>(written.table_bytes) / static_cast<double>(written.bytes), 1) +
         " times as much)\n";
}

Json alignmentJson(const Alignment& alignment) {
  return {{"scale", alignment.scale},
          {"rotation_degrees", alignment.rotation_degrees},
          {"residual_percent", alignment.residual_percent},
          {"identity", alignment.field_from_mesh == Affine{}}};
}

std::string alignmentText(const Alignment& alignment) {
  if (alignment.field_from_mesh == Affine{}) return "";
  return "  aligned by its joints: scaled by " + text::significant(alignment.scale, 4) + ", turned by " +
         text::fixed(alignment.rotation_degrees, 1) + " degrees, joints " + text::fixed(alignment.residual_percent, 2) +
         " % of the skeleton's size off\n";
}

std::size_t tableBytes(const SparseWeights& weights, int joint_count, QuantizeChoice quantize) {
  const std::size_t slots = weights.slots > 4 ? 8 : 4, joint = joint_count > 256 ? 2 : 1;
  std::size_t weight = weights.slots > 4 ? 4 : 2;
  if (quantize == QuantizeChoice::U8) weight = 1;
  if (quantize == QuantizeChoice::U16) weight = 2;
  if (quantize == QuantizeChoice::F32) weight = 4;
  return weights.vertexCount() * slots * (joint + weight);
}

} // namespace skincells::report
