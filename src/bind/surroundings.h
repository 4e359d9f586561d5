// What a file contains beside the character: strays, scenery and specks. They are kept out of the solve, because one
// vertex far away would set the scale of everything, and specks would count like surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bind/part_rules.h"
#include "rig/bones.h"
#include "skincells/character.h"
#include "skincells/result.h"

namespace skincells::binding {

enum class Place : std::uint8_t {
  Body,    // takes part in the solve
  Loose,   // no triangle uses the vertex
  Torn,    // the vertex is farther from every bone than the rest of the character is large
  Scenery, // in a connected part of which most is that far away
  Speck,   // in a connected part so small that nobody sees it bend
  Rigid,   // --part binds it to a joint
  Follow,  // --part lets it follow what it touches
};

struct Surroundings {
  Weld weld;
  std::vector<Place> places; // by welded vertex
  int scenery_parts = 0;
  std::vector<std::vector<std::uint32_t>> specks; // the welded vertices of each
  std::vector<PartRule> rules;                    // by welded vertex; empty: nothing is asked
  Box body;                                       // bounds of what takes part in the solve

  bool any() const;
};

// Scenery and torn vertices need a skeleton of some extent and a body much smaller than the file: a character without
// surroundings is body entirely. A mesh without triangles has no loose vertices. A mesh that consists of tiny parts has
// no specks.
// joints: those that may be near; the bones of others do not count. rules: by vertex; they come first. Where vertices
// in one place have several, that of the first counts.
Surroundings findSurroundings(const Character& character, std::span<const int> joints,
                              std::span<const PartRule> rules = {});

// The character without what is not body.
Character bodyOf(const Character& character, const Surroundings& surroundings, std::vector<std::uint32_t>& vertex_of);

// What the rows of the surroundings are made from.
struct BodyRows {
  const SparseWeights& weights; // one row per vertex of the body
  const std::vector<std::uint32_t>& vertex_of;
  const SparseWeights& loose; // one row per welded vertex; used for loose ones
  int anchor = 0;             // the joint that scenery follows
};
// How each vertex of the character came to its row; of the body: those of its vertices.
std::vector<PartOrigin> completedOrigins(const Surroundings& surroundings, std::span<const PartOrigin> body,
                                         std::span<const std::uint32_t> vertex_of);

// One row per vertex of the character.
SparseWeights completedRows(const Character& character, const Surroundings& surroundings, const BodyRows& rows);

void warnAboutSurroundings(const Character& character, const Surroundings& surroundings, int anchor,
                           Warnings& warnings);

} // namespace skincells::binding
