#include "capi/results.h"

#include <limits>

#include "capi/option_sets.h"
#include "skincells/jobs/apply_job.h"
#include "skincells/jobs/bind_job.h"
#include "skincells/jobs/transfer_job.h"
#include "skincells/report.h"
#include "skincells/threads.h"

namespace skincells::capi {
namespace {

std::string nameOf(const Figure& figure) {
  return figure.file ? figure.file->info().path : figure.character->name;
}

FieldDocument describe(const Figure& figure, const BindResult& bound, const BindOptions& options, Warnings& warnings) {
  FieldDocument document = describeField(*figure.character, bound, warnings);
  document.meters_per_unit = figure.meters_per_unit;
  document.up_axis = figure.up_axis;
  document.provenance.input = nameOf(figure);
  for (const auto& option : bindOptionTable())
    document.provenance.options.emplace_back(option.name, option.get(options));
  return document;
}

std::shared_ptr<Weighted> bindFigure(std::shared_ptr<const Figure> figure, const BindOptions& options,
                                     const ProgressFunction& progress) {
  BindResult bound = valueOf(bind(*figure->character, options, progress));
  auto out = std::make_shared<Weighted>();
  if (bound.field) out->field = describe(*figure, bound, options, bound.report.warnings);
  out->warnings = bound.report.warnings;
  out->stop_reason = bound.report.stop_reason;
  out->figure = std::move(figure);
  out->bound = std::make_shared<const BindResult>(std::move(bound));
  out->report = [options](const Weighted& self) {
    BindJob job;
    job.input = nameOf(*self.figure);
    job.bind = options;
    Verdict verdict = judgeSkin(*self.figure->character, self.bound->weights);
    return documentOf(BindOutcome{job, self.figure->fileWith(self.rows()), *self.bound, {}, 0, std::move(verdict)})
        .json;
  };
  return out;
}

std::shared_ptr<Weighted> transferFigure(const std::shared_ptr<const Figure>& source,
                                         std::shared_ptr<const Figure> target, const TransferOptions& options,
                                         const ProgressFunction& progress) {
  TransferResult result = valueOf(transferSkin(*source->character, *target->character, options, progress));
  auto out = std::make_shared<Weighted>();
  out->weights = result.weights;
  out->warnings = result.warnings;
  out->field = result.field;
  out->figure = std::move(target);
  out->report = [options, source, result = std::move(result)](const Weighted& self) {
    TransferJob job;
    job.source = nameOf(*source);
    job.target = nameOf(*self.figure);
    job.transfer = options;
    return documentOf(
               TransferOutcome{job, source->skinnedFile("source"), self.figure->fileWith(self.rows()), result, 0})
        .json;
  };
  return out;
}

std::shared_ptr<Weighted> applyToFigure(const std::shared_ptr<const FieldObject>& field,
                                        std::shared_ptr<const Figure> figure, const ApplyOptions& options) {
  ApplyResult result = valueOf(applyField(field->document, *figure->character, options));
  auto out = std::make_shared<Weighted>();
  out->weights = result.weights;
  out->warnings = result.warnings;
  out->figure = std::move(figure);
  out->report = [options, field, result = std::move(result)](const Weighted& self) {
    ApplyJob job;
    job.input = nameOf(*self.figure);
    job.apply = options;
    return documentOf(ApplyOutcome{job, field->document, self.figure->fileWith(self.rows()), result}).json;
  };
  return out;
}

} // namespace

const Figure& Weighted::mesh() const {
  if (!figure) failArgument("these are weights of points, which have no mesh and no report", "result");
  return *figure;
}

Control::Control(const skincells_control* control) {
  if (control != nullptr) control_ = taken(control, "control");
  if (control_.threads < 0) failArgument("threads must be positive, or 0 for no limit", "control");
}

ProgressFunction Control::progress() const {
  if (control_.progress == nullptr) return {};
  return [function = control_.progress, user = control_.user](const Progress& p) {
    const std::string stage(p.stage);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const skincells_progress state{sizeof state, stage.c_str(), p.fraction, p.loss.value_or(kNone),
                                   p.seconds_left.value_or(kNone)};
    const int answer = function(user, &state);
    if (answer == SKINCELLS_DISCARD) throw Failure(SKINCELLS_CANCELLED, "stopped, and its result discarded", "");
    return answer == SKINCELLS_GO_ON;
  };
}

} // namespace skincells::capi

