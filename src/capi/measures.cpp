#include <algorithm>
#include <functional>

#include "capi/option_sets.h"
#include "capi/results.h"
#include "skincells/jobs/check_job.h"
#include "skincells/jobs/compare_job.h"
#include "skincells/report.h"
#include "skincells/skincells_c.h"
#include "skincells/threads.h"
#include "skincells/verdict.h"
#include "skincells/viz/image.h"
#include "skincells/viz/render_job.h"
#include "skincells/viz/viewer_page.h"

using namespace skincells::capi;

namespace {

// Over the random poses; over the clips if there are none.
skincells_metrics metricsOf(const skincells::Comparison& comparison) {
  skincells_metrics m{};
  m.half_l1 = comparison.half_l1;
  m.unweighted_vertices = comparison.unweighted_vertices;
  m.max_influences = static_cast<size_t>(comparison.max_influences);
  if (comparison.sets.empty()) return m;
  const skincells::PoseSetComparison& set = comparison.sets.front();
  m.pose_count = static_cast<size_t>(set.pose_count);
  m.error_rms = set.error.rms;
  m.error_p95 = set.error.p95;
  m.error_max = set.error.max;
  m.stretch_rms = set.shape.stretch_rms;
  m.stretch_p99 = set.shape.stretch_p99;
  m.extreme_edges_percent = set.shape.extreme_edges_percent;
  m.flipped_percent = set.shape.flipped_percent;
  m.volume_percent = set.shape.volume_percent;
  m.tear_percent = set.shape.tear_percent;
  return m;
}

// Findings worst first.
struct Judged : Object {
  skincells::Verdict verdict;

  explicit Judged(skincells::Verdict v) : verdict(std::move(v)) {
    std::ranges::stable_sort(verdict.findings, std::greater{}, &skincells::Finding::grade);
  }
  const char* kind() const override { return "verdict"; }
};

int32_t gradeOf(skincells::Grade grade) {
  static_assert(static_cast<int>(skincells::Grade::Good) == SKINCELLS_GOOD);
  static_assert(static_cast<int>(skincells::Grade::Look) == SKINCELLS_LOOK);
  static_assert(static_cast<int>(skincells::Grade::Bad) == SKINCELLS_BAD);
  return static_cast<int32_t>(grade);
}

} // namespace

skincells_code skincells_judge(skincells_context* context, skincells_character character, const char* gate,
                               skincells_verdict* verdict) {
  return call(context, [&](skincells_context& c) {
    required(verdict, "verdict");
    const auto figure = c.get<Figure>(character, "character");
    if (figure->character->weights.empty())
      throw Failure(SKINCELLS_MISMATCH, "the character has no weights; bind it first", "character");
    const skincells::Gate thresholds = valueOf(skincells::readGate(gate == nullptr ? "" : gate));
    *verdict = c.add(
        std::make_shared<Judged>(skincells::judgeSkin(*figure->character, figure->character->weights, thresholds)));
  });
}

skincells_code skincells_verdict_get(skincells_context* context, skincells_verdict verdict,
                                     skincells_verdict_view* view) {
  return call(context, [&](skincells_context& c) {
    const auto judged = c.get<Judged>(verdict, "verdict");
    const skincells::Verdict& v = judged->verdict;
    fill(view, {0, gradeOf(v.grade), skincells::gradeName(v.grade), v.poses.c_str(), v.findings.size()}, "view");
  });
}

skincells_code skincells_verdict_finding(skincells_context* context, skincells_verdict verdict, size_t index,
                                         skincells_finding* finding) {
  return call(context, [&](skincells_context& c) {
    const auto judged = c.get<Judged>(verdict, "verdict");
    const auto& findings = judged->verdict.findings;
    if (index >= findings.size()) failArgument("there are " + std::to_string(findings.size()) + " findings", "index");
    const skincells::Finding& f = findings[index];
    fill(finding,
         {0, gradeOf(f.grade), f.threshold.name.c_str(), f.threshold.label.c_str(), f.where.c_str(),
          f.threshold.advice.c_str(), f.value, f.threshold.good, f.threshold.bad},
         "finding");
  });
}

skincells_code skincells_compare(skincells_context* context, skincells_character reference, skincells_character other,
                                 skincells_options options, skincells_metrics* metrics, skincells_bytes* json) {
  return call(context, [&](skincells_context& c) {
    const auto a = c.get<Figure>(reference, "reference"), b = c.get<Figure>(other, "other");
    skincells::CompareOutcome outcome;
    outcome.job.compare = valuesOf<skincells::CompareOptions>(c, options);
    const skincells::CharacterFile first = a->skinnedFile("reference"), second = b->skinnedFile("other");
    outcome.result = valueOf(skincells::compareSkins(first, {&second}, outcome.job.compare));
    if (metrics != nullptr) fill(metrics, metricsOf(outcome.result.others.front().result), "metrics");
    if (json != nullptr) *json = addBytes(c, skincells::documentOf(outcome).json);
  });
}

skincells_code skincells_check(skincells_context* context, skincells_character character, skincells_options options,
                               int32_t* passed, skincells_bytes* json) {
  return call(context, [&](skincells_context& c) {
    const auto figure = c.get<Figure>(character, "character");
    const skincells::CheckJob job{figure->character->name, valuesOf<skincells::CheckOptions>(c, options)};
    const auto outcome = valueOf(skincells::checkFile(job, figure->skinnedFile("character")));
    required(passed, "passed") = outcome.passed ? 1 : 0;
    if (json != nullptr) *json = addBytes(c, skincells::documentOf(outcome).json);
  });
}

skincells_code skincells_render(skincells_context* context, skincells_character character, skincells_options options,
                                skincells_bytes* png) {
  return call(context, [&](skincells_context& c) {
    required(png, "png");
    const skincells::CharacterFile file = c.get<Figure>(character, "character")->skinnedFile("character");
    const skincells::Image image =
        valueOf(skincells::renderSheet(file, {}, valuesOf<skincells::RenderSheetOptions>(c, options)));
    const std::vector<std::uint8_t> bytes = skincells::encodePng(image);
    *png = addBytes(c, std::string(bytes.begin(), bytes.end()));
  });
}

skincells_code skincells_view(skincells_context* context, skincells_handle subject, skincells_options options,
                              skincells_bytes* html) {
  return call(context, [&](skincells_context& c) {
    required(html, "html");
    const auto wanted = valuesOf<skincells::ViewOptions>(c, options);
    const auto result = std::dynamic_pointer_cast<Weighted>(c.find(subject, "subject"));
    const skincells::CharacterFile file =
        result ? result->mesh().fileWith(result->rows()) : c.get<Figure>(subject, "subject")->skinnedFile("subject");
    skincells::ViewCharacter shown;
    shown.file = &file;
    shown.bound = result ? result->bound.get() : nullptr;
    *html = addBytes(c, valueOf(skincells::viewerPage({shown}, wanted)));
  });
}

skincells_code skincells_run(skincells_context* context, skincells_options options, const skincells_control* control,
                             skincells_bytes* json) {
  return call(context, [&](skincells_context& c) {
    const Control wanted(control);
    const skincells::ThreadLimit limit(wanted.threads());
    std::string document = c.get<OptionSet>(options, "options")->run(wanted.progress());
    if (json != nullptr) *json = addBytes(c, std::move(document));
  });
}
