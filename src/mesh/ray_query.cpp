#include "mesh/ray_query.h"

#include "mesh/closest_on_triangle.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <embree3/rtcore.h>

#include "base/assert.h"

namespace skincells::mesh {
namespace {

constexpr float kUnlimited = std::numeric_limits<float>::infinity();
// Hits within this distance of each other, at unit size, count as one place. Which of their triangles Embree reports
// depends on the order within its leaves, so all of them are visited and the lowest index is chosen.
constexpr float kTieTolerance = 1e-5F;

// Embree needs finite coordinates of moderate size. At unit size, a ray from beyond this limit does not meet the mesh.
constexpr double kCoordinateLimit = 1e12;

bool isWithinLimit(const Vec3d& p) {
  return std::fabs(p.x) < kCoordinateLimit && std::fabs(p.y) < kCoordinateLimit &&
         std::fabs(p.z) < kCoordinateLimit; // false for NaN
}

RTCRay makeRay(const Vec3d& origin, const Vec3d& direction, float near, float far) {
  RTCRay ray{};
  const Vec3f o = toFloat(origin), d = toFloat(direction);
  ray.org_x = o.x;
  ray.org_y = o.y;
  ray.org_z = o.z;
  ray.dir_x = d.x;
  ray.dir_y = d.y;
  ray.dir_z = d.z;
  ray.tnear = near;
  ray.tfar = far;
  ray.mask = 0xFFFFFFFFU;
  return ray;
}

// A ray context whose filter passes each candidate triangle to `keep`; rejected ones do not end the ray.
template <class Keep> struct FilterContext {
  RTCIntersectContext base; // first, so that Embree's pointer to it is a pointer to this
  const Keep* keep;

  explicit FilterContext(const Keep& function) : keep(&function) {
    rtcInitIntersectContext(&base);
    base.filter = [](const RTCFilterFunctionNArguments* args) {
      SKINCELLS_ASSERT(args->N == 1);
      const auto* self = reinterpret_cast<const FilterContext*>(args->context);
      if (args->valid[0] == -1 && !(*self->keep)(RTCHitN_primID(args->hit, 1, 0))) args->valid[0] = 0;
    };
  }
};

// Point i of n on a spiral that covers the sphere evenly.
Vec3d spiralDirection(int i, int n) {
  constexpr double kGoldenAngle = 2.399963229728653; // pi * (3 - sqrt(5))
  const double z = 1 - (2 * i + 1.0) / n, r = std::sqrt(std::fmax(0.0, 1 - z * z));
  return {r * std::cos(kGoldenAngle * i), r * std::sin(kGoldenAngle * i), z};
}

} // namespace

struct RayQuery::State {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  std::vector<Vec3f> positions; // at unit size, centered
  std::vector<Vec3d> exact;     // as in the mesh
  std::vector<Triangle> triangles;
  Vec3d center;
  double scale = 1;

  explicit State(const Mesh& mesh);
  ~State() {
    if (scene != nullptr) rtcReleaseScene(scene);
    if (device != nullptr) rtcReleaseDevice(device);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Vec3d toUnit(const Vec3d& p) const { return (p - center) * scale; }
  template <class Keep> bool occluded(RTCRay ray, const Keep& keep) const {
    FilterContext<Keep> context(keep);
    rtcOccluded1(scene, &context.base, &ray);
    return ray.tfar < 0;
  }
};

RayQuery::State::State(const Mesh& mesh) : triangles(mesh.triangles) {
  const Box box = mesh.bounds();
  center = box.center();
  if (box.diagonal() > 0) scale = 1 / box.diagonal();
  exact.reserve(mesh.positions.size());
  positions.reserve(mesh.positions.size() + 1);
  for (const Vec3f& p : mesh.positions) {
    exact.push_back(toDouble(p));
    positions.push_back(toFloat(toUnit(toDouble(p))));
  }
  positions.emplace_back(); // padding: Embree loads 16 bytes at a time
  device = rtcNewDevice("start_threads=0,set_affinity=0");
  SKINCELLS_ASSERT(device != nullptr);
  scene = rtcNewScene(device);
  rtcSetSceneFlags(scene, static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
  if (!triangles.empty()) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, positions.data(), 0,
                               sizeof(Vec3f), exact.size());
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, triangles.data(), 0,
                               sizeof(Triangle), triangles.size());
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
  }
  rtcCommitScene(scene);
}

