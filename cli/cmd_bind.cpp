#include "commands.h"
#include "ending.h"
#include "skincells/viz/bind_pages_job.h"

namespace skincells::cli {

Run setUpBind(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<BindPagesJob>>();
  BindJob& job = command->job.bind;
  options
      .text("input", job.input,
            "the character file (.glb, .gltf, .vrm, .fbx, .obj, .dae, ...), or a point cloud (.ply) with --rig")
      .required();
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
  Run run = runnerOf<BindPagesJob>(command, [](const BindOutcome& outcome) {
    if (outcome.result.report.stoppedEarly()) return kStoppedEarly;
    return fails(outcome.verdict.grade, outcome.job.verdict.fail_on) ? kGateFailed : kDone;
  });
  return [command, run = std::move(run)] {
    if (command->job.bind.bind.on_interrupt == InterruptChoice::Keep) askToStopOnSignals();
    return run();
  };
}

} // namespace skincells::cli
