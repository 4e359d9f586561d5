// A field with all that is needed to use it on other meshes of the same character; what a field file (.skc) holds.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "skincells/field.h"
#include "skincells/rig.h"

namespace skincells {

// A separate part of the mesh, recognized in other meshes by where it is (LODs of a part keep their place).
struct FieldPart {
  Box box;                        // in bind space; corners are float32 numbers
  Vec3f center;                   // mean of its welded vertices
  std::uint32_t vertex_count = 0; // welded; decides between parts in one and the same place
  // The row of weights that all its vertices have, over the field's joints: canonical, as many entries as weights.
  // Empty: the part follows the field; listed only because another entry resembles it.
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;

  bool rigid() const { return !weights.empty(); }
};

// Where a field came from. Everything here is for people; nothing is computed from it.
struct FieldProvenance {
  std::string tool;                                         // "skincells 0.1.0"
  std::string input;                                        // name of the file that was bound
  std::string input_sha256;                                 // of its bytes, in hexadecimal
  std::vector<std::pair<std::string, std::string>> options; // name and value, as one would type them
};

struct FieldDocument {
  FieldParameters field;   // slack 0: evaluated hard
  Skeleton skeleton;       // of the character, all joints; bind transforms in float32 precision, rest = bind
  std::vector<int> joints; // joint of the field -> joint of the skeleton

  Box box;                    // of the mesh that was bound, in bind space
  double meters_per_unit = 1; // bind space -> meters, as far as the input told
  char up_axis = '?';         // of bind space, as in FileInfo

  std::vector<FieldPart> parts; // what was given weights beside the field
  FieldProvenance provenance;

  const std::string& jointName(std::size_t j) const {
    return skeleton.joints[static_cast<std::size_t>(joints[j])].name;
  }
};

} // namespace skincells
