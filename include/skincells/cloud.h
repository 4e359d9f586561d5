// A cloud as the field of its character sees it.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/field_document.h"
#include "skincells/point_cloud.h"

namespace skincells {

// The cloud as a mesh with the skeleton of the field; `applyField` gives it weights over that skeleton's joints. The
// cloud has to stand in the bind space of the field.
Character characterOfCloud(const PointCloudFile& cloud, const FieldDocument& field);

// By joint, as `PointCloudFile::write` wants them.
std::vector<std::string> jointNames(const Skeleton& skeleton);

} // namespace skincells
