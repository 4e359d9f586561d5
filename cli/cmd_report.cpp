#include "command_line.h"
#include "skincells/viz/skin_page.h"

namespace skincells::cli {
namespace {

struct State : SkinsOptions {
  SkinPageOptions page;
};

Result<Outcome> run(const State& state) {
  const auto files = state.read();
  if (!files) return files.error();
  const auto page = skinPage(files->front(), pointersBehindFirst(*files), state.page);
  if (!page) return page.error();
  if (auto written = writeOutput(state.output, *page, state.force); !written) return written.error();
  return Outcome{{state.output + "\n", {}}};
}

} // namespace

Run setUpReport(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown and measured beside it");
  addOutputOptions(app, *state, state->common, "where to write the page (.html)")->required();
  addOptions(app, skinPageOptionTable(), state->page);
  return runner<State>(state, run);
}

} // namespace skincells::cli
