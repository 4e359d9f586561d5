// What applying a field did.
#include "base/assert.h"
#include "report/skin_summary.h"
#include "skincells/report.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

// What a field was applied to, be it a character or a cloud.
struct Subject {
  std::string path, format;
  const Character& character;
  const Warnings& warnings;
};

Document describe(const Subject& subject, const ApplySummary& summary) {
  const Character& c = subject.character;
  const ApplyResult& result = *summary.result;
  const Warnings warnings = joined(subject.warnings, result.warnings);
  Json j = heading("apply");
  j["input"] = fileJson(subject.path, subject.format, c);
  j["field"] = {{"path", summary.field_path}};
  j["field"].update(fieldJson(*summary.field));
  addRequest(j, summary, applyOptionTable(), summary.options);
  j["alignment"] = alignmentJson(result.alignment);
  j["max_influences"] = result.max_influences;
  j["rigid_parts"] = result.rigid_part_count;
  addSkin(j, summary, c, result.weights);
  j["warnings"] = toJson(warnings);
  j["seconds"] = result.seconds;

  std::string text = subject.path + " + " + summary.field_path + " -> " + summary.output_path + "\n  " +
                     weightsText(c, result.weights, "follow", result.seconds);
  text += alignmentText(result.alignment);
  if (result.rigid_part_count > 0)
    text += "  " + text::counted(static_cast<unsigned>(result.rigid_part_count), "part") + " moved as one piece\n";
  return {text + warningsText(warnings), print(j)};
}

} // namespace

Document applyDocument(const ApplySummary& summary) {
  SKINCELLS_ASSERT(summary.field != nullptr && summary.result != nullptr);
  if (const auto* cloud = std::get_if<const PointCloudFile*>(&summary.input)) {
    const PointCloudFile& file = **cloud;
    const Character character = characterOfCloud(file, *summary.field);
    return describe({file.info().path, file.info().format, character, file.warnings()}, summary);
  }
  const CharacterFile* file = std::get<const CharacterFile*>(summary.input);
  SKINCELLS_ASSERT(file != nullptr);
  return describe({file->info().path, file->info().format, file->character(), file->warnings()}, summary);
}

} // namespace skincells
