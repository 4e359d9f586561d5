#include "command_line.h"

namespace skincells::cli {
namespace {

struct State : SkinsOptions {
  CompareOptions compare;

  FileNames files() const {
    FileNames names = SkinsOptions::files();
    names.inputs.push_back(compare.poses);
    return names;
  }
};

Result<Outcome> run(const State& state) {
  const auto files = state.read();
  if (!files) return files.error();
  const auto result = compareSkins(files->front(), pointersBehindFirst(*files), state.compare);
  if (!result) return result.error();
  return Outcome{compareDocument(*result, state.compare)};
}

} // namespace

Run setUpCompare(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("reference", state->input, "the skin to compare with, e.g. the artist's")->required();
  app.add_option("other", state->others, "skins of the same mesh")->required();
  addOptions(app, compareOptionTable(), state->compare);
  addCommonOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
