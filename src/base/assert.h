// SKINCELLS_ASSERT(condition): aborts on a bug in this library. Never used for input, files or options.
#pragma once

#include <cstdio>
#include <cstdlib>

#ifdef SKINCELLS_ENABLE_ASSERTS
#define SKINCELLS_ASSERT(condition)                                                                                    \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition);                           \
      std::abort();                                                                                                    \
    }                                                                                                                  \
  } while (false)
#else
#define SKINCELLS_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#endif
