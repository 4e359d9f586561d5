// Characters and what is known about them, put into the viewer page. web/src/payload.ts reads this.
#include <array>

#include "base/assert.h"
#include "base/try.h"
#include "field/site_shape.h"
#include "report/html.h"
#include "report/json_text.h"
#include "skincells/version.h"
#include "skincells/view.h"
#include "view/page_template.h"

namespace skincells {
namespace {

using report::Json;

constexpr std::string_view kSlot = R"(id="skincells-characters">null<)";

Json jointsJson(const Skeleton& skeleton, const std::vector<JointDecision>& decisions) {
  Json out = Json::array();
  for (const JointDecision& d : decisions)
    out.push_back({{"name", skeleton.joints[static_cast<std::size_t>(d.joint)].name},
                   {"deforms", d.deforms},
                   {"rule", d.rule},
                   {"reason", d.reason}});
  return out;
}

Json exponentials(std::span<const float> logarithms) {
  Json out = Json::array();
  for (float x : logarithms) out.push_back(std::exp(x));
  return out;
}

Json shapesJson(const FieldParameters& field) {
  Json out = Json::array();
  for (std::size_t s = 0; s < field.layout.sites(); ++s) {
    const float* stored = &field.values[field.layout.shapeBegin() + field.layout.shapeSize() * s];
    const auto f = field::shapeMatrix(field.layout.shape, stored);
    for (const auto& row : f.m)
      for (float entry : row) out.push_back(entry);
  }
  return out;
}

// The cells; their joints are the deforming ones, in order.
Json fieldJson(const Skeleton& skeleton, const std::vector<JointDecision>& decisions, FieldParameters field) {
  Json joints = Json::array();
  for (const JointDecision& d : decisions)
    if (d.deforms) joints.push_back(skeleton.joints[static_cast<std::size_t>(d.joint)].name);
  if (joints.size() != field.layout.joints()) return nullptr;
  return {{"joints", joints},
          {"siteCount", field.layout.site_count},
          {"maxInfluences", field.max_influences},
          {"unitOrigin", {field.unit_origin.x, field.unit_origin.y, field.unit_origin.z}},
          {"unitScale", field.unit_scale},
          {"centres", std::vector<float>(field.centres().begin(), field.centres().end())},
          {"offsets", exponentials(field.logOffsets())},
          {"shapes", shapesJson(field)},
          {"slacks", exponentials(field.logSlacks())},
          {"falloffs", exponentials(field.logFalloffs())}};
}

Result<Json> characterJson(const ViewCharacter& c) {
  SKINCELLS_ASSERT(c.file != nullptr);
  const Character& character = c.file->character();
  SKINCELLS_TRY(glb, c.bound != nullptr ? c.file->encodeGlb(c.bound->weights) : c.file->encodeGlb());
  Warnings warnings = c.file->warnings();
  std::vector<JointDecision> decisions;
  if (c.bound != nullptr) {
    decisions = c.bound->report.joints;
    warnings.insert(warnings.end(), c.bound->report.warnings.begin(), c.bound->report.warnings.end());
  } else if (auto chosen = chooseJoints(character, "auto")) {
    decisions = std::move(*chosen); // where it fails there is nothing to say about joints; the page shows the rest
  }
  Json json{{"name", c.label.empty() ? character.name : c.label},
            {"path", c.file->info().path},
            {"format", c.file->info().format},
            {"glb", report::base64(glb)},
            {"joints", jointsJson(character.skeleton, decisions)},
            {"warnings", report::toJson(warnings)}};
  if (c.bound != nullptr && c.bound->field)
    if (Json field = fieldJson(character.skeleton, decisions, *c.bound->field); !field.is_null())
      json["field"] = std::move(field);
  return json;
}

// JSON inside a script element: nothing in it can end the element or open a comment.
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
  return !view::pageTemplate().empty();
}

std::string_view viewerPolicy() {
  return view::pagePolicy();
}

Result<std::string> viewerPage(const std::vector<ViewCharacter>& characters) {
  const std::string_view page = view::pageTemplate();
  if (page.empty())
    return Error{ErrorCode::UnsupportedFeature,
                 "this build has no viewer; build with npm installed and SKINCELLS_BUILD_VIEWER=ON, or use "
                 "'skincells render' and 'skincells report'",
                 "view"};
  Json payload{
      {"version", 1}, {"generator", std::string("skincells ") + SKINCELLS_VERSION}, {"characters", Json::array()}};
  for (const ViewCharacter& c : characters) {
    SKINCELLS_TRY(json, characterJson(c));
    payload["characters"].push_back(std::move(json));
  }
  const std::size_t slot = page.find(kSlot);
  SKINCELLS_ASSERT(slot != std::string_view::npos);
  const std::size_t begin = slot + kSlot.size() - std::string_view("null<").size();
  const std::size_t end = slot + kSlot.size() - 1;
  return std::string(page.substr(0, begin)) + scriptText(payload) + std::string(page.substr(end));
}

} // namespace skincells
