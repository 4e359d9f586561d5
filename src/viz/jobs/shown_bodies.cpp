#include "viz/jobs/shown_bodies.h"

#include "base/try.h"

namespace skincells::jobs {

Result<std::vector<CharacterFile>> readShownBodies(const WearOptions& wear) {
  std::vector<CharacterFile> bodies;
  for (const std::string& path : wear.bodies()) {
    SKINCELLS_TRY(body, CharacterFile::read(path));
    if (!body.character().weights.empty()) bodies.push_back(std::move(body));
  }
  return bodies;
}

Result<std::string> dressedPage(const std::vector<CharacterFile>& bodies, std::vector<ViewCharacter> garments,
                                ViewOptions options) {
  std::vector<ViewCharacter> shown;
  for (const CharacterFile& body : bodies) shown.push_back({.file = &body});
  for (ViewCharacter& garment : garments) shown.push_back(std::move(garment));
  if (!bodies.empty() && options.arrange == ViewArrangement::Auto) options.arrange = ViewArrangement::Together;
  return viewerPage(shown, options);
}

} // namespace skincells::jobs
