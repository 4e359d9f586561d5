// What documents about written skins have in common.
#pragma once

#include <cstddef>
#include <string>

#include "report/json_text.h"
#include "skincells/apply.h"
#include "skincells/io/character_file.h"
#include "skincells/io/field_file.h"
#include "skincells/jobs/wear.h"
#include "skincells/report.h"

namespace skincells::report {

// {"path", "format", "vertices", "triangles", "joints"}
Json fileJson(const std::string& path, const std::string& format, const Character& character);
Json fileJson(const CharacterFile& file);

// Statistics of the weights, with "joints_used".
Json weightsJson(const SparseWeights& weights, int joint_count);

// "1,200 vertices bound to 30 of 31 joints, at most 4 influences (mean 1.23), 0.12 s\n"
std::string weightsText(const Character& character, const SparseWeights& weights, const std::string& verb,
                        double seconds);

// "  verdict: look at it\n" and a line for each reason.
std::string verdictText(const Verdict& verdict);

// Garments and their skins; the text has a line for each skin.
Json garmentsJson(const std::vector<GarmentOutcome>& garments);
std::string garmentsText(const std::vector<GarmentOutcome>& garments);

// "  warning: where: ...\n" for each.
std::string warningsText(const Warnings& warnings, const std::string& indent = "  ");

// "output" and "options": the options of the command, then those of writing.
void addRequest(Json& j, const std::string& output, OptionValues command_options, const WriteOptions& write);

// "weights" and, if the options ask for it, "verdict".
void addSkin(Json& j, const Character& character, const SparseWeights& weights, const DocumentOptions& options);

// The warnings of a file, then those of the work on it.
Warnings joined(Warnings of_file, const Warnings& of_work);

// {"joints", "sites", "max_influences", "rigid_parts"} and the provenance.
Json fieldJson(const FieldDocument& document);

// A field that was written. `table_bytes` is the size of the weights that it replaces, for comparison.
struct WrittenField {
  FieldOutputOptions options;
  std::size_t bytes = 0, table_bytes = 0;
};
Json writtenFieldJson(const FieldDocument& document, const WrittenField& written);
std::string writtenFieldText(const WrittenField& written);

// The alignment of two spaces; the text is empty if they are equal.
Json alignmentJson(const Alignment& alignment);
std::string alignmentText(const Alignment& alignment);

// Size of joints and weights in a file, one row per vertex.
std::size_t tableBytes(const SparseWeights& weights, int joint_count, QuantizeChoice quantize);

} // namespace skincells::report
