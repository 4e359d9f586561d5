// The garments of the example generator over the mannequin, by our method and by those beside it: proximity, and
// weights carried over from the body, or from a similar garment.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skincells/skincells.h"

namespace skincells::studies {

struct GarmentStudy {
  const char* name;                    // of the example
  enum { Bones, Variant, Plain } kind; // has own bones; takes the field of the wide skirt; neither
};
std::span<const GarmentStudy> garmentStudies(); // the wide skirt first

struct GarmentSkin {
  std::string method;
  SparseWeights weights;
  GarmentQuality quality;
};
constexpr std::size_t kGarmentBaselines = 3; // after ours: proximity, and the body's weights by two transfers

struct StudiedGarment {
  Character garment;
  Body body;
  GarmentTrial trial;
  std::vector<GarmentSkin> skins; // ours, the baselines, and for a variant the weights of the wide skirt, carried over
};

// Studies garments one after the other. Variants need the wide skirt before them.
class GarmentStudies {
public:
  // folder: of skincells-examples. body: its mannequin, skinned.
  GarmentStudies(std::string folder, const CharacterFile& body, const TrialOptions& options)
      : folder_(std::move(folder)), body_(body), options_(options) {}

  Result<StudiedGarment> run(const GarmentStudy& study);

private:
  Result<void> bindNew(const GarmentStudy& study, const Character& garment, const Body& body,
                       std::vector<GarmentSkin>& skins);
  Result<void> takeOver(const Character& garment, std::vector<GarmentSkin>& skins) const;
  Result<void> addBaselines(const GarmentStudy& study, const Character& garment, std::vector<GarmentSkin>& skins) const;

  std::string folder_;
  const CharacterFile& body_;
  TrialOptions options_;
  Character wide_;
  std::optional<FieldDocument> field_;
};

// Whether ours is better than a baseline: in both measures on a garment with own bones, else in at least one.
bool isBetter(const GarmentStudy& study, const GarmentQuality& ours, const GarmentQuality& baseline);

} // namespace skincells::studies
