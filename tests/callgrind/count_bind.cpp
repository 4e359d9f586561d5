// Binds one file so that callgrind can count its instructions: count_bind FILE
//
// One thread, draft quality, and the SSE4 kernels whatever the machine has, so that the count depends on the code
// alone. Only the bind itself is counted (callgrind --collect-atstart=no). Exit code 77: the machine has no SSE4.
#include <cstdio>

#include <hwy/highway.h>
#include <valgrind/callgrind.h>

#include "skincells/skincells.h"

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  if ((hwy::SupportedTargets() & HWY_SSE4) == 0) return 77;
  hwy::SetSupportedTargetsForTest(HWY_SSE4);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const skincells::ThreadLimit limit(1);
  const auto file = skincells::CharacterFile::read(argv[1]);
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    return 1;
  }
  skincells::BindOptions options;
  options.quality = skincells::BindQuality::Draft;
  CALLGRIND_TOGGLE_COLLECT;
  const auto result = skincells::bind(file->character(), options);
  CALLGRIND_TOGGLE_COLLECT;
  return result ? 0 : 1;
}
