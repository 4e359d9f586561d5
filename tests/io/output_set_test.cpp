#include "skincells/io/output_set.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"

namespace fs = std::filesystem;

namespace skincells {
namespace {

class Outputs : public testing::Test {
protected:
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  std::string text(const std::string& name) const { return test::readText(path(name)); }
  void write(const std::string& name, const std::string& content) const { test::writeText(path(name), content); }
  mode_t permissions(const std::string& name) const {
    struct stat info {};
    EXPECT_EQ(::stat(path(name).c_str(), &info), 0) << name;
    return info.st_mode & 07777U;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path("")))
      out.push_back(entry.path().lexically_relative(folder_.path("")).string());
    std::ranges::sort(out);
    return out;
  }
  // The exit code of a child process that does this.
  static int inChild(const std::function<int()>& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  test::TemporaryFolder folder_;
};

void expectRefused(const Result<void>& result, const std::string& words) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::CannotWrite);
  EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().text();
}

TEST_F(Outputs, AppearTogetherAtTheCommit) {
  OutputSet outputs;
  ASSERT_TRUE(outputs.addOutput(path("a"), false));
  EXPECT_TRUE(names().empty()) << "declaring leaves nothing behind";
  ASSERT_TRUE(outputs.stage(path("a"), "first", false));
  ASSERT_TRUE(outputs.stage(path("b"), "second", false)) << "declared by staging";
  EXPECT_EQ(names().size(), 2U);
  EXPECT_FALSE(fs::exists(path("a")) || fs::exists(path("b")));
  ASSERT_TRUE(outputs.commit());
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(text("a") + text("b"), "firstsecond");
}

TEST_F(Outputs, VanishWithoutACommit) {
  write("old", "old");
  {
    OutputSet outputs;
    ASSERT_TRUE(outputs.stage(path("new"), "x", false));
    ASSERT_TRUE(outputs.stage(path("old"), "x", true));
    const OutputFile files[] = {{path("deep/er/a"), {1}}, {path("main"), {2}}};
    ASSERT_TRUE(outputs.stage(files, false));
    EXPECT_TRUE(fs::is_directory(path("deep/er")));
  }
  EXPECT_EQ(names(), std::vector<std::string>{"old"});
  EXPECT_EQ(text("old"), "old");
}

TEST_F(Outputs, EmptySetsAndEmptyNames) {
  OutputSet outputs;
  EXPECT_TRUE(outputs.addInput(""));
  EXPECT_TRUE(outputs.addOutput("", false));
  EXPECT_TRUE(outputs.addOutput("", false));
  EXPECT_TRUE(outputs.stage(std::span<const OutputFile>{}, false));
  EXPECT_TRUE(outputs.commit());
  ASSERT_TRUE(outputs.stage(path("empty"), "", false));
  EXPECT_TRUE(outputs.commit());
  EXPECT_EQ(fs::file_size(path("empty")), 0U);
}

TEST_F(Outputs, NeverReplaceAnInputWhateverItsName) {
  write("in", "input");
  fs::create_symlink("in", path("link"));
  fs::create_hard_link(path("in"), path("hard"));
  fs::create_directory_symlink(folder_.path(""), path("folder"));
  for (const char* name : {"in", "./in", "link", "hard", "folder/in", "folder/folder/link"}) {
    OutputSet outputs;
    ASSERT_TRUE(outputs.addInput(path("in")));
    expectRefused(outputs.addOutput(path(name), true), "is also an input");
    expectRefused(outputs.stage(path(name), "x", true), "is also an input");
    OutputSet reversed; // an input that is known only later, as a buffer is
    ASSERT_TRUE(reversed.addOutput(path(name), true)) << name;
    expectRefused(reversed.addInput(path("in")), "is also an input");
  }
  EXPECT_EQ(text("in"), "input");
}

TEST_F(Outputs, AreNotUsedTwice) {
  write("old", "old");
  fs::create_hard_link(path("old"), path("hard"));
  fs::create_symlink("later", path("dangling"));
  fs::create_directory(path("sub"));
  const std::pair<const char*, const char*> pairs[] = {{"a", "a"},      {"a", "./a"},          {"a", "sub/../a"},
                                                       {"old", "hard"}, {"later", "dangling"}, {"dangling", "later"}};
  for (const auto& [first, second] : pairs) {
    OutputSet outputs;
    ASSERT_TRUE(outputs.addOutput(path(first), true)) << first;
    expectRefused(outputs.addOutput(path(second), true), "two outputs");
  }
  OutputSet outputs;
  ASSERT_TRUE(outputs.stage(path("a"), "x", false));
  expectRefused(outputs.stage(path("a"), "y", false), "two outputs");
}

