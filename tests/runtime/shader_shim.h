// Just enough of the shading languages to run the snippets as C++.
#pragma once

#include <algorithm>
#include <cmath>

namespace skincells::test::shader {

using uint = unsigned;

struct vec3 {
  float x, y, z;
  vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  friend vec3 operator-(const vec3& a, const vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend vec3 operator*(const vec3& a, float s) { return {a.x * s, a.y * s, a.z * s}; }
};

struct vec4 {
  float x, y, z, w;
  vec3 xyz() const { return {x, y, z}; }
};

inline float max(float a, float b) {
  return a > b ? a : b;
}
inline float min(float a, float b) {
  return a < b ? a : b;
}
inline int min(int a, int b) {
  return a < b ? a : b;
}
inline float sqrt(float a) {
  return std::sqrt(a);
}
inline float log(float a) {
  return std::log(a);
}
inline float exp(float a) {
  return std::exp(a);
}
// WGSL: the second where the condition holds.
inline float select(float a, float b, bool condition) {
  return condition ? b : a;
}
inline int select(int a, int b, bool condition) {
  return condition ? b : a;
}

inline const vec4* skc_buffer = nullptr;

} // namespace skincells::test::shader
