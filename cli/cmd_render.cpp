#include "command_line.h"
#include "skincells/threads.h"

namespace skincells::cli {
namespace {

struct State {
  bool quiet = false;
  int threads = 0;
  RenderSheetOptions sheet;
  std::string input, output;
  std::vector<std::string> others;
};

int run(const State& state) {
  const ThreadLimit threads(state.threads);
  const auto files = readAll(state.input, state.others);
  if (!files) return fail(files.error(), {});
  const auto image = renderSheet(files->front(), pointersBehindFirst(*files), state.sheet);
  if (!image) return fail(image.error(), {});
  if (auto written = writeReport(state.output, *image); !written) return fail(written.error(), {});
  if (!state.quiet) std::printf("%s: %d x %d pixels\n", state.output.c_str(), image->width, image->height);
  return kDone;
}

} // namespace

Run setUpRender(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown beside it");
  app.add_option("-o,--output", state->output, "where to write the picture (.png)")->required();
  addOptions(app, renderSheetOptionTable(), state->sheet);
  app.add_flag("--quiet", state->quiet, "print errors only");
  app.add_option("--threads", state->threads, "threads to use [0 .. 1024; default 0: all]")->check(CLI::Range(0, 1024));
  return [state] { return run(*state); };
}

} // namespace skincells::cli
