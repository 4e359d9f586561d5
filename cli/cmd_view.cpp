#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "command_line.h"
#include "open_page.h"
#include "skincells/viz/viewer.h"

namespace skincells::cli {
namespace {

namespace fs = std::filesystem;

struct State {
  CommonOptions common;
  std::vector<std::string> inputs, fields;
  OutputOptions out;
  bool open = false, no_open = false, serve = false;
  int port = 0;
  ReadOptions read;
  ViewOptions view;

  FileNames files() const {
    FileNames names{inputs, {out.output}};
    names.inputs.insert(names.inputs.end(), fields.begin(), fields.end());
    return names;
  }
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
  const std::string& named = state.out.output;
  const std::string path = named.empty() ? temporaryPath(state.inputs.front()) : named;
  if (path.empty()) return Error{ErrorCode::CannotWrite, "cannot make a temporary folder; say where with -o", "view"};
  if (auto written = writeOutput(path, page, state.out.force); !written) return written.error();
  if (!state.common.quiet || named.empty()) std::printf("%s\n", path.c_str());
  const bool open = state.open || (!state.no_open && named.empty() && hasDesktop());
  if (open && !openInBrowser(path)) std::fputs("no browser could be started; open the page yourself\n", stderr);
  return Outcome{};
}

// The field to show with each character: the one that is named for it, else the one that belongs to its file.
Result<std::vector<std::optional<FieldDocument>>> readFields(const State& state,
                                                             const std::vector<CharacterFile>& files) {
  std::vector<std::optional<FieldDocument>> fields;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i >= state.fields.size()) {
      auto found = files[i].field();
      if (!found) return std::move(found).error();
      fields.push_back(std::move(*found));
      continue;
    }
    auto named = readFieldFile(state.fields[i]);
    if (!named) return std::move(named).error();
    if (auto fits = checkFieldFits(files[i].character(), *named); !fits) return std::move(fits).error();
    fields.emplace_back(std::move(*named));
  }
  return fields;
}

Result<Outcome> run(const State& state) {
  const auto files = readAll(state.inputs.front(), {state.inputs.begin() + 1, state.inputs.end()}, state.read);
  if (!files) return files.error();
  if (state.fields.size() > files->size())
    return Error{ErrorCode::InvalidOption, "there are more fields than characters", "--field"};
  const auto fields = readFields(state, *files);
  if (!fields) return fields.error();
  std::vector<ViewCharacter> characters;
  for (std::size_t i = 0; i < files->size(); ++i) {
    const auto& field = (*fields)[i];
    characters.push_back({.file = &(*files)[i], .field = field ? &*field : nullptr});
  }
  auto page = viewerPage(characters, state.view);
  if (!page) return page.error();
  return state.serve ? serve(state, std::move(*page)) : writeAndOpen(state, *page);
}

} // namespace

Run setUpView(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->inputs, "character files: skins to compare, levels of detail, ...")->required();
  auto* output = addOutputOptions(app, state->out, state->common,
                                  "where to write the page (.html) [a file; default: a temporary one, opened at once]");
  app.add_option("--field", state->fields,
                 "field file whose skin cells are shown with the first character; again for the second, and so on "
                 "[a file; default: the one in the character's file, or NAME.skc beside NAME.glb]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* open = app.add_flag("--open", state->open, "open the page in a browser [default: without -o, on a desktop]");
  app.add_flag("--no-open", state->no_open, "only write the page and print where it is")->excludes(open);
  auto* serve = app.add_flag("--serve", state->serve, "serve the page on 127.0.0.1 instead of writing it");
  serve->excludes(output);
  app.add_option("--port", state->port, "for --serve [0 .. 65535; default: 0, any free one]")
      ->check(CLI::Range(0, 65535))
      ->needs(serve);
  addOptions(app, viewOptionTable(), state->view);
  addOptions(app, readOptionTable(), state->read);
  return runner<State>(state, run);
}

} // namespace skincells::cli
