// A field with everything needed to use it on other meshes of the same character: the contents of a field file (.skc).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "skincells/field.h"
#include "skincells/rig.h"

namespace skincells {

// A separate part of the mesh, recognized in other meshes by its position (levels of detail keep it).
struct FieldPart {
  Box box;                        // in bind space; corners are float32 numbers
  Vec3f center;                   // mean of its welded vertices
  std::uint32_t vertex_count = 0; // welded; distinguishes parts in the same place
  // The row of all its vertices, over the field's joints: canonical, without empty slots.
  // Empty: the part follows the field and is listed only because it resembles another entry.
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;

  bool rigid() const { return !weights.empty(); }
};

// Where a field came from. Informative only; nothing is computed from it.
struct FieldProvenance {
  std::string tool;                                         // "skincells 0.1.0"
  std::string input;                                        // name of the file that was bound
  std::string input_sha256;                                 // SHA-256 of its bytes, hexadecimal
  std::vector<std::pair<std::string, std::string>> options; // name and value, as on the command line
};

struct FieldDocument {
  FieldParameters field;   // slack 0: evaluated hard
  Skeleton skeleton;       // all joints of the character; bind transforms in float32 precision, rest = bind
  std::vector<int> joints; // joint of the field -> joint of the skeleton

  Box box;                    // bounds of the mesh that was bound, in bind space
  double meters_per_unit = 1; // bind space -> meters, if known from the input
  char up_axis = '?';         // up-axis of bind space, as in FileInfo

  std::vector<FieldPart> parts; // parts with separate weights
  FieldProvenance provenance;

  const std::string& jointName(std::size_t j) const {
    return skeleton.joints[static_cast<std::size_t>(joints[j])].name;
  }
};

} // namespace skincells
