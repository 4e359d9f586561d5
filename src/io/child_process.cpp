#include "io/child_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skincells::io {
namespace {

// Nothing for 0.
void limitTo(decltype(RLIMIT_CPU) resource, rlim_t value) {
  if (value == 0) return;
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
[[noreturn]] void becomeProgram(const ChildProgram& child, char* const* arguments, const ChildLimits& limits,
                                int failure_pipe, [[maybe_unused]] pid_t parent) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127); // it ended before that
#endif
  resetSignals();
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  const int in = open("/dev/null", O_RDONLY);
  const int out = open(child.stdout_path.c_str(), kWrite, 0666); // as the umask says: it may be a result
  const int errors = open(child.stderr_path.c_str(), kWrite, 0600);
  if (in >= 0 && out >= 0 && errors >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(errors, 2) >= 0 &&
      chdir(child.folder.c_str()) == 0) {
    for (const int file : {in, out, errors})
      if (file > 2) close(file);
    rlimit core{};
    setrlimit(RLIMIT_CORE, &core);
    limitTo(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_seconds));
    limitTo(RLIMIT_FSIZE, limits.file_bytes);
    limitTo(RLIMIT_AS, limits.address_space);
    execv(child.program.c_str(), arguments);
  }
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = write(failure_pipe, &reason, sizeof reason);
  _exit(127);
}

using Clock = std::chrono::steady_clock;

// A descriptor that is readable once the process has ended; -1 where the system has none.
class EndOfProcess {
public:
  explicit EndOfProcess([[maybe_unused]] pid_t process) {
#ifdef SYS_pidfd_open
    file_ = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#endif
  }
  ~EndOfProcess() {
    if (file_ >= 0) close(file_);
  }
  EndOfProcess(const EndOfProcess&) = delete;
  EndOfProcess& operator=(const EndOfProcess&) = delete;

  void waitAtMost(std::chrono::milliseconds most) const {
    if (file_ < 0) {
      std::this_thread::sleep_for(std::min(most, std::chrono::milliseconds(5)));
      return;
    }
    pollfd ready{file_, POLLIN, 0};
    ::poll(&ready, 1, static_cast<int>(most.count()));
  }

private:
  int file_ = -1;
};

void killGroup(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
}

// Memory in use by a process and its children, without what they share with files; 0 if unknown.
std::uint64_t residentBytes([[maybe_unused]] pid_t process) {
  std::uint64_t bytes = 0;
#ifdef __linux__
  const std::filesystem::path folder = "/proc/" + std::to_string(process);
  std::ifstream in(folder / "statm");
  std::uint64_t size = 0, resident = 0, shared = 0;
  if (in >> size >> resident >> shared && resident > shared)
    bytes = (resident - shared) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::error_code ignored;
  for (const auto& thread : std::filesystem::directory_iterator(folder / "task", ignored)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) bytes += residentBytes(child);
  }
#endif
  return bytes;
}

// Why a process must end now; Exited if it may go on.
ChildOutcome::Kind reasonToKill(pid_t child, const ChildLimits& limits, Clock::time_point start) {
  if (limits.wall_seconds > 0 && Clock::now() - start >= std::chrono::duration<double>(limits.wall_seconds))
    return ChildOutcome::Kind::TimedOut;
  if (limits.stop != nullptr && limits.stop->load()) return ChildOutcome::Kind::Stopped;
  if (limits.resident_bytes > 0 && residentBytes(child) > limits.resident_bytes) return ChildOutcome::Kind::OverMemory;
  return ChildOutcome::Kind::Exited;
}

ChildOutcome waitFor(pid_t child, const ChildLimits& limits) {
  const std::chrono::milliseconds between_looks(limits.resident_bytes > 0 ? 5 : 50);
  const auto start = Clock::now();
  const EndOfProcess end(child);
  ChildOutcome outcome{ChildOutcome::Kind::Exited};
  bool killed = false;
  int status = 0;
  rusage usage{};
  for (;;) {
    const pid_t ended = wait4(child, &status, killed ? 0 : WNOHANG, &usage);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return {ChildOutcome::Kind::NotStarted, errno};
    if (ended < 0 || killed) continue;
    outcome.kind = reasonToKill(child, limits, start);
    killed = outcome.kind != ChildOutcome::Kind::Exited;
    if (killed)
      killGroup(child);
    else
      end.waitAtMost(between_looks);
  }
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  outcome.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  outcome.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  if (killed) return outcome;
  outcome.kind = WIFSIGNALED(status) ? ChildOutcome::Kind::Killed : ChildOutcome::Kind::Exited;
  outcome.value = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return outcome;
}

} // namespace

ChildOutcome runChild(const ChildProgram& child, const ChildLimits& limits) {
  std::vector<std::string> words{child.program};
  words.insert(words.end(), child.arguments.begin(), child.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  StartPipe failure;
  if (failure.read_end < 0) return {ChildOutcome::Kind::NotStarted, errno};
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) return {ChildOutcome::Kind::NotStarted, errno};
  if (process == 0) becomeProgram(child, pointers.data(), limits, failure.write_end, parent);

  failure.closeWriteEnd();
  int reason = 0;
  ssize_t got = 0;
  do got = read(failure.read_end, &reason, sizeof reason);
  while (got < 0 && errno == EINTR);
  const ChildOutcome outcome = waitFor(process, limits);
  return got > 0 ? ChildOutcome{ChildOutcome::Kind::NotStarted, reason} : outcome;
}

} // namespace skincells::io
