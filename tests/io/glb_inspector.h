// Inspects a GLB independently of the library's reader, by the definitions of the glTF specification. For tests of the
// importer.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "skincells/math.h"

namespace skincells::test {

class GlbInspector {
public:
  explicit GlbInspector(const std::vector<std::uint8_t>& bytes);

  bool valid() const { return !json.is_null(); }
  // Numbers of an accessor as stored, row by row; rows must be tightly packed.
  std::vector<double> numbers(std::size_t accessor) const;
  std::vector<Vec3d> vectors(std::size_t accessor) const;
  Affine localOf(std::size_t node) const;
  Affine globalOf(std::size_t node) const;
  int find(const std::string& node_name) const;
  std::size_t triangleCount() const;
  std::size_t distinctPositions() const; // over all primitives, before skinning
  int mostInfluences() const;            // non-zero weights of any vertex
  // All vertices in world space at rest, skins applied.
  std::vector<Vec3d> worldPositions() const;

  nlohmann::json json;

private:
  template <class Action> void forEachPrimitive(const Action& action) const;
  std::vector<Vec3d> skinned(const nlohmann::json& attributes, const nlohmann::json& skin) const;

  std::vector<std::uint8_t> binary_;
};

} // namespace skincells::test
