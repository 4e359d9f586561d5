#include "commands.h"
#include "skincells/viz/render_job.h"

namespace skincells::cli {

Run setUpRender(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<RenderJob>>();
  RenderJob& job = command->job;
  options.text("input", job.input, "the skinned character file").required();
  options.texts("other", job.others, "further skins of the same mesh, shown beside it");
  options.text("-o,--output", job.output, "the picture to write (.png)").required();
  options.text("--rig", job.rig, "for a cloud of points or splats: the file with the skeleton of its weights");
  options.page(job.force, command->common);
  options.table(renderSheetOptionTable(), job.sheet);
  return runnerOf<RenderJob>(command);
}

} // namespace skincells::cli
