#include "runtime_c.h" /* also: the header survives being included twice */

#include "skincells/runtime/skincells_field.h"

skc_status openAsC(const void* bytes, size_t size, skc_field* out) {
  return skc_open(bytes, size, out);
}

void packAsC(const skc_field* field, float* out) {
  skc_pack(field, out);
}

skc_weights evaluateAsC(const float* packed, float x, float y, float z, int max_influences) {
  return skc_evaluate(packed, x, y, z, max_influences);
}
