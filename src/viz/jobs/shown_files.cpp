#include "viz/jobs/shown_files.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/try.h"
#include "deform/matrix3.h"
#include "io/ply/point_cloud_access.h"
#include "io/ply/splat_layout.h"
#include "jobs/joint_match.h"
#include "jobs/read_all.h"
#include "skincells/io/scene.h"
#include "skincells/viz/image.h"

namespace skincells::jobs {
namespace {

constexpr std::size_t kMostFacets = 20'000;
constexpr double kLeastOpacity = 0.1;
constexpr double kSplatRadius = 2;       // standard deviations
constexpr double kLargestRadius = 0.05;  // of the diagonal
constexpr double kSmallestRadius = 1e-4; // of the diagonal
constexpr double kPointRadius = 0.4;     // of the spacing of points that cover a square as wide as the diagonal

std::vector<int> findAll(const io::PlyFile& file, std::initializer_list<const char*> names) {
  std::vector<int> found;
  for (const char* name : names)
    if (const int at = file.find(name); at >= 0) found.push_back(at);
  if (found.size() != names.size()) found.clear();
  return found;
}

// Reads some properties of single vertices; no numbers if there are no properties.
class Reader {
public:
  Reader(const io::PlyFile& file, std::vector<int> properties)
      : file_(file), properties_(std::move(properties)), numbers_(properties_.size()) {}
  std::span<const double> of(std::size_t vertex) {
    if (!properties_.empty()) file_.numbers(vertex, vertex + 1, properties_, numbers_);
    return numbers_;
  }

private:
  const io::PlyFile& file_;
  std::vector<int> properties_;
  std::vector<double> numbers_;
};

// Color and shape of single points.
class Looks {
public:
  Looks(const PointCloudFile& cloud, double diagonal)
      : file_(io::PointCloudAccess::plyFile(cloud)), splats_(cloud.info().splats), diagonal_(diagonal),
        direct_(file_, findAll(file_, {"f_dc_0", "f_dc_1", "f_dc_2"})),
        plain_(file_, findAll(file_, {"red", "green", "blue"})), opacity_(file_, findAll(file_, {"opacity"})),
        scale_(file_, io::findSplatLayout(file_).scale), rotation_(file_, io::findSplatLayout(file_).rotation) {}

  bool isShown(std::size_t v) {
    const auto opacity = opacity_.of(v);
    return opacity.empty() || !(1 / (1 + std::exp(-opacity[0])) < kLeastOpacity);
  }

  std::array<std::uint8_t, 3> color(std::size_t v) {
    constexpr double kHarmonic = 0.28209479177387814; // the constant one
    std::array<double, 3> rgb{0.8, 0.8, 0.8};
    if (const auto direct = direct_.of(v); !direct.empty())
      for (std::size_t i = 0; i < 3; ++i) rgb[i] = 0.5 + kHarmonic * direct[i];
    else if (const auto plain = plain_.of(v); !plain.empty())
      for (std::size_t i = 0; i < 3; ++i) rgb[i] = plain[i] / 255;
    std::array<std::uint8_t, 3> out{};
    for (std::size_t i = 0; i < 3; ++i)
      out[i] = static_cast<std::uint8_t>(std::lround(255 * (rgb[i] > 0 ? std::min(rgb[i], 1.0) : 0)));
    return out;
  }

