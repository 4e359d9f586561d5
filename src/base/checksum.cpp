#include "base/checksum.h"

#include <algorithm>
#include <bit>

namespace skincells {
namespace {

constexpr std::array<std::uint32_t, 256> makeCrcTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
    table[i] = c;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = makeCrcTable();

constexpr bool isPrime(std::uint32_t n) {
  for (std::uint32_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return true;
}

__extension__ using Wide = unsigned __int128;

// The largest x with x^power <= value * 2^(32 power): the root of `value` with 32 fractional bits.
constexpr std::uint64_t rootBits(std::uint32_t value, int power) {
  std::uint64_t lo = 0, hi = std::uint64_t{1} << 36U;
  while (hi - lo > 1) {
    const std::uint64_t mid = lo + (hi - lo) / 2;
    Wide product = mid;
    for (int k = 1; k < power; ++k) product *= mid;
    (product <= static_cast<Wide>(value) << (32 * power) ? lo : hi) = mid;
  }
  return lo;
}

// The constants of FIPS 180-4 are the fractional parts of roots of the first primes.
template <std::size_t N> constexpr std::array<std::uint32_t, N> primeRoots(int power) {
  std::array<std::uint32_t, N> out{};
  std::uint32_t prime = 1;
  for (std::uint32_t& word : out) {
    do ++prime;
    while (!isPrime(prime));
    word = static_cast<std::uint32_t>(rootBits(prime, power));
  }
  return out;
}
constexpr std::array<std::uint32_t, 64> kRound = primeRoots<64>(3);
constexpr std::array<std::uint32_t, 8> kStart = primeRoots<8>(2);
constexpr std::size_t kBlock = 64; // bytes

void addBlock(const std::uint8_t* block, std::array<std::uint32_t, 8>& state) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t k = 0; k < 4; ++k) w[i] = (w[i] << 8U) | block[4 * i + k];
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t mixed = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + mixed + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<std::uint32_t, 8> sum{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += sum[i];
}

} // namespace

std::uint32_t crc32(std::span<const std::uint8_t> bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (std::uint8_t byte : bytes) crc = kCrcTable[(crc ^ byte) & 0xFFU] ^ (crc >> 8U);
  return ~crc;
}

Sha256::Sha256() : state_(kStart) {}

void Sha256::add(std::span<const std::uint8_t> bytes) {
  size_ += bytes.size();
  if (!rest_.empty()) {
    const std::span<const std::uint8_t> missing = bytes.first(std::min(bytes.size(), kBlock - rest_.size()));
    rest_.insert(rest_.end(), missing.begin(), missing.end());
    bytes = bytes.subspan(missing.size());
    if (rest_.size() < kBlock) return;
    addBlock(rest_.data(), state_);
    rest_.clear();
  }
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) addBlock(bytes.data(), state_);
  rest_.assign(bytes.begin(), bytes.end());
}

std::string Sha256::finish() {
  rest_.push_back(0x80);
  rest_.resize(rest_.size() <= kBlock - 8 ? kBlock - 8 : 2 * kBlock - 8, 0);
  for (int shift = 56; shift >= 0; shift -= 8) rest_.push_back(static_cast<std::uint8_t>((size_ * 8) >> shift));
  for (std::size_t at = 0; at < rest_.size(); at += kBlock) addBlock(rest_.data() + at, state_);
  std::string out;
  for (std::uint32_t word : state_)
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[(word >> shift) & 15U];
  return out;
}

std::string sha256(std::span<const std::uint8_t> bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.finish();
}

} // namespace skincells
