// Parts of the mesh that the user knows better: --part NAME=rigid:JOINT, follow, field.
#include <algorithm>

#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "support/shapes.h"
#include "support/torture.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

// A tube with a buckle at its side and a ball far above it, each a section of its own.
Character dressed() {
  Character c = test::tubeCharacter(4);
  const auto add = [&](const char* name, Mesh part, const Vec3d& at) {
    for (Vec3f& p : part.positions) p += toFloat(at);
    MeshSection section;
    section.name = name;
    section.first_vertex = c.mesh.vertexCount();
    section.vertex_count = part.vertexCount();
    section.first_triangle = static_cast<std::uint32_t>(c.mesh.triangles.size());
    section.triangle_count = static_cast<std::uint32_t>(part.triangles.size());
    std::vector<MeshSection> sections = c.mesh.sections;
    sections.push_back(section);
    c.mesh = test::joined(c.mesh, part);
    c.mesh.sections = std::move(sections);
  };
  add("buckle", test::tube(0.2, 0.1, 4, 8), {0.5, 1.9, 0});
  add("collar", test::tube(2.4, 0.1, 25, 8), {-0.6, 0.8, 0});
  return c;
}

BindResult bound(const Character& c, BindMethod method, const std::string& parts) {
  BindOptions options;
  options.method = method;
  options.quality = BindQuality::Draft;
  options.joints = "all";
  options.parts = parts;
  auto result = bind(c, options);
  EXPECT_TRUE(result) << result.error().text();
  test::expectSound(c, result->weights, 4);
  EXPECT_EQ(result->report.origins.size(), c.mesh.positions.size());
  return std::move(*result);
}

// Whether all vertices of a section have one row.
bool isOneRow(const BindResult& result, const MeshSection& section) {
  const auto first = weights::rowOf(result.weights, section.first_vertex);
  for (std::uint32_t v = 1; v < section.vertex_count; ++v)
    if (weights::halfL1(first, weights::rowOf(result.weights, section.first_vertex + v)) > 1e-6) return false;
  return true;
}

bool hasOrigin(const BindResult& result, const MeshSection& section, PartOrigin origin) {
  const auto begin = result.report.origins.begin() + section.first_vertex;
  return std::all_of(begin, begin + section.vertex_count, [&](PartOrigin o) { return o == origin; });
}

constexpr BindMethod kMethods[] = {BindMethod::SkinCells, BindMethod::Heat, BindMethod::Proximity};

TEST(PartRules, RigidPartsFollowTheirJointAlone) {
  const Character c = dressed();
  for (BindMethod method : kMethods) {
    const BindResult result = bound(c, method, "buck*=rigid:joint0");
    for (std::uint32_t v = 0; v < c.mesh.sections[1].vertex_count; ++v) {
      ASSERT_EQ(result.weights.jointRow(c.mesh.sections[1].first_vertex + v)[0], 0);
      ASSERT_EQ(result.weights.weightRow(c.mesh.sections[1].first_vertex + v)[0], 1.0F);
    }
    EXPECT_TRUE(hasOrigin(result, c.mesh.sections[1], PartOrigin::RigidByName));
    EXPECT_FALSE(hasOrigin(result, c.mesh.sections[2], PartOrigin::RigidByName));
  }
}

TEST(PartRules, FollowersTakeTheMeanRowOfWhatTheyTouch) {
  const Character c = dressed();
  for (BindMethod method : kMethods) {
    EXPECT_FALSE(isOneRow(bound(c, method, "collar=field"), c.mesh.sections[2])) << "the test proves nothing";
    const BindResult result = bound(c, method, "collar=follow");
    EXPECT_TRUE(isOneRow(result, c.mesh.sections[2]));
    EXPECT_TRUE(hasOrigin(result, c.mesh.sections[2], PartOrigin::FollowByName));
    // Along the whole tube, so that joints of both halves carry it.
    EXPECT_LT(result.weights.weightRow(c.mesh.sections[2].first_vertex)[0], 0.8F);
  }
}

TEST(PartRules, FieldsBendWhateverTheyLookLike) {
  const Character c = dressed();
  for (BindMethod method : {BindMethod::SkinCells, BindMethod::Heat}) {
    const BindResult plain = bound(c, method, ""), asked = bound(c, method, "buckle=field");
    EXPECT_TRUE(isOneRow(plain, c.mesh.sections[1])) << "the test proves nothing";
    EXPECT_TRUE(hasOrigin(plain, c.mesh.sections[1], PartOrigin::Accessory));
    EXPECT_FALSE(isOneRow(asked, c.mesh.sections[1]));
    EXPECT_TRUE(hasOrigin(asked, c.mesh.sections[1], PartOrigin::FieldByName));
    EXPECT_EQ(asked.report.rigid_part_count, plain.report.rigid_part_count - 1);
  }
}

TEST(PartRules, EveryOriginSaysWhy) {
  for (int o = 0; o <= static_cast<int>(PartOrigin::FieldByName); ++o) {
    EXPECT_NE(std::string(partOriginName(static_cast<PartOrigin>(o))), "");
    EXPECT_NE(std::string(partOriginReason(static_cast<PartOrigin>(o))), "");
  }
}

TEST(PartRules, SceneryAndSpecksBendByName) {
  Character c = dressed();
  for (std::uint32_t v = 0; v < c.mesh.sections[1].vertex_count; ++v)
    c.mesh.positions[c.mesh.sections[1].first_vertex + v].x += 100;
  EXPECT_TRUE(hasOrigin(bound(c, BindMethod::Proximity, ""), c.mesh.sections[1], PartOrigin::Scenery));
  EXPECT_TRUE(hasOrigin(bound(c, BindMethod::Proximity, "buckle=field"), c.mesh.sections[1], PartOrigin::FieldByName));
}

TEST(PartRules, MistakesAreErrorsThatHelp) {
  const Character c = dressed();
  const auto expectError = [&](const std::string& parts, const std::string& words) {
    BindOptions options;
    options.parts = parts;
    const auto result = bind(c, options);
    ASSERT_FALSE(result) << parts;
    EXPECT_EQ(result.error().code, ErrorCode::InvalidOption);
    EXPECT_EQ(result.error().where, "--part");
    EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().message;
  };
  expectError("buckle", "NAME=rigid:JOINT");
  expectError("buckle=stiff", "rigid:JOINT, follow or field");
  expectError("buckel=follow", "'buckle'");
  expectError("buckle=rigid:joint9", "'joint");
  expectError("*=follow", "leaves nothing of the mesh to bind");
}

} // namespace
} // namespace skincells
