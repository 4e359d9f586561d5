// Decodes field files (skincells/io/field_file.h). Every value is checked before it is used.
#include <algorithm>
#include <cmath>

#include "base/checksum.h"
#include "base/try.h"
#include "io/byte_stream.h"
#include "io/skc/format.h"
#include "io/skc/provenance.h"
#include "skincells/io/field_file.h"
#include "skincells/weights.h"

namespace skincells {
namespace {

using io::ByteReader;
using io::FieldChunk;

constexpr double kMaxNumber = 1e30; // implausibly large, but float32 arithmetic stays finite

template <class T> bool isPlausible(T value) {
  return std::isfinite(value) && std::abs(value) <= static_cast<T>(kMaxNumber);
}

class FieldDecoder {
public:
  FieldDecoder(std::span<const std::uint8_t> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Result<FieldDocument> decode();

private:
  Error broken(const std::string& message) const {
    return {ErrorCode::InvalidFile, message + "; export the field again", name_};
  }
  Result<void> readHeader();
  Result<void> readTable(std::uint32_t count);
  Result<ByteReader> chunk(std::uint32_t tag, const char* what) const;
  // Fails unless the chunk was read exactly to its end.
  Result<void> finished(const ByteReader& reader, const char* what) const;

  Result<void> readField();
  Result<void> readSkeleton();
  Result<void> readJoint(ByteReader& in, std::size_t j, std::size_t joint_count);
  Result<void> checkTree() const;
  Result<void> readSpace();
  Result<void> readParts();
  Result<void> readPart(ByteReader& in, FieldPart& part) const;

  std::span<const std::uint8_t> bytes_;
  const std::string& name_;
  std::vector<FieldChunk> chunks_;
  FieldDocument out_;
};

Vec3d readPoint(ByteReader& in) {
  const auto x = in.get<float>(), y = in.get<float>(), z = in.get<float>();
  return toDouble(Vec3f{x, y, z});
}

bool isPlausiblePoint(const Vec3d& p) {
  return isPlausible(p.x) && isPlausible(p.y) && isPlausible(p.z);
}

Result<void> FieldDecoder::readHeader() {
  if (!std::equal(io::kFieldMagic.begin(), io::kFieldMagic.begin() + std::min(io::kFieldMagic.size(), bytes_.size()),
                  bytes_.begin()) ||
      bytes_.empty())
    return Error{ErrorCode::InvalidFile, "is not a field file (it does not start with 'SKCFIELD')", name_};
  if (bytes_.size() < io::kFieldHeaderSize) return broken("is too short for a field file; it was probably truncated");
  ByteReader in(bytes_.subspan(io::kFieldMagic.size()));
  const auto major = in.get<std::uint16_t>();
  static_cast<void>(in.get<std::uint16_t>()); // the minor version: its additions can be skipped
  const auto checksum = in.get<std::uint32_t>(), chunk_count = in.get<std::uint32_t>(), size = in.get<std::uint32_t>();
  if (major != io::kFieldMajor && major != io::kFieldMajorWithNormals)
    return Error{ErrorCode::UnsupportedFeature,
                 "is a field file of version " + std::to_string(major) + "; this program reads versions " +
                     std::to_string(io::kFieldMajor) + " and " + std::to_string(io::kFieldMajorWithNormals) +
                     ". Use a newer program, or export the field again",
                 name_};
  out_.field.layout.normals = major == io::kFieldMajorWithNormals;
  if (size != bytes_.size())
    return broken("declares " + std::to_string(size) + " bytes, but has " + std::to_string(bytes_.size()) +
                  "; it was probably truncated");
  if (crc32(bytes_.subspan(io::kFieldChecked)) != checksum) return broken("is damaged: the checksum does not match");
  return readTable(chunk_count);
}

Result<void> FieldDecoder::readTable(std::uint32_t count) {
  if (count > (bytes_.size() - io::kFieldHeaderSize) / io::kFieldTableEntry)
    return broken("has a table of chunks that is longer than the file");
  ByteReader in(bytes_.subspan(io::kFieldHeaderSize));
  for (std::uint32_t c = 0; c < count; ++c) {
    FieldChunk chunk;
    chunk.tag = in.get<std::uint32_t>();
    chunk.flags = in.get<std::uint32_t>();
    chunk.offset = in.get<std::uint32_t>();
    chunk.length = in.get<std::uint32_t>();
    if (chunk.offset > bytes_.size() || chunk.length > bytes_.size() - chunk.offset)
      return broken("has a chunk (number " + std::to_string(c) + ") that runs past the end");
    constexpr std::uint32_t kKnown[] = {io::kFieldTag, io::kSkeletonTag, io::kSpaceTag, io::kPartsTag,
                                        io::kProvenanceTag};
    const bool known = std::ranges::find(kKnown, chunk.tag) != std::end(kKnown);
    if (!known && (chunk.flags & io::kCritical) != 0)
      return Error{ErrorCode::UnsupportedFeature,
                   "needs a feature that this program does not support (chunk number " + std::to_string(c) +
                       "); use a newer program",
                   name_};
    chunks_.push_back(chunk);
  }
  return {};
}

Result<ByteReader> FieldDecoder::chunk(std::uint32_t tag, const char* what) const {
  const auto found = std::ranges::find(chunks_, tag, &FieldChunk::tag);
  if (found == chunks_.end()) return broken(std::string("has no ") + what);
  return ByteReader(bytes_.subspan(found->offset, found->length));
}

Result<void> FieldDecoder::finished(const ByteReader& reader, const char* what) const {
  if (!reader.ok()) return broken(std::string("has too few bytes for its ") + what);
  if (reader.left() > 0) return broken(std::string("has too many bytes for its ") + what);
  return {};
}

Result<void> FieldDecoder::readField() {
  SKINCELLS_TRY(in, chunk(io::kFieldTag, "field"));
  const auto joints = in.get<std::uint32_t>(), sites = in.get<std::uint32_t>(), shape = in.get<std::uint32_t>();
  const auto influences = in.get<std::uint32_t>();
  if (joints < 1 || joints > io::kMaxFieldJoints || sites < 1 || sites > io::kMaxFieldSites)
    return broken("has " + std::to_string(joints) + " cells of " + std::to_string(sites) + " sites; 1 .. " +
                  std::to_string(io::kMaxFieldJoints) + " and 1 .. " + std::to_string(io::kMaxFieldSites) +
                  " are possible");
  if (shape > io::kShapeTriangular)
    return Error{ErrorCode::UnsupportedFeature, "has sites of an unknown shape; use a newer program", name_};
  if (influences < 1 || influences > static_cast<std::uint32_t>(kMaxInfluences))
    return broken("has " + std::to_string(influences) + " influences per point; 1 .. 8 are possible");
  FieldParameters& field = out_.field;
  field.layout = {static_cast<int>(joints), static_cast<int>(sites),
                  shape == io::kShapeTriangular ? FieldShape::Triangular : FieldShape::ScaleRotation,
                  field.layout.normals};
  field.max_influences = static_cast<int>(influences);
  field.unit_origin.x = in.get<double>();
  field.unit_origin.y = in.get<double>();
  field.unit_origin.z = in.get<double>();
  field.unit_scale = in.get<double>();
  field.values = in.list<float>(field.layout.size());
  SKINCELLS_CHECK(finished(in, "field"));
  if (!isPlausiblePoint(field.unit_origin) || !isPlausible(field.unit_scale) || field.unit_scale <= 0)
    return broken("has a unit box with an invalid position or size");
  if (!std::ranges::all_of(field.values, isPlausible<float>)) return broken("has field parameters that are not finite");
  return {};
}

Result<void> FieldDecoder::readJoint(ByteReader& in, std::size_t j, std::size_t joint_count) {
  Joint& joint = out_.skeleton.joints.emplace_back();
  joint.parent = in.get<std::int32_t>();
  const auto cell = in.get<std::int32_t>();
  bool finite = true;
  for (auto& row : joint.bind.m)
    for (double& value : row) {
      const auto stored = in.get<float>();
      finite = finite && isPlausible(stored);
      value = static_cast<double>(stored);
    }
  joint.rest = joint.bind;
  joint.bind_usable = (in.get<std::uint16_t>() & 1U) != 0;
  joint.name = in.text(in.get<std::uint16_t>());
  in.align(4);
  if (!in.ok()) return broken("has too few bytes for its joints");
  if (!finite) return broken("has a joint (" + std::to_string(j) + ") with an invalid position");
  if (joint.parent < kNoParent || joint.parent >= static_cast<int>(joint_count))
    return broken("has a joint (" + std::to_string(j) + ") whose parent does not exist");
  if (cell < 0) return {};
  if (static_cast<std::size_t>(cell) >= out_.joints.size() || out_.joints[cell] >= 0)
    return broken("has a joint (" + std::to_string(j) + ") whose cell does not exist or belongs to another joint");
  out_.joints[cell] = static_cast<int>(j);
  return {};
}

// Parents may follow their children, but no joint may be its own ancestor.
Result<void> FieldDecoder::checkTree() const {
  const auto& joints = out_.skeleton.joints;
  std::vector<std::size_t> seen(joints.size(), 0); // the first walk that visited the joint, plus 1
  for (std::size_t start = 0; start < joints.size(); ++start)
    for (std::size_t j = start; seen[j] == 0 || seen[j] == start + 1;) {
      if (seen[j] == start + 1) return broken("has joints that are their own ancestors");
      seen[j] = start + 1;
      if (joints[j].parent == kNoParent) break;
      j = static_cast<std::size_t>(joints[j].parent);
    }
  return {};
}

Result<void> FieldDecoder::readSkeleton() {
  SKINCELLS_TRY(in, chunk(io::kSkeletonTag, "skeleton"));
  constexpr std::size_t kMinJointSize = 60; // bytes
  const std::size_t count = in.get<std::uint32_t>();
  if (count > in.left() / kMinJointSize) return broken("declares more joints than it has");
  out_.joints.assign(out_.field.layout.joints(), -1);
  for (std::size_t j = 0; j < count; ++j) SKINCELLS_CHECK(readJoint(in, j, count));
  SKINCELLS_CHECK(finished(in, "joints"));
  if (std::ranges::find(out_.joints, -1) != out_.joints.end()) return broken("has a cell without a joint");
  return checkTree();
}

Result<void> FieldDecoder::readSpace() {
  SKINCELLS_TRY(in, chunk(io::kSpaceTag, "box"));
  out_.box.lo = readPoint(in);
  out_.box.hi = readPoint(in);
  out_.meters_per_unit = in.get<double>();
  const auto axis = in.get<std::uint32_t>();
  static_cast<void>(in.get<std::uint32_t>());
  SKINCELLS_CHECK(finished(in, "box"));
  if (!isPlausiblePoint(out_.box.lo) || !isPlausiblePoint(out_.box.hi) || !isPlausible(out_.meters_per_unit) ||
      out_.meters_per_unit <= 0)
    return broken("has an invalid box or unit");
  constexpr std::string_view kAxes = "xyzXYZ";
  out_.up_axis =
      axis < 128 && kAxes.find(static_cast<char>(axis)) != std::string_view::npos ? static_cast<char>(axis) : '?';
  return {};
}

Result<void> FieldDecoder::readPart(ByteReader& in, FieldPart& part) const {
  part.box.lo = readPoint(in);
  part.box.hi = readPoint(in);
  part.center = toFloat(readPoint(in));
  part.vertex_count = in.get<std::uint32_t>();
  const std::size_t slots = in.get<std::uint32_t>();
  if (slots > static_cast<std::size_t>(kMaxInfluences)) return broken("has a part with more than 8 influences");
  part.weights = in.list<float>(slots);
  part.joints = in.list<std::uint16_t>(slots);
  in.align(4);
  if (!in.ok()) return broken("has too few bytes for its parts");
  if (!isPlausiblePoint(part.box.lo) || !isPlausiblePoint(part.box.hi) || !isPlausiblePoint(toDouble(part.center)))
    return broken("has a part with an invalid position");
  for (std::size_t k = 0; k < slots; ++k)
    if (!(part.weights[k] > 0 && part.weights[k] <= 1) || part.joints[k] >= out_.field.layout.joints())
      return broken("has a part with invalid weights");
  return {};
}

Result<void> FieldDecoder::readParts() {
  SKINCELLS_TRY(in, chunk(io::kPartsTag, "list of parts"));
  constexpr std::size_t kMinPartSize = 44; // bytes
  const std::size_t count = in.get<std::uint32_t>();
  if (count > in.left() / kMinPartSize) return broken("declares more parts than it has");
  out_.parts.resize(count);
  for (FieldPart& part : out_.parts) SKINCELLS_CHECK(readPart(in, part));
  return finished(in, "parts");
}

Result<FieldDocument> FieldDecoder::decode() {
  SKINCELLS_CHECK(readHeader());
  SKINCELLS_CHECK(readField());
  SKINCELLS_CHECK(readSkeleton());
  SKINCELLS_CHECK(readSpace());
  SKINCELLS_CHECK(readParts());
  SKINCELLS_TRY(provenance, chunk(io::kProvenanceTag, "provenance"));
  out_.provenance = io::provenanceFromText(provenance.text(provenance.left()));
  return std::move(out_);
}

} // namespace

Result<FieldDocument> decodeField(std::span<const std::uint8_t> bytes, const std::string& name) {
  return FieldDecoder(bytes, name).decode();
}

} // namespace skincells
