// Small meshes and characters built in code: families of shapes, not one favorite mesh.
#pragma once

#include "skincells/character.h"

namespace skincells::test {

// A closed tube along +y from y = 0 to `height` with end caps; `rings` rings of `sides` vertices and two poles.
Mesh tube(double height, double radius, int rings, int sides);
// A flat open grid in the xz plane, `nx` by `nz` quads of size 1.
Mesh grid(int nx, int nz);
// The two meshes as one, side by side in one vertex list.
Mesh joined(const Mesh& a, const Mesh& b);
// Every triangle corner its own vertex.
Mesh unwelded(const Mesh& mesh);
// Three triangles on one edge.
Mesh nonManifoldFan();

// A chain of joints straight up from the origin, `count` joints over `height`.
Skeleton chain(int count, double height);
// Appends an unrotated joint at a position in bind space.
void addJoint(Skeleton& skeleton, const std::string& name, int parent, const Vec3d& at);
// A tube with a chain inside: the simplest character.
Character tubeCharacter(int joint_count = 4);

// A tube with the joints of a small humanoid, and clip poses that swing its left arm.
Character humanoidWithClips();

} // namespace skincells::test
