// Binds characters clean and dirty, and prints how far the weights are apart:
//   skincells-dirt [--pairs] [--each] [--method NAME] [--dirt WORDS] FILE... [> table.md]
// With --pairs, every two kinds of dirt are combined; such a bind counts in the rows of both. --each: also a line for
// each bind. --method: skin-cells (default), heat or proximity. --dirt: only the kinds whose names contain the words.
// The last row is the clean character without SIMD.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>
#include <string>

#include "kernels/kernels.h"
#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/verdict.h"
#include "studies/dirt.h"
#include "weights/rows_edit.h"

namespace {

using namespace skincells;

struct Settings {
  bool pairs = false, each = false;
  BindOptions bind;
  std::string dirt;
};

// Over all characters, for one way to make them dirty.
struct Row {
  int bound = 0, failed = 0, broken = 0; // broken: not a valid skin
  int quiet = 0;                         // more than 0.05 apart although the verdict is good and nothing is warned
  double sum = 0, worst = 0, changed = 0;
  std::string worst_file;
};

bool warned(const BindReport& report) {
  return std::ranges::any_of(report.warnings, [](const Warning& w) { return w.code != "bind.few_joints"; });
}

// At most as many weights per vertex as asked; finite, not negative, with sum 1.
bool isValid(const SparseWeights& weights) {
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    double sum = 0;
    for (float w : weights.weightRow(v)) {
      if (!(w >= 0)) return false;
      sum += static_cast<double>(w);
    }
    if (!(std::abs(sum - 1) < 1e-4)) return false;
  }
  return weights.slots <= BindOptions{}.max_influences;
}

// What one dirty bind adds to a row.
Row measure(const std::string& file, const SparseWeights& reference, const Character& dirty,
            std::span<const std::uint32_t> same, const Settings& settings) {
  Row row;
  const auto result = bind(dirty, settings.bind);
  if (!result) {
    row.failed = 1;
    std::fprintf(stderr, "%s: %s\n", file.c_str(), result.error().text().c_str());
    return row;
  }
  double sum = 0, changed = 0;
  for (std::size_t v = 0; v < same.size(); ++v) {
    const double d = weights::halfL1(weights::rowOf(reference, v), weights::rowOf(result->weights, same[v]));
    sum += d;
    changed += d > 0.2;
  }
  const auto count = static_cast<double>(same.size());
  row.bound = 1;
  row.broken = !isValid(result->weights);
  row.sum = row.worst = sum / count;
  row.changed = changed / count;
  row.quiet = row.sum > 0.05 && !warned(result->report) && judgeSkin(dirty, result->weights).grade == Grade::Good;
  row.worst_file = file.substr(file.find_last_of('/') + 1);
  return row;
}

void add(const Row& one, Row& row) {
  row.bound += one.bound;
  row.failed += one.failed;
  row.broken += one.broken;
  row.quiet += one.quiet;
  row.sum += one.sum;
  row.changed += one.changed;
  if (one.worst <= row.worst) return;
  row.worst = one.worst;
  row.worst_file = one.worst_file;
}

void print(const std::string& name, const Row& r) {
  const double n = std::max(1, r.bound);
  std::printf("| %s | %d | %d | %d | %.4f | %.4f (%s) | %.2f | %d |\n", name.c_str(), r.bound, r.failed, r.broken,
              r.sum / n, r.worst, r.worst_file.c_str(), 100 * r.changed / n, r.quiet);
}

constexpr const char* kScalar = "the scalar path in place of SIMD";

Row withoutSimd(const std::string& file, const Character& clean, const SparseWeights& reference,
                const Settings& settings) {
  std::vector<std::uint32_t> same(clean.mesh.positions.size());
  std::iota(same.begin(), same.end(), 0U);
  const kernels::ScalarOnly scalar;
  const Row one = measure(file, reference, clean, same, settings);
  if (settings.each) print(kScalar, one);
  return one;
}

// Binds one character in all ways.
void study(const std::string& file, Character clean, const Settings& settings, std::vector<Row>& rows, Row& all) {
  clean.clip_poses.clear();
  const auto reference = bind(clean, settings.bind);
  if (!reference) return;
  const auto& dirts = studies::dirts();
  for (std::size_t d = 0; d < dirts.size(); ++d) {
    if (dirts[d].name.find(settings.dirt) == std::string::npos) continue;
    for (std::size_t e = settings.pairs ? d + 1 : d; e < (settings.pairs ? dirts.size() : d + 1); ++e) {
      Character dirty = clean;
      const std::vector<std::uint32_t> same =
          settings.pairs ? studies::applyBoth(dirts[d], dirts[e], dirty) : dirts[d].apply(dirty);
      const Row one = measure(file, reference->weights, dirty, same, settings);
      if (settings.each) print(dirts[d].name + (settings.pairs ? " + " + dirts[e].name : ""), one);
      std::fflush(stdout);
      add(one, all);
      add(one, rows[d]);
      if (settings.pairs) add(one, rows[e]);
    }
  }
  if (settings.pairs || std::string(kScalar).find(settings.dirt) == std::string::npos) return;
  const Row one = withoutSimd(file, clean, reference->weights, settings);
  add(one, rows.back());
  add(one, all);
}

BindMethod methodNamed(const std::string& name) {
  if (name == "heat") return BindMethod::Heat;
  return name == "proximity" ? BindMethod::Proximity : BindMethod::SkinCells;
}

// Returns the files.
std::vector<std::string> parse(std::span<char*> arguments, Settings& settings) {
  std::vector<std::string> files;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string word = arguments[i];
    const auto value = [&] { return std::string(i + 1 < arguments.size() ? arguments[++i] : ""); };
    if (word == "--pairs")
      settings.pairs = true;
    else if (word == "--each")
      settings.each = true;
    else if (word == "--dirt")
      settings.dirt = value();
    else if (word == "--method")
      settings.bind.method = methodNamed(value());
    else
      files.push_back(word);
  }
  return files;
}

} // namespace

int main(int argc, char** argv) {
  std::vector<Row> rows(studies::dirts().size() + 1);
  Row all;
  Settings settings;
  for (const std::string& name : parse({argv, static_cast<std::size_t>(argc)}, settings))
    if (const auto file = CharacterFile::read(name)) study(name, file->character(), settings, rows, all);
  std::puts("| dirt | bound | errors | invalid | mean half-L1 | worst | vertices changed by > 0.2, % | silent above "
            "0.05 |\n|---|--:|--:|--:|--:|--:|--:|--:|");
  for (std::size_t d = 0; d < rows.size(); ++d)
    if (rows[d].bound + rows[d].failed > 0)
      print(d < studies::dirts().size() ? studies::dirts()[d].name : kScalar, rows[d]);
  print("all", all);
  return 0;
}
