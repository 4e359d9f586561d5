/* The run-time evaluator compiled as C, for the tests. */
#ifndef SKINCELLS_TESTS_RUNTIME_C_H
#define SKINCELLS_TESTS_RUNTIME_C_H

#include "skincells/runtime/skincells_field.h"

#ifdef __cplusplus
extern "C" {
#endif

skc_status openAsC(const void* bytes, size_t size, skc_field* out);
void packAsC(const skc_field* field, float* out);
skc_weights evaluateAsC(const float* packed, const float* position, const float* normal, int max_influences);

#ifdef __cplusplus
}
#endif

#endif
