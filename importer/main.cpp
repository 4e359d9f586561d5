// skincells-import INPUT OUTPUT.glb [--no-animations]
//
// Converts files that Assimp can read to GLB. The library runs it as a child process (src/io/foreign_import.h), because
// Assimp aborts on some files. Reports on stderr: lines "warning<TAB>code<TAB>where<TAB>message", "file<TAB>path" for
// each file that was read besides the input, and "error<TAB>message". Nothing else there is shown to anybody: the last
// words of a program that aborts may quote the file. Exit codes: 0 done, 1 usage, 2 cannot read the input, 4 cannot
// write the output.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "sandbox.h"
#include "scene_converter.h"
#include "skincells/version.h"

namespace skincells::importer {
namespace {

enum ExitCode { kDone = 0, kUsage = 1, kCannotRead = 2, kCannotWrite = 4 };

struct Arguments {
  std::string input, output;
  Animations animations = Animations::Read;
};

bool parseArguments(int argc, char** argv, Arguments& out) {
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--no-animations")
      out.animations = Animations::Skip;
    else
      paths.push_back(argument);
  }
  if (paths.size() != 2) return false;
  out.input = paths[0];
  out.output = paths[1];
  return true;
}

// The report is read line by line and field by field.
std::string oneLine(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

void printWarnings(const Warnings& warnings) {
  for (const Warning& w : warnings)
    std::fprintf(stderr, "warning\t%s\t%s\t%s\n", w.code.c_str(), oneLine(w.where).c_str(), oneLine(w.message).c_str());
}

void printResources(const ConfinedFiles& files) {
  for (const std::string& path : files.resources()) std::fprintf(stderr, "file\t%s\n", oneLine(path).c_str());
}

int fail(ExitCode code, const std::string& message) {
  std::fprintf(stderr, "error\t%s\n", oneLine(message).c_str());
  return code;
}

int run(const Arguments& arguments) {
  ConfinedFiles files(arguments.input);
  std::ofstream out(arguments.output, std::ios::binary); // now: later, nothing can be opened for writing
  if (!out) return fail(kCannotWrite, "cannot write " + arguments.output);
  giveUpRights(files.folder());
  const auto source = readWithAssimp(files, arguments.animations);
  if (!source) return fail(kCannotRead, source.error().message);
  Warnings warnings;
  Scene scene = convertScene(*source->scene, files, arguments.animations, warnings);
  scene.generator = "skincells-import " SKINCELLS_VERSION;
  const std::vector<std::uint8_t> glb = sceneToGlb(scene);
  if (glb.size() > std::numeric_limits<std::uint32_t>::max())
    return fail(kCannotRead, "the scene is too large for one GLB file (4 GiB)");
  out.write(reinterpret_cast<const char*>(glb.data()), static_cast<std::streamsize>(glb.size()));
  out.close();
  if (!out) return fail(kCannotWrite, "cannot write " + arguments.output);
  printWarnings(warnings);
  printResources(files);
  // Exit without destroying Assimp's scene: it takes time, and may crash on some files.
  std::fflush(stderr);
  std::_Exit(kDone);
}

} // namespace
} // namespace skincells::importer

int main(int argc, char** argv) {
  using namespace skincells::importer;
  Arguments arguments;
  if (!parseArguments(argc, argv, arguments))
    return fail(kUsage, "usage: skincells-import INPUT OUTPUT.glb [--no-animations]");
  try {
    return run(arguments);
  } catch (const std::bad_alloc&) {
    return fail(kCannotRead, "there is not enough memory for it");
  } catch (const std::exception&) {
    return fail(kCannotRead, "it is damaged");
  }
}
