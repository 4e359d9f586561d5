// Encodes field documents (skincells/io/field_file.h).
#include <algorithm>

#include "base/assert.h"
#include "base/checksum.h"
#include "io/byte_stream.h"
#include "io/skc/format.h"
#include "io/skc/provenance.h"
#include "skincells/io/field_file.h"

namespace skincells {
namespace {

using io::ByteWriter;
using io::FieldChunk;

std::uint32_t u32(std::size_t value) {
  return static_cast<std::uint32_t>(value);
}

void put(ByteWriter& out, const Vec3d& v) {
  out.put(v.x);
  out.put(v.y);
  out.put(v.z);
}

void put(ByteWriter& out, const Vec3f& v) {
  out.put(v.x);
  out.put(v.y);
  out.put(v.z);
}

ByteWriter fieldChunk(const FieldParameters& field) {
  ByteWriter out;
  out.put(u32(field.layout.joints()));
  out.put(u32(field.layout.sitesPerJoint()));
  out.put(field.layout.shape == FieldShape::ScaleRotation ? io::kShapeScaleRotation : io::kShapeTriangular);
  out.put(static_cast<std::uint32_t>(field.max_influences));
  put(out, field.unit_origin);
  out.put(field.unit_scale);
  out.putAll(field.values);
  return out;
}

ByteWriter skeletonChunk(const FieldDocument& document) {
  std::vector<std::int32_t> cell(document.skeleton.joints.size(), -1);
  for (std::size_t f = 0; f < document.joints.size(); ++f) cell[document.joints[f]] = static_cast<std::int32_t>(f);
  ByteWriter out;
  out.put(u32(document.skeleton.joints.size()));
  for (std::size_t j = 0; j < document.skeleton.joints.size(); ++j) {
    const Joint& joint = document.skeleton.joints[j];
    out.put(static_cast<std::int32_t>(joint.parent));
    out.put(cell[j]);
    for (const auto& row : joint.bind.m)
      for (double value : row) out.put(static_cast<float>(value));
    const std::size_t length = std::min<std::size_t>(joint.name.size(), io::kMaxNameLength);
    out.put(static_cast<std::uint16_t>(joint.bind_usable ? 1 : 0));
    out.put(static_cast<std::uint16_t>(length));
    out.putText(std::string_view(joint.name).substr(0, length));
    out.align(4);
  }
  return out;
}

ByteWriter spaceChunk(const FieldDocument& document) {
  ByteWriter out;
  put(out, toFloat(document.box.lo));
  put(out, toFloat(document.box.hi));
  out.put(document.meters_per_unit);
  out.put(static_cast<std::uint32_t>(static_cast<unsigned char>(document.up_axis)));
  out.put(std::uint32_t{0});
  return out;
}

ByteWriter partsChunk(const std::vector<FieldPart>& parts) {
  ByteWriter out;
  out.put(u32(parts.size()));
  for (const FieldPart& part : parts) {
    put(out, toFloat(part.box.lo));
    put(out, toFloat(part.box.hi));
    put(out, part.center);
    out.put(part.vertex_count);
    out.put(u32(part.weights.size()));
    out.putAll(part.weights);
    out.putAll(part.joints);
    out.align(4);
  }
  return out;
}

} // namespace

std::vector<std::uint8_t> encodeField(const FieldDocument& document) {
  SKINCELLS_ASSERT(document.field.values.size() == document.field.layout.size());
  SKINCELLS_ASSERT(document.joints.size() == document.field.layout.joints());
  std::vector<std::pair<FieldChunk, ByteWriter>> chunks;
  chunks.emplace_back(FieldChunk{io::kFieldTag, io::kCritical}, fieldChunk(document.field));
  chunks.emplace_back(FieldChunk{io::kSkeletonTag, io::kCritical}, skeletonChunk(document));
  chunks.emplace_back(FieldChunk{io::kSpaceTag, 0}, spaceChunk(document));
  chunks.emplace_back(FieldChunk{io::kPartsTag, 0}, partsChunk(document.parts));
  ByteWriter provenance;
  provenance.putText(io::provenanceText(document.provenance));
  chunks.emplace_back(FieldChunk{io::kProvenanceTag, 0}, std::move(provenance));

  ByteWriter out, table, body;
  std::size_t offset = io::kFieldHeaderSize + chunks.size() * io::kFieldTableEntry;
  for (auto& [chunk, data] : chunks) {
    table.put(chunk.tag);
    table.put(chunk.flags);
    table.put(u32(offset));
    table.put(u32(data.size()));
    data.align(8);
    offset += data.size();
    body.putAll(data.bytes());
  }
  ByteWriter checked;
  checked.put(u32(chunks.size()));
  checked.put(u32(offset));
  checked.putAll(table.bytes());
  checked.putAll(body.bytes());
  out.putText(io::kFieldMagic);
  out.put(document.field.layout.normals ? io::kFieldMajorWithNormals : io::kFieldMajor);
  out.put(io::kFieldMinor);
  out.put(crc32(checked.bytes()));
  out.putAll(checked.bytes());
  return std::move(out.bytes());
}

} // namespace skincells
