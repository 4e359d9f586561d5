// Checks a JSON document against a schema: the part of JSON Schema that docs/report.schema.json uses.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace skincells::test {

// What is wrong, each with its place; empty: the document is valid. Understands type, const, enum, properties,
// required, additionalProperties (true or false), items, oneOf and $ref to "#/$defs/...". An unknown keyword counts as
// an error, so that a schema cannot promise more than is tested.
std::vector<std::string> schemaErrors(const nlohmann::json& schema, const nlohmann::json& document);

} // namespace skincells::test
