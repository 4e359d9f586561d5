#include "commands.h"
#include "skincells/jobs/apply_job.h"

namespace skincells::cli {

Run setUpApply(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<ApplyJob>>();
  ApplyJob& job = command->job;
  options.text("field", job.field, "the field: a file of bind --field (.skc), or a character of bind --embed-field")
      .required();
  options
      .text("mesh", job.input,
            "the character to skin: another LOD, a variant, a part; with the same skeleton, or with --rig; or a point "
            "cloud (.ply)")
      .required();
  options.text("-o,--output", job.output, "the skinned character to write (.glb, .gltf, .vrm; point clouds: .ply)")
      .required();
  options.table(applyOptionTable(), job.apply);
  options.table(readOptionTable(), job.read);
  options.table(writeOptionTable(), job.write);
  options.common(command->common);
  return runnerOf<ApplyJob>(command);
}

} // namespace skincells::cli
