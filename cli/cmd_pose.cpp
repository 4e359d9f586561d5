#include "command_line.h"
#include "skincells/posing.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  PoseOptions pose;
  bool force = false;
  std::string input, rig, output;

  FileNames files() const { return {{input, rig, pose.poses}, {output}}; }
};

Result<Outcome> run(const State& state) {
  const auto posed = poseFile({state.input, state.rig, state.output, state.pose, state.force});
  if (!posed) return posed.error();
  return Outcome{poseDocument(*posed, state.pose)};
}

} // namespace

Run setUpPose(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character (.glb, .gltf, .vrm, ...) or weighted cloud (.ply)")
      ->required();
  app.add_option("-o,--output", state->output,
                 "where to write the posed copy (.glb, .gltf, .vrm or .ply; clouds: .ply)")
      ->required();
  app.add_option("--rig", state->rig, "for clouds: the character file with the skeleton [a file; default: none]");
  addOptions(app, poseOptionTable(), state->pose);
  app.add_flag("--force", state->force, "replace an existing output file [default: off]");
  addCommonOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
