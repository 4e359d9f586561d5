// Writes the example characters: skincells-examples OUTDIR [--only NAME] [--splats COUNT], or --list.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "characters.h"
#include "splats.h"
#include "troubles.h"

namespace {

using namespace skincells;
using namespace skincells::examples;

struct Example {
  const char* name;
  const char* description;
  Model (*make)();          // null for the broken file
  bool with_reference;      // also written skinned, with reference weights
  bool with_splats = false; // also written as a cloud of splats
};

constexpr Example kExamples[] = {
    {"biped_tpose", "human figure with fingers in T-pose, walk clip, reference weights", makeBipedTPose, true},
    {"biped_apose", "the same figure in A-pose, and as a cloud of splats", makeBipedAPose, true, true},
    {"knight", "armor of separate rigid shells and a cape without bones", makeKnight, false},
    {"quadruped", "fox with tail and ears, trot clip, and as a cloud of splats", makeQuadruped, false, true},
    {"bear", "heavy animal, walk clip", makeBear, false},
    {"bear_fine", "the same with four times as many triangles, reference weights", makeFineBear, true},
    {"lion", "animal with a mane and a tail of six bones, walk clip", makeLion, false},
    {"robot", "separate rigid plates, IK targets, end joints, reference weights", makeRobot, true},
    {"dancer", "human figure in a skirt with its own ring of bones, turn clip, and as a cloud of splats", makeDancer,
     false, true},
    {"mannequin", "human figure to wear the garments below, reference weights", makeMannequin, true},
    {"pencil_skirt", "tight skirt to the knees", makePencilSkirt, false},
    {"wide_skirt", "wide skirt with its own ring of bones", makeWideSkirt, false},
    {"long_skirt", "the same, longer", makeLongSkirt, false},
    {"pleated_skirt", "the same with deep pleats", makePleatedSkirt, false},
    {"buttoned_skirt", "the same, smooth, with buttons", makeButtonedSkirt, false},
    {"dress", "dress down to the floor, without bones", makeDress, false},
    {"cape", "cape without bones", makeCape, false},
    {"coat", "long coat of two layers, lining and shell, without bones", makeCoat, false},
    {"broken", "damaged beyond repair: NaN positions, indices out of range, truncated buffer", nullptr, false},
};

struct Request {
  std::string_view folder, only; // only: an example's name, or empty for all
  std::size_t splats = 20000;    // number of splats in a cloud
};

bool fail(const std::filesystem::path& path) {
  std::fprintf(stderr, "skincells-examples: cannot write %s\n", path.string().c_str());
  return false;
}

bool write(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  return out || fail(path);
}

bool writeExample(const Example& example, const Request& request) {
  const std::filesystem::path folder(request.folder);
  const auto path = [&](const std::string& suffix) { return folder / (example.name + suffix + ".glb"); };
  if (example.make == nullptr) return write(path(""), brokenFile());
  const Model model = example.make();
  for (int lod = 0; lod < kLodCount; ++lod) {
    const std::string suffix = lod == 0 ? "" : "_lod" + std::to_string(lod);
    if (!write(path(suffix), sceneToGlb(toScene(model, lod, Skinned::No)))) return false;
  }
  const auto cloud = folder / (std::string(example.name) + "_splats.ply");
  if (example.with_splats && !writeSplats(model, request.splats, cloud)) return fail(cloud);
  return !example.with_reference || write(path("_reference"), sceneToGlb(toScene(model, 0, Skinned::Yes)));
}

int list() {
  for (const Example& e : kExamples) std::printf("%-14s %s\n", e.name, e.description);
  std::puts("\nwith --troubles:");
  for (const Trouble& t : troubles()) std::printf("%-21s %s\n", t.name, t.description);
  return 0;
}

int usage(std::FILE* out, int code) {
  std::fputs("usage: skincells-examples OUTDIR [--only NAME] [--splats COUNT]\n"
             "       skincells-examples OUTDIR --troubles\n"
             "       skincells-examples --list\n"
             "Writes every example character as OUTDIR/NAME.glb, with NAME_lod1.glb and NAME_lod2.glb beside it,\n"
             "and NAME_reference.glb (skinned) where the right weights are known; some also as NAME_splats.ply, a\n"
             "cloud of COUNT 3D Gaussian splats (default: 20000).\n"
             "With --troubles, the characters that show what goes wrong in the first hour instead.\n",
             out);
  return code;
}

int writeAll(const Request& request) {
  std::error_code error;
  std::filesystem::create_directories(request.folder, error);
  bool found = false;
  for (const Example& example : kExamples) {
    if (!request.only.empty() && request.only != example.name) continue;
    found = true;
    if (!writeExample(example, request)) return 4;
  }
  if (found) return 0;
  std::fprintf(stderr, "skincells-examples: no example is named so; --list names them all\n");
  return 1;
}

int writeTroubles(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const Trouble& t : troubles())
    if (!write(folder / (std::string(t.name) + ".glb"), sceneToGlb(t.make()))) return 4;
  return 0;
}

// False if the arguments are invalid.
bool parse(const std::vector<std::string_view>& args, Request& request) {
  if (args.empty() || args[0].starts_with('-') || args.size() % 2 == 0) return false;
  request.folder = args[0];
  for (std::size_t i = 1; i < args.size(); i += 2) {
    const std::string_view value = args[i + 1];
    if (args[i] == "--only") {
      request.only = value;
      continue;
    }
    const auto end = value.data() + value.size();
    const auto parsed = std::from_chars(value.data(), end, request.splats);
    if (args[i] != "--splats" || parsed.ec != std::errc() || parsed.ptr != end || request.splats == 0) return false;
  }
  return true;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> args(argv + 1, argv + argc);
  if (args.size() == 1 && args[0] == "--list") return list();
  if (args.size() == 1 && (args[0] == "--help" || args[0] == "-h")) return usage(stdout, 0);
  if (args.size() == 2 && args[1] == "--troubles") return writeTroubles(args[0]);
  Request request;
  return parse(args, request) ? writeAll(request) : usage(stderr, 1);
}
