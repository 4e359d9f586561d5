// A point cloud in the space of its character's field.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/field_document.h"
#include "skincells/io/point_cloud.h"

namespace skincells::jobs {

// The cloud as a mesh with the skeleton of the field. The cloud must be in the bind space of the field.
Character characterOfCloud(const PointCloudFile& cloud, const FieldDocument& field);

// Warns if the cloud does not appear to be in that space: "cloud.outside" if most of its points are far from the box of
// the bound mesh, "cloud.tiny" if all of them are in one small part of it. A PLY file names no unit and no up-axis, so
// there is no other check.
Warnings checkSpaceOfCloud(const PointCloudFile& cloud, const FieldDocument& field);

// One name per joint.
std::vector<std::string> jointNames(const Skeleton& skeleton);

} // namespace skincells::jobs
