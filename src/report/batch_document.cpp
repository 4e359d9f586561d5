#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "skincells/batch.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {
namespace {

constexpr std::size_t kMostFailures = 20; // listed as text

std::string failuresText(const BatchOutcome& outcome) {
  std::string out;
  std::size_t listed = 0;
  for (const BatchLine& line : outcome.lines)
    if (!line.is_done && listed++ < kMostFailures)
      out += "    " + text::printable(line.item) + ": " + line.error + ": " + text::printable(line.message) + "\n";
  if (listed > kMostFailures)
    out += "    and " + std::to_string(listed - kMostFailures) + " more (batch.csv lists all)\n";
  return out;
}

} // namespace

Document documentOf(const BatchOutcome& outcome, const DocumentOptions&) {
  const BatchCounts& counts = outcome.counts;
  std::map<std::string, std::size_t> errors, verdicts;
  double cpu = 0;
  for (const BatchLine& line : outcome.lines) {
    if (!line.is_done) ++errors[line.error];
    if (!line.verdict.empty()) ++verdicts[line.verdict];
    cpu += line.cpu_seconds;
  }
  report::Json j = report::heading("batch");
  j["output"] = {{"path", outcome.job.output}};
  j["run"] = outcome.job.command;
  j["options"] = report::optionsJson(report::valuesOf(batchOptionTable(), outcome.job.batch));
  if (outcome.job.shard) j["shard"] = {{"index", outcome.job.shard->index}, {"count", outcome.job.shard->count}};
  j["items"] = counts.items;
  j["done"] = counts.done;
  j["failed"] = counts.failed;
  j["not_run"] = outcome.missing.size();
  j["ran_now"] = counts.ran;
  j["verdicts"] = verdicts;
  j["errors"] = errors;
  j["seconds"] = counts.seconds;
  j["cpu_seconds"] = cpu;

  std::string text = text::printable(outcome.job.output) + ": " + text::counted(counts.items, "item") + ", " +
                     text::grouped(counts.done) + " done, " + text::grouped(counts.failed) + " failed";
  if (!outcome.missing.empty()) text += ", " + text::grouped(outcome.missing.size()) + " not run";
  text += "\n  run now: " + text::grouped(counts.ran) + " in " + text::fixed(counts.seconds, 1) + " s\n";
  for (const auto& [verdict, count] : verdicts) text += "  " + verdict + ": " + text::grouped(count) + "\n";
  if (counts.failed > 0) text += "  failed:\n" + failuresText(outcome);
  if (outcome.was_stopped) text += "  stopped; the same command goes on from here\n";
  return {text, report::print(j)};
}

Document documentOf(const std::vector<BatchPlan>& plan, const DocumentOptions&) {
  std::map<std::string, std::size_t> counts;
  report::Json items = report::Json::array();
  std::string text;
  for (const BatchPlan& p : plan) {
    const std::string what = p.reason.empty() ? "skip" : "run";
    ++counts[what];
    items.push_back({{"item", p.item.name}, {"input", p.item.input}, {"plan", what}, {"reason", p.reason}});
    if (!p.reason.empty()) text += "run  " + text::printable(p.item.name) + " (" + p.reason + ")\n";
  }
  report::Json j = report::heading("batch_plan");
  j["run"] = counts["run"];
  j["skip"] = counts["skip"];
  j["items"] = std::move(items);
  return {text + "would run " + text::counted(counts["run"], "item") + ", skip " + text::grouped(counts["skip"]) + "\n",
          report::print(j)};
}

Document documentOf(const SlurmOutcome& outcome, const DocumentOptions&) {
  report::Json j = report::heading("batch_slurm");
  j["items"] = outcome.items;
  j["tasks"] = outcome.shards;
  j["folder"] = outcome.folder;
  j["job_ids"] = outcome.job_ids;
  const std::string submit = text::printable(outcome.folder) + "/submit.sh";
  return {text::counted(outcome.items, "item") + " in " + text::counted(static_cast<unsigned>(outcome.shards), "task") +
              (outcome.job_ids.empty() ? "; submit with " + submit
                                       : "; submitted as jobs " + text::printable(outcome.job_ids)) +
              "\n",
          report::print(j)};
}

} // namespace skincells
