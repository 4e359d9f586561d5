#include "importer/sandbox.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"

namespace skincells {
namespace {

// Whether `action` succeeds in a process that gave up its rights; nothing if there is no sandbox of that kind.
std::optional<bool> succeeds(const std::string& folder, const std::string& needed,
                             const std::function<bool()>& action) {
  constexpr int kNoSandbox = 77;
  const pid_t child = fork();
  if (child == 0) {
    const std::string rights = importer::giveUpRights(folder);
    if (rights.find(needed) == std::string::npos) _exit(kNoSandbox);
    _exit(action() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoSandbox) return std::nullopt;
  return WEXITSTATUS(status) == 0;
}

bool opens(const std::string& path, int flags) {
  return open(path.c_str(), flags, 0600) >= 0;
}

class Sandbox : public ::testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directories(below_);
    test::writeText(inside_, "x");
    test::writeText(outside_, "x");
  }
  void expect(bool wanted, const std::string& needed, const std::function<bool()>& action) {
    const auto done = succeeds(below_, needed, action);
    if (done) {
      EXPECT_EQ(*done, wanted);
    }
  }
  test::TemporaryFolder folder_;
  const std::string below_ = folder_.path("below").string(), inside_ = below_ + "/inside.txt",
                    outside_ = folder_.path("outside.txt").string();
};

TEST_F(Sandbox, ReadsTheFolderAndNothingElse) {
  expect(true, "landlock", [&] { return opens(inside_, O_RDONLY); });
  expect(false, "landlock", [&] { return opens(outside_, O_RDONLY); });
  expect(false, "landlock", [&] { return opens("/etc/passwd", O_RDONLY); });
}

TEST_F(Sandbox, WritesAndRemovesNothing) {
  for (int flags : {O_WRONLY, O_RDWR, O_WRONLY | O_CREAT, O_RDONLY | O_TRUNC}) {
    expect(false, "seccomp", [&] { return opens(inside_, flags); });
    expect(false, "seccomp", [&] { return opens(outside_, flags); });
  }
  expect(false, "seccomp", [&] { return unlink(inside_.c_str()) == 0; });
  expect(false, "seccomp", [&] { return rename(inside_.c_str(), outside_.c_str()) == 0; });
}

TEST_F(Sandbox, StartsNoProgramAndOpensNoSocket) {
  expect(false, "seccomp", [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; });
  expect(false, "seccomp", [] {
    execl("/bin/true", "true", nullptr); // its exit code would be that of success
    return false;
  });
  expect(false, "seccomp", [] { return kill(getppid(), 0) == 0; });
}

TEST_F(Sandbox, OpenFilesStayOpen) {
  const int fd = open(inside_.c_str(), O_WRONLY);
  expect(true, "seccomp", [&] { return write(fd, "y", 1) == 1; });
  close(fd);
}

} // namespace
} // namespace skincells