using namespace skincells::capi;

skincells_code skincells_bind(skincells_context* context, skincells_character character, skincells_options options,
                              const skincells_control* control, skincells_result* result) {
  return call(context, [&](skincells_context& c) {
    required(result, "result");
    const Control wanted(control);
    const skincells::ThreadLimit limit(wanted.threads());
    *result = c.add(bindFigure(c.get<Figure>(character, "character"), valuesOf<skincells::BindOptions>(c, options),
                               wanted.progress()));
  });
}

skincells_code skincells_transfer(skincells_context* context, skincells_character source, skincells_character target,
                                  skincells_options options, const skincells_control* control,
                                  skincells_result* result) {
  return call(context, [&](skincells_context& c) {
    required(result, "result");
    const Control wanted(control);
    const skincells::ThreadLimit limit(wanted.threads());
    *result = c.add(transferFigure(c.get<Figure>(source, "source"), c.get<Figure>(target, "target"),
                                   valuesOf<skincells::TransferOptions>(c, options), wanted.progress()));
  });
}

skincells_code skincells_apply(skincells_context* context, skincells_field field, skincells_character character,
                               skincells_options options, skincells_result* result) {
  return call(context, [&](skincells_context& c) {
    required(result, "result");
    *result = c.add(applyToFigure(c.get<FieldObject>(field, "field"), c.get<Figure>(character, "character"),
                                  valuesOf<skincells::ApplyOptions>(c, options)));
  });
}

skincells_code skincells_result_get(skincells_context* context, skincells_result result, skincells_result_view* view) {
  return call(context, [&](skincells_context& c) {
    const auto r = c.get<Weighted>(result, "result");
    const skincells::SparseWeights& w = r->rows();
    fill(view,
         {0, w.vertexCount(), static_cast<size_t>(w.slots), w.joints.data(), w.weights.data(), r->warnings.size(),
          r->stop_reason.c_str(), r->field ? 1 : 0,
          r->bound && !r->bound->confidence.empty() ? r->bound->confidence.data() : nullptr},
         "view");
  });
}

skincells_code skincells_result_warning(skincells_context* context, skincells_result result, size_t index,
                                        skincells_error* warning) {
  return call(context, [&](skincells_context& c) {
    const auto r = c.get<Weighted>(result, "result");
    if (index >= r->warnings.size())
      failArgument("there are " + std::to_string(r->warnings.size()) + " warnings", "index");
    const skincells::Warning& w = r->warnings[index];
    fill(warning, {0, SKINCELLS_OK, w.code.c_str(), w.message.c_str(), w.where.c_str()}, "warning");
  });
}

skincells_code skincells_result_report(skincells_context* context, skincells_result result, skincells_bytes* json) {
  return call(context, [&](skincells_context& c) {
    required(json, "json");
    const auto r = c.get<Weighted>(result, "result");
    r->mesh();
    *json = addBytes(c, r->report(*r));
  });
}

skincells_code skincells_result_field(skincells_context* context, skincells_result result, skincells_field* field) {
  return call(context, [&](skincells_context& c) {
    const auto r = c.get<Weighted>(result, "result");
    if (!r->field)
      throw Failure(SKINCELLS_UNSUPPORTED_FEATURE,
                    "this result has no field: only method skin-cells and transfer via field make one, and not if the "
                    "guard fell back to proximity",
                    "result");
    required(field, "field") = c.add(std::make_shared<FieldObject>(*r->field));
  });
}

skincells_code skincells_result_character(skincells_context* context, skincells_result result,
                                          skincells_character* character) {
  return call(context, [&](skincells_context& c) {
    const auto r = c.get<Weighted>(result, "result");
    required(character, "character") = c.add(r->mesh().withWeights(r->rows()));
  });
}
