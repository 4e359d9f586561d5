#include "implicit.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/assert.h"

namespace skincells::examples {
namespace {

constexpr double kFar = 0.25;      // meters; the value of a field far from all its shapes
constexpr double kBlock = 0.06;    // meters; edge of the blocks of space that share a list of near shapes
constexpr double kProbe = 5e-4;    // meters; half width of finite differences
constexpr double kReach = 0.10;    // meters; shapes farther than this from a block have no effect in it
constexpr double kSoftness = 0.75; // width of weight transitions relative to the shape's radius
constexpr int kRelatedJoints = 3;  // joints more steps apart in the tree do not share a vertex
constexpr double kDegrees = M_PI / 180;

struct Sample {
  double value;
  Vec3d normal; // unit length, in the space of the sample
};

Sample sampleRoundCone(const Shape& s, const Vec3d& p) {
  const double rho = std::sqrt(p.x * p.x + p.z * p.z);
  double center = 0;
  if (s.span > 0) {
    const double b = (s.radius0 - s.radius1) / s.span;
    center = std::clamp(p.y - rho * b / std::sqrt(1 - b * b), 0.0, s.span);
  }
  const double radius = s.span > 0 ? s.radius0 + (s.radius1 - s.radius0) * center / s.span : s.radius0;
  const Vec3d offset{p.x, p.y - center, p.z};
  const double away = length(offset);
  return {away - radius, away > 0 ? offset * (1 / away) : Vec3d{1, 0, 0}};
}

// The two halves of a rounded corner: distances u and v past faces with normals nu and nv.
Sample sampleCorner(double u, const Vec3d& nu, double v, const Vec3d& nv, double rounding) {
  u += rounding;
  v += rounding;
  if (u > 0 && v > 0) return {std::sqrt(u * u + v * v) - rounding, normalized(nu * u + nv * v)};
  return u > v ? Sample{u - rounding, nu} : Sample{v - rounding, nv};
}

Sample sampleCappedCone(const Shape& s, const Vec3d& p) {
  const double rho = std::sqrt(p.x * p.x + p.z * p.z);
  const Vec3d out = rho > 0 ? Vec3d{p.x / rho, 0, p.z / rho} : Vec3d{1, 0, 0};
  const Vec3d side = normalized(out * s.span + Vec3d{0, s.radius0 - s.radius1, 0});
  const double u = dot(side, p - out * s.radius0);
  const bool top = p.y > s.span * 0.5;
  return sampleCorner(u, side, top ? p.y - s.span : -p.y, {0, top ? 1.0 : -1.0, 0}, s.rounding);
}

Sample sampleBox(const Shape& s, const Vec3d& p) {
  const Vec3d q{std::fabs(p.x) - s.half.x + s.rounding, std::fabs(p.y) - s.half.y + s.rounding,
                std::fabs(p.z) - s.half.z + s.rounding};
  const Vec3d sign{std::copysign(1.0, p.x), std::copysign(1.0, p.y), std::copysign(1.0, p.z)};
  const Vec3d outside{std::fmax(q.x, 0), std::fmax(q.y, 0), std::fmax(q.z, 0)};
  const double away = length(outside);
  if (away > 0)
    return {away - s.rounding, Vec3d{sign.x * outside.x, sign.y * outside.y, sign.z * outside.z} * (1 / away)};
  if (q.x > q.y && q.x > q.z) return {q.x - s.rounding, {sign.x, 0, 0}};
  return q.y > q.z ? Sample{q.y - s.rounding, {0, sign.y, 0}} : Sample{q.z - s.rounding, {0, 0, sign.z}};
}

Affine mirrorX() {
  Affine m;
  m.m[0][0] = -1;
  return m;
}

Affine frameAlong(const Vec3d& origin, const Vec3d& axis) {
  const Vec3d y = normalized(axis);
  const Vec3d reference = std::fabs(y.z) > 0.9 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  const Vec3d x = normalized(cross(y, reference)), z = cross(x, y);
  Affine f;
  const Vec3d columns[4] = {x, y, z, origin};
  for (int c = 0; c < 4; ++c) f.m[0][c] = columns[c].x, f.m[1][c] = columns[c].y, f.m[2][c] = columns[c].z;
  return f;
}

// Inverse of a rigid map, applied to a point.
Vec3d toLocal(const Affine& f, const Vec3d& p) {
  const Vec3d d = p - f.translation();
  return {dot(f.column(0), d), dot(f.column(1), d), dot(f.column(2), d)};
}

double smoothMinimum(double a, double b, double width) {
  if (width <= 0) return std::fmin(a, b);
  const double h = std::fmax(width - std::fabs(a - b), 0.0) / width;
  return std::fmin(a, b) - h * h * width * 0.25;
}

int stepsApart(const Skeleton& skeleton, int a, int b) {
  std::vector<int> up;
  for (int j = a; j >= 0; j = skeleton.joints[static_cast<std::size_t>(j)].parent) up.push_back(j);
  int steps = 0;
  for (int j = b; j >= 0; j = skeleton.joints[static_cast<std::size_t>(j)].parent, ++steps) {
    const auto meet = std::find(up.begin(), up.end(), j);
    if (meet != up.end()) return steps + static_cast<int>(meet - up.begin());
  }
  return skeleton.jointCount();
}

double meanRadius(const Shape& s) {
  if (s.kind == Shape::Kind::Box) return (s.half.x + s.half.y + s.half.z) / 3;
  const double stretch =
      s.span > 0 ? std::sqrt(s.squash.x * s.squash.z) : std::cbrt(s.squash.x * s.squash.y * s.squash.z);
  return stretch * (s.radius0 + s.radius1) / 2;
}

} // namespace

Shape Shape::turned(const Vec3d& axis, double degrees) const {
  Shape s = *this;
  const Vec3d o = world_from_local.translation();
  s.world_from_local = Affine::fromTranslation(o) * Affine::rotation(axis, degrees * kDegrees) *
                       Affine::fromTranslation(-o) * world_from_local;
  return s;
}

Shape Shape::flattened(double sx, double sz) const {
  Shape s = *this;
  s.squash = {squash.x * sx, squash.y, squash.z * sz};
  return s;
}

Shape Shape::mirrored() const {
  Shape s = *this;
  s.world_from_local = mirrorX() * world_from_local * mirrorX();
  return s;
}

Shape Shape::moved(const Affine& rigid) const {
  Shape s = *this;
  s.world_from_local = rigid * world_from_local;
  return s;
}

double Shape::distance(const Vec3d& p) const {
  const Vec3d l = toLocal(world_from_local, p);
  const Vec3d q{l.x / squash.x, l.y / squash.y, l.z / squash.z};
  const Sample s = kind == Kind::RoundCone    ? sampleRoundCone(*this, q)
                   : kind == Kind::CappedCone ? sampleCappedCone(*this, q)
                                              : sampleBox(*this, q);
  return s.value / length(Vec3d{s.normal.x / squash.x, s.normal.y / squash.y, s.normal.z / squash.z});
}

Vec3d Shape::center() const {
  return world_from_local.apply({0, squash.y * span * 0.5, 0});
}

double Shape::boundingRadius() const {
  const double stretch = std::max({squash.x, squash.y, squash.z});
  if (kind == Kind::Box) return stretch * skincells::length(half);
  return stretch * (span * 0.5 + std::max(radius0, radius1));
}

Shape roundCone(const Vec3d& a, const Vec3d& b, double ra, double rb) {
  Shape s;
  s.world_from_local = frameAlong(a, b - a);
  s.span = length(b - a);
  s.radius0 = ra;
  s.radius1 = rb;
  SKINCELLS_ASSERT(s.span > std::fabs(ra - rb));
  return s;
}

Shape cappedCone(const Vec3d& a, const Vec3d& b, double ra, double rb, double rounding) {
  Shape s = roundCone(a, b, ra, rb);
  s.kind = Shape::Kind::CappedCone;
  s.rounding = rounding;
  return s;
}

Shape ellipsoid(const Vec3d& center, const Vec3d& radii) {
  Shape s;
  s.world_from_local = Affine::fromTranslation(center);
  s.squash = radii;
  s.radius0 = s.radius1 = 1;
  return s;
}

Shape box(const Vec3d& center, const Vec3d& half, double rounding) {
  Shape s;
  s.kind = Shape::Kind::Box;
  s.world_from_local = Affine::fromTranslation(center);
  s.half = half;
  s.rounding = rounding;
  return s;
}

Shape beyond(const Vec3d& point, const Vec3d& normal) {
  constexpr double kLarge = 2;
  const Vec3d n = normalized(normal);
  Shape s = box({}, {kLarge, kLarge, kLarge}, 0);
  s.world_from_local = frameAlong(point + n * kLarge, n);
  return s;
}

Field Field::posed(const Pose& pose) const {
  Field f;
  for (const Shape& s : shapes_) f.add(s.moved(pose[static_cast<std::size_t>(s.joint)]));
  return f;
}

const Field::Nearby& Field::nearby(const Vec3d& p) const {
  const auto index = [](double x) { return static_cast<std::int64_t>(std::floor(x / kBlock)); };
  const std::int64_t i = index(p.x), j = index(p.y), k = index(p.z);
  const auto bits = [](std::int64_t x) { return static_cast<std::uint64_t>(x + (1 << 20)) & 0x1fffff; };
  const auto [entry, fresh] = nearby_.try_emplace(bits(i) << 42U | bits(j) << 21U | bits(k));
  if (fresh) {
    const Vec3d middle{(static_cast<double>(i) + 0.5) * kBlock, (static_cast<double>(j) + 0.5) * kBlock,
                       (static_cast<double>(k) + 0.5) * kBlock};
    for (std::size_t s = 0; s < shapes_.size(); ++s)
      if (length(middle - shapes_[s].center()) < shapes_[s].boundingRadius() + kBlock + kReach)
        entry->second.push_back(static_cast<std::uint16_t>(s));
  }
  return entry->second;
}

double Field::value(const Vec3d& p) const {
  double d = kFar;
  for (const auto index : nearby(p)) {
    const Shape& s = shapes_[index];
    const double e = s.distance(p);
    d = s.carve ? -smoothMinimum(-d, e, s.blend) : smoothMinimum(d, e, s.blend);
  }
  return d;
}

Vec3d Field::gradient(const Vec3d& p) const {
  // Four values at the corners of a tetrahedron give all three slopes.
  constexpr Vec3d kCorners[] = {{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}};
  Vec3d sum;
  for (const Vec3d& c : kCorners) sum += c * value(p + c * kProbe);
  return sum * (1 / (4 * kProbe));
}

Vec3d Field::project(Vec3d p) const {
  for (int step = 0; step < 3; ++step) {
    const double v = value(p);
    if (std::fabs(v) < 1e-5) break;
    const Vec3d g = gradient(p);
    const double steepness = std::fmax(dot(g, g), 0.1);
    p -= g * (v / steepness);
  }
  return p;
}

double Field::materialBorder(const Vec3d& p, int material) const {
  double own = kFar, other = kFar;
  for (const auto index : nearby(p)) {
    const Shape& s = shapes_[index];
    if (s.carve) continue;
    double& nearest = s.material == material ? own : other;
    nearest = std::fmin(nearest, s.distance(p));
  }
  return own - other;
}

int Field::materialAt(const Vec3d& p) const {
  double nearest = INFINITY;
  int material = 0;
  for (const auto index : nearby(p)) {
    const Shape& s = shapes_[index];
    if (s.carve) continue;
    const double d = s.distance(p);
    if (d < nearest) nearest = d, material = s.material;
  }
  return material;
}

std::vector<int> Field::materials() const {
  std::set<int> used;
  for (const Shape& s : shapes_)
    if (!s.carve) used.insert(s.material);
  return {used.begin(), used.end()};
}

std::vector<std::pair<int, double>> Field::influences(const Vec3d& p, const Skeleton& skeleton) const {
  std::vector<std::pair<double, const Shape*>> near;
  for (const auto index : nearby(p))
    if (!shapes_[index].carve) near.emplace_back(shapes_[index].distance(p), &shapes_[index]);
  if (near.empty()) return {};
  const auto nearest =
      *std::min_element(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<double> weight(static_cast<std::size_t>(skeleton.jointCount()));
  for (const auto& [d, shape] : near) {
    const double x = std::fmax(0.0, 1 - (d - nearest.first) / (kSoftness * meanRadius(*shape)));
    double& w = weight[static_cast<std::size_t>(shape->joint)];
    w = std::fmax(w, x * x * x);
  }
  std::vector<std::pair<int, double>> result;
  for (int j = 0; j < skeleton.jointCount(); ++j)
    if (weight[static_cast<std::size_t>(j)] > 0 && stepsApart(skeleton, nearest.second->joint, j) <= kRelatedJoints)
      result.emplace_back(j, weight[static_cast<std::size_t>(j)]);
  return result;
}

void Sculptor::add(const std::string& joint, const Shape& shape, bool carve) {
  Shape s = shape;
  s.joint = skeleton_->find(joint);
  SKINCELLS_ASSERT(s.joint >= 0);
  s.material = material_;
  s.blend = blend_;
  s.carve = carve;
  field_->add(s);
}

void Sculptor::addPair(const std::string& stem, const Shape& shape, bool carve) {
  add(stem + ".L", shape, carve);
  add(stem + ".R", shape.mirrored(), carve);
}

void Sculptor::addTwice(const std::string& joint, const Shape& shape, bool carve) {
  add(joint, shape, carve);
  add(joint, shape.mirrored(), carve);
}

Vec3d Sculptor::at(const std::string& joint) const {
  const int j = skeleton_->find(joint);
  SKINCELLS_ASSERT(j >= 0);
  return skeleton_->bindPosition(j);
}

} // namespace skincells::examples
