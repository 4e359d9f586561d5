#include <csignal>
#include <cstdio>
#include <filesystem>

#include "command_line.h"
#include "open_page.h"
#include "skincells/threads.h"
#include "skincells/view.h"

namespace skincells::cli {
namespace {

namespace fs = std::filesystem;

struct State {
  std::vector<std::string> inputs;
  std::string output;
  bool open = false, no_open = false, serve = false, quiet = false;
  int port = 0, threads = 0;
  ReadOptions read;
};

volatile std::sig_atomic_t interrupted = 0;

int serve(const State& state, std::string page) {
  auto server = PageServer::start(std::move(page), std::string(viewerPolicy()), state.port);
  if (!server) return fail(server.error(), {});
  std::printf("%s\n", server->address().c_str());
  if (!state.quiet) std::fputs("serving on this machine only; stop with Ctrl+C\n", stderr);
  std::fflush(stdout);
  if (state.open || (!state.no_open && hasDesktop())) openInBrowser(server->address());
  const auto note = [](int) { interrupted = 1; };
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
  server->run([] { return interrupted == 0; });
  return kDone;
}

// A place for a page that the user did not name.
std::string temporaryPath(const std::string& input) {
  std::error_code ignored;
  std::string folder = (fs::temp_directory_path(ignored) / "skincells-view-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return {};
  return (fs::path(folder) / (fs::path(input).stem().string() + ".html")).string();
}

int writeAndOpen(const State& state, const std::string& page) {
  const std::string path = state.output.empty() ? temporaryPath(state.inputs.front()) : state.output;
  if (path.empty())
    return fail({ErrorCode::CannotWrite, "cannot make a temporary folder; say where with -o", "view"}, {});
  if (auto written = writeReport(path, page); !written) return fail(written.error(), {});
  if (!state.quiet || state.output.empty()) std::printf("%s\n", path.c_str());
  const bool open = state.open || (!state.no_open && state.output.empty() && hasDesktop());
  if (open && !openInBrowser(path)) std::fputs("no browser could be started; open the page yourself\n", stderr);
  return kDone;
}

int run(const State& state) {
  const ThreadLimit threads(state.threads);
  const auto files = readAll(state.inputs.front(), {state.inputs.begin() + 1, state.inputs.end()}, state.read);
  if (!files) return fail(files.error(), {});
  std::vector<ViewCharacter> characters;
  for (const CharacterFile& file : *files) characters.push_back({&file, "", nullptr});
  auto page = viewerPage(characters);
  if (!page) return fail(page.error(), {});
  return state.serve ? serve(state, std::move(*page)) : writeAndOpen(state, *page);
}

} // namespace

Run setUpView(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->inputs, "character files: skins to compare, levels of detail, ...")->required();
  auto* output = app.add_option("-o,--output", state->output,
                                "where to write the page (.html) [a file; default: a temporary one, opened at once]");
  auto* open = app.add_flag("--open", state->open, "open the page in a browser [default: without -o, on a desktop]");
  app.add_flag("--no-open", state->no_open, "only write the page and print where it is")->excludes(open);
  auto* serve = app.add_flag("--serve", state->serve, "serve the page on 127.0.0.1 instead of writing it");
  serve->excludes(output);
  app.add_option("--port", state->port, "for --serve [0 .. 65535; default: 0, any free one]")
      ->check(CLI::Range(0, 65535))
      ->needs(serve);
  addOptions(app, readOptionTable(), state->read);
  app.add_flag("--quiet", state->quiet, "print errors only");
  app.add_option("--threads", state->threads, "threads to use [0 .. 1024; default 0: all]")->check(CLI::Range(0, 1024));
  return [state] { return run(*state); };
}

} // namespace skincells::cli
