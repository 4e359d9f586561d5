#include "jobs/pose/posed_cloud.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/try.h"
#include "deform/harmonics.h"
#include "deform/splat.h"
#include "io/ply/point_cloud_access.h"
#include "io/ply/skin.h"
#include "io/ply/splat_layout.h"
#include "jobs/joint_match.h"

namespace skincells::jobs {
namespace {

using namespace deform;

constexpr double kSmallestScale = 1e-30; // its logarithm fits a float

// Places of a splat's numbers in a row of changed properties.
class PosedRow {
public:
  PosedRow(const io::PlyFile& file, const io::SplatLayout& layout) : degree_(layout.isSplat() ? layout.degree : -1) {
    const std::vector<int> position{file.find("x"), file.find("y"), file.find("z")};
    const std::vector<int> scale = layout.isSplat() ? layout.scale : std::vector<int>{};
    const std::vector<int> rotation = layout.isSplat() ? layout.rotation : std::vector<int>{};
    for (const auto* list : {&position, &layout.normal, &scale, &rotation, &layout.harmonics})
      properties_.insert(properties_.end(), list->begin(), list->end());
    std::ranges::sort(properties_);
    position_ = placesOf(position);
    normal_ = placesOf(layout.normal);
    scale_ = placesOf(scale);
    rotation_ = placesOf(rotation);
    harmonics_ = placesOf(layout.harmonics);
  }

  const std::vector<int>& properties() const { return properties_; }

  void pose(const Affine& map, std::span<double> row) const {
    put(position_, map.apply(vector(position_, row)), row);
    const Columns linear = linearPart(map);
    if (!normal_.empty()) put(normal_, transformedNormal(vector(normal_, row), linear), row);
    if (!scale_.empty()) poseEllipsoid(linear, row);
    if (!harmonics_.empty()) poseHarmonics(linear, row);
  }

private:
  std::vector<std::size_t> placesOf(const std::vector<int>& properties) const {
    std::vector<std::size_t> out;
    for (const int p : properties)
      out.push_back(static_cast<std::size_t>(std::ranges::lower_bound(properties_, p) - properties_.begin()));
    return out;
  }
  static Vec3d vector(const std::vector<std::size_t>& places, std::span<const double> row) {
    return {row[places[0]], row[places[1]], row[places[2]]};
  }
  static void put(const std::vector<std::size_t>& places, const Vec3d& v, std::span<double> row) {
    row[places[0]] = v.x;
    row[places[1]] = v.y;
    row[places[2]] = v.z;
  }

  void poseEllipsoid(const Columns& linear, std::span<double> row) const {
    Ellipsoid e;
    std::array<double, 4> q{};
    for (std::size_t i = 0; i < 4; ++i) q[i] = row[rotation_[i]];
    e.axes = rotationOf(q);
    for (std::size_t i = 0; i < 3; ++i) e.scale[i] = std::exp(row[scale_[i]]);
    const Ellipsoid posed = transformed(e, linear);
    const auto turned = quaternionOf(posed.axes);
    if (!std::isfinite(turned[0]) || !std::isfinite(posed.scale[0] + posed.scale[1] + posed.scale[2])) return;
    for (std::size_t i = 0; i < 4; ++i) row[rotation_[i]] = turned[i];
    for (std::size_t i = 0; i < 3; ++i) row[scale_[i]] = std::log(std::max(posed.scale[i], kSmallestScale));
  }

  void poseHarmonics(const Columns& linear, std::span<double> row) const {
    const HarmonicsRotation rotation(nearestRotation(linear), degree_);
    const std::size_t each = harmonics_.size() / 3;
    double rest[kMaxCoefficients - 1];
    for (std::size_t color = 0; color < 3; ++color) {
      const std::size_t* places = &harmonics_[color * each];
      for (std::size_t i = 0; i < each; ++i) rest[i] = row[places[i]];
      rotation.apply(std::span(rest).first(each));
      for (std::size_t i = 0; i < each; ++i) row[places[i]] = rest[i];
    }
  }

  int degree_;
  std::vector<int> properties_; // ascending
  std::vector<std::size_t> position_, normal_, scale_, rotation_, harmonics_;
};

} // namespace

Result<void> stagePosed(const PointCloudFile& cloud, const Skeleton& skeleton, const ChosenPose& chosen,
                        OutputSet& outputs, const std::string& path, const WriteOptions& options) {
  if (cloud.weights().empty())
    return Error{
        ErrorCode::Mismatch,
        "has no weights (joint_k, weight_k); get some with 'skincells apply', or name the field (--from-field)",
        cloud.info().path};
  return stagePosed(cloud, cloud.weights(), cloud.jointNames(), skeleton, chosen, outputs, path, options);
}

Result<void> stagePosed(const PointCloudFile& cloud, const SparseWeights& given,
                        const std::vector<std::string>& joint_names, const Skeleton& skeleton, const ChosenPose& chosen,
                        OutputSet& outputs, const std::string& path, const WriteOptions& options) {
  SKINCELLS_ASSERT(chosen.pose.size() == skeleton.joints.size());
  SKINCELLS_ASSERT(given.vertexCount() == cloud.mesh().positions.size());
  const io::PlyFile& file = io::PointCloudAccess::plyFile(cloud);
  SKINCELLS_TRY(weights, overSkeleton(given, joint_names, skeleton, cloud.info().path));
  const PosedRow row(file, io::findSplatLayout(file));
  io::PlyEdit edit = io::plyWeightsEdit(file, {}, {}); // removes the weights, which are for the bind pose
  edit.comments.push_back("posed by skincells: " + chosen.label);
  edit.changed = row.properties();
  const std::size_t width = edit.changed.size();
  edit.fill = [&](std::size_t begin, std::size_t end, std::span<double> changed, std::span<double>) {
    for (std::size_t v = begin; v < end; ++v) {
      if (weights.weightRow(v)[0] == 0) continue; // has no weights
      row.pose(blend(weights.jointRow(v), weights.weightRow(v), chosen.pose),
               changed.subspan((v - begin) * width, width));
    }
  };
  return io::stagePlyFile(file, edit, outputs, path, options.force);
}

} // namespace skincells::jobs
