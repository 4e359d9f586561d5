#include "command_line.h"
#include "skincells/threads.h"

namespace skincells::cli {

Run setUpCheck(CLI::App& app) {
  struct State {
    CommonOptions common;
    CheckOptions check;
    std::string input;
  };
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  addOptions(app, checkOptionTable(), state->check);
  addCommonOptions(app, state->common);
  return [state] {
    const ThreadLimit threads(state->common.threads);
    auto file = CharacterFile::read(state->input);
    if (!file) return fail(file.error(), state->common);
    const CheckResult result = checkSkin(*file, state->check);
    return finish(checkDocument(*file, result, state->check), state->common, result.passed ? kDone : kGateFailed);
  };
}

} // namespace skincells::cli
