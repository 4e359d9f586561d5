#include "commands.h"
#include "skincells/jobs/lod_job.h"

namespace skincells::cli {

Run setUpLod(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<LodJob>>();
  LodJob& job = command->job;
  options.text("input", job.input, "the character file (.glb, .gltf, .vrm, ...)").required();
  options
      .text("-o,--output", job.output,
            "where to write level 0 (.glb, .gltf, .vrm); level n goes beside it, with _lodN in its name")
      .required();
  options.text("--from-field", job.field,
               "take weights from this field file (.skc) of the character [a file; default: none, bind it]");
  options.table(lodOptionTable(), job.lod);
  options.table(bindOptionTable(), job.bind, {"max-influences", "method"});
  options.table(readOptionTable(), job.read);
  options.table(writeOptionTable(), job.write);
  options.common(command->common);
  return runnerOf<LodJob>(command);
}

} // namespace skincells::cli
