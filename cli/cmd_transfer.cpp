#include "command_line.h"
#include "progress_bar.h"

namespace skincells::cli {
namespace {

struct State : SkinningOptions {
  TransferOptions transfer;
  FieldOutputOptions field;
  std::string source, target;

  FileNames files() const { return {{source, target, read.rig}, {output, field.field}}; }
};

// A target without a skeleton takes that of the source.
Result<CharacterFile> readTarget(const State& state) {
  auto file = CharacterFile::read(state.target, state.read);
  if (file || !state.read.rig.empty() || file.error().code != ErrorCode::NoSkeleton) return file;
  ReadOptions with_rig = state.read;
  with_rig.rig = state.source;
  return CharacterFile::read(state.target, with_rig);
}

Result<Outcome> run(const State& state) {
  if (state.field.wanted() && state.transfer.via != TransferMethod::Field)
    return Error{ErrorCode::InvalidOption, "only --via field makes a field", "--field"};
  if (auto ready = checkOutputPath(state.output, state.write); !ready) return ready.error();
  const auto source = CharacterFile::read(state.source);
  if (!source) return source.error();
  const auto target = readTarget(state);
  if (!target) return target.error();
  const auto result =
      transferSkin(source->character(), target->character(), state.transfer, progressBar(state.common.silent()));
  if (!result) return result.error();
  TransferSummary summary{state.written(), &*source, &*target, &*result, state.transfer};
  if (state.field.wanted()) summary.field_output = {state.field, encodeField(*result->field)};
  if (auto written = target->write(state.output, result->weights, state.write, summary.field_output); !written)
    return written.error();
  return Outcome{transferDocument(summary)};
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
  addSkinningOptions(app, *state);
  return runner<State>(state, run);
}

} // namespace skincells::cli
