#include "support/program.h"

#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "support/files.h"

extern char** environ;

namespace skincells::test {

namespace {

// The exit status; `meanwhile` runs after the start.
ProgramResult runWith(const std::vector<std::string>& words, const std::function<void(pid_t)>& meanwhile) {
  const TemporaryFolder folder; // files rather than pipes: nothing can block
  const std::string out = folder.path("out").string(), err = folder.path("err").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  ProgramResult result;
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return result;
  meanwhile(pid);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = readText(out);
  result.err = readText(err);
  return result;
}

} // namespace

ProgramResult runProgram(const std::vector<std::string>& words) {
  return runWith(words, [](pid_t) {});
}

ProgramResult signalProgram(const std::vector<std::string>& words, int signal, std::chrono::microseconds after) {
  return runWith(words, [&](pid_t pid) {
    std::this_thread::sleep_for(after);
    ::kill(pid, signal); // until it is waited for, the number belongs to it
  });
}

} // namespace skincells::test
