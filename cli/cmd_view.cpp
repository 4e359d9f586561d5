#include <csignal>
#include <cstdio>
#include <filesystem>

#include "command_line.h"
#include "open_page.h"
#include "skincells/view.h"

namespace skincells::cli {
namespace {

namespace fs = std::filesystem;

struct State {
  CommonOptions common;
  std::vector<std::string> inputs;
  std::string output;
  bool open = false, no_open = false, serve = false;
  int port = 0;
  ReadOptions read;

  FileNames files() const { return {inputs, {output}}; }
};

volatile std::sig_atomic_t interrupted = 0;

Result<Outcome> serve(const State& state, std::string page) {
  auto server = PageServer::start(std::move(page), std::string(viewerPolicy()), state.port);
  if (!server) return server.error();
  std::printf("%s\n", server->address().c_str());
  if (!state.common.quiet) std::fputs("serving on this machine only; stop with Ctrl+C\n", stderr);
  std::fflush(stdout);
  if (state.open || (!state.no_open && hasDesktop())) openInBrowser(server->address());
  const auto note = [](int) { interrupted = 1; };
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
  server->run([] { return interrupted == 0; });
  return Outcome{};
}

// A place for a page that the user did not name.
std::string temporaryPath(const std::string& input) {
  std::error_code ignored;
  std::string folder = (fs::temp_directory_path(ignored) / "skincells-view-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return {};
  return (fs::path(folder) / (fs::path(input).stem().string() + ".html")).string();
}

Result<Outcome> writeAndOpen(const State& state, const std::string& page) {
  const std::string path = state.output.empty() ? temporaryPath(state.inputs.front()) : state.output;
  if (path.empty()) return Error{ErrorCode::CannotWrite, "cannot make a temporary folder; say where with -o", "view"};
  if (auto written = writeReport(path, page); !written) return written.error();
  if (!state.common.quiet || state.output.empty()) std::printf("%s\n", path.c_str());
  const bool open = state.open || (!state.no_open && state.output.empty() && hasDesktop());
  if (open && !openInBrowser(path)) std::fputs("no browser could be started; open the page yourself\n", stderr);
  return Outcome{};
}

Result<Outcome> run(const State& state) {
  const auto files = readAll(state.inputs.front(), {state.inputs.begin() + 1, state.inputs.end()}, state.read);
  if (!files) return files.error();
  std::vector<ViewCharacter> characters;
  for (const CharacterFile& file : *files) characters.push_back({&file, "", nullptr});
  auto page = viewerPage(characters);
  if (!page) return page.error();
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
  addRunOptions(app, state->common);
  return runner<State>(state, run);
}

} // namespace skincells::cli
