// A cloud as the field of its character sees it.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/field_document.h"
#include "skincells/io/point_cloud.h"

namespace skincells {

// The cloud as a mesh with the skeleton of the field; `applyField` gives it weights over that skeleton's joints. The
// cloud has to stand in the bind space of the field.
Character characterOfCloud(const PointCloudFile& cloud, const FieldDocument& field);

// What speaks against the cloud standing in that space: "cloud.outside" where most of its points are far from the box
// of the mesh that was bound, "cloud.tiny" where all of them are in one spot of it. Nothing in a PLY file says its unit
// and up-axis, so this is all there is to notice a wrong one by.
Warnings checkSpaceOfCloud(const PointCloudFile& cloud, const FieldDocument& field);

// By joint, as `PointCloudFile::write` wants them.
std::vector<std::string> jointNames(const Skeleton& skeleton);

} // namespace skincells
