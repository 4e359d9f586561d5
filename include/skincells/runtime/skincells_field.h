/* Evaluates a field of skin cells at run time: one header, C99 or C++, no library, no allocation.
 *
 *   skc_field field;
 *   if (skc_open(bytes, size, &field) != SKC_OK) ...           // bytes: a .skc file (skincells bind --field)
 *   float* packed = malloc(skc_packed_size(&field));            // memory that you own; the shaders read it too
 *   skc_pack(&field, packed);
 *   skc_weights w = skc_evaluate(packed, x, y, z, 0);           // a point in the field's bind space
 *   ... or skc_evaluate_normal(packed, x, y, z, nx, ny, nz, 0)  // with its smoothed normal, if field.normals is 1
 *   for (int k = 0; k < w.count; ++k) ... w.joint[k], w.weight[k], skc_joint(&field, w.joint[k], &joint)
 *
 * Weights sum to 1, largest first, and match the library's to float tolerance. Rigid parts of a bound mesh belong to
 * that mesh, not to the field, and are ignored here. docs/field-file.md describes the file and the packed layout.
 * Little-endian machines only. SPDX-License-Identifier: Apache-2.0 */
#ifndef SKINCELLS_FIELD_H
#define SKINCELLS_FIELD_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#ifdef __GNUC__ /* also clang; the casts below are C casts */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#endif

#define SKC_MAX_INFLUENCES 8

typedef enum skc_status {
  SKC_OK = 0,
  SKC_NOT_A_FIELD = 1,    /* does not start with the magic number of a field file */
  SKC_DAMAGED = 2,        /* truncated, wrong checksum, or impossible counts or indices */
  SKC_UNKNOWN_VERSION = 3 /* a newer format, or a required chunk that this header does not support */
} skc_status;

/* A validated field file. It points into the caller's bytes, which must outlive it. */
typedef struct skc_field {
  uint32_t joint_count, site_count, max_influences;
  uint32_t shape;   /* 0: scale and rotation, 1: triangular */
  uint32_t normals; /* 1: the field sees normals */
  double unit_origin[3], unit_scale;
  const uint8_t* values;   /* float32 numbers, as docs/field-file.md lists them */
  const uint8_t* skeleton; /* the first joint of the SKEL chunk */
  uint32_t skeleton_size;  /* bytes from there to the end of the chunk */
  uint32_t skeleton_joint_count;
} skc_field;

/* The joint that owns a cell. */
typedef struct skc_joint_info {
  const char* name; /* not null-terminated */
  uint32_t name_length;
  float bind[12]; /* joint space -> bind space, the rows of a 3x4 matrix */
} skc_joint_info;

typedef struct skc_weights {
  int count;
  uint32_t joint[SKC_MAX_INFLUENCES]; /* indices of cells; skc_joint() gives the joint */
  float weight[SKC_MAX_INFLUENCES];
} skc_weights;

/* --- Reading --- */

static inline uint32_t skc_u16(const uint8_t* b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}
static inline uint32_t skc_u32(const uint8_t* b) {
  return skc_u16(b) | skc_u16(b + 2) << 16;
}
static inline float skc_f32(const uint8_t* b) {
  float value;
  memcpy(&value, b, sizeof value);
  return value;
}
static inline double skc_f64(const uint8_t* b) {
  double value;
  memcpy(&value, b, sizeof value);
  return value;
}
static inline uint32_t skc_tag(char a, char b, char c, char d) {
  return (uint32_t)(uint8_t)a | (uint32_t)(uint8_t)b << 8 | (uint32_t)(uint8_t)c << 16 | (uint32_t)(uint8_t)d << 24;
}