  // Half axes of the facet. `wider`: in place of points that are not shown.
  deform::Columns axes(std::size_t v, double spacing, double wider) {
    const auto clamped = [&](double radius) {
      const double largest = kLargestRadius * diagonal_;
      return radius < largest ? std::max(radius, kSmallestRadius * diagonal_) : largest; // NaN: largest
    };
    if (!splats_) {
      const double radius = clamped(kPointRadius * spacing);
      return {Vec3d{radius, 0, 0}, Vec3d{0, radius, 0}, Vec3d{0, 0, radius}};
    }
    const auto scale = scale_.of(v), rotation = rotation_.of(v);
    deform::Columns axes = deform::rotationOf({rotation[0], rotation[1], rotation[2], rotation[3]});
    for (std::size_t i = 0; i < 3; ++i) axes[i] = axes[i] * clamped(kSplatRadius * wider * std::exp(scale[i]));
    return axes;
  }

private:
  const io::PlyFile& file_;
  bool splats_;
  double diagonal_;
  Reader direct_, plain_, opacity_, scale_, rotation_;
};

// The points that get a facet: visible, evenly chosen.
std::vector<std::uint32_t> chosenPoints(const Mesh& mesh, Looks& looks) {
  std::vector<std::uint32_t> visible;
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v)
    if (looks.isShown(v)) visible.push_back(v);
  if (visible.size() <= kMostFacets) return visible;
  std::vector<std::uint32_t> chosen(kMostFacets);
  for (std::size_t i = 0; i < kMostFacets; ++i) chosen[i] = visible[i * visible.size() / kMostFacets];
  return chosen;
}

struct Facets {
  ScenePrimitive surface;
  std::vector<std::uint32_t> point_of_vertex;
  Image colors; // a pixel for each
};

// An octahedron for each chosen point, textured by one pixel.
Facets facetsOf(const PointCloudFile& cloud) {
  const Mesh& mesh = cloud.mesh();
  const double diagonal = trimmedBounds(mesh).diagonal();
  Looks looks(cloud, diagonal);
  const std::vector<std::uint32_t> chosen = chosenPoints(mesh, looks);
  const auto count = static_cast<double>(std::max<std::size_t>(chosen.size(), 1));
  const double wider = std::sqrt(static_cast<double>(mesh.vertexCount()) / count),
               spacing = diagonal / std::sqrt(count);
  const int side = std::max(1, static_cast<int>(std::ceil(std::sqrt(count))));
  Facets out;
  out.colors = Image(side, side);
  std::ranges::fill(out.colors.rgba, std::uint8_t{255});
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::uint32_t v = chosen[i];
    const int x = static_cast<int>(i) % side, y = static_cast<int>(i) / side;
    std::ranges::copy(looks.color(v), out.colors.pixel(x, y));
    const Vec3d center = toDouble(mesh.positions[v]);
    const auto first = static_cast<std::uint32_t>(out.surface.positions.size());
    for (const Vec3d& axis : looks.axes(v, spacing, wider))
      for (double sign : {1.0, -1.0}) {
        out.surface.positions.push_back(toFloat(center + axis * sign));
        out.surface.uvs.push_back({(static_cast<float>(x) + 0.5F) / static_cast<float>(side),
                                   (static_cast<float>(y) + 0.5F) / static_cast<float>(side)});
        out.point_of_vertex.push_back(v);
      }
    for (std::uint32_t a : {0U, 1U})
      for (std::uint32_t b : {2U, 3U})
        for (std::uint32_t c : {4U, 5U}) {
          const bool even = (a + b + c) % 2 == 0; // counterclockwise from outside
          out.surface.triangles.push_back({first + a, first + (even ? b : c), first + (even ? c : b)});
        }
  }
  return out;
}

// The skeleton as nodes and a skin. The nodes hold places alone: the pose that is shown is the bind pose.
void addSkeleton(const Skeleton& skeleton, Scene& scene) {
  SceneSkin& skin = scene.skins.emplace_back();
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const Joint& joint = skeleton.joints[static_cast<std::size_t>(j)];
    const Vec3d place = skeleton.bindPosition(j);
    SceneNode node;
    node.name = joint.name;
    node.parent = joint.parent;
    node.translation = joint.parent == kNoParent ? place : place - skeleton.bindPosition(joint.parent);
    scene.nodes.push_back(node);
    skin.joints.push_back(j);
    skin.inverse_bind_matrices.push_back(joint.bind.inverse());
  }
}

Skeleton singleJoint(const Box& box) {
  Skeleton skeleton;
  Joint joint;
  joint.name = "cloud";
  joint.bind = Affine::fromTranslation(box.center());
  skeleton.joints.push_back(joint);
  return skeleton;
}

