// The torture corpus: characters with every kind of dirt, wound and damage, alone and combined, as files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/character.h"
#include "studies/wounds.h"

namespace skincells::studies {

// One way to spoil a file: dirt, wounds and damage one after the other; each may be null.
struct Torture {
  const Dirt *first = nullptr, *second = nullptr;
  const FileDamage* damage = nullptr;

  std::string name() const; // of the file, without extension: "fins_on_edges--broken_JSON"
  // Whether the answer stays that of the clean file: dirt alone.
  bool keepsAnswer() const;
};

// Every kind alone.
std::vector<Torture> singleTortures();
// Every kind of dirt with every wound, and with every damage to the file.
std::vector<Torture> combinedTortures();

struct TorturedFile {
  std::vector<std::uint8_t> glb;
  std::vector<std::uint32_t> same; // by vertex of the clean character: the same point; if the answer stays
};
// character: as read from the file of sceneOf, so that vertices keep their order.
TorturedFile tortured(Character character, const Torture& torture);

} // namespace skincells::studies
