// The torture corpus, for the real program:
//   skincells-torture write FOLDER FILE...   writes FOLDER/NAME.clean.glb for each character file, every kind of damage
//                                            alone for each, and the combinations in turn
//   skincells-torture judge FOLDER BATCH     reads what `skincells batch FOLDER -o BATCH` made of each file, and prints
//                                            a table; fails if it is neither a valid skin nor a documented error
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "skincells/io/character_file.h"
#include "skincells/verdict.h"
#include "studies/torture.h"
#include "weights/rows_edit.h"

namespace {

using namespace skincells;
namespace fs = std::filesystem;

constexpr const char* kClean = ".clean";

bool write(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(out.flush());
}

// Every kind alone for each of `count` characters; combinations go to them in turn, in another order for each dirt.
std::vector<studies::Torture> torturesOf(std::size_t character, std::size_t count) {
  std::vector<studies::Torture> all = studies::singleTortures();
  const std::vector<studies::Torture> combined = studies::combinedTortures();
  const std::size_t of_dirt = combined.size() / studies::dirts().size();
  for (std::size_t i = 0; i < combined.size(); ++i)
    if ((i + i / of_dirt) % count == character) all.push_back(combined[i]);
  return all;
}

int writeCorpus(const fs::path& folder, const std::vector<fs::path>& files) {
  fs::create_directories(folder);
  std::size_t written = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto source = CharacterFile::read(files[i].string());
    if (!source) return std::fprintf(stderr, "%s\n", source.error().text().c_str()), 1;
    const std::vector<std::uint8_t> clean = sceneToGlb(studies::sceneOf(source->character()));
    const auto file = CharacterFile::readGlb(clean, files[i].string());
    if (!file) return std::fprintf(stderr, "%s\n", file.error().text().c_str()), 1;
    const std::string stem = files[i].stem().string();
    if (!write(folder / (stem + kClean + ".glb"), clean)) return 1;
    for (const studies::Torture& torture : torturesOf(i, files.size()))
      if (++written;
          !write(folder / (stem + "." + torture.name() + ".glb"), studies::tortured(file->character(), torture).glb))
        return 1;
  }
  std::printf("%zu files\n", written);
  return 0;
}

// Over all files with one kind of damage; a combination counts in the rows of both.
struct Row {
  int files = 0, refused = 0, not_good = 0;
  int broken = 0;               // neither a valid skin nor a documented error
  int compared = 0, silent = 0; // silent: more than 0.05 apart with a good verdict
  double sum = 0, worst = 0;
};

// A skin as stored is valid if reading finds no defect and no vertex without weights.
bool isValid(const CharacterFile& file) {
  const SparseWeights& w = file.character().weights;
  if (w.empty() || !file.skinDefects().empty()) return false;
  for (std::size_t v = 0; v < w.vertexCount(); ++v)
    if (!(w.weightRow(v)[0] > 0)) return false;
  return true;
}

double distance(const SparseWeights& clean, const SparseWeights& made, const std::vector<std::uint32_t>& same) {
  double sum = 0;
  for (std::size_t v = 0; v < same.size(); ++v)
    sum += weights::halfL1(weights::rowOf(clean, v), weights::rowOf(made, same[v]));
  return sum / static_cast<double>(same.size());
}

// What became of the items of a batch: by name, empty or the error.
using Errors = std::map<std::string, std::string>;

Errors errorsOf(const fs::path& batch) {
  Errors errors;
  std::ifstream in(batch / "batch.jsonl");
  for (std::string line; std::getline(in, line);) {
    const auto json = nlohmann::json::parse(line);
    errors[json.at("item")] = json.at("status") == "done" ? "" : json.at("error").get<std::string>();
  }
  return errors;
}

// The errors of input that cannot be used (docs/exit-codes.md).
bool isDocumented(const std::string& error) {
  using enum ErrorCode;
  constexpr std::array kCodes{UnsafeReference,   InvalidFile, TooLarge, UnsupportedFeature, NoMesh, NoSkeleton,
                              AmbiguousSkeleton, NoJoints,    Mismatch};
  return std::ranges::any_of(kCodes, [&](ErrorCode code) { return errorName(code) == error; });
}

