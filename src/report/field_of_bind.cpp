// A bind's field with where it came from.
#include <filesystem>

#include "base/try.h"
#include "skincells/report.h"

namespace skincells {

Result<FieldDocument> fieldOfBind(const CharacterFile& file, const BindOptions& options, BindResult& result) {
  if (!result.field)
    return Error{ErrorCode::InvalidOption,
                 "this bind has no field to write: its weights are per vertex (another method, or --ablation vertex)",
                 "--field"};
  SKINCELLS_TRY(hash, hashOfFile(file.info().path));
  FieldDocument document = describeField(file.character(), result, result.report.warnings);
  document.meters_per_unit = file.info().meters_per_unit;
  document.up_axis = file.info().up_axis;
  document.provenance.input = std::filesystem::path(file.info().path).filename().string();
  document.provenance.input_sha256 = std::move(hash);
  const BindOptions resolved = resolveOptions(options);
  for (const auto& option : bindOptionTable())
    document.provenance.options.emplace_back(option.name, option.get(resolved));
  return document;
}

} // namespace skincells
