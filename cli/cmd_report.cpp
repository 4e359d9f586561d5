#include "command_line.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  std::string input, output;
  std::vector<std::string> others;

  FileNames files() const {
    FileNames names{others, {output}};
    names.inputs.push_back(input);
    return names;
  }
};

Result<Outcome> run(const State& state) {
  const auto files = readAll(state.input, state.others);
  if (!files) return files.error();
  const auto page = skinPage(files->front(), pointersBehindFirst(*files));
  if (!page) return page.error();
  if (auto written = writeReport(state.output, *page); !written) return written.error();
  return Outcome{{state.output + "\n", {}}};
}

} // namespace

Run setUpReport(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown and measured beside it");
  app.add_option("-o,--output", state->output, "where to write the page (.html)")->required();
  addRunOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
