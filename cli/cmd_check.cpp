#include "command_line.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  CheckOptions check;
  std::string input;

  FileNames files() const { return {{input}, {}}; }
};

Result<Outcome> run(const State& state) {
  const auto file = CharacterFile::read(state.input);
  if (!file) return file.error();
  const CheckResult result = checkSkin(*file, state.check);
  return Outcome{checkDocument(*file, result, state.check), result.passed ? kDone : kGateFailed};
}

} // namespace

Run setUpCheck(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  addOptions(app, checkOptionTable(), state->check);
  addCommonOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
