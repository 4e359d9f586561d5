#include "levels/level_list.h"

#include <string_view>

#include "base/try.h"
#include "skincells/weights.h"
#include "text/split.h"

namespace skincells {

const OptionTable<LodOptions>& lodOptionTable() {
  static const OptionTable<LodOptions> table{
      options::text("levels", &LodOptions::levels, "numbers within 0 .. 1, not increasing, separated by commas",
                    "share of the triangles that each level keeps"),
      options::text("influences", &LodOptions::influences, "numbers within 1 .. 8, separated by commas",
                    "most joints per vertex by level; the last number applies to all further levels"),
      options::text("joints-per-level", &LodOptions::joints_per_level, "numbers separated by commas, 0: all",
                    "most joints with weight by level; the weight of the others goes to an ancestor"),
      options::integer("random-poses", &LodOptions::random_poses, 0, 1000, "random poses in which levels are measured"),
      options::integer("clip-poses", &LodOptions::clip_poses, 0, 1000,
                       "poses of the file's clips in which levels are measured"),
      options::real("random-angle", &LodOptions::random_angle, 0.0, 180.0,
                    "largest rotation of a joint in a random pose, in degrees"),
      options::flag("single-file", &LodOptions::single_file,
                    "write all levels into one file (extension MSFT_lod) instead of one file each"),
      options::text(
          "screen-coverage", &LodOptions::screen_coverage, "numbers within 0 .. 1, decreasing, separated by commas",
          "with --single-file: the screen coverage down to which each level is shown; default: a level takes over when "
          "the coverage falls below its share of triangles"),
  };
  return table;
}

namespace levels {
namespace {

const OptionInfo& infoOf(const std::string& name) {
  for (const auto& option : lodOptionTable())
    if (option.name == name) return option;
  return lodOptionTable().front();
}

// Sets a field of every level from a list; the last number applies to all further levels.
Result<void> readIntegers(const std::string& name, const std::string& text, int lo, int hi, int LevelTarget::*field,
                          std::vector<LevelTarget>& levels) {
  const auto words = text::split(text, ',');
  if (words.size() > levels.size())
    return Error{ErrorCode::InvalidOption, "has more numbers than there are levels", "--" + name};
  for (std::size_t l = 0; l < levels.size() && !words.empty(); ++l) {
    SKINCELLS_TRY(value, options::parseInteger(infoOf(name), words[std::min(l, words.size() - 1)], lo, hi));
    levels[l].*field = static_cast<int>(value);
  }
  return {};
}

Result<void> readCoverage(const LodOptions& options, std::vector<LevelTarget>& levels) {
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) levels[l].coverage = levels[l + 1].ratio;
  if (options.screen_coverage.empty()) return {};
  const auto refuse = [](const char* why) { return Error{ErrorCode::InvalidOption, why, "--screen-coverage"}; };
  if (!options.single_file) return refuse("is for levels in one file; add --single-file");
  const auto words = text::split(options.screen_coverage, ',');
  if (words.size() != levels.size()) return refuse("needs one number for each level");
  for (std::size_t l = 0; l < levels.size(); ++l) {
    SKINCELLS_TRY(value, options::parseReal(infoOf("screen-coverage"), words[l], 0, 1));
    if (l > 0 && value >= levels[l - 1].coverage) return refuse("must decrease from one level to the next");
    levels[l].coverage = value;
  }
  return {};
}

} // namespace

Result<std::vector<LevelTarget>> parseLevels(const LodOptions& options) {
  std::vector<LevelTarget> levels;
  for (const std::string_view word : text::split(options.levels, ',')) {
    SKINCELLS_TRY(ratio, options::parseReal(infoOf("levels"), word, 0, 1));
    if (ratio <= 0 || (!levels.empty() && ratio > levels.back().ratio))
      return Error{ErrorCode::InvalidOption, "levels must be above 0 and must not increase", "--levels"};
    levels.push_back({ratio});
  }
  if (levels.empty()) return Error{ErrorCode::InvalidOption, "give at least one level", "--levels"};
  SKINCELLS_CHECK(readIntegers("influences", options.influences, 1, kMaxInfluences, &LevelTarget::influences, levels));
  SKINCELLS_CHECK(readIntegers("joints-per-level", options.joints_per_level, 0, 65535, &LevelTarget::joints, levels));
  SKINCELLS_CHECK(readCoverage(options, levels));
  return levels;
}

} // namespace levels
} // namespace skincells
