// The surface around a joint.
#pragma once

#include "skincells/viz/render.h"
#include "studies/page/cases.h"

namespace skincells::studies {

// The triangles that begin near a point at rest, with all vertices of the mesh.
Mesh around(const Mesh& mesh, const Vec3d& center, double radius);

// One joint turned about an axis of bind space, degrees.
Pose turnedPose(const Skeleton& skeleton, int joint, const Vec3d& axis, double degrees);

// A picture of that part alone.
Image closeUp(const Case& c, const SparseWeights& weights, const Pose& pose, const Vec3d& center, double radius,
              View view, int pixels);

} // namespace skincells::studies
