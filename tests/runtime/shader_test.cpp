// The shader snippets, run as C++ against the library, and compiled by a real compiler where there is one.
#include "runtime/expect_weights.h"
#include "runtime/shader_shim.h"
#include "support/files.h"
#include "support/program.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // numbers without suffix are float there and double here
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-variable"
namespace skincells::test::shader::glsl {
#define SKC_READ(i) skc_buffer[i]
#include "skincells_field.glsl"
#undef SKC_READ
} // namespace skincells::test::shader::glsl
namespace skincells::test::shader::wgsl {
#include "skincells_field_wgsl.inc"
} // namespace skincells::test::shader::wgsl
#pragma GCC diagnostic pop

namespace skincells::test {
namespace {

template <class Evaluate> void expectShaderLikeLibrary(bool with_normals, const Evaluate& evaluate) {
  expectLikeLibrary(with_normals,
                    [&](const std::vector<float>& numbers, const Vec3f& p, const Vec3f& n, int influences) {
                      std::vector<shader::vec4> buffer;
                      for (std::size_t i = 0; i + 3 < numbers.size(); i += 4)
                        buffer.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
                      shader::skc_buffer = buffer.data();
                      return evaluate(shader::vec3(p.x, p.y, p.z), shader::vec3(n.x, n.y, n.z), influences);
                    });
}

TEST(Shader, GlslGivesTheLibrarysWeights) {
  using shader::vec3;
  expectShaderLikeLibrary(false, [](const vec3& p, const vec3&, int k) { return shader::glsl::skcEvaluate(p, k); });
  expectShaderLikeLibrary(true,
                          [](const vec3& p, const vec3& n, int k) { return shader::glsl::skcEvaluateNormal(p, n, k); });
}

TEST(Shader, WgslGivesTheLibrarysWeights) {
  using shader::vec3;
  expectShaderLikeLibrary(false, [](const vec3& p, const vec3&, int k) { return shader::wgsl::skcEvaluate(p, k); });
  expectShaderLikeLibrary(true,
                          [](const vec3& p, const vec3& n, int k) { return shader::wgsl::skcEvaluateNormal(p, n, k); });
}

TEST(Shader, GlslCompiles) {
  if (runProgram({"glslangValidator", "--version"}).code != 0)
    GTEST_SKIP() << "glslangValidator is not installed; run `make setup`";
  const TemporaryFolder folder;
  const std::string snippet = readText(sourceFolder() / "shaders" / "skincells_field.glsl");
  const std::string frame = "layout(std430, binding = 3) readonly buffer SkcBuffer { vec4 skc_buffer[]; };\n"
                            "#define SKC_READ(i) skc_buffer[i]\n" +
                            snippet;
  const std::string compute =
      "layout(local_size_x = 64) in;\n" + frame +
      "layout(std430, binding = 4) buffer Out { vec4 weights[]; };\n"
      "void main() { weights[0].x = skcEvaluateNormal(weights[0].xyz, weights[1].xyz, 4).weight[0]; }\n";
  const std::string vertex = "layout(location = 0) in vec3 position;\n" + frame +
                             "void main() { gl_Position = vec4(skcEvaluate(position, 0).weight[1]); }\n";
  for (const char* version : {"#version 430\n", "#version 310 es\n"})
    for (const auto& [stage, text] : {std::pair{"comp", compute}, {"vert", vertex}}) {
      const std::string precision =
          std::string(version).find("es") != std::string::npos ? "precision highp float;\nprecision highp int;\n" : "";
      const std::string path = folder.path(std::string("shader.") + stage).string();
      writeText(path, version + precision + text);
      const ProgramResult result = runProgram({"glslangValidator", "-S", stage, path});
      EXPECT_EQ(result.code, 0) << version << stage << "\n" << result.out << result.err;
    }
}

} // namespace
} // namespace skincells::test
