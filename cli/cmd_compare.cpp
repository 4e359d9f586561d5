#include "command_line.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  CompareOptions compare;
  std::string reference;
  std::vector<std::string> others;

  FileNames files() const {
    FileNames names{others, {}};
    names.inputs.insert(names.inputs.end(), {reference, compare.poses});
    return names;
  }
};

Result<Outcome> run(const State& state) {
  const auto files = readAll(state.reference, state.others);
  if (!files) return files.error();
  const auto result = compareSkins(files->front(), pointersBehindFirst(*files), state.compare);
  if (!result) return result.error();
  return Outcome{compareDocument(*result, state.compare)};
}

} // namespace

Run setUpCompare(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("reference", state->reference, "the skin to compare with, e.g. the artist's")->required();
  app.add_option("other", state->others, "skins of the same mesh")->required();
  addOptions(app, compareOptionTable(), state->compare);
  addCommonOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
