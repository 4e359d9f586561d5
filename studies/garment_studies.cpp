#include "studies/garment_studies.h"

#include <cstdio>
#include <string_view>

#include "base/try.h"

namespace skincells::studies {
namespace {

Result<void> transferFrom(const Character& source, const std::string& of, const Character& garment,
                          std::vector<GarmentSkin>& skins) {
  SKINCELLS_TRY(closest, transferSkin(source, garment, {.via = TransferMethod::Closest}));
  skins.push_back({"closest point" + of, closest.weights, {}});
  SKINCELLS_TRY(robust, transferSkin(source, garment, {.via = TransferMethod::Robust}));
  skins.push_back({"robust transfer" + of, robust.weights, {}});
  return {};
}

} // namespace

std::span<const GarmentStudy> garmentStudies() {
  static constexpr GarmentStudy kStudies[] = {{"wide_skirt", GarmentStudy::Bones},
                                              {"long_skirt", GarmentStudy::Variant},
                                              {"pleated_skirt", GarmentStudy::Variant},
                                              {"buttoned_skirt", GarmentStudy::Variant},
                                              {"pencil_skirt", GarmentStudy::Plain},
                                              {"dress", GarmentStudy::Plain},
                                              {"cape", GarmentStudy::Plain},
                                              {"coat", GarmentStudy::Plain}};
  return kStudies;
}

bool isBetter(const GarmentStudy& study, const GarmentQuality& ours, const GarmentQuality& baseline) {
  const bool outside = ours.penetration.vertex_percent < baseline.penetration.vertex_percent;
  const bool smooth = ours.stretch_p99 < baseline.stretch_p99;
  return study.kind == GarmentStudy::Plain ? outside || smooth : outside && smooth;
}

Result<StudiedGarment> GarmentStudies::run(const GarmentStudy& study) {
  SKINCELLS_TRY(file, CharacterFile::read(folder_ + "/" + study.name + ".glb"));
  const Character& garment = file.character();
  SKINCELLS_TRY(placed, placeBody(body_.character(), garment));
  SKINCELLS_TRY(trial, GarmentTrial::make(garment, placed.body, {}, options_));
  std::vector<GarmentSkin> skins;
  SKINCELLS_CHECK(study.kind == GarmentStudy::Variant ? takeOver(garment, skins)
                                                      : bindNew(study, garment, placed.body, skins));
  SKINCELLS_CHECK(addBaselines(study, garment, skins));
  for (GarmentSkin& s : skins) s.quality = trial.measure(s.weights);
  return StudiedGarment{garment, std::move(placed.body), std::move(trial), std::move(skins)};
}

// Our bind.
Result<void> GarmentStudies::bindNew(const GarmentStudy& study, const Character& garment, const Body& body,
                                     std::vector<GarmentSkin>& skins) {
  SKINCELLS_TRY(ours, bindGarment(garment, body));
  for (const Warning& w : ours.report.warnings) std::fprintf(stderr, "%s: %s\n", study.name, w.message.c_str());
  skins.push_back({"skin-cells", ours.weights, {}});
  if (study.kind != GarmentStudy::Bones || !ours.field) return {};
  wide_ = garment;
  wide_.weights = ours.weights;
  Warnings ignored;
  field_ = describeField(garment, ours, ignored);
  return {};
}

// The field of the wide skirt.
Result<void> GarmentStudies::takeOver(const Character& garment, std::vector<GarmentSkin>& skins) const {
  if (!field_) return Error{ErrorCode::InvalidOption, "needs the wide skirt, which was left out", "--only"};
  SKINCELLS_TRY(applied, applyField(*field_, garment));
  skins.push_back({"field of wide_skirt", applied.weights, {}});
  return {};
}

// The baselines; for a variant also the weights of the wide skirt, carried over.
Result<void> GarmentStudies::addBaselines(const GarmentStudy& study, const Character& garment,
                                          std::vector<GarmentSkin>& skins) const {
  SKINCELLS_TRY(proximity, bind(garment, {.method = BindMethod::Proximity, .joints = "all"}));
  skins.push_back({"proximity", proximity.weights, {}});
  SKINCELLS_CHECK(transferFrom(body_.character(), "", garment, skins));
  return study.kind == GarmentStudy::Variant ? transferFrom(wide_, " of wide_skirt", garment, skins) : Result<void>{};
}

} // namespace skincells::studies
