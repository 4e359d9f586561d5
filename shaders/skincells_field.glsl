// Evaluates a field of skin cells at a point. The input is the packed field that skc_pack() of
// skincells/runtime/skincells_field.h writes (docs/field-file.md, "Packed field"). Include this file in a
// shader that defines how to read vec4 number i of that buffer, for example:
//
//   layout(std430, binding = 3) readonly buffer SkcBuffer { vec4 skc_buffer[]; };
//   #define SKC_READ(i) skc_buffer[i]
//   #include "skincells_field.glsl"
//
// SPDX-License-Identifier: Apache-2.0

struct SkcWeights {
  int count;
  uint joint[8];   // indices of cells
  float weight[8]; // sum to 1
};

// The distance of a unit-box point to a cell whose sites begin at vec4 number `site`.
float skcCellDistance(int site, int site_count, vec3 p) {
  float nearest = 3.0e38;
  for (int s = 0; s < site_count; ++s) {
    vec4 a = SKC_READ(site + 3 * s);
    vec4 b = SKC_READ(site + 3 * s + 1);
    vec4 c = SKC_READ(site + 3 * s + 2);
    float x = a.x * p.x + c.x;
    float y = a.y * p.x + a.z * p.y + c.y;
    float z = a.w * p.x + b.x * p.y + b.y * p.z + c.z;
    float squared = x * x + y * y + z * z;
    float inside = max(b.z - squared, 0.0);
    nearest = min(nearest, squared + inside * inside * b.w);
  }
  return sqrt(nearest);
}

// The weights at a point in bind space. max_influences lowers the field's limit; 0 keeps it.
SkcWeights skcEvaluate(vec3 position, int max_influences) {
  vec4 head = SKC_READ(0);
  vec4 unit = SKC_READ(1);
  int joint_count = int(head.x);
  int site_count = int(head.y);
  int limit = int(head.z);
  if (max_influences > 0 && max_influences < limit) limit = max_influences;
  vec3 p = vec3((position.x - unit.x) * unit.w, (position.y - unit.y) * unit.w, (position.z - unit.z) * unit.w);

  // Keeps the nearest limit + 1 cells, in order.
  float distances[9];
  float falloffs[9];
  uint joints[9];
  int cells = 0;
  int begin = 2;
  for (int j = 0; j < joint_count; ++j) {
    float d = skcCellDistance(begin + 1, site_count, p);
    float r = SKC_READ(begin).x;
    begin += 1 + 3 * site_count;
    bool full = cells > limit;
    if (full && d >= distances[limit]) continue;
    int k = full ? limit : cells;
    for (; k > 0; --k) {
      if (d >= distances[k - 1]) break;
      distances[k] = distances[k - 1];
      falloffs[k] = falloffs[k - 1];
      joints[k] = joints[k - 1];
    }
    distances[k] = d;
    falloffs[k] = r;
    joints[k] = uint(j);
    if (!full) ++cells;
  }

  SkcWeights result;
  result.count = min(cells, limit);
  bool cuts = cells > limit;
  float reference = 0.0;
  if (cuts) reference = distances[limit];
  float log_raw[8];
  float top = -1.0e30;
  for (int k = 0; k < result.count; ++k) {
    float above = cuts ? reference - distances[k] : 1.0;
    log_raw[k] = -1.0e30;
    if (above > 0.0) log_raw[k] = falloffs[k] * (log(above) - log(distances[k]));
    top = max(top, log_raw[k]);
  }
  float sum = 0.0;
  for (int k = 0; k < result.count; ++k) {
    float weight = 0.0;
    if (log_raw[k] > -1.0e30) weight = exp(log_raw[k] - top);
    if (top <= -1.0e30) weight = 1.0; // all tie with the first cell beyond the limit
    result.joint[k] = joints[k];
    result.weight[k] = weight;
    sum += weight;
  }
  for (int k = 0; k < result.count; ++k) result.weight[k] /= sum;
  return result;
}
