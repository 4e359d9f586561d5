// Field files (.skc); docs/field-file.md specifies the format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "skincells/field_document.h"
#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells {

// The bytes of a field file. The document must be consistent (as `describeField` makes it).
std::vector<std::uint8_t> encodeField(const FieldDocument& document);

// Decodes a field file; `name` is used for it in messages. The result is checked: counts fit, indices are in range,
// numbers are finite.
Result<FieldDocument> decodeField(std::span<const std::uint8_t> bytes, const std::string& name);

// Reads a field file, or the field embedded in a glTF file (.glb, .gltf, .vrm).
Result<FieldDocument> readFieldFile(const std::string& path);

// SHA-256 of a file's bytes in hexadecimal, as `sha256sum` prints it.
Result<std::string> hashOfFile(const std::string& path);

// Where to write a field besides the character.
struct FieldOutputOptions {
  std::string field;        // where to write the field file; empty: nowhere
  bool embed_field = false; // also embed it in the written character, in the document's extras

  bool wanted() const { return !field.empty() || embed_field; }
};
const OptionTable<FieldOutputOptions>& fieldOutputOptionTable();

// An encoded field and where to write it.
struct FieldOutput {
  FieldOutputOptions options;
  std::vector<std::uint8_t> bytes; // from encodeField
};

} // namespace skincells
