// The PLY file behind a point cloud, for other rooms of the library.
#pragma once

#include "io/ply/ply_file.h"
#include "skincells/io/point_cloud.h"

namespace skincells::io {

struct PointCloudAccess {
  static const PlyFile& plyFile(const PointCloudFile& file);
};

} // namespace skincells::io
