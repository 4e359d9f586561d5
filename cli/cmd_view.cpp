#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "commands.h"
#include "open_page.h"
#include "skincells/viz/page_server.h"
#include "skincells/viz/view_job.h"
#include "streams.h"

namespace skincells::cli {
namespace {

namespace fs = std::filesystem;

struct ViewCommand : JobCommand<ViewJob> {
  bool open = false, no_open = false, serve = false;
  int port = 0;
};

volatile std::sig_atomic_t interrupted = 0;

Result<void> serve(const ViewCommand& command, std::string page) {
  auto server = PageServer::start(std::move(page), std::string(viewerPolicy()), command.port);
  if (!server) return server.error();
  std::printf("%s\n", server->address().c_str());
  if (!command.common.silent()) std::fputs("serving on this machine only; stop with Ctrl+C\n", stderr);
  std::fflush(stdout);
  if (command.open || (!command.no_open && hasDesktop())) openInBrowser(server->address());
  const auto interrupt = [](int) { interrupted = 1; };
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  server->run([] { return interrupted == 0; });
  return {};
}

// Writes the page to a new temporary folder and returns its path.
Result<std::string> writeTemporary(const std::string& input, const std::string& page) {
  std::error_code ignored;
  std::string folder = (fs::temp_directory_path(ignored) / "skincells-view-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    return Error{ErrorCode::CannotWrite, "cannot create a temporary folder; name an output with -o", "view"};
  const std::string path = (fs::path(folder) / (fs::path(input).stem().string() + ".html")).string();
  OutputSet outputs;
  if (auto staged = outputs.stage(path, page, false); !staged) return staged.error();
  if (auto committed = outputs.commit(); !committed) return committed.error();
  return path;
}

Result<Printed> view(const ViewCommand& command) {
  auto outcome = run(command.job); // commits the page, which must be there before a browser opens it
  if (!outcome) return outcome.error();
  if (command.serve) {
    if (command.common.json)
      return Error{ErrorCode::InvalidOption, "does not go with --json: it prints the address alone", "--serve"};
    if (auto served = serve(command, std::move(outcome->page)); !served) return served.error();
    return Printed{};
  }
  const bool named = !command.job.output.empty();
  const auto path = named ? command.job.output : writeTemporary(command.job.inputs.front(), outcome->page);
  if (!path) return path.error();
  if (!command.common.json && (!named || !command.common.silent()))
    std::fprintf(textStream(), "%s\n", withStreamNames(printableName(*path)).c_str());
  const bool open = command.open || (!command.no_open && !named && hasDesktop());
  if (open && !openInBrowser(*path)) std::fputs("cannot start a browser; open the page yourself\n", stderr);
  outcome->job.output = *path;
  Document document = documentOf(*outcome);
  document.text = document.warnings; // the path has been printed
  return Printed{std::move(document)};
}

} // namespace

Run setUpView(CommandOptions& options) {
  auto command = std::make_shared<ViewCommand>();
  ViewJob& job = command->job;
  options.texts("input", job.inputs, "character files: skins to compare, levels of detail, ...").required();
  const auto output = options.text("-o,--output", job.output,
                                   "the page to write (.html) [a file; default: a temporary one, opened at once]");
  options.page(job.force, command->common);
  options.repeated("--from-field", job.fields,
                   "field file whose skin cells are shown with the first character; again for the second, and so on "
                   "[a file; default: the one in the character's file, or NAME.skc beside NAME.glb]");
  const auto open =
      options.flag("--open", command->open, "open the page in a browser [default: without -o, on a desktop]");
  options.flag("--no-open", command->no_open, "only write the page and print its path").excludes(open);
  const auto serve =
      options.flag("--serve", command->serve, "serve the page on 127.0.0.1 instead of writing it").excludes(output);
  options.integer("--port", command->port, 0, 65535, "for --serve [0 .. 65535; default: 0, any free one]").needs(serve);
  options.text("--labels", job.labels, "names of the characters on the page, separated by commas [default: the files]",
               "TEXT");
  options.table(wearOptionTable(), job.wear);
  options.table(viewOptionTable(), job.view);
  options.table(readOptionTable(), job.read);
  return [command] {
    return runCommand(command->common, filesOf(command->job), [&](OutputSet&) { return view(*command); });
  };
}

} // namespace skincells::cli
