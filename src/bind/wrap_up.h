// The last steps of every bind.
#pragma once

#include <span>

#include "bind/skin_cells.h"
#include "skincells/bind.h"

namespace skincells::binding {

// Moves what skin cells report into the report of the bind, with warnings. name: of the character.
void noteCells(SkinCells& cells, const std::string& name, BindReport& report);

// Makes every row canonical. Rows that are empty or not finite take the nearest usable one.
void cleanUpRows(std::span<const Vec3f> positions, int max_influences, SparseWeights& weights, Warnings& warnings);

} // namespace skincells::binding
