// Feeds arbitrary bytes to the reader of field files, and what it accepts to everything that uses a field. Fuzzers do
// not guess checksums, so that and the size in the header are made right first.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/checksum.h"
#include "skincells/apply.h"
#include "skincells/io/field_file.h"
#include "skincells/runtime/skincells_field.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  if (bytes.size() >= 24) {
    const auto length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(bytes.data() + 20, &length, sizeof length);
    const std::uint32_t sum = skincells::crc32(std::span(bytes).subspan(16));
    std::memcpy(bytes.data() + 12, &sum, sizeof sum);
  }
  skc_field field;
  const bool runtime_accepts = skc_open(bytes.data(), bytes.size(), &field) == SKC_OK;
  const auto document = skincells::decodeField(bytes, "fuzz.skc");
  if (runtime_accepts && field.joint_count * field.site_count < 4096) {
    std::vector<float> packed(skc_packed_size(&field) / sizeof(float));
    skc_pack(&field, packed.data());
    if (skc_evaluate(packed.data(), 0.1F, 0.2F, 0.3F, 0).count > SKC_MAX_INFLUENCES) __builtin_trap();
  }
  if (!document || document->field.layout.sites() > 4096) return 0;
  const std::vector<skincells::Vec3f> points{{0, 0, 0}, {0.5F, 1, -0.25F}};
  static_cast<void>(skincells::evaluateField(*document, points));
  if (!skincells::decodeField(skincells::encodeField(*document), "again.skc")) __builtin_trap();
  return 0;
}
