// Vectors of a block's points or of a group's joints. No include guard: the Highway sources include it once per
// instruction set, each time in another namespace.

namespace hn = hwy::HWY_NAMESPACE;
using Lane = hn::CappedTag<float, 8>; // divides kBlock and kJointGroup
using Vector = hn::Vec<Lane>;
using Index = hn::RebindToSigned<Lane>;

static_assert(kBlock % 8 == 0 && kJointGroup % 8 == 0);

// The mask as bits 0 .. lanes - 1.
HWY_INLINE std::uint32_t bitsOf(Lane d, hn::Mask<Lane> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];
}

// The bits 0 .. lanes - 1 as a mask.
HWY_INLINE hn::Mask<Lane> maskOf(Lane d, std::uint32_t bits) {
  const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits)};
  return hn::LoadMaskBits(d, bytes);
}
