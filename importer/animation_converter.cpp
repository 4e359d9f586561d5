#include "animation_converter.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "affine_conversion.h"

namespace skincells::importer {
namespace {

using Quaternion = std::array<double, 4>;
using Path = SceneChannel::Path;
using Tracks = std::unordered_map<std::string_view, const aiNodeAnim*>;

constexpr double kDefaultTicksPerSecond = 25; // recommended by Assimp's documentation for files without a rate

Vec3d valueOf(const aiVectorKey& key) {
  return toVec(key.mValue);
}
Quaternion valueOf(const aiQuatKey& key) {
  const double q[4] = {key.mValue.x, key.mValue.y, key.mValue.z, key.mValue.w};
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(norm > 1e-12) || !std::isfinite(norm)) return {0, 0, 0, 1};
  return {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
}

Vec3d between(const Vec3d& a, const Vec3d& b, double f) {
  return a + (b - a) * f;
}
// Spherical interpolation along the shorter arc, as in glTF.
Quaternion between(const Quaternion& a, Quaternion b, double f) {
  double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  if (cosine < 0) {
    cosine = -cosine;
    for (double& c : b) c = -c;
  }
  double wa = 1 - f, wb = f;
  if (cosine < 0.9999) {
    const double angle = std::acos(cosine);
    wa = std::sin(wa * angle) / std::sin(angle);
    wb = std::sin(wb * angle) / std::sin(angle);
  }
  Quaternion q{};
  for (std::size_t k = 0; k < 4; ++k) q[k] = wa * a[k] + wb * b[k];
  return q;
}

// The value of a track at a time in ticks, constant before the first and after the last key.
template <class Key> auto sample(const Key* keys, unsigned key_count, double time) {
  const Key* const end = keys + key_count;
  const Key* const after = std::upper_bound(keys, end, time, [](double t, const Key& k) { return t < k.mTime; });
  if (after == keys) return valueOf(*keys);
  const Key& before = *(after - 1);
  if (after == end) return valueOf(before);
  return between(valueOf(before), valueOf(*after), (time - before.mTime) / (after->mTime - before.mTime));
}

Affine sampleNode(const aiNode& node, const Tracks& tracks, double time) {
  const Affine rest = toAffine(node.mTransformation);
  const auto found = tracks.find(node.mName.C_Str());
  if (found == tracks.end()) return rest;
  const aiNodeAnim& track = *found->second;
  Trs trs = decompose(rest);
  if (track.mNumPositionKeys > 0) trs.translation = sample(track.mPositionKeys, track.mNumPositionKeys, time);
  if (track.mNumRotationKeys > 0) trs.rotation = sample(track.mRotationKeys, track.mNumRotationKeys, time);
  if (track.mNumScalingKeys > 0) trs.scale = sample(track.mScalingKeys, track.mNumScalingKeys, time);
  return compose(trs);
}

void appendTimes(const aiNodeAnim& track, std::vector<double>& times) {
  const auto add = [&](const auto* keys, unsigned n) {
    for (unsigned k = 0; k < n; ++k) times.push_back(keys[k].mTime);
  };
  add(track.mPositionKeys, track.mNumPositionKeys);
  add(track.mRotationKeys, track.mNumRotationKeys);
  add(track.mScalingKeys, track.mNumScalingKeys);
}

// Collects keys in seconds; drops those that are invalid in glTF.
class ChannelWriter {
public:
  ChannelWriter(int node, Path path, double start, double seconds_per_tick)
      : start_(start), seconds_per_tick_(seconds_per_tick) {
    channel_.node = node;
    channel_.path = path;
  }
  void add(double ticks, const Vec3d& v) { addKey(ticks, std::array<double, 3>{v.x, v.y, v.z}); }
  void add(double ticks, Quaternion q) {
    // The sign of the quaternion nearest to the previous key, so that interpolation takes the shorter arc.
    const auto& last = channel_.values;
    double same = 0;
    for (std::size_t k = 0; last.size() >= 4 && k < 4; ++k)
      same += q[k] * static_cast<double>(last[last.size() - 4 + k]);
    if (same < 0)
      for (double& c : q) c = -c;
    addKey(ticks, q);
  }
  void moveTo(std::vector<SceneChannel>& channels) {
    if (!channel_.times.empty()) channels.push_back(std::move(channel_));
  }

private:
  template <std::size_t N> void addKey(double ticks, const std::array<double, N>& value) {
    const auto seconds = static_cast<float>((ticks - start_) * seconds_per_tick_);
    if (!std::isfinite(seconds) || (!channel_.times.empty() && seconds <= channel_.times.back())) return;
    if (!std::all_of(value.begin(), value.end(), [](double x) { return std::isfinite(static_cast<float>(x)); })) return;
    channel_.times.push_back(seconds);
    for (double x : value) channel_.values.push_back(static_cast<float>(x));
  }

