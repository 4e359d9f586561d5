// Binds characters clean and dirty, and prints how far the weights are apart:
//   skincells-dirt FILE... [> table.md]
#include <algorithm>
#include <cstdio>
#include <string>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/verdict.h"
#include "studies/dirt.h"
#include "weights/rows_edit.h"

namespace {

using namespace skincells;

// Over all characters, for one way to make them dirty.
struct Row {
  int bound = 0, failed = 0,
      quiet = 0; // quiet: more than 0.05 apart although the verdict is good and nothing is warned
  double sum = 0, worst = 0, changed = 0;
  std::string worst_file;
};

bool warned(const BindReport& report) {
  return std::ranges::any_of(report.warnings, [](const Warning& w) { return w.code != "bind.few_joints"; });
}

void compare(const std::string& file, const Character& clean, const SparseWeights& reference, const studies::Dirt& dirt,
             Row& row) {
  Character dirty = clean;
  const std::vector<std::uint32_t> same = dirt.apply(dirty);
  const auto result = bind(dirty);
  if (!result) {
    ++row.failed;
    std::fprintf(stderr, "%s, %s: %s\n", file.c_str(), dirt.name.c_str(), result.error().text().c_str());
    return;
  }
  double sum = 0, changed = 0;
  for (std::size_t v = 0; v < same.size(); ++v) {
    const double d = weights::halfL1(weights::rowOf(reference, v), weights::rowOf(result->weights, same[v]));
    sum += d;
    changed += d > 0.2;
  }
  const auto count = static_cast<double>(same.size());
  ++row.bound;
  row.sum += sum / count;
  row.changed += changed / count;
  if (sum / count > 0.05 && !warned(result->report) && judgeSkin(dirty, result->weights).grade == Grade::Good)
    ++row.quiet;
  if (sum / count <= row.worst) return;
  row.worst = sum / count;
  row.worst_file = file.substr(file.find_last_of('/') + 1);
}

} // namespace

int main(int argc, char** argv) {
  std::vector<Row> rows(studies::dirts().size());
  for (int i = 1; i < argc; ++i) {
    const auto file = CharacterFile::read(argv[i]);
    if (!file) continue;
    Character clean = file->character();
    clean.clip_poses.clear();
    const auto reference = bind(clean);
    if (!reference) continue;
    for (std::size_t d = 0; d < rows.size(); ++d)
      compare(argv[i], clean, reference->weights, studies::dirts()[d], rows[d]);
  }
  std::puts("| dirt | bound | errors | mean half-L1 | worst | vertices changed by > 0.2, % | silent above 0.05 |\n"
            "|---|--:|--:|--:|--:|--:|--:|");
  for (std::size_t d = 0; d < rows.size(); ++d) {
    const Row& r = rows[d];
    const double n = std::max(1, r.bound);
    std::printf("| %s | %d | %d | %.4f | %.4f (%s) | %.2f | %d |\n", studies::dirts()[d].name.c_str(), r.bound,
                r.failed, r.sum / n, r.worst, r.worst_file.c_str(), 100 * r.changed / n, r.quiet);
  }
  return 0;
}
