// What the documents of commands that write a skin have in common.
#pragma once

#include <cstddef>
#include <string>

#include "report/json_text.h"
#include "skincells/apply.h"
#include "skincells/io/character_file.h"
#include "skincells/report.h"

namespace skincells::report {

// {"path", "format", "vertices", "triangles", "joints"}
Json fileJson(const std::string& path, const std::string& format, const Character& character);
Json fileJson(const CharacterFile& file);

// Statistics of the weights, with "joints_used".
Json weightsJson(const SparseWeights& weights, int joint_count);

// Shape of the mesh in a few random poses.
Json posedShapeJson(const Character& character, const SparseWeights& weights);

// "1,200 vertices bound to 30 of 31 joints, at most 4 influences (mean 1.23), 0.12 s\n"
std::string weightsText(const Character& character, const SparseWeights& weights, const std::string& verb,
                        double seconds);

// "  warning: where: ...\n" for each.
std::string warningsText(const Warnings& warnings, const std::string& indent = "  ");

// What was asked for and where the skin went: "output", "options".
template <class T> void addRequest(Json& j, const WrittenSkin& written, const OptionTable<T>& table, const T& values) {
  j["output"] = {{"path", written.output_path}};
  j["options"] = optionsJson(table, values);
  j["options"].update(optionsJson(writeOptionTable(), written.write_options));
}

// What came of it: "weights" and, where it is wanted, "posed_shape".
void addSkin(Json& j, const WrittenSkin& written, const Character& character, const SparseWeights& weights);

// The warnings of a file, then those of the work on it.
Warnings joined(Warnings of_file, const Warnings& of_work);

// {"joints", "sites", "max_influences", "rigid_parts"} and where it came from.
Json fieldJson(const FieldDocument& document);

// The same for a field that was written, with its size against `table_bytes`.
Json writtenFieldJson(const FieldDocument& document, const FieldOutput& output, std::size_t table_bytes);
std::string writtenFieldText(const FieldOutput& output, std::size_t table_bytes);

// How one space was found to lie in another; the text is empty where they are one.
Json alignmentJson(const Alignment& alignment);
std::string alignmentText(const Alignment& alignment);

// The bytes that joints and weights take in a file, one row per vertex.
std::size_t tableBytes(const SparseWeights& weights, int joint_count, QuantizeChoice quantize);

} // namespace skincells::report
