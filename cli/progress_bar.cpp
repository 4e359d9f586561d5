#include "progress_bar.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include <unistd.h>

namespace skincells::cli {
namespace {

constexpr int kLineStep = 10; // percent between two lines if there is no bar

class Printer {
public:
  ~Printer() {
    if (terminal_ && shown_ >= 0) std::fputs("\r\033[K", stderr);
  }
  void show(const Progress& progress) {
    const int percent = static_cast<int>(progress.fraction * 100);
    const bool new_stage = progress.stage != stage_;
    if (!new_stage && percent < shown_ + (terminal_ ? 1 : kLineStep)) return;
    stage_ = progress.stage;
    shown_ = percent;
    const std::string line = progressLine(progress);
    if (!terminal_) {
      std::fprintf(stderr, "%s\n", line.c_str());
      return;
    }
    const std::string bar(static_cast<std::size_t>(percent) / 4, '#');
    std::fprintf(stderr, "\r\033[K[%-25s] %s", bar.c_str(), line.c_str());
    std::fflush(stderr);
  }

private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::string stage_;
  int shown_ = -1;
};

} // namespace

std::string progressLine(const Progress& progress) {
  char text[64];
  std::snprintf(text, sizeof text, "%3d %% ", static_cast<int>(progress.fraction * 100));
  std::string line = text + std::string(progress.stage);
  if (progress.loss) {
    std::snprintf(text, sizeof text, ", loss %.4g", *progress.loss);
    line += text;
  }
  if (progress.seconds_left) {
    std::snprintf(text, sizeof text, ", about %.0f s left", std::ceil(*progress.seconds_left));
    line += text;
  }
  return line;
}

ProgressFunction progressBar(bool quiet) {
  if (quiet) return {};
  return [printer = std::make_shared<Printer>()](const Progress& progress) {
    printer->show(progress);
    return true;
  };
}

} // namespace skincells::cli
