#include <algorithm>
#include <filesystem>

#include "base/try.h"
#include "mesh/solve_weld.h"
#include "skincells/io/character_file.h"
#include "studies/beside/tetrahedra.h"
#include "studies/page/cases.h"
#include "studies/page/tables.h"

namespace skincells::studies {
namespace {

std::vector<std::string> generatedFiles(const Context& context) {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(context.examples, error)) {
    const std::string name = entry.path().filename().string();
    const bool variant = name.find("_lod") != std::string::npos || name.find("_reference") != std::string::npos;
    if (name.ends_with(".glb") && !variant && name != "broken.glb") out.push_back(entry.path().string());
  }
  std::ranges::sort(out);
  return out;
}

struct Counts {
  int files = 0, bound = 0, field = 0, tetrahedra = 0;
  double seconds = 0, slowest = 0;
};

Result<Counts> count(const std::vector<std::string>& files) {
  Counts out;
  for (const std::string& path : files) {
    auto c = readCase(path, 1);
    if (!c) continue;
    ++out.files;
    double took = 0;
    bool done = false, has_field = false;
    took = secondsOf([&] {
      const auto result = bind(c->character, {.joints = jointsOf(*c)});
      done = result.has_value();
      has_field = done && result->field.has_value();
    });
    out.bound += done;
    out.field += has_field;
    out.seconds += took;
    out.slowest = std::max(out.slowest, took);
    const Mesh welded = mesh::solveMesh(c->character.mesh, mesh::weldForSolve(c->character.mesh));
    if (tetrahedralize(welded, {})) ++out.tetrahedra;
  }
  return out;
}

} // namespace

Result<Finding> studyRobustness(const Context& context) {
  if (!hasTetgen())
    return Error{ErrorCode::UnsupportedFeature, "tetgen is not installed; run tools/setup.sh studies", "tetgen"};
  Table table({"characters", "files", "bound", "with a field", "with tetrahedra, for BBW", "seconds each", "slowest"});
  Counts all;
  const auto add = [&](const char* name, const Counts& c) {
    table.add({name, std::to_string(c.files), std::to_string(c.bound), std::to_string(c.field),
               std::to_string(c.tetrahedra), number(c.seconds / std::max(1, c.files), 2), number(c.slowest, 1)});
    all.files += c.files;
    all.bound += c.bound;
    all.tetrahedra += c.tetrahedra;
    all.seconds += c.seconds;
    all.slowest = std::max(all.slowest, c.slowest);
  };
  SKINCELLS_TRY(generated, count(generatedFiles(context)));
  add("generated", generated);
  std::vector<std::string> files;
  for (const SharedFile& file : sharedFiles(context)) files.push_back(file.path);
  if (!files.empty()) {
    SKINCELLS_TRY(shared, count(files));
    add("shared", shared);
  }
  Finding out;
  constexpr double kMinute = 60; // of the paper, on a GPU
  out.holds = all.bound == all.files && all.slowest < kMinute ? Holds::Yes
              : all.bound > all.tetrahedra                    ? Holds::Partly
                                                              : Holds::No;
  out.sentence = "`bind` processes " + std::to_string(all.bound) + " of " + std::to_string(all.files) +
                 " characters in " + number(all.seconds / std::max(1, all.files), 1) + " s each, at most " +
                 number(all.slowest, 1) +
                 " s, on two cores; tetrahedra, which bounded biharmonic weights need, can be made of " +
                 std::to_string(all.tetrahedra) + ". The paper takes about a minute on a GPU.";
  out.notes =
      "Tetrahedra are made by tetgen of the welded mesh as it is: it fails where surfaces intersect or are open, as "
      "in characters of several parts.";
  out.body = table.text();
  return out;
}

} // namespace skincells::studies
