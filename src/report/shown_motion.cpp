#include "report/shown_motion.h"

#include <algorithm>

#include "bind/pose_source.h"
#include "rig/pose_sampler.h"

namespace skincells::report {

Result<std::vector<JointMotion>> shownMotions(const Character& c, const std::string& rom) {
  if (rom != "auto") return binding::jointMotions(c, rom);
  auto motions = binding::jointMotions(c, "humanoid");
  const auto moved = binding::jointMotions(c, "clips");
  if (!motions || !moved) return motions;
  for (std::size_t j = 0; j < motions->size(); ++j)
    if ((*motions)[j].source == "generic") (*motions)[j] = (*moved)[j];
  return motions;
}

std::vector<JointMotion> shownMotions(const Character& c, const BindReport& report) {
  if (!report.motions.empty()) return report.motions;
  return *shownMotions(c, std::string("auto")); // only range files can be wrong
}

std::vector<Pose> posesWithin(const Skeleton& skeleton, const std::vector<JointMotion>& motions, int count,
                              std::uint64_t seed) {
  std::vector<JointRange> ranges;
  for (const JointMotion& m : motions) ranges.push_back(m.range);
  const rig::PoseSampler sampler(skeleton, std::move(ranges), seed);
  std::vector<Pose> poses;
  for (int p = 0; p < count; ++p) poses.push_back(sampler.pose(static_cast<std::uint64_t>(p)));
  return poses;
}

std::string describe(const std::vector<JointMotion>& motions) {
  static constexpr std::pair<const char*, const char*> kSources[] = {{"rom-file", "by the range file"},
                                                                     {"humanoid", "by human anatomy"},
                                                                     {"clip", "as the clips turn them"},
                                                                     {"generic", "by the same angle every way"}};
  std::string text;
  for (const auto& [source, words] : kSources) {
    const auto count = std::ranges::count(motions, source, &JointMotion::source);
    if (count == 0) continue;
    text += (text.empty() ? std::to_string(count) + (count == 1 ? " joint " : " joints ")
                          : ", " + std::to_string(count) + " ") +
            words;
  }
  return text;
}

} // namespace skincells::report
