#include "targets.h"

#include <cstring>
#include <numeric>
#include <vector>

#include "base/checksum.h"
#include "io/ply/point_cloud_access.h"
#include "io/ply/skin.h"
#include "skincells/apply.h"
#include "skincells/io/character_file.h"
#include "skincells/io/field_file.h"
#include "skincells/jobs/check_job.h"
#include "skincells/jobs/inspect_job.h"
#include "skincells/report.h"
#include "skincells/runtime/skincells_field.h"

namespace skincells::fuzz {

bool readGlb(std::span<const std::uint8_t> bytes) {
  auto file = CharacterFile::readGlb(bytes, "fuzz.glb");
  if (!file) return true;
  // Small files may describe large characters, and the functions below would take too long.
  if (file->character().mesh.positions.size() > 20000 || file->character().skeleton.joints.size() > 2000) return true;
  documentOf(CheckOutcome{{}, checkSkin(*file)});
  for (std::size_t clip = 0; clip < file->clips().size() && clip < 4; ++clip) file->samplePose(clip, 0.5);
  // Writers copy data that the reader does not check.
  static_cast<void>(file->encodeGlb());
  const auto& triangles = file->character().mesh.triangles;
  std::vector<std::uint32_t> source(triangles.size() / 2);
  std::iota(source.begin(), source.end(), 0U);
  static_cast<void>(file->reduced(std::span(triangles).first(source.size()), source));
  documentOf(InspectOutcome{{}, inspectCharacter(std::move(*file))});
  return true;
}

bool readPly(std::span<const std::uint8_t> bytes) {
  const auto file = PointCloudFile::readPly({bytes.begin(), bytes.end()}, "fuzz.ply");
  if (!file) return true;
  SparseWeights weights(file->mesh().positions.size(), 1);
  for (float& w : weights.weights) w = 1;
  const io::PlyFile& ply = io::PointCloudAccess::plyFile(*file);
  std::vector<std::uint8_t> written;
  io::writePly(ply, io::plyWeightsEdit(ply, weights, {"joint"}), [&](auto piece) {
    written.insert(written.end(), piece.begin(), piece.end());
    return true;
  });
  const auto again = PointCloudFile::readPly(std::move(written), "again.ply");
  return again && again->mesh().positions == file->mesh().positions &&
         again->mesh().triangles == file->mesh().triangles && again->weights().weights == weights.weights;
}

bool readField(std::span<const std::uint8_t> data) {
  std::vector<std::uint8_t> bytes(data.begin(), data.end());
  if (bytes.size() >= 24) {
    const auto length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(bytes.data() + 20, &length, sizeof length);
    const std::uint32_t sum = crc32(std::span(bytes).subspan(16));
    std::memcpy(bytes.data() + 12, &sum, sizeof sum);
  }
  skc_field field;
  const bool runtime_accepts = skc_open(bytes.data(), bytes.size(), &field) == SKC_OK;
  if (runtime_accepts && field.joint_count * field.site_count < 4096) {
    std::vector<float> packed(skc_packed_size(&field) / sizeof(float));
    skc_pack(&field, packed.data());
    if (skc_evaluate(packed.data(), 0.1F, 0.2F, 0.3F, 0).count > SKC_MAX_INFLUENCES) return false;
  }
  const auto document = decodeField(bytes, "fuzz.skc");
  if (!document || document->field.layout.sites() > 4096) return true;
  const std::vector<Vec3f> points{{0, 0, 0}, {0.5F, 1, -0.25F}};
  static_cast<void>(evaluateField(*document, points));
  return decodeField(encodeField(*document), "again.skc").has_value();
}

} // namespace skincells::fuzz
