#include "command_line.h"
#include "progress_bar.h"
#include "skincells/jobs/lod_job.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  ReadOptions read;
  LodJob job;
  std::string input;

  FileNames files() const { return {{input, job.field, read.rig}, {job.output}}; }
};

Result<Outcome> run(const State& state) {
  const auto file = CharacterFile::read(state.input, state.read);
  if (!file) return file.error();
  const auto result = writeLods(*file, state.job, progressBar(state.common.silent()));
  if (!result) return result.error();
  return Outcome{lodDocument(*file, *result, state.job)};
}

} // namespace

Run setUpLod(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the character file (.glb, .gltf, .vrm, ...)")->required();
  app.add_option("-o,--output", state->job.output,
                 "where to write level 0 (.glb, .gltf, .vrm); level n goes beside it, with _lodN in its name")
      ->required();
  app.add_option("--field", state->job.field,
                 "take weights from this field file (.skc) of the character [a file; default: none, bind it]");
  addOptions(app, lodOptionTable(), state->job.options);
  for (const auto& option : bindOptionTable())
    if (option.name != "max-influences" && option.name != "method") addOption(app, option, state->job.bind);
  addOptions(app, readOptionTable(), state->read);
  addOptions(app, writeOptionTable(), state->job.write);
  addCommonOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
