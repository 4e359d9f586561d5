#include "command_line.h"
#include "skincells/field_report.h"
#include "skincells/threads.h"

namespace skincells::cli {

Run setUpInspect(CLI::App& app) {
  struct State {
    CommonOptions common;
    ReadOptions read;
    std::string input;
  };
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the character file, or a field file (.skc)")->required();
  addOptions(app, readOptionTable(), state->read);
  addCommonOptions(app, state->common);
  return [state] {
    const ThreadLimit threads(state->common.threads);
    if (isFieldPath(state->input)) {
      const auto document = inspectFieldFile(state->input);
      return document ? finish(*document, state->common) : fail(document.error(), state->common);
    }
    auto file = CharacterFile::read(state->input, state->read);
    if (!file) return fail(file.error(), state->common);
    return finish(inspectDocument(*file), state->common);
  };
}

} // namespace skincells::cli
