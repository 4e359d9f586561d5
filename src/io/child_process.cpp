#include "io/child_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skincells::io {
namespace {

void limitTo(decltype(RLIMIT_CPU) resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max = std::min(value, limit.rlim_max);
  setrlimit(resource, &limit);
}

// A pipe that closes when the process executes another program.
struct StartPipe {
  int read_end = -1, write_end = -1;

  StartPipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
  }
  ~StartPipe() {
    if (read_end >= 0) close(read_end);
    closeWriteEnd();
  }
  StartPipe(const StartPipe&) = delete;
  StartPipe& operator=(const StartPipe&) = delete;
  void closeWriteEnd() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }
};

// The program must not inherit what this process ignores or blocks.
void resetSignals() {
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Runs in the child. Other threads of the parent may have held locks at the fork, so only system calls are allowed
// here: no memory allocation, no C++ library.
[[noreturn]] void becomeProgram(const char* program, char* const* arguments, const char* stderr_path,
                                const ChildLimits& limits, int failure_pipe, [[maybe_unused]] pid_t parent) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127); // it ended before that
#endif
  resetSignals();
  const int null = open("/dev/null", O_RDWR);
  const int errors = open(stderr_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (null >= 0 && errors >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && dup2(errors, 2) >= 0) {
    limitTo(RLIMIT_CORE, 0);
    limitTo(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_seconds));
    limitTo(RLIMIT_FSIZE, limits.file_bytes);
    if (limits.address_space > 0) limitTo(RLIMIT_AS, limits.address_space);
    execv(program, arguments);
  }
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = write(failure_pipe, &reason, sizeof reason);
  _exit(127);
}

ChildOutcome waitFor(pid_t child, double wall_seconds) {
  using Clock = std::chrono::steady_clock;
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall_seconds));
  auto pause = std::chrono::microseconds(500);
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return {ChildOutcome::Kind::NotStarted, errno};
    if (Clock::now() >= deadline) {
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return {ChildOutcome::Kind::TimedOut, 0};
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
  if (WIFSIGNALED(status)) return {ChildOutcome::Kind::Killed, WTERMSIG(status)};
  return {ChildOutcome::Kind::Exited, WEXITSTATUS(status)};
}

} // namespace

ChildOutcome runChild(const std::string& program, const std::vector<std::string>& arguments,
                      const std::string& stderr_path, const ChildLimits& limits) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  StartPipe failure;
  if (failure.read_end < 0) return {ChildOutcome::Kind::NotStarted, errno};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return {ChildOutcome::Kind::NotStarted, errno};
  if (child == 0)
    becomeProgram(program.c_str(), pointers.data(), stderr_path.c_str(), limits, failure.write_end, parent);

  failure.closeWriteEnd();
  int reason = 0;
  ssize_t got = 0;
  do got = read(failure.read_end, &reason, sizeof reason);
  while (got < 0 && errno == EINTR);
  const ChildOutcome outcome = waitFor(child, limits.wall_seconds);
  return got > 0 ? ChildOutcome{ChildOutcome::Kind::NotStarted, reason} : outcome;
}

} // namespace skincells::io
