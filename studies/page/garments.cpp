#include <algorithm>

#include "base/try.h"
#include "studies/garment_studies.h"
#include "studies/page/tables.h"

namespace skincells::studies {

Result<Finding> studyGarments(const Context& context) {
  SKINCELLS_TRY(body, CharacterFile::read(context.examples + "/mannequin_reference.glb"));
  constexpr std::uint64_t kSeed = 2; // settings of garments were chosen in the poses of seed 1
  const int poses = context.quick ? 32 : 64;
  GarmentStudies studies(context.examples, body, {.poses = poses, .seed = kSeed});
  Table table({"garment", "method", "inside, %", "stretch, p99"});
  int compared = 0, better = 0, as_transfer = 0, variants = 0;
  for (const GarmentStudy& study : garmentStudies().first(context.quick ? 2 : garmentStudies().size())) {
    SKINCELLS_TRY(studied, studies.run(study));
    const GarmentQuality& ours = studied.skins.front().quality;
    for (const GarmentSkin& s : studied.skins)
      table.add(
          {study.name, s.method, number(s.quality.penetration.vertex_percent, 3), number(s.quality.stretch_p99, 3)});
    for (std::size_t i = 1; i <= kGarmentBaselines; ++i) {
      ++compared;
      better += isBetter(study, ours, studied.skins[i].quality);
    }
    if (study.kind != GarmentStudy::Variant) continue;
    ++variants;
    // As good as the worse of both transfers of the wide skirt's weights, in both measures.
    constexpr double kEqual = 1.05, kRounding = 0.01;
    double inside = 0, stretch = 0;
    for (std::size_t i = kGarmentBaselines + 1; i < studied.skins.size(); ++i) {
      inside = std::max(inside, studied.skins[i].quality.penetration.vertex_percent);
      stretch = std::max(stretch, studied.skins[i].quality.stretch_p99);
    }
    as_transfer +=
        ours.penetration.vertex_percent <= kEqual * inside + kRounding && ours.stretch_p99 <= kEqual * stretch;
  }
  Finding out;
  const bool all = better == compared, alike = as_transfer == variants;
  out.holds = all && alike ? Holds::Yes : all || better > 0 ? Holds::Partly : Holds::No;
  out.sentence = "In " + std::to_string(better) + " of " + std::to_string(compared) +
                 " comparisons with a baseline, ours is better: in both measures on skirts with bones, in one on the "
                 "others. On " +
                 std::to_string(as_transfer) + " of " + std::to_string(variants) +
                 " variants the field of one skirt is as good as its weights by attribute transfer.";
  out.notes = "The garments of docs/garments.md in " + std::to_string(poses) +
              " poses that settings were not chosen in (seed 2). *Closest point* is attribute transfer: the weights of "
              "the closest point, of the body or of the wide skirt. A field is as good if it is not more than 5 % "
              "behind the worse of both transfers in either measure. Pictures are on that page.";
  out.body = table.text();
  return out;
}

} // namespace skincells::studies