bool isCloud(const std::string& path) {
  if (!isPlyPath(path)) return false;
  const auto cloud = PointCloudFile::read(path);
  return cloud && cloud->mesh().triangles.empty(); // errors of the file are reported when it is read again
}

void noteWhatIsMissing(const PointCloudFile& cloud, const std::string& rig, ShownFiles& shown) {
  const std::string& path = cloud.info().path;
  const std::size_t count = cloud.mesh().vertexCount();
  shown.warnings.insert(shown.warnings.end(), cloud.warnings().begin(), cloud.warnings().end());
  if (count > kMostFacets)
    shown.warnings.push_back(
        {"cloud.thinned",
         "has " + std::to_string(count) + " points, of which at most " + std::to_string(kMostFacets) + " are shown",
         path});
  if (!rig.empty()) return;
  shown.still = true;
  if (!cloud.weights().empty())
    shown.warnings.push_back(
        {"cloud.still", "is shown as it is; --rig FILE, with the skeleton of its weights, poses it", path});
}

} // namespace

Result<CharacterFile> cloudFigure(const PointCloudFile& cloud, const std::string& rig) {
  const std::string& path = cloud.info().path;
  Skeleton skeleton = singleJoint(trimmedBounds(cloud.mesh()));
  SparseWeights weights;
  if (!rig.empty()) {
    if (cloud.weights().empty())
      return Error{ErrorCode::Mismatch, "has no weights to pose it with; bind it first, or leave out --rig", path};
    SKINCELLS_TRY(rig_file, CharacterFile::read(rig));
    skeleton = rig_file.character().skeleton;
    SKINCELLS_TRY(over, overSkeleton(cloud.weights(), cloud.jointNames(), skeleton, path));
    weights = std::move(over);
  }
  Facets facets = facetsOf(cloud);
  if (facets.surface.triangles.empty()) return Error{ErrorCode::Mismatch, "has no visible points", path};
  if (weights.empty()) {
    weights = SparseWeights(cloud.mesh().vertexCount(), 1);
    std::ranges::fill(weights.weights, 1.0F);
  }
  facets.surface.weights = gatherRows(weights, facets.point_of_vertex);
  facets.surface.material = 0;

  Scene scene;
  scene.generator = "skincells";
  addSkeleton(skeleton, scene);
  scene.images.push_back({"colors", "image/png", encodePng(facets.colors)});
  SceneMaterial material;
  material.name = cloud.info().splats ? "splats" : "points";
  material.double_sided = true;
  material.base_color_image = 0;
  scene.materials.push_back(material);
  SceneMesh& mesh = scene.meshes.emplace_back();
  mesh.name = material.name;
  mesh.primitives.push_back(std::move(facets.surface));
  SceneNode node;
  node.name = "cloud facets";
  node.mesh = 0;
  node.skin = 0;
  scene.nodes.push_back(node);
  return CharacterFile::readGlb(sceneToGlb(scene), path);
}

Result<ShownFiles> readShown(const std::string& first, const std::vector<std::string>& others, bool one_mesh,
                             OutputSet& outputs, const ReadOptions& options) {
  ShownFiles shown;
  std::vector<std::string> paths{first};
  paths.insert(paths.end(), others.begin(), others.end());
  if (std::ranges::none_of(paths, isCloud)) {
    SKINCELLS_TRY(files, one_mesh ? readSkins(first, others, outputs) : readAll(first, others, outputs, options));
    shown.warnings = files.front().warnings();
    shown.files = std::move(files);
    return shown;
  }
  for (const std::string& path : paths) {
    if (isCloud(path)) {
      SKINCELLS_TRY(cloud, PointCloudFile::read(path));
      SKINCELLS_TRY(file, cloudFigure(cloud, options.rig));
      shown.files.push_back(std::move(file));
      noteWhatIsMissing(cloud, options.rig, shown);
    } else {
      SKINCELLS_TRY(file, CharacterFile::read(path, options));
      SKINCELLS_CHECK(outputs.addInputs(file.info().resources));
      shown.files.push_back(std::move(file));
    }
  }
  return shown;
}

} // namespace skincells::jobs
