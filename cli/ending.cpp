#include "ending.h"

#include <csignal>
#include <cstdio>
#include <iostream>

#include <poll.h>
#include <unistd.h>

#include "command_line.h"
#include "skincells/io/output_set.h"

namespace skincells::cli {
namespace {

volatile std::sig_atomic_t ending = 0, stop_politely = 0, stop_asked = 0, over_memory = 0;

void endBy(int signal) {
  if (stop_politely != 0 && stop_asked == 0 && signal != SIGHUP) {
    stop_asked = 1;
    return;
  }
  ending = 1;
  removeTemporaries();
  if (over_memory != 0) ::_exit(kInvalidInput);
  std::signal(signal, SIG_DFL);
  std::raise(signal); // delivered when this handler returns
}

void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = endBy;
  sigfillset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

// Whether everything printed has reached standard output.
bool flushOutput() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

// "skincells inspect FILE | head": the reader has what it wanted, so nothing is said.
bool readerIsGone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

} // namespace

void cleanUpOnSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue; // nohup, background jobs
    handle(signal);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void askToStopOnSignals() {
  stop_politely = 1;
}

bool interrupted() {
  return stop_asked != 0;
}

void endOverMemory() {
  constexpr char kMessage[] = "skincells: more memory is needed than --memory-limit allows; raise it, or simplify the "
                              "mesh\n";
  if (over_memory == 0) [[maybe_unused]]
    const ssize_t written = ::write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  over_memory = 1;
  handle(SIGTERM); // also where it is ignored
  ::kill(::getpid(), SIGTERM);
}

int finish(int code) {
  while (ending != 0) ::pause();
  if (flushOutput() || (code != kDone && code != kGateFailed && code != kItemsFailed)) return code;
  if (!readerIsGone())
    std::fputs("skincells: standard output: could not be written completely; is the disk full?\n", stderr);
  return kCannotWrite;
}

} // namespace skincells::cli
