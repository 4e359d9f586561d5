#include "report/pose_choice.h"

#include <algorithm>
#include <cmath>

#include "report/table.h"

namespace skincells::report {

std::vector<LabelledPose> worstPoses(const Character& c, const SparseWeights& weights, const std::vector<Pose>& poses,
                                     std::size_t shown) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t p = 0; p < poses.size(); ++p)
    ranked.emplace_back(shapeStatistics(c.mesh, weights, {poses[p]}).stretch_rms, p);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  ranked.resize(std::min(ranked.size(), shown));
  std::vector<LabelledPose> out;
  for (const auto& [stretch, p] : ranked)
    out.push_back({"pose " + std::to_string(p) + " (" + fixed(stretch, 3) + ")", poses[p]});
  return out;
}

std::vector<LabelledPose> clipPoses(const CharacterFile& file, double frames_per_second, std::size_t most) {
  std::vector<std::pair<std::size_t, double>> moments;
  for (std::size_t c = 0; c < file.clips().size(); ++c) {
    const int frames = static_cast<int>(std::floor(file.clips()[c].duration * frames_per_second + 1e-9));
    for (int f = 0; f <= frames; ++f) moments.emplace_back(c, f / frames_per_second);
  }
  std::vector<LabelledPose> poses;
  const std::size_t count = std::min(moments.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [clip, time] = moments[i * moments.size() / count];
    poses.push_back({file.clips()[clip].name + " " + fixed(time, 2) + " s", file.samplePose(clip, time)});
  }
  return poses;
}

std::vector<Rgb> materialColors(const Mesh& mesh) {
  std::vector<Rgb> colors;
  for (const MeshSection& s : mesh.sections)
    colors.insert(colors.end(), s.triangle_count, Rgb{s.color[0], s.color[1], s.color[2]});
  return colors;
}

} // namespace skincells::report
