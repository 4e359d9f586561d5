// The viewer: a page for web browsers that shows moving characters, their weights and defects.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/bind.h"
#include "skincells/field_document.h"
#include "skincells/io/character_file.h"
#include "skincells/jobs/wear.h"
#include "skincells/options.h"
#include "skincells/result.h"
#include "skincells/verdict.h"
#include "skincells/viz/camera.h"

namespace skincells {

struct ViewCharacter {
  const CharacterFile* file = nullptr;
  std::string label = "";            // name on the page; empty: the character's name
  const BindResult* bound = nullptr; // show these weights, cells and joint decisions instead of the file's
  // Show its cells if there is no `bound`. A field that does not fit is left out, and the page says why.
  const FieldDocument* field = nullptr;
  // Of a character with garments: the verdict in their poses, and how they move.
  std::optional<Verdict> verdict = {};
  std::vector<GarmentOutcome> garments = {};
  std::vector<JointMotion> motions = {}; // by joint; the ranges that "bound" means; empty: those of the bind
};

// Checks that the joints of the field are where the character's joints of the same names are. The error names the first
// one that is not.
Result<void> checkFieldFits(const Character& character, const FieldDocument& field);

// How several characters are shown at first; the page can change it.
enum class ViewArrangement {
  Auto,       // skins of one mesh side by side, others one at a time
  Single,     // one at a time
  SideBySide, // all beside each other
  Together,   // all in one place: a body and its garments
};

struct ViewOptions {
  // Ranges of motion of the page's random poses, as in BindOptions, or "bound": those that the bind used if they are
  // known, else "auto".
  std::string rom = "bound";
  ViewArrangement arrange = ViewArrangement::Auto;
  std::string gate = ""; // thresholds of the verdict: path of a gate file; empty: the default table
  Front front = Front::Auto;
};
const OptionTable<ViewOptions>& viewOptionTable();

// Was the library built with the page? (CMake option SKINCELLS_BUILD_VIEWER)
bool hasViewer();

// One self-contained HTML file with the characters inside; it opens from disk and makes no network requests. Several
// characters are shown one at a time, side by side or together. Fails with UnsupportedFeature in a build without the
// viewer.
Result<std::string> viewerPage(const std::vector<ViewCharacter>& characters, const ViewOptions& options = {});

// The content security policy that the page declares; a server must send it as a header too.
std::string_view viewerPolicy();

} // namespace skincells
