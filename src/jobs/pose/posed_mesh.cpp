#include "jobs/pose/posed_mesh.h"

#include "base/assert.h"
#include "base/try.h"
#include "deform/splat.h"
#include "io/ply/writer.h"
#include "skincells/io/point_cloud.h"

namespace skincells::jobs {

Result<void> stagePosed(const CharacterFile& file, const ChosenPose& chosen, OutputSet& outputs,
                        const std::string& path, const WriteOptions& options) {
  if (file.character().weights.empty())
    return Error{ErrorCode::Mismatch, "has no weights to pose it with; bind it first, or name its field (--from-field)",
                 file.info().path};
  return stagePosed(file, file.character().weights, chosen, outputs, path, options);
}

Result<void> stagePosed(const CharacterFile& file, const SparseWeights& weights, const ChosenPose& chosen,
                        OutputSet& outputs, const std::string& path, const WriteOptions& options) {
  const Character& c = file.character();
  SKINCELLS_ASSERT(chosen.pose.size() == c.skeleton.joints.size());
  SKINCELLS_ASSERT(weights.vertexCount() == c.mesh.positions.size());
  const auto map = [&](std::size_t v) {
    return weights.weightRow(v)[0] == 0 ? Affine{}
                                        : deform::blend(weights.jointRow(v), weights.weightRow(v), chosen.pose);
  };
  if (!isPlyPath(path)) return file.writeStatic(outputs, path, map, chosen.scale, options);
  Mesh posed = c.mesh;
  for (std::size_t v = 0; v < posed.positions.size(); ++v)
    posed.positions[v] = toFloat(map(v).apply(toDouble(c.mesh.positions[v])));
  return io::stageMeshPly(posed, "posed by skincells: " + chosen.label, outputs, path, options.force);
}

} // namespace skincells::jobs
