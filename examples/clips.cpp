#include "clips.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "skeleton_builder.h"

namespace skincells::examples {
namespace {

constexpr double kFramesPerSecond = 30;

struct Track {
  std::vector<float> rotations, translations; // 4 and 3 numbers per frame
};

// Constant channels need one key; those at rest need none.
void addChannel(SceneAnimation& clip, int node, SceneChannel::Path path, const std::vector<float>& times,
                const std::vector<float>& values, const std::vector<float>& rest) {
  const std::size_t width = rest.size();
  const auto differs = [&](const float* a, const float* b) {
    for (std::size_t k = 0; k < width; ++k)
      if (std::fabs(a[k] - b[k]) > 1e-6f) return true;
    return false;
  };
  bool moves = false;
  for (std::size_t f = 1; f < times.size(); ++f) moves = moves || differs(&values[f * width], values.data());
  if (!moves && !differs(values.data(), rest.data())) return;
  SceneChannel channel;
  channel.node = node;
  channel.path = path;
  channel.times = moves ? times : std::vector<float>{0};
  channel.values.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(channel.times.size() * width));
  clip.channels.push_back(std::move(channel));
}

void pushRotation(std::vector<float>& out, const Affine& local) {
  std::array<double, 4> q = quaternionOf(local);
  if (out.size() >= 4) { // the shorter arc from the previous key
    double along = 0;
    for (std::size_t k = 0; k < 4; ++k) along += q[k] * static_cast<double>(out[out.size() - 4 + k]);
    if (along < 0)
      for (double& c : q) c = -c;
  }
  for (const double c : q) out.push_back(static_cast<float>(c));
}

void pushTranslation(std::vector<float>& out, const Vec3d& t) {
  out.insert(out.end(), {static_cast<float>(t.x), static_cast<float>(t.y), static_cast<float>(t.z)});
}

Affine parentFromBind(const Skeleton& skeleton, std::size_t joint) {
  const int parent = skeleton.joints[joint].parent;
  return parent < 0 ? Affine{} : skeleton.joints[static_cast<std::size_t>(parent)].bind.inverse();
}

} // namespace

Gesture::Gesture(const Skeleton& skeleton)
    : skeleton_(&skeleton), turns_(skeleton.joints.size()), shifts_(skeleton.joints.size()) {}

std::size_t Gesture::index(const std::string& joint) const {
  const int j = skeleton_->find(joint);
  SKINCELLS_ASSERT(j >= 0);
  return static_cast<std::size_t>(j);
}

void Gesture::turn(const std::string& joint, const Vec3d& axis, double degrees) {
  Affine& t = turns_[index(joint)];
  t = Affine::rotation(axis, degrees * M_PI / 180) * t;
}

void Gesture::turnPair(const std::string& stem, const Vec3d& axis, double degrees) {
  turn(stem + ".L", axis, degrees);
  turn(stem + ".R", {axis.x, -axis.y, -axis.z}, degrees);
}

void Gesture::shift(const std::string& joint, const Vec3d& by) {
  shifts_[index(joint)] += by;
}

SceneAnimation makeClip(const std::string& name, const Skeleton& skeleton, int first_node, double seconds,
                        const Motion& motion) {
  const int frames = static_cast<int>(std::lround(seconds * kFramesPerSecond));
  std::vector<Track> tracks(skeleton.joints.size()), rests(skeleton.joints.size());
  std::vector<float> times;
  for (int f = 0; f <= frames; ++f) {
    times.push_back(static_cast<float>(f / kFramesPerSecond));
    Gesture gesture(skeleton);
    motion(f == frames ? 0.0 : double(f) / frames, gesture);
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      const Affine to_parent = parentFromBind(skeleton, j), &bind = skeleton.joints[j].bind;
      pushRotation(tracks[j].rotations, to_parent * gesture.turns()[j] * bind);
      pushTranslation(tracks[j].translations, to_parent.apply(bind.translation() + gesture.shifts()[j]));
    }
  }
  SceneAnimation clip;
  clip.name = name;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const Affine rest = parentFromBind(skeleton, j) * skeleton.joints[j].bind;
    pushRotation(rests[j].rotations, rest);
    pushTranslation(rests[j].translations, rest.translation());
    const int node = first_node + static_cast<int>(j);
    addChannel(clip, node, SceneChannel::Path::Rotation, times, tracks[j].rotations, rests[j].rotations);
    addChannel(clip, node, SceneChannel::Path::Translation, times, tracks[j].translations, rests[j].translations);
  }
  return clip;
}

double cycle(std::initializer_list<double> values, double phase) {
  const std::vector<double> v(values);
  const auto n = static_cast<int>(v.size());
  const double x = (phase - std::floor(phase)) * n;
  const int i = std::min(static_cast<int>(x), n - 1);
  const auto at = [&](int k) { return v[static_cast<std::size_t>((k + n) % n)]; };
  const double t = x - i, a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))); // Catmull-Rom
}

double swing(double phase) {
  return std::sin(2 * M_PI * phase);
}

} // namespace skincells::examples
