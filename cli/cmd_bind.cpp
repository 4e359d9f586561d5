#include "commands.h"
#include "ending.h"
#include "skincells/jobs/outfit_job.h"
#include "skincells/viz/bind_pages_job.h"

namespace skincells::cli {
namespace {

int codeOf(const BindOutcome& outcome) {
  if (outcome.result.report.stoppedEarly()) return kStoppedEarly;
  return fails(outcome.verdict.grade, outcome.job.verdict.fail_on) ? kGateFailed : kDone;
}

// Several garments over one body.
int runOutfit(const CommonOptions& common, const BindPagesJob& pages, const std::vector<std::string>& outer) {
  const OutfitJob job{pages.bind, outer};
  return runCommand(common, filesOf(job), [&](OutputSet& outputs) -> Result<Printed> {
    if (!pages.page.empty() || !pages.view.empty())
      return Error{ErrorCode::InvalidOption, "shows one garment; show the results with 'skincells view' or 'report'",
                   pages.page.empty() ? "--view" : "--report-page"};
    const auto outcome = run(job, outputs, stoppable(progressBar(common.silent())));
    if (!outcome) return outcome.error();
    Printed printed{documentOf(*outcome, {.measure_shape = common.wantsDocument()})};
    for (const BindOutcome& garment : outcome->garments) printed.code = std::max(printed.code, codeOf(garment));
    return printed;
  });
}

} // namespace

Run setUpBind(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<BindPagesJob>>();
  auto outer = std::make_shared<std::vector<std::string>>();
  BindJob& job = command->job.bind;
  options
      .text("input", job.input,
            "the character file (.glb, .gltf, .vrm, .fbx, .obj, .dae, ...), or a point cloud (.ply) with --rig")
      .required();
  options.texts("outer", *outer,
                "further garments, worn over the input and over those before them; then --output is a folder");
  options.text("-o,--output", job.output, "the skinned character to write (.glb, .gltf, .vrm; point clouds: .ply)")
      .required();
  options.text("--start", job.start,
               "a field of a character with the same skeleton to start from, in half the steps [default: none]");
  options.flag(
      "--same-shape", job.same_shape,
      "with --start: the character has nearly the shape of that one, so that its weights take the place of the "
      "guess; a third faster, less exact, and without confidence [default: off]");
  options.text("--report-page", command->job.page, "also write a report page (one HTML file with pictures)");
  options.text("--view", command->job.view,
               "also write the viewer page with the result and its skin cells inside (HTML)");
  options.table(bindOptionTable(), job.bind);
  options.table(wearOptionTable(), job.wear);
  options.table(garmentOptionTable(), job.garment);
  options.table(fieldOutputOptionTable(), job.field);
  options.table(readOptionTable(), job.read);
  options.table(writeOptionTable(), job.write);
  options.table(verdictOptionTable(), job.verdict);
  options.common(command->common);
  Run run = runnerOf<BindPagesJob>(command, codeOf);
  return [command, outer, run = std::move(run)] {
    if (command->job.bind.bind.on_interrupt == InterruptChoice::Keep) askToStopOnSignals();
    return outer->empty() ? run() : runOutfit(command->common, command->job, *outer);
  };
}

} // namespace skincells::cli
