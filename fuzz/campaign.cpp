// Runs a target on a number of mutated files, without coverage and in any build:
//   fuzz_campaign TARGET COUNT SEED [FILE...]
// First come the files as they are (a count of 0 replays finds), then COUNT inputs: a file (without files, random
// bytes) with a few bytes, numbers and pieces changed. The lengths in the header of a GLB file are corrected in most
// inputs, as a fuzzer would not guess them. An input that crashes, fails the target, takes longer than ten seconds or
// more than 2 GB is written to fuzz-find-TARGET, and ends the run.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include "base/random.h"
#include "targets.h"

namespace {

using namespace skincells;
using Bytes = std::vector<std::uint8_t>;
using Target = bool (*)(std::span<const std::uint8_t>);

constexpr std::pair<const char*, Target> kTargets[] = {{"glb", fuzz::readGlb},         {"ply", fuzz::readPly},
                                                       {"field", fuzz::readField},     {"ranges", fuzz::readRanges},
                                                       {"list", fuzz::readJointList},  {"poses", fuzz::readPoses},
                                                       {"options", fuzz::readOptions}, {"obj", fuzz::readObj},
                                                       {"fbx", fuzz::readFbx},         {"soup", fuzz::bindSoup}};
constexpr std::size_t kLongest = 8192; // bytes

Bytes current; // for the handler
std::string find_path;

void keepInput() {
  std::FILE* out = std::fopen(find_path.c_str(), "wb");
  if (out == nullptr) return;
  std::fwrite(current.data(), 1, current.size(), out);
  std::fclose(out);
}

extern "C" void onCrash(int signal) {
  keepInput();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::uint32_t below(Random& random, std::size_t count) {
  return random.below(static_cast<std::uint32_t>(std::max<std::size_t>(count, 1)));
}

// One change: a bit, a byte that ends ranges, a piece left out, repeated or taken from another file, a digit.
void mutate(Bytes& bytes, const std::vector<Bytes>& files, Random& random) {
  constexpr std::array<std::uint8_t, 8> kEdges{0, 1, 0x7F, 0x80, 0xFF, '0', '9', '-'};
  const std::size_t at = below(random, bytes.size()), length = 1 + below(random, 32);
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(length, bytes.size() - at));
  switch (random.below(bytes.empty() ? 1 : 6)) {
  case 0:
    bytes.insert(begin, static_cast<std::uint8_t>(random.below(256)));
    break;
  case 1:
    bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1U << random.below(8)));
    break;
  case 2:
    bytes[at] = kEdges[random.below(8)];
    break;
  case 3:
    bytes.erase(begin, end);
    break;
  case 4: {
    const Bytes piece(begin, end);
    const auto to = bytes.begin() + static_cast<std::ptrdiff_t>(below(random, bytes.size()));
    bytes.insert(to, piece.begin(), piece.end());
    break;
  }
  default:
    if (const Bytes& other = files[below(random, files.size())]; !other.empty()) {
      const std::size_t from = below(random, other.size()), count = std::min(length, other.size() - from);
      bytes.insert(begin, other.begin() + static_cast<std::ptrdiff_t>(from),
                   other.begin() + static_cast<std::ptrdiff_t>(from + count));
    }
  }
  if (bytes.size() > kLongest) bytes.resize(kLongest);
}

// A GLB file: total length, and the length of the JSON up to the header of the next chunk.
void correctLengths(Bytes& bytes) {
  if (bytes.size() < 20 || std::memcmp(bytes.data(), "glTF", 4) != 0) return;
  const auto put = [&](std::size_t at, std::size_t value) {
    const auto number = static_cast<std::uint32_t>(value);
    std::memcpy(bytes.data() + at, &number, sizeof number);
  };
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t binary = all.find(std::string_view("BIN\0", 4), 20);
  if (binary != std::string_view::npos && binary >= 24) {
    const std::size_t json = binary - 24;
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(20 + json), (4 - json % 4) % 4, ' ');
    bytes.resize((bytes.size() + 3) / 4 * 4);
    const std::size_t padded = (json + 3) / 4 * 4;
    put(12, padded);
    put(20 + padded, bytes.size() - 28 - padded);
  }
  put(8, bytes.size());
}

Bytes nextInput(const std::vector<Bytes>& files, Random& random) {
  if (files.size() == 1 && files[0].empty()) { // no seeds
    Bytes bytes(below(random, 600));
    const std::uint8_t bits = random.below(4) > 0 ? 63U : 255U; // most soups in one scale
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random.below(256) & bits);
    return bytes;
  }
  Bytes bytes = files[below(random, files.size())];
  for (std::uint32_t i = 1 + random.below(6); i > 0; --i) mutate(bytes, files, random);
  if (random.below(8) > 0) correctLengths(bytes);
  return bytes;
}

// KiB of this process.
long memoryPeak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int run(const std::string& name, Target target, long count, std::uint64_t seed, const std::vector<Bytes>& files) {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned kHang = 10;          // seconds
  constexpr long kMostMemory = 2L << 20U; // KiB
  find_path = "fuzz-find-" + name;
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM}) std::signal(signal, onCrash);
  double slowest = 0;
  Random random(seed, 0);
  for (long i = -static_cast<long>(files.size()); i < count; ++i) {
    current = i < 0 ? files[static_cast<std::size_t>(-1 - i)] : nextInput(files, random);
    const auto start = Clock::now();
    ::alarm(kHang);
    const bool fine = target(current);
    slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
    if (fine && memoryPeak() <= kMostMemory) continue;
    keepInput();
    std::printf("%s: input %ld %s, see %s\n", name.c_str(), i, fine ? "took too much memory" : "failed",
                find_path.c_str());
    return 1;
  }
  ::alarm(0);
  std::printf("%s: %ld inputs without a find, slowest %.2f s, %ld MB at most\n", name.c_str(), count, slowest,
              memoryPeak() / 1024);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: fuzz_campaign glb|ply|field|ranges|list|poses|options|obj|fbx|soup COUNT SEED [FILE...]\n",
               stderr);
    return 2;
  }
  std::vector<Bytes> files;
  for (int i = 4; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  if (files.empty()) files.emplace_back();
  for (const auto& [name, target] : kTargets)
    if (std::string(argv[1]) == name)
      return run(name, target, std::atol(argv[2]), std::strtoull(argv[3], nullptr, 10), files);
  std::fprintf(stderr, "there is no target '%s'\n", argv[1]);
  return 2;
}
