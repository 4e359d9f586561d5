// Points, normals and splats of a cloud in one pose.
#pragma once

#include <string>
#include <vector>

#include "jobs/pose/chosen_pose.h"
#include "skincells/io/point_cloud.h"

namespace skincells::jobs {

// Stages the posed cloud in its own format, without its weights. Joints are found in the skeleton by name.
// - Positions and normals follow the blended map M of their point.
// - Splats become the exact image of their ellipsoid: covariance M C M^T, split into rotation and scales.
// - Harmonics are rotated by the rotation nearest to M (its polar decomposition).
// Everything else is unchanged.
Result<void> stagePosed(const PointCloudFile& cloud, const Skeleton& skeleton, const ChosenPose& pose,
                        OutputSet& outputs, const std::string& path, const WriteOptions& options = {});
// With other weights, over joints of these names.
Result<void> stagePosed(const PointCloudFile& cloud, const SparseWeights& weights,
                        const std::vector<std::string>& joint_names, const Skeleton& skeleton, const ChosenPose& pose,
                        OutputSet& outputs, const std::string& path, const WriteOptions& options = {});

} // namespace skincells::jobs
