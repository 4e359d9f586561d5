#include "command_line.h"
#include "progress_bar.h"
#include "skincells/threads.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  ReadOptions read;
  TransferOptions transfer;
  WriteOptions write;
  FieldOutputOptions field;
  std::string source, target, output;
};

// A target without a skeleton takes that of the source.
Result<CharacterFile> readTarget(const State& state) {
  auto file = CharacterFile::read(state.target, state.read);
  if (file || !state.read.rig.empty() || file.error().code != ErrorCode::NoSkeleton) return file;
  ReadOptions with_rig = state.read;
  with_rig.rig = state.source;
  return CharacterFile::read(state.target, with_rig);
}

int run(const State& state) {
  const ThreadLimit threads(state.common.threads);
  if (state.field.wanted() && state.transfer.via != TransferMethod::Field)
    return fail({ErrorCode::InvalidOption, "only --via field makes a field", "--field"}, state.common);
  auto source = CharacterFile::read(state.source);
  if (!source) return fail(source.error(), state.common);
  auto target = readTarget(state);
  if (!target) return fail(target.error(), state.common);
  auto result = transferSkin(source->character(), target->character(), state.transfer,
                             progressBar(state.common.quiet || state.common.json));
  if (!result) return fail(result.error(), state.common);
  if (!state.common.report.empty())
    if (auto writable = checkReportPath(state.common.report); !writable) return fail(writable.error(), state.common);
  TransferSummary summary;
  if (state.field.wanted()) summary.field_output = {state.field, encodeField(*result->field)};
  if (auto written = target->write(state.output, result->weights, state.write, summary.field_output); !written)
    return fail(written.error(), state.common);
  summary.source = &*source;
  summary.target = &*target;
  summary.result = &*result;
  summary.options = state.transfer;
  summary.write_options = state.write;
  summary.output_path = state.output;
  summary.measure_shape = state.common.json || !state.common.report.empty();
  return finish(transferDocument(summary), state.common);
}

} // namespace

Run setUpTransfer(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("skinned", state->source, "the skinned character to take weights from")->required();
  app.add_option("target", state->target, "the mesh to skin; without a skeleton of its own it gets the source's")
      ->required();
  app.add_option("-o,--output", state->output, "where to write the skinned target (.glb, .gltf, .vrm)")->required();
  addOptions(app, transferOptionTable(), state->transfer);
  addOptions(app, fieldOutputOptionTable(), state->field);
  addOptions(app, readOptionTable(), state->read);
  addOptions(app, writeOptionTable(), state->write);
  addCommonOptions(app, state->common);
  return [state] { return run(*state); };
}

} // namespace skincells::cli
