#include "command_line.h"
#include "skincells/threads.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  ReadOptions read;
  ApplyOptions apply;
  WriteOptions write;
  std::string field, input, output;
};

int runOnCloud(const State& state, const FieldDocument& field) {
  const auto cloud = PointCloudFile::read(state.input);
  if (!cloud) return fail(cloud.error(), state.common);
  const auto result = applyField(field, characterOfCloud(*cloud, field), state.apply);
  if (!result) return fail(result.error(), state.common);
  if (auto written = cloud->write(state.output, result->weights, jointNames(field.skeleton), state.write); !written)
    return fail(written.error(), state.common);
  CloudSummary summary{&*cloud, &field, &*result, state.apply, state.write, state.field, state.output, false};
  summary.measure_shape = state.common.json || !state.common.report.empty();
  return finish(applyDocument(summary), state.common);
}

int run(const State& state) {
  const ThreadLimit threads(state.common.threads);
  auto field = readFieldFile(state.field);
  if (!field) return fail(field.error(), state.common);
  // A cloud stays a cloud; a PLY that is to become a character (.glb) is imported like other foreign files.
  if (isPlyPath(state.input) && isPlyPath(state.output)) return runOnCloud(state, *field);
  auto file = CharacterFile::read(state.input, state.read);
  if (!file) return fail(file.error(), state.common);
  auto result = applyField(*field, file->character(), state.apply);
  if (!result) return fail(result.error(), state.common);
  if (!state.common.report.empty())
    if (auto writable = checkReportPath(state.common.report); !writable) return fail(writable.error(), state.common);
  if (auto written = file->write(state.output, result->weights, state.write); !written)
    return fail(written.error(), state.common);
  ApplySummary summary;
  summary.input = &*file;
  summary.field = &*field;
  summary.result = &*result;
  summary.options = state.apply;
  summary.write_options = state.write;
  summary.field_path = state.field;
  summary.output_path = state.output;
  summary.measure_shape = state.common.json || !state.common.report.empty();
  return finish(applyDocument(summary), state.common);
}

} // namespace

Run setUpApply(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("field", state->field,
                 "the field: a file of bind --field (.skc), or a character of bind --embed-field")
      ->required();
  app.add_option(
         "mesh", state->input,
         "the character to skin: another LOD, a variant, a part; with the same skeleton, or --rig; or a cloud (.ply)")
      ->required();
  app.add_option("-o,--output", state->output, "where to write the skinned character (.glb, .gltf, .vrm; clouds: .ply)")
      ->required();
  addOptions(app, applyOptionTable(), state->apply);
  addOptions(app, readOptionTable(), state->read);
  addOptions(app, writeOptionTable(), state->write);
  addCommonOptions(app, state->common);
  return [state] { return run(*state); };
}

} // namespace skincells::cli
