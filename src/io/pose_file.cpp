#include "skincells/io/pose_file.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "base/try.h"
#include "rig/names/find_joint.h"
#include "text/json_access.h"

namespace skincells {
namespace {

using text::JsonPlace;

Result<Affine> readMatrix(const JsonPlace& place) {
  Affine a;
  if (place.size() != 12) return place.error("must be the 12 numbers of a 3x4 matrix, row by row");
  for (std::size_t i = 0; i < 12; ++i) {
    const auto& v = place.value()[i];
    if (!v.is_number() || !std::isfinite(v.get<double>())) return place.error("must contain only finite numbers");
    a.m[i / 4][i % 4] = v.get<double>();
  }
  return a;
}

Result<PoseSet> readSet(const JsonPlace& list, const std::string& label, const std::vector<int>& joint_of_column,
                        const Skeleton& skeleton) {
  PoseSet set;
  set.label = label;
  for (std::size_t p = 0; p < list.size(); ++p) {
    const JsonPlace pose = list.at(p);
    if (pose.size() != joint_of_column.size())
      return pose.error("must have one matrix for each of the " + std::to_string(joint_of_column.size()) + " joints");
    Pose out = bindPose(skeleton);
    for (std::size_t j = 0; j < joint_of_column.size(); ++j) {
      SKINCELLS_TRY(matrix, readMatrix(pose.at(j)));
      if (joint_of_column[j] >= 0) out[joint_of_column[j]] = matrix;
    }
    set.poses.push_back(std::move(out));
  }
  return set;
}

} // namespace

Result<PoseFile> readPoseFile(const std::string& path, const Skeleton& skeleton) {
  SKINCELLS_TRY(bytes, readFile(path));
  const auto json = nlohmann::ordered_json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (!json.is_object())
    return Error{ErrorCode::InvalidFile, "is not a pose file (JSON with 'joints' and lists of poses)", path};
  const JsonPlace root(json, path + "#");
  SKINCELLS_TRY(names, root.array("joints"));
  if (names.size() == 0) return root.error("'joints' is missing or empty");
  PoseFile file;
  std::vector<std::string> columns;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!names.at(k).value().is_string()) return names.at(k).error("must be a joint name");
    columns.push_back(names.at(k).value().get<std::string>());
  }
  const std::vector<int> joint_of_column = rig::matchNames(columns, skeleton);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (joint_of_column[k] < 0)
      file.warnings.push_back({"poses.unknown_joint",
                               "the skeleton has no joint '" + columns[k] + "'; its poses are ignored",
                               names.at(k).pointer()});
  if (file.warnings.size() == columns.size())
    return Error{ErrorCode::Mismatch, "none of its joints is in the skeleton; check that it is for this character",
                 path};
  for (const auto& [label, list] : root.members()) {
    if (!list.value().is_array() || label == "joints") continue;
    SKINCELLS_TRY(set, readSet(list, label, joint_of_column, skeleton));
    if (!set.poses.empty()) file.sets.push_back(std::move(set));
  }
  if (file.sets.empty()) return root.error("contains no poses");
  return file;
}

} // namespace skincells