  SceneChannel channel_;
  double start_, seconds_per_tick_;
};

class Converter {
public:
  Converter(const aiAnimation& animation, const NodeTree& tree) : tree_(tree) {
    out_.name = animation.mName.C_Str();
    if (animation.mTicksPerSecond > 0) seconds_per_tick_ = 1 / animation.mTicksPerSecond;
    std::vector<double> times;
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
      tracks_.emplace(animation.mChannels[c]->mNodeName.C_Str(), animation.mChannels[c]);
      appendTimes(*animation.mChannels[c], times);
    }
    for (double t : times)
      if (std::isfinite(t)) start_ = std::min(start_, t); // glTF has no negative times
  }

  SceneAnimation convert() {
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      const PivotChain& chain = tree_.chains[n];
      // If several nodes have the name, only the one that find() returns is animated.
      if (chain.empty() || tree_.find(tree_.nodes[n].name) != static_cast<int>(n)) continue;
      // A track with the name of the node is its whole movement, even if there are pivots above it.
      if (const auto own = tracks_.find(chain.back()->mName.C_Str()); own != tracks_.end())
        copyKeys(static_cast<int>(n), *own->second);
      else
        sampleChain(static_cast<int>(n), chain);
    }
    return std::move(out_);
  }

private:
  ChannelWriter writer(int node, Path path) const { return {node, path, start_, seconds_per_tick_}; }

  void copyKeys(int node, const aiNodeAnim& track) {
    const auto copy = [&](Path path, const auto* keys, unsigned n) {
      ChannelWriter channel = writer(node, path);
      for (unsigned k = 0; k < n; ++k) channel.add(keys[k].mTime, valueOf(keys[k]));
      channel.moveTo(out_.channels);
    };
    copy(Path::Translation, track.mPositionKeys, track.mNumPositionKeys);
    copy(Path::Rotation, track.mRotationKeys, track.mNumRotationKeys);
    copy(Path::Scale, track.mScalingKeys, track.mNumScalingKeys);
  }

  void sampleChain(int node, const PivotChain& chain) {
    std::vector<double> times;
    for (const aiNode* link : chain)
      if (const auto found = tracks_.find(link->mName.C_Str()); found != tracks_.end())
        appendTimes(*found->second, times);
    times.erase(std::remove_if(times.begin(), times.end(), [](double t) { return !std::isfinite(t); }), times.end());
    std::sort(times.begin(), times.end());
    ChannelWriter translation = writer(node, Path::Translation), rotation = writer(node, Path::Rotation),
                  scale = writer(node, Path::Scale);
    for (double t : times) {
      Affine local;
      for (const aiNode* link : chain) local = local * sampleNode(*link, tracks_, t);
      const Trs trs = decompose(local);
      translation.add(t, trs.translation);
      rotation.add(t, trs.rotation);
      scale.add(t, trs.scale);
    }
    for (ChannelWriter* channel : {&translation, &rotation, &scale}) channel->moveTo(out_.channels);
  }

  const NodeTree& tree_;
  Tracks tracks_;
  SceneAnimation out_;
  double start_ = 0, seconds_per_tick_ = 1 / kDefaultTicksPerSecond;
};

} // namespace

SceneAnimation convertAnimation(const aiAnimation& animation, const NodeTree& tree) {
  return Converter(animation, tree).convert();
}

} // namespace skincells::importer
