#include "skincells/io/field_file.h"

#include <algorithm>
#include <filesystem>

#include "base/checksum.h"
#include "base/read_file.h"
#include "base/try.h"
#include "io/gltf/document.h"
#include "io/skc/embedded_field.h"
#include "io/skc/format.h"

namespace skincells {

Result<FieldDocument> readFieldFile(const std::string& path) {
  SKINCELLS_TRY(bytes, readFile(path));
  const bool is_field = std::equal(
      bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), io::kFieldMagic.size())),
      io::kFieldMagic.begin());
  if (is_field) return decodeField(bytes, path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  auto document = io::loadDocument(bytes, path, folder.empty() ? "." : folder);
  if (!document)
    return Error{ErrorCode::InvalidFile,
                 "is neither a field file (bind --field) nor a glTF file with a field (bind --embed-field)", path};
  SKINCELLS_TRY(embedded, io::embeddedField(document->json, path));
  return decodeField(embedded, path + "#/extras/" + io::kEmbeddedFieldKey);
}

Result<std::string> hashOfFile(const std::string& path) {
  SKINCELLS_TRY(bytes, readFile(path));
  return sha256(bytes);
}

const OptionTable<FieldOutputOptions>& fieldOutputOptionTable() {
  static const OptionTable<FieldOutputOptions> table{
      options::text("field", &FieldOutputOptions::field, "a file",
                    "also write the field (.skc), to skin other meshes of this character with 'skincells apply'"),
      options::flag("embed-field", &FieldOutputOptions::embed_field,
                    "also embed the field in the written character, in the extras of the document"),
  };
  return table;
}

} // namespace skincells
