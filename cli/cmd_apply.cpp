#include "command_line.h"

namespace skincells::cli {
namespace {

struct State : SkinningOptions {
  ApplyOptions apply;
  std::string field, input;

  FileNames files() const { return {{field, input, read.rig}, {output}}; }
};

Outcome describe(const State& state, decltype(ApplySummary::input) input, const FieldDocument& field,
                 const ApplyResult& result) {
  return {applyDocument({state.written(), input, &field, &result, state.apply, state.field})};
}

Result<Outcome> runOnCloud(const State& state, const FieldDocument& field) {
  const auto cloud = PointCloudFile::read(state.input);
  if (!cloud) return cloud.error();
  auto result = applyField(field, characterOfCloud(*cloud, field), state.apply);
  if (!result) return result.error();
  for (Warning& warning : checkSpaceOfCloud(*cloud, field)) result->warnings.push_back(std::move(warning));
  if (auto written = cloud->write(state.output, result->weights, jointNames(field.skeleton), state.write); !written)
    return written.error();
  return describe(state, &*cloud, field, *result);
}

Result<Outcome> run(const State& state) {
  const auto field = readFieldFile(state.field);
  if (!field) return field.error();
  // A cloud stays a cloud; a PLY that is to become a character (.glb) is imported like other foreign files.
  if (isPlyPath(state.input) && isPlyPath(state.output)) return runOnCloud(state, *field);
  if (auto ready = checkOutputPath(state.output, state.write); !ready) return ready.error();
  if (isPlyPath(state.input)) {
    const auto cloud = PointCloudFile::read(state.input);
    if (cloud && cloud->mesh().triangles.empty())
      return Error{ErrorCode::InvalidOption, "a cloud without faces stays a cloud: name an output that ends in .ply",
                   "--output"};
  }
  const auto file = CharacterFile::read(state.input, state.read);
  if (!file) return file.error();
  const auto result = applyField(*field, file->character(), state.apply);
  if (!result) return result.error();
  if (auto written = file->write(state.output, result->weights, state.write); !written) return written.error();
  return describe(state, &*file, *field, *result);
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
  addSkinningOptions(app, *state);
  return runner<State>(state, run);
}

} // namespace skincells::cli
