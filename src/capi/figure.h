// Characters behind handles: from arrays, or from a file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "capi/context.h"
#include "skincells/character.h"
#include "skincells/io/character_file.h"

namespace skincells::capi {

struct Figure : Object {
  std::shared_ptr<const Character> character;
  std::shared_ptr<const CharacterFile> file; // null: made from arrays
  double meters_per_unit = 1;
  char up_axis = '?';

  const char* kind() const override { return "character"; }

  // The same with other weights.
  std::shared_ptr<Figure> withWeights(SparseWeights weights) const;
  // A file in memory with these weights, for functions that work on files.
  CharacterFile fileWith(const SparseWeights& weights) const;
  // The same with its own weights; throws if it has none.
  CharacterFile skinnedFile(const char* argument) const;
  void write(const std::string& path, const WriteOptions& options, const FieldOutput& field) const;
};

std::shared_ptr<Figure> figureFromArrays(const skincells_character_desc& desc);
std::shared_ptr<Figure> figureFromFile(const std::string& path, const ReadOptions& options);

} // namespace skincells::capi
