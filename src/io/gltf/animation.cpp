#include "io/gltf/animation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "io/gltf/accessor.h"

namespace skincells::io {
namespace {

void normalizeQuaternion(double* q) {
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (n > 0)
    for (int k = 0; k < 4; ++k) q[k] /= n;
}

void slerp(const double* a, const double* b, double s, double* out) {
  double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const double sign = cosine < 0 ? -1 : 1;
  cosine = std::min(1.0, std::fabs(cosine));
  double wa = 1 - s, wb = s;
  if (cosine < 0.9995) {
    const double angle = std::acos(cosine);
    wa = std::sin((1 - s) * angle) / std::sin(angle);
    wb = std::sin(s * angle) / std::sin(angle);
  }
  for (int k = 0; k < 4; ++k) out[k] = wa * a[k] + sign * wb * b[k];
  normalizeQuaternion(out);
}

bool areKeyTimes(const std::vector<float>& times) {
  return std::all_of(times.begin(), times.end(), [](float t) { return std::isfinite(t) && t >= 0; }) &&
         std::is_sorted(times.begin(), times.end());
}

} // namespace

ClipSampler::ClipSampler(const GltfDocument& doc, const GltfCharacter& c, Warnings& warnings)
    : model_(&doc.model), node_of_joint_(c.node_of_joint), scale_(c.info.meters_per_unit) {
  for (const Joint& j : c.character.skeleton.joints) bind_inverse_.push_back(j.bind.inverse());
  AccessorReader reader(doc.model, doc.path);
  for (std::size_t a = 0; a < doc.model.animations.size(); ++a) {
    const GltfAnimation& animation = doc.model.animations[a];
    ClipInfo info;
    info.name = animation.name.empty() ? "clip_" + std::to_string(a) : animation.name;
    std::vector<Track> tracks;
    for (const GltfChannel& channel : animation.channels) {
      const GltfSampler& sampler = animation.samplers[channel.sampler];
      Track track{channel.node, channel.path, sampler.interpolation, {}, {}};
      const int columns = channel.path == GltfChannel::Path::Rotation ? 4 : 3;
      auto times = reader.floats(sampler.input, 1);
      auto values = reader.floats(sampler.output, columns);
      const std::size_t per_key =
          static_cast<std::size_t>(columns) * (sampler.interpolation == GltfSampler::Interpolation::Cubic ? 3 : 1);
      if (!times || !values || times->empty() || values->size() != times->size() * per_key || !areKeyTimes(*times)) {
        warnings.push_back({"clip.unreadable", "a channel of clip '" + info.name + "' has invalid keys and is ignored",
                            doc.path + "#/animations/" + std::to_string(a)});
        continue;
      }
      track.times = std::move(*times);
      track.values = std::move(*values);
      info.duration = std::max(info.duration, static_cast<double>(track.times.back()));
      tracks.push_back(std::move(track));
    }
    info.channel_count = static_cast<int>(tracks.size());
    infos_.push_back(std::move(info));
    tracks_.push_back(std::move(tracks));
  }
}

std::array<double, 4> ClipSampler::Track::valueAt(double time) const {
  const std::size_t columns = path == GltfChannel::Path::Rotation ? 4 : 3;
  const auto upper = std::upper_bound(times.begin(), times.end(), static_cast<float>(time));
  const auto passed = static_cast<std::size_t>(upper - times.begin());
  const std::size_t next = std::min(passed, times.size() - 1), previous = passed == 0 ? 0 : passed - 1;
  const double span = static_cast<double>(times[next]) - times[previous];
  const double s = span > 0 ? std::clamp((time - times[previous]) / span, 0.0, 1.0) : 0.0;
  std::array<double, 4> value{0, 0, 0, 1};
  if (interpolation == GltfSampler::Interpolation::Cubic) {
    // A key holds in-tangent, value, out-tangent.
    const auto key = [&](std::size_t i, std::size_t part, std::size_t k) {
      return static_cast<double>(values[(i * 3 + part) * columns + k]);
    };
    const double s2 = s * s, s3 = s2 * s;
    for (std::size_t k = 0; k < columns; ++k)
      value[k] = (2 * s3 - 3 * s2 + 1) * key(previous, 1, k) + span * (s3 - 2 * s2 + s) * key(previous, 2, k) +
                 (-2 * s3 + 3 * s2) * key(next, 1, k) + span * (s3 - s2) * key(next, 0, k);
    if (columns == 4) normalizeQuaternion(value.data());
    return value;
  }
  double a[4] = {0, 0, 0, 1}, b[4] = {0, 0, 0, 1};
  for (std::size_t k = 0; k < columns; ++k) {
    a[k] = values[previous * columns + k];
    b[k] = values[next * columns + k];
  }
  const double f = interpolation == GltfSampler::Interpolation::Step ? 0.0 : s;
  if (columns == 4)
    slerp(a, b, f, value.data());
  else
    for (std::size_t k = 0; k < 3; ++k) value[k] = a[k] + f * (b[k] - a[k]);
  return value;
}

// The nodes at a time of the clip; nodes that it does not animate are unchanged.
std::vector<GltfNode> ClipSampler::nodesAt(std::size_t clip, double time) const {
  std::vector<GltfNode> nodes = model_->nodes;
  for (const Track& track : tracks_[clip]) {
    const std::array<double, 4> value = track.valueAt(time);
    GltfNode& node = nodes[track.node];
    node.matrix.reset();
    switch (track.path) {
    case GltfChannel::Path::Translation:
      node.translation = {value[0], value[1], value[2]};
      break;
    case GltfChannel::Path::Scale:
      node.scale = {value[0], value[1], value[2]};
      break;
    case GltfChannel::Path::Rotation:
      node.rotation = value;
      break;
    }
  }
  return nodes;
}

Pose ClipSampler::sample(std::size_t clip, double time) const {
  const std::vector<Affine> world = worldTransforms(nodesAt(clip, time));
  Pose pose;
  for (std::size_t j = 0; j < node_of_joint_.size(); ++j) {
    Affine p = world[node_of_joint_[j]] * bind_inverse_[j];
    for (auto& row : p.m)
      for (double& x : row) x /= scale_;
    pose.push_back(p);
  }
  return pose;
}

std::vector<ClipFrame> clipFrames(std::span<const ClipInfo> clips, double frames_per_second, std::size_t most) {
  // Frames are counted, not listed: a broken file may declare an absurd duration.
  constexpr double kMaxFrames = 1e9;
  std::vector<std::uint64_t> frames; // by clip
  std::uint64_t total = 0;
  for (const ClipInfo& clip : clips) {
    const double last = std::floor(clip.duration * frames_per_second + 1e-9);
    frames.push_back(static_cast<std::uint64_t>(std::min(last, kMaxFrames)) + 1);
    total += frames.back();
  }
  std::vector<ClipFrame> out;
  const std::uint64_t count = std::min(total, static_cast<std::uint64_t>(most));
  std::size_t clip = 0;
  std::uint64_t before = 0; // frames of the clips before this one
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t frame = i * total / count;
    for (; frame - before >= frames[clip]; ++clip) before += frames[clip];
    out.push_back({clip, static_cast<double>(frame - before) / frames_per_second});
  }
  return out;
}

} // namespace skincells::io
