// Binds the garments of the example generator over the mannequin and compares them with three baselines:
//   skincells-garments FOLDER [--poses 64] [--seed 1] [--only NAME,...] [--page FILE.md] [--pictures FOLDER] [--check
//   yes]
// FOLDER holds the files of skincells-examples. Prints a Markdown table, or puts it into a page, between the lines
// "<!-- begin table -->" and "<!-- end table -->". --check yes: ends with 5 unless ours is better than every
// baseline in penetration and in stretch on a garment with its own bones, and in one of them on every other. The long,
// pleated and buttoned skirts take the field of the wide skirt, and need it in the same run.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.h"
#include "skincells/skincells.h"
#include "skincells/viz/render.h"
#include "studies/garment_studies.h"

namespace {

using namespace skincells;
using namespace skincells::studies;

struct Request {
  std::string folder, only, page, pictures, check;
  int poses = 64, seed = 1;
};

constexpr std::string_view kPictured[] = {"wide_skirt", "long_skirt", "dress"};

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string tableRows(const std::string& name, const std::vector<GarmentSkin>& skins) {
  std::string out;
  for (const GarmentSkin& s : skins)
    out += "| " + name + " | " + s.method + " | " + number(s.quality.penetration.vertex_percent, 3) + " | " +
           number(s.quality.penetration.mean_depth, 2) + " | " + number(s.quality.stretch_p99, 3) + " | " +
           number(s.quality.asymmetry, 3) + " |\n";
  return out;
}

// Body and garment as one character, for pictures.
struct Dressed {
  Character character;
  std::vector<SparseWeights> weights; // by skin of the garment

  Dressed(const Character& garment, const CharacterFile& body_file, const Body& body,
          const std::vector<GarmentSkin>& skins)
      : character{garment.name, body.mesh, garment.skeleton, {}} {
    character.mesh.sections = body_file.character().mesh.sections;
    Mesh& mesh = character.mesh;
    const std::uint32_t first = mesh.vertexCount(), first_triangle = static_cast<std::uint32_t>(mesh.triangles.size());
    mesh.positions.insert(mesh.positions.end(), garment.mesh.positions.begin(), garment.mesh.positions.end());
    for (const Triangle& t : garment.mesh.triangles)
      mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    for (MeshSection s : garment.mesh.sections) {
      s.first_vertex += first;
      s.first_triangle += first_triangle;
      mesh.sections.push_back(s);
    }
    for (const GarmentSkin& skin : skins) {
      SparseWeights rows(mesh.positions.size(), std::max(body.weights.slots, skin.weights.slots));
      const auto copy = [&rows](const SparseWeights& from, std::size_t at) {
        for (std::size_t v = 0; v < from.vertexCount(); ++v) {
          std::ranges::copy(from.jointRow(v), rows.jointRow(at + v).begin());
          std::ranges::copy(from.weightRow(v), rows.weightRow(at + v).begin());
        }
      };
      copy(body.weights, 0);
      copy(skin.weights, first);
      weights.push_back(std::move(rows));
    }
  }
};

// The two poses in which the last skin, a baseline, penetrates most.
std::vector<LabeledPose> worstPoses(const Character& garment, const GarmentTrial& trial, const GarmentSkin& baseline) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t p = 0; p < trial.poses().size(); ++p)
    order.emplace_back(-measurePenetration(garment.mesh, baseline.weights, trial.body().mesh, trial.body().weights,
                                           trial.under(), {trial.poses()[p]})
                            .vertex_percent,
                       p);
  std::ranges::sort(order);
  std::vector<LabeledPose> out;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, order.size()); ++i)
    out.push_back({"pose " + std::to_string(order[i].second), trial.poses()[order[i].second]});
  return out;
}

