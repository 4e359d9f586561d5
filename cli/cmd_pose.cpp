#include "commands.h"
#include "skincells/jobs/pose_job.h"

namespace skincells::cli {

Run setUpPose(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<PoseJob>>();
  PoseJob& job = command->job;
  options
      .text("input", job.input,
            "the skinned character (.glb, .gltf, .vrm, ...) or weighted point cloud (.ply); or a field (.skc), which "
            "poses the character of --rig")
      .required();
  options.text("-o,--output", job.output, "the posed copy to write (.glb, .gltf, .vrm or .ply; point clouds: .ply)")
      .required();
  options.text("--rig", job.rig,
               "for point clouds and fields: the character file with the skeleton and the clips [a file; default: "
               "none]");
  options.text("--from-field", job.field,
               "take weights from this field (.skc) instead of the input's; a point cloud then needs no --rig for "
               "poses of a file [a file; default: none]");
  options.table(poseOptionTable(), job.pose);
  options.flag("--force", job.force, "replace an existing output file [default: off]");
  options.common(command->common);
  return runnerOf<PoseJob>(command);
}

} // namespace skincells::cli
