// Readers and writers when memory runs out: each allocation of each (where JSON is involved, each larger one) fails
// once. The caller gets an error or std::bad_alloc, never a crash; nothing is leaked, and no file is left half written.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

#include <gtest/gtest.h>

#include "joints/joint_list.h"
#include "skincells/io/character_file.h"
#include "skincells/io/field_file.h"
#include "skincells/io/point_cloud.h"
#include "skincells/io/pose_file.h"
#include "support/files.h"
#include "support/gltf_builder.h"
#include "support/shapes.h"

namespace {

std::atomic<long> countdown{-1};   // allocations until the one that fails; negative: none does
std::atomic<std::size_t> least{0}; // bytes of allocations that may fail
std::atomic<long> live{0};         // allocations that were not freed

void* allocate(std::size_t size, std::size_t alignment) {
  if (size >= least.load() && countdown.load() >= 0 && countdown.fetch_sub(1) == 0) throw std::bad_alloc();
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                     : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  ++live;
  return memory;
}

void* allocateOrNull(std::size_t size, std::size_t alignment) noexcept {
  try {
    return allocate(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void release(void* memory) {
  if (memory == nullptr) return;
  --live;
  std::free(memory);
}

} // namespace

void* operator new(std::size_t size) {
  return allocate(size, 1);
}
void* operator new[](std::size_t size) {
  return allocate(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
// A standard library may call its own operators here, whose memory `release` must not free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocateOrNull(size, 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocateOrNull(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocateOrNull(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocateOrNull(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}

namespace skincells::test {
namespace {

// Destroying JSON allocates a few bytes for each element, and nothing can be done if that fails.
constexpr std::size_t kMoreThanJson = 512;

// Runs the work once for each of its allocations of at least `smallest` bytes, which fails. work: whether it succeeded.
// check: after each run.
void failEachAllocation(
    std::size_t smallest, const std::function<bool()>& work, const std::function<void()>& check = [] {}) {
  least = smallest;
  ASSERT_TRUE(work()) << "without a failure"; // and what is made once is made now
  int errors = 0;
  for (long n = 0;; ++n) {
    bool done = false;
    const long before = live;
    countdown = n;
    try {
      done = work();
    } catch (const std::bad_alloc&) {
    }
    const bool failed = countdown.exchange(-1) < 0;
    ASSERT_EQ(live, before) << "leaked when allocation " << n << " failed";
    check();
    if (!failed) {
      ASSERT_TRUE(done);
      break;
    }
    errors += !done;
  }
  EXPECT_GT(errors, 0);
}

class Allocation : public testing::Test {
protected:
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  bool isEmpty(const std::string& name) const { return std::filesystem::is_empty(folder_.path(name)); }

private:
  TemporaryFolder folder_;
};

TEST_F(Allocation, Glb) {
  const TubeDocument document(3);
  const std::vector<std::uint8_t> bytes = document.glb();
  failEachAllocation(kMoreThanJson, [&] { return CharacterFile::readGlb(bytes, "a.glb").has_value(); });
}

TEST_F(Allocation, WritingAGlb) {
  const CharacterFile file = TubeDocument(3).read();
  const SparseWeights weights = file.character().weights;
  std::filesystem::create_directory(path("out"));
  const std::string target = path("out/a.glb");
  failEachAllocation(
      kMoreThanJson,
      [&] {
        std::filesystem::remove(target);
        return file.write(target, weights).has_value();
      },
      [&] {
        if (std::filesystem::exists(target)) {
          EXPECT_TRUE(CharacterFile::read(target).has_value());
          std::filesystem::remove(target);
        }
        EXPECT_TRUE(isEmpty("out")) << "a temporary is left";
      });
}

TEST_F(Allocation, Ply) {
  const std::string text = "ply\nformat ascii 1.0\ncomment skincells joint 0 hips\nelement vertex 3\nproperty float x\n"
                           "property float y\nproperty float z\nproperty uchar joint_0\nproperty float weight_0\n"
                           "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                           "0 0 0 0 1\n1 0 0 0 1\n0 1 0 0 1\n3 0 1 2\n";
  failEachAllocation(0, [&] { return PointCloudFile::readPly({text.begin(), text.end()}, "a.ply").has_value(); });
}

TEST_F(Allocation, Fields) {
  const std::vector<std::uint8_t> bytes = readBytes(sourceFolder() / "tests/golden/field_v2.skc");
  failEachAllocation(kMoreThanJson, [&] { return decodeField(bytes, "a.skc").has_value(); });
  const auto document = decodeField(bytes, "a.skc");
  ASSERT_TRUE(document);
  failEachAllocation(kMoreThanJson, [&] { return !encodeField(*document).empty(); });
}

TEST_F(Allocation, TextFiles) {
  const Skeleton skeleton = chain(3, 4);
  writeText(path("poses.json"), R"({"joints": ["joint1"], "bent": [[[1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]]]})" +
                                    std::string(2 * kMoreThanJson, ' '));
  const std::string poses = path("poses.json");
  failEachAllocation(kMoreThanJson, [&] { return readPoseFile(poses, skeleton).has_value(); });
  failEachAllocation(0, [&] { return joints::chooseByList(skeleton, "joint*\n-joint2\n", "a.txt").has_value(); });
}

} // namespace
} // namespace skincells::test