static inline uint32_t skc_crc32(const uint8_t* bytes, size_t size) {
  uint32_t crc = 0xFFFFFFFFu;
  size_t i;
  int k;
  for (i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (k = 0; k < 8; ++k) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}

static inline size_t skc_value_count(const skc_field* field) {
  const size_t sites = (size_t)field->joint_count * field->site_count;
  return sites * (field->shape == 0 ? 11 : 10) + (2 + field->normals) * (size_t)field->joint_count;
}

/* Size in bytes of the joint at offset `at` of the SKEL chunk, whose joints take `size` bytes; 0 if it does not fit. */
static inline uint32_t skc_joint_bytes(const uint8_t* joints, uint32_t at, uint32_t size) {
  uint32_t length;
  if (size - at < 60) return 0;
  length = (60 + skc_u16(joints + at + 58) + 3) & ~3u;
  return length <= size - at ? length : 0;
}

static inline int skc_open_field(const uint8_t* chunk, uint32_t length, skc_field* out) {
  size_t i, count;
  if (length < 48) return 0;
  out->joint_count = skc_u32(chunk);
  out->site_count = skc_u32(chunk + 4);
  out->shape = skc_u32(chunk + 8);
  out->max_influences = skc_u32(chunk + 12);
  if (out->joint_count < 1 || out->joint_count > 65535 || out->site_count < 1 || out->site_count > 64 ||
      out->shape > 1 || out->max_influences < 1 || out->max_influences > SKC_MAX_INFLUENCES)
    return 0;
  for (i = 0; i < 3; ++i) out->unit_origin[i] = skc_f64(chunk + 16 + 8 * i);
  out->unit_scale = skc_f64(chunk + 40);
  if (!(out->unit_scale > 0) || !isfinite(out->unit_scale)) return 0;
  for (i = 0; i < 3; ++i)
    if (!isfinite(out->unit_origin[i])) return 0;
  out->values = chunk + 48;
  count = skc_value_count(out);
  if (length - 48 != 4 * count) return 0;
  for (i = 0; i < count; ++i)
    if (!isfinite(skc_f32(out->values + 4 * i))) return 0;
  return 1;
}

static inline int skc_open_skeleton(const uint8_t* chunk, uint32_t length, skc_field* out) {
  uint32_t at = 0, j;
  if (length < 4) return 0;
  out->skeleton_joint_count = skc_u32(chunk);
  out->skeleton = chunk + 4;
  out->skeleton_size = length - 4;
  for (j = 0; j < out->skeleton_joint_count; ++j) {
    const uint32_t size = skc_joint_bytes(out->skeleton, at, out->skeleton_size);
    if (size == 0) return 0;
    at += size;
  }
  return at == out->skeleton_size;
}

/* Validates the bytes of a field file and locates its chunks. */
static inline skc_status skc_open(const void* data, size_t size, skc_field* out) {
  const uint8_t* bytes = (const uint8_t*)data;
  uint32_t count, c, found = 0;
  memset(out, 0, sizeof *out);
  if (size < 8 || memcmp(bytes, "SKCFIELD", 8) != 0) return SKC_NOT_A_FIELD;
  if (size < 24) return SKC_DAMAGED;
  if (skc_u16(bytes + 8) < 1 || skc_u16(bytes + 8) > 2) return SKC_UNKNOWN_VERSION;
  out->normals = skc_u16(bytes + 8) - 1;
  count = skc_u32(bytes + 16);
  if (skc_u32(bytes + 20) != size || count > (size - 24) / 16) return SKC_DAMAGED;
  if (skc_crc32(bytes + 16, size - 16) != skc_u32(bytes + 12)) return SKC_DAMAGED;
  for (c = 0; c < count; ++c) {
    const uint8_t* entry = bytes + 24 + 16 * (size_t)c;
    const uint32_t tag = skc_u32(entry), flags = skc_u32(entry + 4);
    const uint32_t offset = skc_u32(entry + 8), length = skc_u32(entry + 12);
    if (offset > size || length > size - offset) return SKC_DAMAGED;
    if (tag == skc_tag('F', 'E', 'L', 'D') && (found & 1u) == 0) {
      if (!skc_open_field(bytes + offset, length, out)) return SKC_DAMAGED;
      found |= 1u;
    } else if (tag == skc_tag('S', 'K', 'E', 'L') && (found & 2u) == 0) {
      if (!skc_open_skeleton(bytes + offset, length, out)) return SKC_DAMAGED;
      found |= 2u;
    } else if ((flags & 1u) != 0) {
      return SKC_UNKNOWN_VERSION;
    }
  }
  return found == 3u ? SKC_OK : SKC_DAMAGED;
}

/* Finds the joint that owns cell `cell`; returns 0 if there is none. */
static inline int skc_joint(const skc_field* field, uint32_t cell, skc_joint_info* out) {
  uint32_t at = 0, j;
  int i;
  for (j = 0; j < field->skeleton_joint_count; ++j) {
    const uint8_t* joint = field->skeleton + at;
    if (skc_u32(joint + 4) == cell) {
      for (i = 0; i < 12; ++i) out->bind[i] = skc_f32(joint + 8 + 4 * i);
      out->name_length = skc_u16(joint + 58);
      out->name = (const char*)(joint + 60);
      return 1;
    }
    at += skc_joint_bytes(field->skeleton, at, field->skeleton_size);
  }
  return 0;
}

/* --- Packing: the numbers that evaluation needs, as an array of vec4 --- */

/* Size of the packed field in bytes: 2 vec4, then 1 + 3 * sites vec4 per cell, or 1 + 4 * sites if it sees normals. */
static inline size_t skc_packed_size(const skc_field* field) {
  return 16 * (2 + (size_t)field->joint_count * (1 + (3 + field->normals) * (size_t)field->site_count));
}

static inline double skc_clamp(double value, double lo, double hi) {
  return value < lo ? lo : value > hi ? hi : value;
}

/* F of a site from its stored numbers, by rows. */
static inline void skc_site_shape(const skc_field* field, size_t site, double f[3][3]) {
  const size_t sites = (size_t)field->joint_count * field->site_count;
  double v[7], w, x, y, z, n;
  int i, k, size = field->shape == 0 ? 7 : 6;
  for (i = 0; i < size; ++i) v[i] = skc_f32(field->values + 4 * (4 * sites + (size_t)size * site + (size_t)i));
  if (field->shape == 1) {
    f[0][0] = exp(skc_clamp(v[0], -9.2, 9.2)), f[0][1] = 0, f[0][2] = 0;
    f[1][0] = v[1], f[1][1] = exp(skc_clamp(v[2], -9.2, 9.2)), f[1][2] = 0;
    f[2][0] = v[3], f[2][1] = v[4], f[2][2] = exp(skc_clamp(v[5], -9.2, 9.2));
    return;
  }
  n = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
  w = n > 0 ? v[3] / n : 1, x = n > 0 ? v[4] / n : 0, y = n > 0 ? v[5] / n : 0, z = n > 0 ? v[6] / n : 0;
  f[0][0] = 1 - 2 * (y * y + z * z), f[0][1] = 2 * (x * y - w * z), f[0][2] = 2 * (x * z + w * y);
  f[1][0] = 2 * (x * y + w * z), f[1][1] = 1 - 2 * (x * x + z * z), f[1][2] = 2 * (y * z - w * x);
  f[2][0] = 2 * (x * z - w * y), f[2][1] = 2 * (y * z + w * x), f[2][2] = 1 - 2 * (x * x + y * y);
  for (i = 0; i < 3; ++i)
    for (k = 0; k < 3; ++k) f[i][k] *= exp(skc_clamp(v[i], -9.2, 9.2));
}

static inline double skc_column_product(double f[3][3], int a, int b) {
  return f[0][a] * f[0][b] + f[1][a] * f[1][b] + f[2][a] * f[2][b];
}

/* The squared distance |F (x - p)|^2 as |L x + b|^2 with L lower triangular: 12 floats, three vec4. If the field sees
 * normals, p follows as a fourth. */
static inline void skc_pack_site(const skc_field* field, size_t site, float* out) {
  const size_t sites = (size_t)field->joint_count * field->site_count;
  const uint8_t* center = field->values + 12 * site;
  const double px = skc_f32(center), py = skc_f32(center + 4), pz = skc_f32(center + 8);
  const double t = exp(skc_clamp(skc_f32(field->values + 4 * (3 * sites + site)), -18, 5));
  double f[3][3], l00, l10, l11, l20, l21, l22, rest;
  skc_site_shape(field, site, f);
  l22 = sqrt(skc_column_product(f, 2, 2));
  l20 = skc_column_product(f, 0, 2) / l22, l21 = skc_column_product(f, 1, 2) / l22;
  rest = skc_column_product(f, 1, 1) - l21 * l21;
  l11 = sqrt(rest > 1e-12 ? rest : 1e-12);
  l10 = (skc_column_product(f, 0, 1) - l20 * l21) / l11;
  rest = skc_column_product(f, 0, 0) - l10 * l10 - l20 * l20;
  l00 = sqrt(rest > 1e-12 ? rest : 1e-12);
  out[0] = (float)l00, out[1] = (float)l10, out[2] = (float)l11, out[3] = (float)l20;
  out[4] = (float)l21, out[5] = (float)l22, out[6] = (float)(t * t), out[7] = (float)(0.25 / (t * t));
  out[8] = (float)(-l00 * px), out[9] = (float)(-l10 * px - l11 * py);
  out[10] = (float)(-l20 * px - l21 * py - l22 * pz), out[11] = 0;
  if (field->normals == 1) out[12] = (float)px, out[13] = (float)py, out[14] = (float)pz, out[15] = 0;
}

/* Writes skc_packed_size() bytes, which both skc_evaluate and the shaders read. */
static inline void skc_pack(const skc_field* field, float* out) {
  const size_t fronts = skc_value_count(field) - field->normals * (size_t)field->joint_count;
  const size_t falloffs = fronts - field->joint_count, site_size = 12 + 4 * (size_t)field->normals;
  size_t j, s;
  out[0] = (float)field->joint_count, out[1] = (float)field->site_count;
  out[2] = (float)field->max_influences, out[3] = (float)field->normals;
  out[4] = (float)field->unit_origin[0], out[5] = (float)field->unit_origin[1];
  out[6] = (float)field->unit_origin[2], out[7] = (float)field->unit_scale;
  out += 8;
  for (j = 0; j < field->joint_count; ++j) {
    out[0] = (float)exp(skc_clamp(skc_f32(field->values + 4 * (falloffs + j)), -4, 7));
    out[1] = field->normals == 1 ? (float)exp(skc_clamp(skc_f32(field->values + 4 * (fronts + j)), -9, 4)) : 0.0f;
    out[2] = out[3] = 0;
    out += 4;
    for (s = 0; s < field->site_count; ++s, out += site_size) skc_pack_site(field, j * field->site_count + s, out);
  }
}

/* --- Evaluation --- */

/* The square of the factor 1 + k cos on the distance to a site at p: sites in front of the surface are farther. */
static inline float skc_front_factor(const float* p, float front, const float* x, const float* normal) {
  const float a = p[0] - x[0], b = p[1] - x[1], c = p[2] - x[2];
  const float toward = normal[0] * a + normal[1] * b + normal[2] * c;
  const float factor = toward > 0 ? 1.0f + front * toward / sqrtf(a * a + b * b + c * c) : 1.0f;
  return factor * factor;
}

/* The distance of a unit-box point to a cell; front is its k, or 0 if normals do not matter. */
static inline float skc_cell_distance(const float* site, int site_count, int site_size, float front,
                                      const float* position, const float* normal) {
  const float x = position[0], y = position[1], z = position[2];
  float nearest = 3.0e38f;
  int s;
  for (s = 0; s < site_count; ++s, site += site_size) {
    const float a = site[0] * x + site[8], b = site[1] * x + site[2] * y + site[9];
    const float c = site[3] * x + site[4] * y + site[5] * z + site[10];
    const float squared = a * a + b * b + c * c, inside = site[6] > squared ? site[6] - squared : 0.0f;
    float smoothed = squared + inside * inside * site[7];
    if (front > 0) smoothed *= skc_front_factor(site + 12, front, position, normal);
    if (smoothed < nearest) nearest = smoothed;
  }
  return sqrtf(nearest);
}

/* Turns the distances of the nearest cells into weights: (D - d)^r / d^r, divided by their sum. */
static inline void skc_normalize(const float* distance, const float* falloff, float reference, skc_weights* out) {
  float log_raw[SKC_MAX_INFLUENCES], top = -1.0e30f, sum = 0;
  int k, i, kept = 0;
  for (k = 0; k < out->count; ++k) {
    const float above = reference > 0 ? reference - distance[k] : 1.0f;
    log_raw[k] = above > 0 ? falloff[k] * (logf(above) - logf(distance[k])) : -1.0e30f;
    if (log_raw[k] > top) top = log_raw[k];
  }
  for (k = 0; k < out->count; ++k) {
    /* If all tie with the first cell beyond the limit, they get equal weights. */
    out->weight[k] = top <= -1.0e30f ? 1.0f : log_raw[k] <= -1.0e30f ? 0.0f : expf(log_raw[k] - top);
    sum += out->weight[k];
  }
  for (k = 0; k < out->count; ++k) { /* largest first; of equal weights, lower cell first */
    const float weight = out->weight[k] / sum;
    const uint32_t joint = out->joint[k];
    if (!(weight > 0)) continue;
    for (i = kept;
         i > 0 && (out->weight[i - 1] < weight || (out->weight[i - 1] == weight && out->joint[i - 1] > joint)); --i)
      out->weight[i] = out->weight[i - 1], out->joint[i] = out->joint[i - 1];
    out->weight[i] = weight, out->joint[i] = joint;
    ++kept;
  }
  out->count = kept;
}

/* The weights at a point in bind space, given the smoothed normal that docs/field-file.md defines: a vector of length
 * 0 .. 1, where 0 stands for none. Fields that do not see normals ignore it. max_influences lowers the field's limit; 0
 * keeps it. */
static inline skc_weights skc_evaluate_normal(const float* packed, float x, float y, float z, float nx, float ny,
                                              float nz, int max_influences) {
  const int joint_count = (int)packed[0], site_count = (int)packed[1], sees_normals = (int)packed[3];
  const int site_size = 12 + 4 * sees_normals, has_normal = nx != 0 || ny != 0 || nz != 0;
  const float position[3] = {(x - packed[4]) * packed[7], (y - packed[5]) * packed[7], (z - packed[6]) * packed[7]};
  const float normal[3] = {nx, ny, nz};
  int limit = (int)packed[2], cells = 0, j, k;
  float distance[SKC_MAX_INFLUENCES + 1], falloff[SKC_MAX_INFLUENCES + 1];
  uint32_t joint[SKC_MAX_INFLUENCES + 1];
  skc_weights out;
  memset(&out, 0, sizeof out);
  if (max_influences > 0 && max_influences < limit) limit = max_influences;
  for (j = 0; j < joint_count; ++j) { /* keeps the nearest limit + 1 cells, in order */
    const float* cell = packed + 8 + (size_t)j * (4 + (size_t)site_size * (size_t)site_count);
    const float d = skc_cell_distance(cell + 4, site_count, site_size, has_normal ? cell[1] : 0.0f, position, normal);
    if (cells > limit && !(d < distance[limit])) continue;
    for (k = cells > limit ? limit : cells; k > 0 && d < distance[k - 1]; --k)
      distance[k] = distance[k - 1], falloff[k] = falloff[k - 1], joint[k] = joint[k - 1];
    distance[k] = d, falloff[k] = cell[0], joint[k] = (uint32_t)j;
    if (cells <= limit) ++cells;
  }
  out.count = cells < limit ? cells : limit;
  for (k = 0; k < out.count; ++k) out.joint[k] = joint[k];
  skc_normalize(distance, falloff, cells > limit ? distance[limit] : 0.0f, &out);
  return out;
}

/* The same at a point without a normal. */
static inline skc_weights skc_evaluate(const float* packed, float x, float y, float z, int max_influences) {
  return skc_evaluate_normal(packed, x, y, z, 0, 0, 0, max_influences);
}

#ifdef __cplusplus
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
} /* extern "C" */
#endif

#endif /* SKINCELLS_FIELD_H */
