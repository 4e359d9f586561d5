#include "command_line.h"
#include "skincells/jobs/field_report.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  ReadOptions read;
  std::string input;

  FileNames files() const { return {{input, read.rig}, {}}; }
};

Result<Outcome> run(const State& state) {
  if (isFieldPath(state.input)) {
    auto document = inspectFieldFile(state.input);
    if (!document) return document.error();
    return Outcome{std::move(*document)};
  }
  const auto file = CharacterFile::read(state.input, state.read);
  if (!file) return file.error();
  return Outcome{inspectDocument(*file)};
}

} // namespace

Run setUpInspect(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the character file, or a field file (.skc)")->required();
  addOptions(app, readOptionTable(), state->read);
  addCommonOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
