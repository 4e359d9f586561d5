// The documents that commands print: as text for people and as JSON (schema: docs/report.schema.json).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"

namespace skincells {

// From skincells/jobs/*_job.h and skincells/batch.h.
struct ApplyOutcome;
struct BatchOutcome;
struct BatchPlan;
struct BindOutcome;
struct CheckOutcome;
struct CompareOutcome;
struct InspectOutcome;
struct LodOutcome;
struct OutfitOutcome;
struct PoseOutcome;
struct SlurmOutcome;
struct TransferOutcome;

struct Document {
  std::string text;          // for a terminal
  std::string json;          // one document, indented, ends in a newline
  std::string warnings = {}; // the warnings of the text alone, a line each
};

struct DocumentOptions {
  // Judge the skin that `apply` or `transfer` wrote and put the verdict into the JSON. Takes a moment, so programs that
  // only print the text leave it out.
  bool measure_shape = true;
};

Document documentOf(const ApplyOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const BatchOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const std::vector<BatchPlan>& plan, const DocumentOptions& options = {});
Document documentOf(const BindOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const CheckOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const CompareOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const InspectOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const LodOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const OutfitOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const PoseOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const SlurmOutcome& outcome, const DocumentOptions& options = {});
Document documentOf(const TransferOutcome& outcome, const DocumentOptions& options = {});

// The error as a JSON document.
std::string errorJson(const Error& error);
// The error as a line for people, without the line end.
std::string errorText(const Error& error);
// A name as a line for people: control characters and what is not UTF-8 are escaped.
std::string printableName(std::string_view name);

} // namespace skincells