Result<void> draw(const Request& request, const std::string& name, const CharacterFile& body_file,
                  const StudiedGarment& studied) {
  if (request.pictures.empty() || std::ranges::find(kPictured, name) == std::end(kPictured)) return {};
  const std::vector<GarmentSkin>& skins = studied.skins;
  const Dressed dressed(studied.garment, body_file, studied.body, skins);
  std::vector<LabeledSkin> labeled;
  for (std::size_t i = 0; i < skins.size(); ++i) labeled.push_back({skins[i].method, &dressed.weights[i]});
  CharacterSheetOptions options;
  options.render.width = 190;
  options.render.height = 300;
  options.mode = ColorMode::Material;
  options.triangle_colors = materialColors(dressed.character.mesh);
  options.sheet.text_size = 11;
  const Image image =
      characterSheet(dressed.character, labeled, worstPoses(studied.garment, studied.trial, skins.back()),
                     guessOrientation(dressed.character.skeleton, dressed.character.mesh.bounds()), options);
  const std::vector<std::uint8_t> png = encodePng(image);
  const std::string path = request.pictures + "/garment_" + name + ".png";
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
  if (!out) return Error{ErrorCode::CannotWrite, "cannot be written", path};
  return {};
}

// Whether ours is better than every baseline.
bool holds(const GarmentStudy& study, const std::vector<GarmentSkin>& skins) {
  bool good = true;
  for (std::size_t i = 1; i <= kGarmentBaselines; ++i) {
    if (isBetter(study, skins.front().quality, skins[i].quality)) continue;
    std::fprintf(stderr, "%s: %s is as good or better\n", study.name, skins[i].method.c_str());
    good = false;
  }
  return good;
}

Result<void> writePage(const std::string& path, const std::string& table) {
  std::ifstream in(path);
  std::stringstream whole;
  whole << in.rdbuf();
  std::string text = whole.str();
  const std::string begin = "<!-- begin table -->\n";
  const std::size_t from = text.find(begin), to = text.find("<!-- end table -->");
  if (from == std::string::npos || to == std::string::npos)
    return Error{ErrorCode::InvalidFile, "has no lines <!-- begin table --> and <!-- end table -->", path};
  text.replace(from + begin.size(), to - from - begin.size(), "\n" + table + "\n");
  std::ofstream out(path);
  out << text;
  if (!out) return Error{ErrorCode::CannotWrite, "cannot be written", path};
  return {};
}

Result<bool> run(const Request& request) {
  SKINCELLS_TRY(body, CharacterFile::read(request.folder + "/mannequin_reference.glb"));
  GarmentStudies studies(request.folder, body,
                         {.poses = request.poses, .seed = static_cast<std::uint64_t>(request.seed)});
  std::string table =
      "| garment | method | inside % | depth % | stretch p99 | asymmetry |\n|---|---|--:|--:|--:|--:|\n";
  bool good = true;
  for (const GarmentStudy& study : garmentStudies()) {
    const std::string name = study.name;
    if (!request.only.empty() && ("," + request.only + ",").find("," + name + ",") == std::string::npos) continue;
    SKINCELLS_TRY(studied, studies.run(study));
    table += tableRows(name, studied.skins);
    good = holds(study, studied.skins) && good;
    SKINCELLS_CHECK(draw(request, name, body, studied));
  }
  if (!request.page.empty()) SKINCELLS_CHECK(writePage(request.page, table));
  std::fputs(table.c_str(), stdout);
  return good || request.check.empty();
}

bool parse(int argc, char** argv, Request& request) {
  if (argc < 2 || argc % 2 != 0) return false;
  request.folder = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string_view name = argv[i], value = argv[i + 1];
    if (name == "--poses" || name == "--seed") {
      int& number = name == "--poses" ? request.poses : request.seed;
      const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
      if (parsed.ec != std::errc() || number < 1) return false;
    } else if (name == "--only") {
      request.only = value;
    } else if (name == "--page") {
      request.page = value;
    } else if (name == "--pictures") {
      request.pictures = value;
    } else if (name == "--check") {
      request.check = value;
    } else {
      return false;
    }
  }
  return true;
}

} // namespace

int main(int argc, char** argv) {
  Request request;
  if (!parse(argc, argv, request)) {
    std::fputs("usage: skincells-garments FOLDER [--poses 64] [--seed 1] [--only NAME,...] [--page FILE.md] "
               "[--pictures FOLDER] "
               "[--check yes]\n",
               stderr);
    return 1;
  }
  const auto done = run(request);
  if (!done) std::fprintf(stderr, "skincells-garments: %s\n", done.error().text().c_str());
  return !done ? 2 : *done ? 0 : 5;
}
