// The command-line program: a table of commands.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>

#include "command_line.h"
#include "skincells/version.h"

namespace {

using namespace skincells::cli;

struct Command {
  const char* name;
  const char* help;
  Run (*set_up)(CLI::App&);
};

constexpr Command kCommands[] = {
    {"bind", "compute skinning weights and write the skinned character", setUpBind},
    {"apply", "skin another mesh of a character from the field that a bind made", setUpApply},
    {"transfer", "carry the weights of a skinned character over to another mesh", setUpTransfer},
    {"inspect", "say what is in a character file", setUpInspect},
    {"check", "is this skin sound? exit code 5 when it is not", setUpCheck},
    {"render", "draw a contact sheet of the posed character as PNG", setUpRender},
    {"report", "write a report page about one skin, or several of one mesh", setUpReport},
    {"view", "look at characters in a web browser: move them, see weights, find what is bad", setUpView},
    {"lod", "write simplified levels of a character, all skinned from one field", setUpLod},
    {"pose", "write the character, cloud or splats as they are in one pose", setUpPose},
    {"compare", "measure skins of one mesh against a reference skin", setUpCompare},
};

constexpr const char* kFooter =
    "Exit codes: 0 done, 1 usage, 2 cannot read or invalid input, 3 unsupported feature, 4 cannot write,\n"
    "5 a quality gate failed, 6 batch with failed items, 70 internal error.";

// Whatever else is wrong with the command line: whoever asks for JSON gets JSON.
bool wantsJson(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
}

int failUsage(const std::string& message, int argc, char** argv) {
  std::fprintf(stderr, "skincells: %s\nRun with --help for more information.\n", message.c_str());
  if (wantsJson(argc, argv))
    std::fputs(skincells::errorJson({skincells::ErrorCode::InvalidOption, message, "command line"}).c_str(), stdout);
  return kUsage;
}

bool isCommand(std::string_view word) {
  return std::any_of(std::begin(kCommands), std::end(kCommands), [&](const Command& c) { return word == c.name; });
}

int run(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-' && !isCommand(argv[1]))
    return failUsage("there is no command '" + std::string(argv[1]) + "'", argc, argv);
  CLI::App app("skincells computes skinning weights: a mesh and a skeleton go in, the same file comes out skinned.",
               "skincells");
  app.set_version_flag("--version", std::string("skincells ") + SKINCELLS_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);
  std::vector<std::pair<CLI::App*, Run>> commands;
  for (const Command& c : kCommands) {
    CLI::App* sub = app.add_subcommand(c.name, c.help);
    sub->footer(kFooter);
    commands.emplace_back(sub, c.set_up(*sub));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return failUsage(error.what(), argc, argv);
  }
  for (const auto& [sub, action] : commands)
    if (sub->parsed()) return action();
  return kUsage;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("skincells: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "skincells: internal error: %s\n", error.what());
  }
  return kInternal;
}
