// Binds a character with a variant of the method that is not in the product:
//   skincells-studies INPUT OUTPUT [--variant paper] [--steps 100] ...
#include <cstdio>
#include <string>

#include "base/try.h"
#include "skincells/io/character_file.h"
#include "studies/methods.h"

namespace {

using namespace skincells;

void printUsage() {
  std::puts("usage: skincells-studies INPUT OUTPUT [--OPTION VALUE]...");
  for (const auto& option : studies::studyOptionTable())
    std::printf("  --%s: %s [%s; default: %s]\n", option.name.c_str(), option.help.c_str(), option.range.c_str(),
                option.default_text.c_str());
}

Result<studies::StudyOptions> parse(int argc, char** argv) {
  studies::StudyOptions options;
  for (int i = 3; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) return Error{ErrorCode::InvalidOption, "needs a value", name};
    bool known = false;
    for (const auto& option : studies::studyOptionTable()) {
      if (name != "--" + option.name) continue;
      SKINCELLS_CHECK(option.set(options, argv[i + 1]));
      known = true;
    }
    if (!known) return Error{ErrorCode::InvalidOption, "unknown option", name};
  }
  return options;
}

Result<void> run(int argc, char** argv) {
  SKINCELLS_TRY(options, parse(argc, argv));
  SKINCELLS_TRY(file, CharacterFile::read(argv[1]));
  SKINCELLS_TRY(result, studies::runVariant(file.character(), options));
  const double last = result.losses.loss.empty() ? 0 : result.losses.loss.back();
  std::printf("%zu steps, %s, last loss %g\n", result.losses.loss.size(), result.losses.stop_reason.c_str(), last);
  return file.write(argv[2], result.weights, {.force = true});
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    printUsage();
    return 1;
  }
  if (auto done = run(argc, argv); !done) {
    std::fprintf(stderr, "skincells-studies: %s\n", done.error().text().c_str());
    return 2;
  }
  return 0;
}
