// Small files in foreign formats, as text.
#pragma once

#include <string>

namespace skincells::test {

// One triangle, 1 wide and 1.8 high.
std::string sampleObj();
// A tetrahedron 1.8 m high, z up, in centimeters, skinned to bone A below and bone B above.
std::string sampleDae();
// A triangle 1.8 high, z up, unit meter, on one bone with pre-rotation that turns by 90 degrees about its own x axis
// from second 0 to 1. With a rotation pivot, the turn is about the point (0, 1, 0) of the bone's frame.
enum class RotationPivot { Without, With };
std::string samplePivotFbx(RotationPivot pivot);
// Two meshes on one bone; the second one's node is moved by (10, 0, 0), its vertices by (-10, 0, 0).
std::string sampleTwoMeshFbx();

} // namespace skincells::test
