// The command-line program: a table of commands.
#include <cstdio>
#include <exception>
#include <new>

#include "commands.h"
#include "ending.h"

namespace {

using namespace skincells::cli;

constexpr Command kCommands[] = {
    {"bind", "compute skinning weights and write the skinned character", setUpBind},
    {"apply", "skin another mesh of a character with the field of a bind", setUpApply},
    {"transfer", "carry the weights of a skinned character over to another mesh", setUpTransfer},
    {"inspect", "list what is in a character file or a field file", setUpInspect},
    {"check", "check that a skin is valid; exit code 5 if it is not", setUpCheck},
    {"render", "draw a contact sheet of the posed character as PNG", setUpRender},
    {"report", "write a report page about one skin, or several of one mesh", setUpReport},
    {"view", "show characters in a web browser: pose them, inspect weights, find bad poses", setUpView},
    {"lod", "write simplified levels of a character, all skinned from one field", setUpLod},
    {"pose", "write a posed copy of a character, a point cloud or splats", setUpPose},
    {"batch", "run a command over many characters; go on where an interrupted run ended", setUpBatch},
    {"compare", "measure skins of one mesh against a reference skin", setUpCompare},
};

} // namespace

std::span<const Command> skincells::cli::allCommands() {
  return kCommands;
}

int main(int argc, char** argv) {
  cleanUpOnSignals();
  try {
    return finish(runCommandLine(kCommands, argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs("skincells: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "skincells: internal error: %s\n", error.what());
  }
  return finish(kInternal);
}
