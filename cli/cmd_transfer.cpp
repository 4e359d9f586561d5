#include "commands.h"
#include "skincells/jobs/transfer_job.h"

namespace skincells::cli {

Run setUpTransfer(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<TransferJob>>();
  TransferJob& job = command->job;
  options.text("skinned", job.source, "the skinned character to take weights from").required();
  options.text("target", job.target, "the mesh to skin; without a skeleton it gets the source's").required();
  options.text("-o,--output", job.output, "the skinned target to write (.glb, .gltf, .vrm)").required();
  options.table(transferOptionTable(), job.transfer);
  options.table(fieldOutputOptionTable(), job.field);
  options.table(readOptionTable(), job.read);
  options.table(writeOptionTable(), job.write);
  options.common(command->common);
  return runnerOf<TransferJob>(command);
}

} // namespace skincells::cli
