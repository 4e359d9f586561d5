#include "measure.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char** environ;

namespace skincells::bench {

Seconds now() {
  timespec cpu{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now().time_since_epoch();
  return {wall.count(), static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec)};
}

double Samples::least() const {
  return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

double Samples::median() const {
  if (values.empty()) return 0;
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

ProgramRun runProgram(const std::vector<std::string>& arguments) {
  ProgramRun run;
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const Seconds start = now();
  pid_t child = 0;
  if (posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return run;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) return run;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  run.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  run.seconds = {now().wall - start.wall, seconds(usage.ru_utime) + seconds(usage.ru_stime)};
  run.peak_memory = 1024.0 * static_cast<double>(usage.ru_maxrss);
  return run;
}

} // namespace skincells::bench