TEST_F(Outputs, AreComparedByPathBeforeTheyExist) {
  OutputSet outputs;
  ASSERT_TRUE(outputs.addInput(path("a.glb")));
  expectRefused(outputs.addOutput(path("./a.glb"), false), "is also an input");
  expectRefused(outputs.addOutput(path("nowhere/../a.glb"), false), "folder");
}

TEST_F(Outputs, ExistingFilesNeedForce) {
  write("old", "old");
  OutputSet outputs;
  expectRefused(outputs.addOutput(path("old"), false), "--force");
  expectRefused(outputs.stage(path("old"), "x", false), "--force");
  fs::create_directory(path("folder"));
  expectRefused(outputs.addOutput(path("folder"), true), "is a folder");
  expectRefused(outputs.addOutput(path("folder/"), true), "is a folder");
  expectRefused(outputs.addOutput(path("nowhere/a"), true), "folder exists");
  ASSERT_TRUE(outputs.stage(path("old"), "new", true));
  ASSERT_TRUE(outputs.commit());
  EXPECT_EQ(text("old"), "new");
  EXPECT_EQ(names(), (std::vector<std::string>{"folder", "old"}));
}

TEST_F(Outputs, KeepThePermissionsOfAReplacedFile) {
  const mode_t mask = ::umask(0);
  for (const mode_t mode : {0600U, 0640U, 0444U, 0666U}) {
    write("old", "old");
    ASSERT_EQ(::chmod(path("old").c_str(), mode), 0);
    OutputSet outputs;
    ASSERT_TRUE(outputs.stage(path("old"), "new", true));
    for (const auto& entry : fs::directory_iterator(folder_.path("")))
      if (entry.path().filename() != "old") {
        struct stat info {};
        ASSERT_EQ(::stat(entry.path().c_str(), &info), 0);
        EXPECT_EQ(info.st_mode & ~mode & 0777U, 0U) << "the temporary is more open than the file";
      }
    ASSERT_TRUE(outputs.commit());
    EXPECT_EQ(permissions("old"), mode);
    fs::remove(path("old"));
  }
  ::umask(027);
  OutputSet outputs;
  ASSERT_TRUE(outputs.stage(path("new"), "x", false));
  ASSERT_TRUE(outputs.commit());
  EXPECT_EQ(permissions("new"), 0640U) << "a new file follows the mask";
  ::umask(mask);
}

TEST_F(Outputs, FollowSymbolicLinks) {
  fs::create_directory(path("elsewhere"));
  write("elsewhere/real", "old");
  fs::create_symlink("elsewhere/real", path("link"));
  fs::create_symlink("elsewhere/later", path("dangling"));
  fs::create_symlink("circle", path("circle"));
  OutputSet outputs;
  expectRefused(outputs.addOutput(path("link"), false), "--force");
  expectRefused(outputs.addOutput(path("circle"), true), "circle");
  fs::remove(path("circle"));
  ASSERT_TRUE(outputs.stage(path("link"), "new", true));
  ASSERT_TRUE(outputs.stage(path("dangling"), "later", false));
  ASSERT_TRUE(outputs.commit());
  EXPECT_TRUE(fs::is_symlink(path("link")) && fs::is_symlink(path("dangling")));
  EXPECT_EQ(text("elsewhere/real"), "new");
  EXPECT_EQ(text("elsewhere/later"), "later");
  EXPECT_EQ(names(), (std::vector<std::string>{"dangling", "elsewhere", "elsewhere/later", "elsewhere/real", "link"}));
}

TEST_F(Outputs, LinksOfOthersInSharedFoldersAreNotFollowed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make links of another user";
  fs::create_directory(path("shared"));
  ASSERT_EQ(::chmod(path("shared").c_str(), 01777), 0);
  fs::create_symlink("../victim", path("shared/link"));
  ASSERT_EQ(::lchown(path("shared/link").c_str(), 12345, 12345), 0);
  expectRefused(OutputSet().addOutput(path("shared/link"), true), "another user");
  ASSERT_EQ(::lchown(path("shared/link").c_str(), 0, 0), 0);
  EXPECT_TRUE(OutputSet().addOutput(path("shared/link"), true));
}

