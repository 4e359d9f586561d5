// Writes the example characters: skincells-examples OUTDIR [--only NAME], or --list.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "characters.h"

namespace {

using namespace skincells;
using namespace skincells::examples;

struct Example {
  const char* name;
  const char* description;
  Model (*make)();     // null for the file that is no character
  bool with_reference; // also written skinned, with the weights its maker knows
};

constexpr Example kExamples[] = {
    {"biped_tpose", "human figure with fingers in T-pose, walk clip, reference weights", makeBipedTPose, true},
    {"biped_apose", "the same figure in A-pose", makeBipedAPose, true},
    {"knight", "armour of separate rigid shells and a cape without bones", makeKnight, false},
    {"quadruped", "fox with tail and ears, trot clip", makeQuadruped, false},
    {"robot", "separate rigid plates, IK targets, end joints, reference weights", makeRobot, true},
    {"dancer", "human figure in a skirt with its own ring of bones, turn clip", makeDancer, false},
    {"broken", "damaged beyond repair: NaN positions, indices out of range, truncated buffer", nullptr, false},
};

bool write(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) std::fprintf(stderr, "skincells-examples: cannot write %s\n", path.string().c_str());
  return static_cast<bool>(out);
}

bool writeExample(const Example& example, const std::filesystem::path& folder) {
  const auto path = [&](const std::string& suffix) { return folder / (example.name + suffix + ".glb"); };
  if (example.make == nullptr) return write(path(""), brokenFile());
  const Model model = example.make();
  for (int lod = 0; lod < kLodCount; ++lod) {
    const std::string suffix = lod == 0 ? "" : "_lod" + std::to_string(lod);
    if (!write(path(suffix), sceneToGlb(toScene(model, lod, Skinned::No)))) return false;
  }
  return !example.with_reference || write(path("_reference"), sceneToGlb(toScene(model, 0, Skinned::Yes)));
}

int list() {
  for (const Example& e : kExamples) std::printf("%-12s %s\n", e.name, e.description);
  return 0;
}

int usage(std::FILE* out, int code) {
  std::fputs("usage: skincells-examples OUTDIR [--only NAME]\n"
             "       skincells-examples --list\n"
             "Writes every example character as OUTDIR/NAME.glb, with NAME_lod1.glb and NAME_lod2.glb beside it,\n"
             "and NAME_reference.glb (skinned) where the right weights are known.\n",
             out);
  return code;
}

int writeAll(const std::filesystem::path& folder, std::string_view only) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  bool found = false;
  for (const Example& example : kExamples) {
    if (!only.empty() && only != example.name) continue;
    found = true;
    if (!writeExample(example, folder)) return 4;
  }
  if (found) return 0;
  std::fprintf(stderr, "skincells-examples: no example is named so; --list names them all\n");
  return 1;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> args(argv + 1, argv + argc);
  if (args.size() == 1 && args[0] == "--list") return list();
  if (args.size() == 1 && (args[0] == "--help" || args[0] == "-h")) return usage(stdout, 0);
  if (args.size() == 1 && !args[0].starts_with('-')) return writeAll(args[0], {});
  if (args.size() == 3 && args[1] == "--only" && !args[0].starts_with('-')) return writeAll(args[0], args[2]);
  return usage(stderr, 1);
}
