#include "progress_bar.h"

#include <cstdio>
#include <memory>
#include <string>

#include <unistd.h>

namespace skincells::cli {
namespace {

class Printer {
public:
  ~Printer() {
    if (terminal_ && shown_ >= 0) std::fputs("\r\033[K", stderr);
  }
  void show(std::string_view stage, double fraction) {
    const int percent = static_cast<int>(fraction * 100);
    if (!terminal_) {
      if (stage != stage_) std::fprintf(stderr, "%3d %% %.*s\n", percent, static_cast<int>(stage.size()), stage.data());
    } else if (percent != shown_ || stage != stage_) {
      const std::string bar(static_cast<std::size_t>(percent) / 4, '#');
      std::fprintf(stderr, "\r\033[K[%-25s] %3d %% %.*s", bar.c_str(), percent, static_cast<int>(stage.size()),
                   stage.data());
      std::fflush(stderr);
    }
    stage_ = stage;
    shown_ = percent;
  }

private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::string stage_;
  int shown_ = -1;
};

} // namespace

ProgressFunction progressBar(bool quiet) {
  if (quiet) return {};
  return [printer = std::make_shared<Printer>()](std::string_view stage, double fraction) {
    printer->show(stage, fraction);
    return true;
  };
}

} // namespace skincells::cli
