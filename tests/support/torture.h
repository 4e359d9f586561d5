// Characters that nobody would make on purpose, and that files hold all the same.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"

namespace skincells::test {

struct TortureCase {
  std::string name; // letters and digits: part of a test's name
  Character character;
};

// Small ones, a few hundred vertices each: degenerate meshes, degenerate skeletons, strange places and matrices.
std::vector<TortureCase> tortureFamily();

// Triangles of no common shape or order all over a box, each with its own vertices, around a chain of joints.
Character triangleSoup(int triangle_count, int joint_count);

// Fails the test unless there is a canonical row for every vertex: largest weight first, joint 0 under weight 0, no
// joint twice, sum 1, exactly `max_influences` slots, every joint one of the skeleton's.
void expectSound(const Character& character, const SparseWeights& weights, int max_influences);

} // namespace skincells::test
