// What is worn on what: garments in files of their own, or among the meshes of a character.
#pragma once

#include <string>
#include <vector>

#include "skincells/bind.h"
#include "skincells/options.h"

namespace skincells {

// Everything empty: the file is an ordinary character.
struct WearOptions {
  std::string body = "";    // files that the input is worn on, separated by commas
  std::string garment = ""; // meshes or materials of the input that are garments; names or patterns
  std::string layers = "";  // the same, one layer each, from the inner to the outer one

  bool wanted() const { return !body.empty() || !garment.empty() || !layers.empty(); }
  std::vector<std::string> bodies() const; // the files of `body`
};
const OptionTable<WearOptions>& wearOptionTable();

// Several skins of a garment, measured in the same poses.
struct GarmentOutcome {
  struct Skin {
    // Of a bind: "skin-cells", "whole" (before the garment was kept out of the body), "proximity", "closest point",
    // "robust"; else the path of the file.
    std::string method;
    GarmentQuality quality;
  };
  std::string name;
  int poses = 0;
  int own_joints = 0;
  std::vector<Skin> skins;              // the result first
  std::vector<std::string> places = {}; // of its primitives in the file, as MeshSection::where
};

} // namespace skincells
