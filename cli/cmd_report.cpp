#include "command_line.h"
#include "skincells/threads.h"

namespace skincells::cli {
namespace {

struct State {
  OutputOptions common;
  SkinPageOptions page;
  std::string input;
  std::vector<std::string> others;
};

int run(const State& state) {
  const ThreadLimit threads(state.common.threads);
  const auto files = readAll(state.input, state.others);
  if (!files) return fail(files.error(), {});
  const auto page = skinPage(files->front(), pointersBehindFirst(*files), state.page);
  if (!page) return fail(page.error(), {});
  const std::string& path = state.common.output;
  if (auto written = writeOutput(path, *page, state.common.force); !written) return fail(written.error(), {});
  if (!state.common.quiet) std::printf("%s\n", path.c_str());
  return kDone;
}

} // namespace

Run setUpReport(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown and measured beside it");
  addOutputOptions(app, state->common, "where to write the page (.html)")->required();
  addOptions(app, skinPageOptionTable(), state->page);
  return [state] { return run(*state); };
}

} // namespace skincells::cli
