#include "command_line.h"

namespace skincells::cli {
namespace {

Result<Outcome> run(const SkinsOptions& state) {
  const auto files = state.read();
  if (!files) return files.error();
  const auto page = skinPage(files->front(), pointersBehindFirst(*files));
  if (!page) return page.error();
  if (auto written = writeReport(state.output, *page); !written) return written.error();
  return Outcome{{state.output + "\n", {}}};
}

} // namespace

Run setUpReport(CLI::App& app) {
  auto state = std::make_shared<SkinsOptions>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown and measured beside it");
  app.add_option("-o,--output", state->output, "where to write the page (.html)")->required();
  addRunOptions(app, state->common);
  return runner<SkinsOptions>(state, run);
}

} // namespace skincells::cli
