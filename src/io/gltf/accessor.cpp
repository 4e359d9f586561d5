#include "io/gltf/accessor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <meshoptimizer.h>

#include "base/try.h"

static_assert(std::endian::native == std::endian::little, "glTF buffers are read in place");

namespace skincells::io {
namespace {

template <class T> T load(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

float fraction(Component component, const std::uint8_t* at, bool normalized) {
  switch (component) {
  case Component::I8: {
    const auto v = static_cast<float>(load<std::int8_t>(at));
    return normalized ? std::max(v / 127.0f, -1.0f) : v;
  }
  case Component::U8:
    return static_cast<float>(*at) / (normalized ? 255.0f : 1.0f);
  case Component::I16: {
    const auto v = static_cast<float>(load<std::int16_t>(at));
    return normalized ? std::max(v / 32767.0f, -1.0f) : v;
  }
  case Component::U16:
    return static_cast<float>(load<std::uint16_t>(at)) / (normalized ? 65535.0f : 1.0f);
  case Component::U32:
    return static_cast<float>(load<std::uint32_t>(at));
  case Component::F32:
    return load<float>(at);
  }
  return 0;
}

std::uint32_t whole(Component component, const std::uint8_t* at) {
  switch (component) {
  case Component::U8:
  case Component::I8:
    return *at;
  case Component::U16:
  case Component::I16:
    return load<std::uint16_t>(at);
  case Component::U32:
  case Component::F32:
    return load<std::uint32_t>(at);
  }
  return 0;
}

// Decodes EXT_meshopt_compression; false if the data is damaged or the mode unknown.
bool decompress(const MeshoptView& m, std::span<const std::uint8_t> source, std::vector<std::uint8_t>& out) {
  out.resize(m.count * m.stride);
  int status = -1;
  if (m.mode == "ATTRIBUTES" && m.stride % 4 == 0)
    status = meshopt_decodeVertexBuffer(out.data(), m.count, m.stride, source.data(), source.size());
  else if (m.mode == "TRIANGLES" && m.count % 3 == 0 && (m.stride == 2 || m.stride == 4))
    status = meshopt_decodeIndexBuffer(out.data(), m.count, m.stride, source.data(), source.size());
  else if (m.mode == "INDICES" && (m.stride == 2 || m.stride == 4))
    status = meshopt_decodeIndexSequence(out.data(), m.count, m.stride, source.data(), source.size());
  if (status != 0) return false;
  if (m.filter == "OCTAHEDRAL" && (m.stride == 4 || m.stride == 8))
    meshopt_decodeFilterOct(out.data(), m.count, m.stride);
  else if (m.filter == "QUATERNION" && m.stride == 8)
    meshopt_decodeFilterQuat(out.data(), m.count, m.stride);
  else if (m.filter == "EXPONENTIAL" && m.stride % 4 == 0)
    meshopt_decodeFilterExp(out.data(), m.count, m.stride);
  else
    return m.filter.empty() || m.filter == "NONE";
  return true;
}

} // namespace

Result<std::span<const std::uint8_t>> AccessorReader::viewBytes(int index) {
  const GltfView& view = model_.views[index];
  if (!view.meshopt) {
    const auto& bytes = model_.buffers[view.buffer].bytes;
    return std::span<const std::uint8_t>(bytes).subspan(view.offset, view.length);
  }
  const auto [entry, fresh] = decompressed_.try_emplace(index);
  if (fresh) {
    const MeshoptView& m = *view.meshopt;
    const auto& bytes = model_.buffers[m.buffer].bytes;
    if (!decompress(m, std::span<const std::uint8_t>(bytes).subspan(m.offset, m.length), entry->second)) {
      decompressed_.erase(entry);
      return Error{ErrorCode::InvalidFile, "its EXT_meshopt_compression data cannot be decoded; export the file again",
                   where_ + "#/bufferViews/" + std::to_string(index)};
    }
  }
  return std::span<const std::uint8_t>(entry->second);
}

template <class T, class Convert>
Result<std::vector<T>> AccessorReader::decode(int accessor, int columns, const Convert& convert) {
  const GltfAccessor& a = model_.accessors[accessor];
  if (a.columns != columns)
    return Error{ErrorCode::InvalidFile,
                 "has " + std::to_string(a.columns) + " numbers per element; " + std::to_string(columns) +
                     " are needed",
                 place(accessor)};
  const std::size_t size = componentSize(a.component), n = static_cast<std::size_t>(columns);
  if (a.view < 0 && a.count > kMaxImpliedNumbers / n)
    return Error{ErrorCode::TooLarge, "declares " + std::to_string(a.count) + " elements but has no data for them",
                 place(accessor)};
  std::vector<T> out(a.count * n);
  if (a.view >= 0) {
    SKINCELLS_TRY(bytes, viewBytes(a.view));
    const std::size_t declared = model_.views[a.view].stride;
    const std::size_t stride = declared != 0 ? declared : size * n;
    for (std::size_t i = 0; i < a.count; ++i)
      for (std::size_t k = 0; k < n; ++k) out[i * n + k] = convert(a, bytes.data() + a.offset + i * stride + k * size);
  }
  if (!a.sparse) return out;
  const GltfSparse& s = *a.sparse;
  SKINCELLS_TRY(index_bytes, viewBytes(s.index_view));
  SKINCELLS_TRY(value_bytes, viewBytes(s.value_view));
  for (std::size_t i = 0; i < s.count; ++i) {
    const std::size_t target =
        whole(s.index_component, index_bytes.data() + s.index_offset + i * componentSize(s.index_component));
    if (target >= a.count)
      return Error{ErrorCode::InvalidFile, "its sparse index " + std::to_string(i) + " is out of range",
                   place(accessor)};
    for (std::size_t k = 0; k < n; ++k)
      out[target * n + k] = convert(a, value_bytes.data() + s.value_offset + (i * n + k) * size);
  }
  return out;
}

Result<std::vector<float>> AccessorReader::floats(int accessor, int columns) {
  return decode<float>(accessor, columns, [](const GltfAccessor& a, const std::uint8_t* at) {
    return fraction(a.component, at, a.normalized);
  });
}

Result<std::vector<std::uint32_t>> AccessorReader::integers(int accessor, int columns) {
  if (model_.accessors[accessor].component == Component::F32)
    return Error{ErrorCode::InvalidFile, "holds floats; whole numbers are needed", place(accessor)};
  return decode<std::uint32_t>(accessor, columns,
                               [](const GltfAccessor& a, const std::uint8_t* at) { return whole(a.component, at); });
}

Result<std::vector<std::uint32_t>> AccessorReader::words(int accessor) {
  const int columns = model_.accessors[accessor].columns;
  return decode<std::uint32_t>(accessor, columns,
                               [](const GltfAccessor& a, const std::uint8_t* at) { return whole(a.component, at); });
}

} // namespace skincells::io