// made: an item of a batch; error: of that item, or empty.
Row judge(const fs::path& made, const std::string& error, const Character& clean, const SparseWeights& reference,
          const studies::Torture& torture) {
  Row row{.files = 1};
  if (!error.empty()) {
    row.refused = isDocumented(error);
    row.broken = row.refused == 0;
    if (row.broken != 0) std::fprintf(stderr, "%s: %s\n", made.c_str(), error.c_str());
    return row;
  }
  const auto file = CharacterFile::read(made.string());
  row.broken = !file || !isValid(*file);
  if (row.broken != 0) {
    std::fprintf(stderr, "%s is not valid\n", made.c_str());
    return row;
  }
  const Character& c = file->character();
  row.not_good = judgeSkin(c, c.weights).grade != Grade::Good;
  if (!torture.keepsAnswer()) return row;
  row.compared = 1;
  row.sum = row.worst = distance(reference, c.weights, studies::tortured(clean, torture).same);
  row.silent = row.sum > 0.05 && row.not_good == 0;
  if (row.silent != 0) std::fprintf(stderr, "%s is %.3f apart with a good verdict\n", made.c_str(), row.sum);
  return row;
}

void add(const Row& one, Row& row) {
  row.files += one.files;
  row.refused += one.refused;
  row.broken += one.broken;
  row.not_good += one.not_good;
  row.compared += one.compared;
  row.silent += one.silent;
  row.sum += one.sum;
  row.worst = std::max(row.worst, one.worst);
}

void print(const std::string& name, const Row& r) {
  std::printf("| %s | %d | %d | %d | %d | ", name.c_str(), r.files, r.refused, r.broken, r.not_good);
  if (r.compared > 0)
    std::printf("%.4f | %.4f | %d |\n", r.sum / r.compared, r.worst, r.silent);
  else
    std::printf("| | |\n");
}

int judgeCorpus(const fs::path& folder, const fs::path& batch) {
  const Errors errors = errorsOf(batch);
  const auto made = [&](const std::string& name) { return batch / "items" / name / (name + ".glb"); };
  std::vector<fs::path> cleans;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().stem().extension() == kClean) cleans.push_back(entry.path());
  std::map<std::string, Row> rows;
  Row all;
  for (const fs::path& path : cleans) {
    const std::string stem = path.stem().stem().string();
    const auto clean = CharacterFile::read(path.string());
    const auto reference = CharacterFile::read(made(path.stem().string()).string());
    if (!clean || !reference) return std::fprintf(stderr, "%s was not bound\n", path.c_str()), 1;
    for (std::vector<studies::Torture> list : {studies::singleTortures(), studies::combinedTortures()})
      for (const studies::Torture& torture : list) {
        const std::string name = stem + "." + torture.name();
        if (!fs::exists(folder / (name + ".glb"))) continue; // given to another character
        const auto error = errors.find(name);
        const Row one = judge(made(name), error == errors.end() ? "missing" : error->second, clean->character(),
                              reference->character().weights, torture);
        add(one, all);
        for (const studies::Dirt* d : {torture.first, torture.second})
          if (d != nullptr) add(one, rows[d->name]);
        if (torture.damage != nullptr) add(one, rows[torture.damage->name]);
      }
  }
  std::puts("| damage | files | refused | broken | look at it or bad | mean half-L1 | worst | silent above 0.05 |\n"
            "|---|--:|--:|--:|--:|--:|--:|--:|");
  for (const auto* list : {&studies::dirts(), &studies::wounds()})
    for (const studies::Dirt& d : *list) print(d.name, rows[d.name]);
  for (const studies::FileDamage& d : studies::fileDamages()) print(d.name, rows[d.name]);
  print("all", all);
  return all.broken == 0 && all.files > 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() > 2 && words[0] == "write") return writeCorpus(words[1], {words.begin() + 2, words.end()});
  if (words.size() == 3 && words[0] == "judge") return judgeCorpus(words[1], words[2]);
  std::fputs("usage: skincells-torture write FOLDER FILE... | judge FOLDER BATCH\n", stderr);
  return 2;
}
