// A point cloud in a bind: its points are joined to a surface, which is bound like any mesh, and the points take the
// weights of its field. That field sees no normals, because those of clouds are not to be relied on.
#pragma once

#include <optional>

#include "skincells/jobs/bind_job.h"

namespace skincells::jobs {

// Whether the job binds a point cloud, or a mesh in a PLY file that stays one.
bool bindsCloud(const BindJob& job);

// Fails if the job asks for what a cloud cannot have.
Result<void> checkCloudJob(const BindJob& job);

// The mesh of the file, or the surface through its points, with the skeleton of the rig. Sets `cloud`. Points without
// faces make the job's field one that sees no normals.
Result<CharacterFile> readCloud(BindJob& job, std::optional<PointCloudFile>& cloud);

// The cloud with its weights. surface: what was bound.
BoundCloud weighCloud(PointCloudFile cloud, const Character& surface, const BindResult& result);

} // namespace skincells::jobs
