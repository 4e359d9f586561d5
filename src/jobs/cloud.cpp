#include "jobs/cloud.h"

#include <charconv>

namespace skincells::jobs {
namespace {

// In diagonals of the bound mesh.
constexpr double kOutsideMargin = 0.25; // room for hair, props and noise
constexpr double kSmallestCloud = 0.02; // an eye is nearly that small

bool isInside(const Vec3d& p, const Box& box, double margin) {
  return p.x >= box.lo.x - margin && p.x <= box.hi.x + margin && p.y >= box.lo.y - margin && p.y <= box.hi.y + margin &&
         p.z >= box.lo.z - margin && p.z <= box.hi.z + margin;
}

std::string sizeText(const Box& box) {
  const Vec3d size = box.size();
  const auto text = [](double x) {
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, x, std::chars_format::general, 4).ptr);
  };
  return text(size.x) + " x " + text(size.y) + " x " + text(size.z);
}

} // namespace

Character characterOfCloud(const PointCloudFile& cloud, const FieldDocument& field) {
  return {cloud.info().path, cloud.mesh(), field.skeleton, {}};
}

Warnings checkSpaceOfCloud(const PointCloudFile& cloud, const FieldDocument& field) {
  const auto& points = cloud.mesh().positions;
  const double diagonal = field.box.diagonal();
  Box box;
  std::size_t outside = 0;
  for (const Vec3f& point : points) {
    box.add(toDouble(point));
    outside += isInside(toDouble(point), field.box, kOutsideMargin * diagonal) ? 0 : 1;
  }
  const std::string sizes = "the cloud measures " + sizeText(box) + ", the bound mesh " + sizeText(field.box) +
                            ": check its unit, up-axis and pose. It must be in the bind space of the field "
                            "('skincells inspect' shows it)";
  if (2 * outside > points.size())
    return {{"cloud.outside", "most of its points are far from the character; " + sizes, cloud.info().path}};
  if (points.size() > 1 && box.diagonal() < kSmallestCloud * diagonal)
    return {{"cloud.tiny", "all its points are in one small part of the character; " + sizes, cloud.info().path}};
  return {};
}

std::vector<std::string> jointNames(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Joint& joint : skeleton.joints) names.push_back(joint.name);
  return names;
}

} // namespace skincells::jobs
