#include "runtime_c.h" /* also: the header survives being included twice */

#include "skincells/runtime/skincells_field.h"

skc_status openAsC(const void* bytes, size_t size, skc_field* out) {
  return skc_open(bytes, size, out);
}

void packAsC(const skc_field* field, float* out) {
  skc_pack(field, out);
}

skc_weights evaluateAsC(const float* packed, const float* position, const float* normal, int max_influences) {
  return skc_evaluate_normal(packed, position[0], position[1], position[2], normal[0], normal[1], normal[2],
                             max_influences);
}
