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

// The square of the factor 1 + k cos on the distance to a site: sites in front of the surface are farther.
float skcFrontFactor(vec4 site, float front, vec3 p, vec3 normal) {
  float x = site.x - p.x;
  float y = site.y - p.y;
  float z = site.z - p.z;
  float toward = normal.x * x + normal.y * y + normal.z * z;
  float factor = 1.0;
  if (toward > 0.0) factor = 1.0 + front * toward / sqrt(x * x + y * y + z * z);
  return factor * factor;
}

// The distance of a unit-box point to a cell whose sites begin at vec4 number `site`, `site_size` vec4 each. `front` is
// the cell's k, or 0 if normals do not matter.
float skcCellDistance(int site, int site_count, int site_size, float front, vec3 p, vec3 normal) {
  float nearest = 3.0e38;
  for (int s = 0; s < site_count; ++s) {
    int first = site + site_size * s;
    vec4 a = SKC_READ(first);
    vec4 b = SKC_READ(first + 1);
    vec4 c = SKC_READ(first + 2);
    float x = a.x * p.x + c.x;
    float y = a.y * p.x + a.z * p.y + c.y;
    float z = a.w * p.x + b.x * p.y + b.y * p.z + c.z;
    float squared = x * x + y * y + z * z;
    float inside = max(b.z - squared, 0.0);
    float smoothed = squared + inside * inside * b.w;
    if (front > 0.0) smoothed *= skcFrontFactor(SKC_READ(first + 3), front, p, normal);
    nearest = min(nearest, smoothed);
  }
  return sqrt(nearest);
}

// The weights at a point in bind space, given the smoothed normal that docs/field-file.md defines: a vector of length
// 0 .. 1, where 0 stands for none. Fields that do not see normals ignore it. max_influences lowers the field's limit; 0
// keeps it.
SkcWeights skcEvaluateNormal(vec3 position, vec3 normal, int max_influences) {
  vec4 head = SKC_READ(0);
  vec4 unit = SKC_READ(1);
  int joint_count = int(head.x);
  int site_count = int(head.y);
  int limit = int(head.z);
  int site_size = 3 + int(head.w);
  bool has_normal = normal.x != 0.0 || normal.y != 0.0 || normal.z != 0.0;
  if (max_influences > 0 && max_influences < limit) limit = max_influences;
  vec3 p = vec3((position.x - unit.x) * unit.w, (position.y - unit.y) * unit.w, (position.z - unit.z) * unit.w);

  // Keeps the nearest limit + 1 cells, in order.
  float distances[9];
  float falloffs[9];
  uint joints[9];
  int cells = 0;
  int begin = 2;
  for (int j = 0; j < joint_count; ++j) {
    vec4 cell = SKC_READ(begin);
    float d = skcCellDistance(begin + 1, site_count, site_size, has_normal ? cell.y : 0.0, p, normal);
    float r = cell.x;
    begin += 1 + site_size * site_count;
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

// The same at a point without a normal.
SkcWeights skcEvaluate(vec3 position, int max_influences) {
  return skcEvaluateNormal(position, vec3(0.0, 0.0, 0.0), max_influences);
}
