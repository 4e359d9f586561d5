#include "command_line.h"
#include "skincells/threads.h"

namespace skincells::cli {
namespace {

struct State {
  bool quiet = false;
  int threads = 0;
  RenderSheetOptions sheet;
  std::string input, output;
  std::vector<std::string> others;
};

int run(const State& state) {
  const ThreadLimit threads(state.threads);
  auto file = CharacterFile::read(state.input);
  if (!file) return fail(file.error(), {});
  std::vector<CharacterFile> others;
  for (const std::string& path : state.others) {
    auto other = CharacterFile::read(path);
    if (!other) return fail(other.error(), {});
    others.push_back(std::move(*other));
  }
  std::vector<const CharacterFile*> pointers;
  for (const CharacterFile& other : others) pointers.push_back(&other);
  const auto image = renderSheet(*file, pointers, state.sheet);
  if (!image) return fail(image.error(), {});
  if (auto written = writeReport(state.output, *image); !written) return fail(written.error(), {});
  if (!state.quiet) std::printf("%s: %d x %d pixels\n", state.output.c_str(), image->width, image->height);
  return kDone;
}

} // namespace

Run setUpRender(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the skinned character file")->required();
  app.add_option("other", state->others, "further skins of the same mesh, shown beside it");
  app.add_option("-o,--output", state->output, "where to write the picture (.png)")->required();
  addOptions(app, renderSheetOptionTable(), state->sheet);
  app.add_flag("--quiet", state->quiet, "print errors only");
  app.add_option("--threads", state->threads, "threads to use [0 .. 1024; default 0: all]")->check(CLI::Range(0, 1024));
  return [state] { return run(*state); };
}

} // namespace skincells::cli
