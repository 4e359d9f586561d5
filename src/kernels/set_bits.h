// A table of the positions of the set bits of every byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace skincells::kernels {

using SetBits = std::array<std::uint8_t, 8>; // ascending; the remaining entries are 0

constexpr std::array<SetBits, 256> listSetBits() {
  std::array<SetBits, 256> out{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t bit = 0, count = 0; bit < 8; ++bit)
      if ((byte >> bit & 1U) != 0) out[byte][count++] = static_cast<std::uint8_t>(bit);
  return out;
}
inline constexpr std::array<SetBits, 256> kSetBits = listSetBits();

} // namespace skincells::kernels
