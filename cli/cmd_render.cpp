#include "command_line.h"
#include "skincells/viz/render_job.h"

namespace skincells::cli {
namespace {

struct State : SkinsOptions {
  RenderSheetOptions sheet;
};

Result<Outcome> run(const State& state) {
  const auto files = state.read();
  if (!files) return files.error();
  const auto image = renderSheet(files->front(), pointersBehindFirst(*files), state.sheet);
  if (!image) return image.error();
  if (auto written = writeOutput(state.output, *image, state.force); !written) return written.error();
  return Outcome{
      {state.output + ": " + std::to_string(image->width) + " x " + std::to_string(image->height) + " pixels\n", {}}};
}

} // namespace

Run setUpRender(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown beside it");
  addOutputOptions(app, *state, state->common, "where to write the picture (.png)")->required();
  addOptions(app, renderSheetOptionTable(), state->sheet);
  return runner<State>(state, run);
}

} // namespace skincells::cli
