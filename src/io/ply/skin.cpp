#include "io/ply/skin.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/parallel.h"
#include "base/try.h"

namespace skincells::io {
namespace {

constexpr std::string_view kJointComment = "skincells joint ";
constexpr std::size_t kMaxJoints = 65536; // joint indices have 16 bits
constexpr int kMaxSlots = 16;             // further properties are ignored; the largest weights are kept

// A name must not break the header line.
std::string oneLine(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ') c = '_';
  return name;
}

// All properties, ascending, with the name of a skin property. This includes incomplete slots, which new properties
// could complete.
std::vector<int> skinProperties(const PlyFile& file) {
  std::vector<int> out;
  for (int k = 0; k < kMaxSlots; ++k)
    for (const char* prefix : {"joint_", "weight_"})
      if (const int property = file.vertices().find(prefix + std::to_string(k)); property >= 0) out.push_back(property);
  std::ranges::sort(out);
  return out;
}

} // namespace

PlySkin findPlySkin(const PlyFile& file) {
  PlySkin skin;
  for (int k = 0; k < kMaxSlots; ++k) {
    const int joint = file.find("joint_" + std::to_string(k)), weight = file.find("weight_" + std::to_string(k));
    if (joint < 0 || weight < 0) break;
    skin.joint.push_back(joint);
    skin.weight.push_back(weight);
  }
  return skin;
}

Result<std::vector<std::string>> readPlyJointNames(const PlyHeader& header, const std::string& where) {
  std::map<std::size_t, std::string> names;
  const std::string start = "comment " + std::string(kJointComment);
  for (const PlyLine& line : header.lines) {
    std::string_view text = line.text();
    if (!text.starts_with(start)) continue;
    text.remove_prefix(start.size());
    std::size_t index = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), index);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (failed != std::errc() || index >= kMaxJoints || (length < text.size() && *end != ' ') ||
        !names.emplace(index, text.substr(std::min(length + 1, text.size()))).second)
      return Error{ErrorCode::InvalidFile,
                   "has a joint comment with a missing or duplicate index: '" + std::string(text) + "'", where};
  }
  std::vector<std::string> out;
  for (auto& [index, name] : names) {
    if (index != out.size())
      return Error{ErrorCode::InvalidFile, "has no comment that names joint " + std::to_string(out.size()), where};
    out.push_back(std::move(name));
  }
  return out;
}

Result<SparseWeights> readPlyWeights(const PlyFile& file, const PlySkin& skin, std::size_t joint_count) {
  const std::size_t slots = skin.joint.size(), n = file.vertexCount();
  SparseWeights out(n, static_cast<int>(slots));
  if (slots == 0) return out;
  std::vector<int> properties = skin.joint;
  properties.insert(properties.end(), skin.weight.begin(), skin.weight.end());
  const std::size_t most = joint_count > 0 ? joint_count : kMaxJoints;
  constexpr std::size_t kRows = 4096;
  std::vector<std::size_t> bad((n + kRows - 1) / kRows, n); // by chunk: the first invalid vertex
  parallelChunks(n, kRows, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    std::vector<double> numbers((end - begin) * 2 * slots);
    file.numbers(begin, end, properties, numbers);
    for (std::size_t v = begin; v < end; ++v)
      for (std::size_t k = 0; k < slots; ++k) {
        const double joint = numbers[(v - begin) * 2 * slots + k], weight = numbers[((v - begin) * 2 + 1) * slots + k];
        if (weight == 0) continue;
        if (!(joint >= 0 && joint < static_cast<double>(most))) {
          bad[chunk] = std::min(bad[chunk], v);
          continue;
        }
        out.jointRow(v)[k] = static_cast<std::uint16_t>(joint);
        out.weightRow(v)[k] = static_cast<float>(weight);
      }
  });
  const std::size_t first = *std::ranges::min_element(bad);
  if (first < n)
    return Error{ErrorCode::InvalidFile, "vertex " + std::to_string(first) + " has a joint that the file does not name",
                 file.name()};
  canonicalize(out, std::min(out.slots, kMaxInfluences));
  return out;
}

PlyEdit plyWeightsEdit(const PlyFile& file, const SparseWeights& weights, const std::vector<std::string>& joint_names) {
  PlyEdit edit;
  edit.removed = skinProperties(file);
  edit.dropped_comments = kJointComment;
  for (std::size_t j = 0; j < joint_names.size(); ++j)
    edit.comments.push_back(std::string(kJointComment) + std::to_string(j) + " " + oneLine(joint_names[j]));
  for (int k = 0; k < weights.slots; ++k) {
    edit.added.push_back({"joint_" + std::to_string(k), PlyType::U16});
    edit.added.push_back({"weight_" + std::to_string(k), PlyType::F32});
  }
  edit.fill = [&weights](std::size_t begin, std::size_t end, std::span<double>, std::span<double> added) {
    auto out = added.begin();
    for (std::size_t v = begin; v < end; ++v)
      for (std::size_t k = 0; k < static_cast<std::size_t>(weights.slots); ++k) {
        *out++ = weights.jointRow(v)[k];
        *out++ = static_cast<double>(weights.weightRow(v)[k]);
      }
  };
  return edit;
}

} // namespace skincells::io
