#include <filesystem>

#include "base/random.h"
#include "base/try.h"
#include "mesh/ray_query.h"
#include "skincells/io/character_file.h"
#include "skincells/jobs/bind_job.h"
#include "studies/page/cases.h"
#include "studies/page/tables.h"
#include "weights/interpolate.h"

namespace skincells::studies {
namespace {

struct Cloud {
  std::string kind, path;
};

// The splats without anything but positions, every `every`-th of them, with noise (of the diagonal).
Result<std::string> thinned(const std::string& splats, const char* suffix, std::size_t every, double noise) {
  SKINCELLS_TRY(file, PointCloudFile::read(splats));
  const std::vector<Vec3f>& all = file.mesh().positions;
  const double most = noise * file.mesh().bounds().diagonal();
  Random random(2);
  std::string rows;
  std::size_t count = 0;
  for (std::size_t i = 0; i < all.size(); i += every, ++count) {
    const Vec3d p = toDouble(all[i]) + random.direction() * (most * random.uniform());
    char line[96];
    std::snprintf(line, sizeof line, "%.7g %.7g %.7g\n", p.x, p.y, p.z);
    rows += line;
  }
  const std::string path = std::filesystem::path(splats).replace_extension(suffix).string();
  OutputSet outputs;
  SKINCELLS_CHECK(outputs.stage(path,
                                "ply\nformat ascii 1.0\nelement vertex " + std::to_string(count) +
                                    "\nproperty float x\nproperty float y\nproperty float z\nend_header\n" + rows,
                                true));
  SKINCELLS_CHECK(outputs.commit());
  return path;
}

// The rms distance between the cloud, bound alone, and the mesh with its weights at the same points; % of the diagonal.
Result<double> distanceToMesh(const Case& c, const std::string& rig, const SparseWeights& of_mesh,
                              const std::string& cloud, std::size_t& points) {
  BindJob job;
  job.input = cloud;
  job.output = cloud + ".bound.ply";
  job.read.rig = rig;
  job.write.force = true;
  SKINCELLS_TRY(bound, run(job));
  const std::vector<Vec3f>& positions = bound.cloud->file.mesh().positions;
  const mesh::RayQuery surface(c.character.mesh);
  std::vector<mesh::RayQuery::Hit> places;
  for (const Vec3f& p : positions) places.push_back(*surface.closestPoint(toDouble(p)));
  points = positions.size();
  Mesh cloud_mesh;
  cloud_mesh.positions = positions;
  const double in_cloud =
      compareWeights(cloud_mesh, weights::interpolateRows(c.character.mesh, of_mesh, places, kMaxInfluences),
                     bound.cloud->weights, {{"random", c.poses}})
          .sets.front()
          .error.rms;
  return in_cloud * cloud_mesh.bounds().diagonal() / c.character.mesh.bounds().diagonal();
}

} // namespace

Result<Finding> studyPoints(const Context& context) {
  constexpr double kAsked = 0.3; // % of the diagonal
  Table table({"character", "cloud", "points", "distance to the mesh result"});
  double worst = 0, worst_clean = 0;
  for (const char* name : {"biped_apose", "quadruped", "dancer"}) {
    if (context.quick && std::string(name) != "dancer") continue; // the hardest: legs under a skirt
    const std::string file = context.examples + "/" + name + ".glb";
    const std::string splats = context.examples + "/" + name + "_splats.ply";
    SKINCELLS_TRY(c, readCase(file));
    SKINCELLS_TRY(mesh_result, bind(c.character));
    SKINCELLS_TRY(sparse, thinned(splats, ".sparse.ply", 5, 0));
    SKINCELLS_TRY(noisy, thinned(splats, ".noisy.ply", 1, 0.003));
    for (const Cloud& cloud :
         {Cloud{"splats", splats}, {"points, a fifth of them", sparse}, {"points with noise of 0.3 %", noisy}}) {
      std::size_t points = 0;
      SKINCELLS_TRY(distance, distanceToMesh(c, file, mesh_result.weights, cloud.path, points));
      table.add({name, cloud.kind, std::to_string(points), number(distance, 3)});
      worst = std::max(worst, distance);
      if (cloud.path == splats) worst_clean = std::max(worst_clean, distance);
    }
  }
  Finding out;
  out.holds = worst <= kAsked ? Holds::Yes : worst_clean <= kAsked ? Holds::Partly : Holds::No;
  out.sentence =
      "Bound without a mesh, clouds of splats move at most " + number(worst_clean, 2) +
      " % of the diagonal (rms, random poses) from the result of the mesh at the same points, sparse and noisy "
      "ones at most " +
      number(worst, 2) + " %; asked were " + number(kAsked, 1) + " %.";
  out.notes = "The distance is the rms over points and 20 random poses, in % of the diagonal of the mesh.";
  out.body = table.text();
  return out;
}

} // namespace skincells::studies
