#include "command_line.h"
#include "skincells/jobs/pose_job.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  PoseOptions pose;
  bool force = false;
  std::string input, rig, field, output;

  FileNames files() const { return {{input, rig, field, pose.poses}, {output}}; }
};

Result<Outcome> run(const State& state) {
  const auto posed = poseFile({state.input, state.rig, state.field, state.output, state.pose, state.force});
  if (!posed) return posed.error();
  return Outcome{poseDocument(*posed, state.pose)};
}

} // namespace

Run setUpPose(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option(
         "input", state->input,
         "the skinned character (.glb, .gltf, .vrm, ...) or weighted cloud (.ply); or a field (.skc), which poses "
         "the character of --rig")
      ->required();
  app.add_option("-o,--output", state->output,
                 "where to write the posed copy (.glb, .gltf, .vrm or .ply; clouds: .ply)")
      ->required();
  app.add_option("--rig", state->rig,
                 "for clouds and fields: the character file with the skeleton and the clips [a file; default: none]");
  app.add_option(
      "--field", state->field,
      "take weights from this field (.skc) instead of the input's own; a cloud can then do without --rig for "
      "poses of a file [a file; default: none]");
  addOptions(app, poseOptionTable(), state->pose);
  app.add_flag("--force", state->force, "replace an existing output file [default: off]");
  addCommonOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