TEST_F(Outputs, FoldersAreMadeAndStayOnlyWithWhatIsCommitted) {
  {
    OutputSet outputs;
    ASSERT_TRUE(outputs.addFolder(path("new/inner")));
    ASSERT_TRUE(outputs.stage(path("new/inner/file"), "x", false));
  }
  EXPECT_FALSE(fs::exists(path("new")));
  OutputSet outputs;
  ASSERT_TRUE(outputs.addFolder(path("new/inner/")));
  ASSERT_TRUE(outputs.stage(path("new/inner/file"), "x", false));
  ASSERT_TRUE(outputs.commit());
  EXPECT_TRUE(fs::exists(path("new/inner/file")));
  EXPECT_TRUE(OutputSet().addFolder(path("new"))); // is one
  EXPECT_TRUE(fs::exists(path("new/inner/file")));
  expectRefused(OutputSet().addFolder(path("new/inner/file")), "no folder");
  EXPECT_FALSE(OutputSet().addFolder(path("new/inner/file/below")));
}

TEST_F(Outputs, ArePutBackIfOneFails) {
  write("old", "old");
  write("last", "last");
  OutputSet outputs;
  ASSERT_TRUE(outputs.stage(path("new"), "x", false));
  ASSERT_TRUE(outputs.stage(path("old"), "x", true));
  ASSERT_TRUE(outputs.stage(path("last"), "x", true));
  fs::remove(path("last"));
  fs::create_directory(path("last"));
  expectRefused(outputs.commit(), "no longer a regular file");
  EXPECT_FALSE(fs::exists(path("new")));
  EXPECT_EQ(text("old"), "old");
  outputs = OutputSet();
  EXPECT_EQ(names(), (std::vector<std::string>{"last", "old"}));
}

TEST_F(Outputs, LeaveAFileThatAppearedMeanwhile) {
  OutputSet outputs;
  ASSERT_TRUE(outputs.stage(path("a"), "ours", false));
  write("a", "theirs");
  expectRefused(outputs.commit(), "meanwhile");
  EXPECT_EQ(text("a"), "theirs");
}

TEST_F(Outputs, DevicesAreWrittenToAndStay) {
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat("/dev/null", &before), 0);
  OutputSet outputs;
  fs::create_symlink("/dev/null", path("null"));
  ASSERT_TRUE(outputs.addOutput("/dev/null", false));
  ASSERT_TRUE(outputs.addOutput("/dev/null", false)) << "a sink has room for two";
  ASSERT_TRUE(outputs.addOutput(path("null"), false)) << "under any name";
  ASSERT_TRUE(outputs.stage("/dev/null", "x", false));
  ASSERT_TRUE(outputs.stage("/dev/null", "z", false));
  ASSERT_TRUE(outputs.stage(path("null"), "y", false));
  ASSERT_TRUE(outputs.commit());
  ASSERT_EQ(::stat("/dev/null", &after), 0);
  EXPECT_TRUE(S_ISCHR(after.st_mode));
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_TRUE(fs::is_symlink(path("null")));
}

TEST_F(Outputs, AFullDeviceFailsAll) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  OutputSet outputs;
  ASSERT_TRUE(outputs.stage(path("a"), "x", false));
  ASSERT_TRUE(outputs.stage("/dev/full", "x", false));
  expectRefused(outputs.commit(), "completely");
  outputs = OutputSet();
  EXPECT_TRUE(names().empty());
}

