#include "skincells/viz/joint_colors.h"

#include <cmath>

#include "viz/render/picture/color.h"

namespace skincells {
namespace {

using render::Lab;

constexpr double kGoldenAngle = 2.399963229728653; // hues that are multiples of it stay far apart
constexpr int kTries = 12;

// Hues by golden angle; lightness and chroma change too, so that neighbors differ without color vision as well.
Lab candidate(int index) {
  static constexpr double kLightness[] = {0.72, 0.52, 0.84, 0.62};
  static constexpr double kChroma[] = {0.15, 0.15, 0.11, 0.17};
  const double hue = 0.5 + index * kGoldenAngle, chroma = kChroma[index % 4];
  return {kLightness[index % 4], chroma * std::cos(hue), chroma * std::sin(hue)};
}

double distance(const Lab& x, const Lab& y) {
  return std::sqrt((x.l - y.l) * (x.l - y.l) + (x.a - y.a) * (x.a - y.a) + (x.b - y.b) * (x.b - y.b));
}

// How far a color is from those of the joints around; a grandparent may be a little closer.
double clearance(const Lab& color, const std::vector<Lab>& close, const std::vector<Lab>& farther) {
  double least = 10;
  for (const Lab& c : close) least = std::fmin(least, distance(color, c));
  for (const Lab& c : farther) least = std::fmin(least, 1.5 * distance(color, c));
  return least;
}

} // namespace

std::vector<Rgb> jointColors(const Skeleton& skeleton) {
  const auto joint_count = skeleton.joints.size();
  std::vector<Lab> labs(joint_count);
  std::vector<std::vector<Lab>> of_children(joint_count + 1); // colors given out so far; roots share the last place
  int next = 0;
  for (int j : parentFirstOrder(skeleton)) {
    const auto i = static_cast<std::size_t>(j);
    const int parent = skeleton.joints[i].parent;
    std::vector<Lab>& siblings = of_children[parent == kNoParent ? joint_count : static_cast<std::size_t>(parent)];
    std::vector<Lab> close(siblings.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(siblings.size(), 8)),
                           siblings.end());
    std::vector<Lab> farther;
    if (parent != kNoParent) {
      close.push_back(labs[static_cast<std::size_t>(parent)]);
      const int grandparent = skeleton.joints[static_cast<std::size_t>(parent)].parent;
      if (grandparent != kNoParent) farther.push_back(labs[static_cast<std::size_t>(grandparent)]);
    }
    double best = -1;
    for (int c = next; c < next + kTries; ++c) {
      const double room = clearance(candidate(c), close, farther);
      if (room > best) best = room, labs[i] = candidate(c);
    }
    siblings.push_back(labs[i]);
    ++next;
  }
  std::vector<Rgb> colors;
  for (const Lab& lab : labs) colors.push_back(render::fromLab(lab));
  return colors;
}

} // namespace skincells
