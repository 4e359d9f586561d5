#include "command_line.h"
#include "skincells/threads.h"

namespace skincells::cli {

Run setUpReport(CLI::App& app) {
  struct State {
    bool quiet = false;
    int threads = 0;
    std::string input, output;
    std::vector<std::string> others;
  };
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown and measured beside it");
  app.add_option("-o,--output", state->output, "where to write the page (.html)")->required();
  app.add_flag("--quiet", state->quiet, "print errors only");
  app.add_option("--threads", state->threads, "threads to use [0 .. 1024; default 0: all]")->check(CLI::Range(0, 1024));
  return [state] {
    const ThreadLimit threads(state->threads);
    auto files = readAll(state->input, state->others);
    if (!files) return fail(files.error(), {});
    const auto page = skinPage(files->front(), pointersBehindFirst(*files));
    if (!page) return fail(page.error(), {});
    if (auto written = writeReport(state->output, *page); !written) return fail(written.error(), {});
    if (!state->quiet) std::printf("%s\n", state->output.c_str());
    return int{kDone};
  };
}

} // namespace skincells::cli
