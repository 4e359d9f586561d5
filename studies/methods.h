// Variants of the method for comparisons: other numbers of steps, the paper's own settings and its ablations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fit/field_fit.h"
#include "skincells/bind.h"
#include "skincells/character.h"

namespace skincells::studies {

enum class Variant {
  Product,       // what `bind` does, with another number of steps
  Paper,         // Larionov et al. 2025 to the letter: nearly uniform start, fixed pose set, one rate, the full mesh
  Bones,         // the settled method without a guess: sharp cells on the bones, stubs for leaves, pose losses alone
  Guessed,       // the product's start, and all of a cell moves: the product without refit and prior
  Falloff,       // the product's start, but only the falloff of each cell moves
  SparseFalloff, // the product's start, but only falloff and slack of each cell move
  Vertex,        // no field: the weights of each vertex are optimized directly, from the heat guess
};

struct StudyOptions {
  Variant variant = Variant::Product;
  int max_influences = 4; // most joints per vertex, 1 .. kMaxInfluences
  int steps = -1;         // steps of the pose losses, -1 .. 100000; -1: the variant's own number
  // Of the pose losses and the start, for Paper and Bones; 0: the variant's own value.
  double location = 0; // weight of the location loss
  double rate = 0;     // first rate; that of site centers keeps its ratio to it
  double offset = 0, falloff = 0, slack = 0;
  std::string joints = "auto"; // as in BindOptions
  std::uint64_t seed = 0;
  // Not in the table, for measurements of steps.
  bool same_poses = false; // every step has the poses of the first and the first rate, and no poses are held out
  bool full_mesh = false;  // Guessed, Falloff, SparseFalloff: on the full mesh, as Vertex is
};
const OptionTable<StudyOptions>& studyOptionTable();

struct StudyResult {
  SparseWeights weights;                // one canonical row per vertex of the character's mesh
  std::optional<FieldParameters> field; // over the deforming joints; slack 0. Nothing for Vertex.
  fit::FitReport losses;
  double loss_seconds = 0; // that the pose losses took
};

// Runs one variant. Fails where `bind` would.
Result<StudyResult> runVariant(const Character& character, const StudyOptions& options);

} // namespace skincells::studies
