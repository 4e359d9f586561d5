#include "skincells/viz/viewer_page.h"

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "base/try.h"
#include "rig/motion/joint_motions.h"
#include "skincells/version.h"
#include "viz/page/file_orientation.h"
#include "viz/viewer/page_template.h"
#include "viz/viewer/payload.h"

namespace skincells {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSlot = R"(id="skincells-characters">null<)";

// JSON for a script element: nothing in it can end the element or start a comment.
std::string scriptText(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

} // namespace

bool hasViewer() {
  return !viewer::pageTemplate().empty();
}

std::string_view viewerPolicy() {
  return viewer::pagePolicy();
}

const OptionTable<ViewOptions>& viewOptionTable() {
  static const OptionTable<ViewOptions> table{
      options::choice<ViewOptions, ViewArrangement>(
          "arrange", &ViewOptions::arrange,
          {{"auto", ViewArrangement::Auto},
           {"single", ViewArrangement::Single},
           {"side-by-side", ViewArrangement::SideBySide},
           {"together", ViewArrangement::Together}},
          "several characters: one at a time, side by side, or together in one place (a body and its garments); auto: "
          "skins of one mesh side by side, others one at a time"),
      rig::boundRomOption(&ViewOptions::rom), gateOption(&ViewOptions::gate), page::frontOption(&ViewOptions::front)};
  return table;
}

Result<void> checkFieldFits(const Character& character, const FieldDocument& field) {
  constexpr double kTolerance = 0.02; // share of the size of the bound mesh
  const double tolerance = kTolerance * field.box.diagonal();
  for (std::size_t j = 0; j < field.joints.size(); ++j) {
    const int joint = character.skeleton.find(field.jointName(j));
    if (joint < 0)
      return Error{ErrorCode::Mismatch,
                   "the field has a joint '" + field.jointName(j) + "' that the character does not have",
                   character.name};
    const Vec3d off = character.skeleton.bindPosition(joint) - field.skeleton.bindPosition(field.joints[j]);
    if (length(off) > tolerance)
      return Error{ErrorCode::Mismatch,
                   "its joint '" + field.jointName(j) +
                       "' is at another position than in the field: another character, unit or up-axis",
                   character.name};
  }
  return {};
}

Result<std::string> viewerPage(const std::vector<ViewCharacter>& characters, const ViewOptions& options) {
  const std::string_view page = viewer::pageTemplate();
  if (page.empty())
    return Error{ErrorCode::UnsupportedFeature,
                 "this build has no viewer; build with npm installed and SKINCELLS_BUILD_VIEWER=ON, or use "
                 "'skincells render' and 'skincells report'",
                 "view"};
  SKINCELLS_TRY(gate, readGate(options.gate));
  Json payload{{"version", 1},
               {"generator", std::string("skincells ") + SKINCELLS_VERSION},
               {"settings", viewer::settingsJson(gate, options.arrange)},
               {"characters", Json::array()}};
  for (const ViewCharacter& c : characters) {
    SKINCELLS_TRY(json, viewer::characterJson(c, options, gate));
    payload["characters"].push_back(std::move(json));
  }
  const std::size_t slot = page.find(kSlot);
  SKINCELLS_ASSERT(slot != std::string_view::npos);
  const std::size_t begin = slot + kSlot.size() - std::string_view("null<").size();
  const std::size_t end = slot + kSlot.size() - 1;
  return std::string(page.substr(0, begin)) + scriptText(payload) + std::string(page.substr(end));
}

} // namespace skincells
