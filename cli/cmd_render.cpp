#include "command_line.h"
#include "skincells/threads.h"

namespace skincells::cli {
namespace {

struct State {
  OutputOptions common;
  RenderSheetOptions sheet;
  std::string input;
  std::vector<std::string> others;
};

int run(const State& state) {
  const ThreadLimit threads(state.common.threads);
  const auto files = readAll(state.input, state.others);
  if (!files) return fail(files.error(), {});
  const auto image = renderSheet(files->front(), pointersBehindFirst(*files), state.sheet);
  if (!image) return fail(image.error(), {});
  const std::string& path = state.common.output;
  if (auto written = writeOutput(path, *image, state.common.force); !written) return fail(written.error(), {});
  if (!state.common.quiet) std::printf("%s: %d x %d pixels\n", path.c_str(), image->width, image->height);
  return kDone;
}

} // namespace

Run setUpRender(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown beside it");
  addOutputOptions(app, state->common, "where to write the picture (.png)")->required();
  addOptions(app, renderSheetOptionTable(), state->sheet);
  return [state] { return run(*state); };
}

} // namespace skincells::cli
