// Feeds arbitrary bytes to the PLY reader; what it accepts is written again, and must then be read the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "io/ply/ply_file.h"
#include "io/ply/skin.h"
#include "skincells/io/point_cloud.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace skincells;
  const auto file = PointCloudFile::readPly({data, data + size}, "fuzz.ply");
  if (!file) return 0;
  SparseWeights weights(file->mesh().positions.size(), 1);
  for (float& w : weights.weights) w = 1;
  std::vector<std::uint8_t> written;
  io::writePly(file->source(), io::plyWeightsEdit(file->source(), weights, {"joint"}), [&](auto bytes) {
    written.insert(written.end(), bytes.begin(), bytes.end());
    return true;
  });
  const auto again = PointCloudFile::readPly(std::move(written), "again.ply");
  if (!again || again->mesh().positions != file->mesh().positions ||
      again->mesh().triangles != file->mesh().triangles || again->weights().weights != weights.weights)
    std::abort();
  return 0;
}