TEST_F(Outputs, PipesAreWrittenTo) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] {
    std::ifstream in(path("pipe"));
    received.assign(std::istreambuf_iterator<char>(in), {});
  });
  OutputSet outputs;
  const std::string content(200'000, 'x'); // more than a pipe holds
  EXPECT_TRUE(outputs.addOutput(path("pipe"), false));
  EXPECT_FALSE(outputs.addOutput(path("./pipe"), false)) << "two outputs would mix";
  EXPECT_TRUE(outputs.stage(path("pipe"), content, false));
  EXPECT_TRUE(outputs.commit());
  reader.join();
  EXPECT_EQ(received, content);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(Outputs, OpenDescriptorsAreWrittenTo) {
  const int file = ::open(path("log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(::write(file, "before ", 7), 7);
  OutputSet outputs;
  const std::string name = "/dev/fd/" + std::to_string(file);
  ASSERT_TRUE(outputs.stage(name, "after", false)) << "it was opened by somebody who meant it";
  ASSERT_TRUE(outputs.commit());
  ::close(file);
  EXPECT_EQ(text("log"), "before after");
  expectRefused(OutputSet().addOutput(name, false), "is not open");
}

TEST_F(Outputs, SocketsAreRefused) {
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path("socket").size(), sizeof address.sun_path);
  path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  expectRefused(OutputSet().addOutput(path("socket"), true), "socket");
  ::close(server);
}

TEST_F(Outputs, OldFilesAreRemovedUnlessTheyAreInUse) {
  for (const char* name : {"old", "input", "output"}) write(name, name);
  OutputSet outputs;
  ASSERT_TRUE(outputs.addInput(path("input")));
  ASSERT_TRUE(outputs.stage(path("output"), "new", true));
  for (const char* name : {"old", "input", "output", "missing"}) outputs.removeAfterCommit(path(name));
  EXPECT_TRUE(fs::exists(path("old")));
  ASSERT_TRUE(outputs.commit());
  EXPECT_EQ(names(), (std::vector<std::string>{"input", "output"}));
  EXPECT_EQ(text("output"), "new");
}

TEST_F(Outputs, KnowWhichNamesAndContentsThereAre) {
  write("old", "old");
  OutputSet outputs;
  ASSERT_TRUE(outputs.stage(path("new"), "new", false));
  ASSERT_TRUE(outputs.addOutput(path("declared"), false));
  for (const char* name : {"old", "new", "declared"}) EXPECT_TRUE(outputs.isTaken(path(name))) << name;
  EXPECT_FALSE(outputs.isTaken(path("free")));
  const auto has = [&](const std::string& name, const std::string& content) {
    return outputs.hasContent(path(name), std::vector<std::uint8_t>(content.begin(), content.end()));
  };
  EXPECT_TRUE(has("old", "old") && has("new", "new"));
  EXPECT_FALSE(has("old", "new") || has("new", "old") || has("declared", "") || has("free", ""));
}

TEST_F(Outputs, AFullDiskLeavesNothing) {
  const int code = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    OutputSet outputs;
    const std::string large(4000, 'x');
    if (!outputs.stage(path("small"), "x", false)) return 1;
    const auto staged = outputs.stage(path("large"), large, false);
    if (staged || staged.error().message.find("disk full") == std::string::npos) return 2;
    return 0;
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(names().empty());
}

TEST_F(Outputs, AHandlerRemovesTemporaries) {
  write("old", "old");
  const int code = inChild([&] {
    OutputSet outputs;
    const OutputFile files[] = {{path("deep/a"), {1}}, {path("main"), {2}}};
    if (!outputs.stage(files, false) || !outputs.stage(path("old"), "new", true)) return 1;
    removeTemporaries();
    removeTemporaries();
    if (outputs.commit() || outputs.stage(path("more"), "x", false)) return 2;
    return OutputSet().addOutput(path("other"), false) ? 3 : 0;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(names(), std::vector<std::string>{"old"});
  EXPECT_EQ(text("old"), "old");
}

// A signal may come at any moment, also in the middle of a commit: either all outputs are new or none is, and there is
// nothing else.
TEST_F(Outputs, ASignalNeverInterruptsACommit) {
  static const auto handler = [](int signal) {
    removeTemporaries();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  };
  const std::vector<std::string> all{"a", "b", "c", "d"};
  int committed = 0;
  for (int round = 0; round < 60; ++round) {
    for (const std::string& name : all) write(name, "old");
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGTERM, handler);
      OutputSet outputs;
      for (const std::string& name : all)
        if (!outputs.stage(path(name), "new", true)) ::_exit(1);
      if (!outputs.commit()) ::_exit(2);
      for (;;) ::pause();
    }
    ::usleep(static_cast<useconds_t>(round * 40));
    ::kill(child, SIGTERM);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(names(), all) << "round " << round;
    const std::string first = text("a");
    committed += first == "new";
    for (const std::string& name : all) EXPECT_EQ(text(name), first) << name << ", round " << round;
    for (const auto& name : names())
      if (name.starts_with(".")) fs::remove(path(name));
  }
  RecordProperty("committed", committed);
}

} // namespace
} // namespace skincells
