#include "skincells/jobs/bind_job.h"

#include <filesystem>

#include "base/try.h"
#include "skincells/apply.h"
#include "skincells/io/field_file.h"

namespace skincells {

Result<FieldDocument> fieldOfBind(const CharacterFile& file, const BindOptions& options, BindResult& result) {
  if (!result.field)
    return Error{ErrorCode::InvalidOption, "this bind has no field to write: the guard fell back to proximity",
                 "--field"};
  SKINCELLS_TRY(hash, hashOfFile(file.info().path));
  FieldDocument document = describeField(file.character(), result, result.report.warnings);
  document.meters_per_unit = file.info().meters_per_unit;
  document.up_axis = file.info().up_axis;
  document.provenance.input = std::filesystem::path(file.info().path).filename().string();
  document.provenance.input_sha256 = std::move(hash);
  for (const auto& option : bindOptionTable())
    document.provenance.options.emplace_back(option.name, option.get(options));
  return document;
}

} // namespace skincells