RayQuery::RayQuery(const Mesh& mesh) : state_(std::make_unique<State>(mesh)) {}
RayQuery::~RayQuery() = default;
RayQuery::RayQuery(RayQuery&&) noexcept = default;
RayQuery& RayQuery::operator=(RayQuery&&) noexcept = default;

bool RayQuery::anyHitOf(const Vec3d& from, const Vec3d& to, const Filter& filter) const {
  const Vec3d origin = state_->toUnit(from), direction = state_->toUnit(to) - origin;
  if (dot(direction, direction) == 0 || !isWithinLimit(origin) || !isWithinLimit(direction)) return false;
  return state_->occluded(makeRay(origin, direction, 0, 1),
                          [&filter](std::uint32_t t) { return filter.accept(filter.context, t); });
}

bool RayQuery::anyHitFromVertex(std::uint32_t vertex, const Vec3d& to) const {
  return anyHit(state_->exact[vertex], to, [this, vertex](std::uint32_t t) {
    const Triangle& corners = state_->triangles[t];
    return corners[0] != vertex && corners[1] != vertex && corners[2] != vertex;
  });
}

std::optional<RayQuery::Hit> RayQuery::firstHit(const Vec3d& from, const Vec3d& direction) const {
  const Vec3d unit = normalized(direction), origin = state_->toUnit(from);
  if (dot(unit, unit) == 0 || !isWithinLimit(unit) || !isWithinLimit(origin)) return std::nullopt;
  RTCRayHit ray{};
  ray.ray = makeRay(origin, unit, 0, kUnlimited);
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(state_->scene, &context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  // A second, short ray around the hit visits all triangles that meet there.
  std::uint32_t lowest = ray.hit.primID;
  const float t = ray.ray.tfar;
  state_->occluded(makeRay(origin, unit, std::max(0.0F, t - kTieTolerance), t + kTieTolerance),
                   [&lowest](std::uint32_t other) {
                     lowest = std::min(lowest, other);
                     return false;
                   });
  const double distance = t / state_->scale;
  return Hit{lowest, distance, from + unit * distance};
}

double RayQuery::enclosure(const Vec3d& point, int ray_count) const {
  const Vec3d origin = state_->toUnit(point);
  if (!isWithinLimit(origin)) return 0;
  int hits = 0;
  for (int i = 0; i < ray_count; ++i) {
    RTCRay ray = makeRay(origin, spiralDirection(i, ray_count), 0, kUnlimited);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(state_->scene, &context, &ray);
    hits += ray.tfar < 0;
  }
  return ray_count > 0 ? static_cast<double>(hits) / ray_count : 0;
}

std::optional<RayQuery::Hit> RayQuery::closestPoint(const Vec3d& point, std::uint32_t near) const {
  struct Search {
    const State* state;
    Vec3d point;
    double squared = INFINITY;
    Hit best{kNoTriangle, 0, {}};

    bool visit(std::uint32_t triangle) {
      const Triangle& t = state->triangles[triangle];
      const auto& p = state->exact;
      const Vec3d q = closestOnTriangle(point, p[t[0]], p[t[1]], p[t[2]]), offset = q - point;
      const double found = dot(offset, offset);
      if (found > squared || (found == squared && triangle > best.triangle)) return false;
      squared = found;
      best = {triangle, std::sqrt(found), q};
      return true;
    }
    // With a margin for Embree's single precision, so that every triangle that may tie is still visited.
    float radius() const { return static_cast<float>(best.distance * state->scale * (1 + 1e-6)) + kTieTolerance; }
  } search{state_.get(), point, INFINITY, {kNoTriangle, 0, {}}};
  const auto visit = [](RTCPointQueryFunctionArguments* args) {
    Search& s = *static_cast<Search*>(args->userPtr);
    if (!s.visit(args->primID)) return false;
    args->query->radius = std::min(args->query->radius, s.radius());
    return true;
  };
  if (!isFinite(point)) return std::nullopt;
  const auto clamped = [](double x) { return static_cast<float>(std::clamp(x, -kCoordinateLimit, kCoordinateLimit)); };
  const Vec3d unit = state_->toUnit(point);
  const bool has_start = near != kNoTriangle && search.visit(near);
  RTCPointQuery query{clamped(unit.x), clamped(unit.y), clamped(unit.z), 0, has_start ? search.radius() : kUnlimited};
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  rtcPointQuery(state_->scene, &query, &context, visit, &search);
  if (search.best.triangle == kNoTriangle) return std::nullopt;
  return search.best;
}

} // namespace skincells::mesh
