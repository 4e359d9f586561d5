// Every shared character: it loads, binds, and comes out valid and otherwise unchanged.
#include <algorithm>

#include <gtest/gtest.h>

#include "corpus/binding.h"
#include "corpus/markdown_table.h"
#include "skincells/bind.h"
#include "skincells/jobs/check_job.h"
#include "support/files.h"
#include "support/preservation.h"
#include "support/validator.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

std::string nameOf(const fs::path& path) {
  std::string name = path.parent_path().filename() == "characters"
                         ? path.stem().string()
                         : path.parent_path().filename().string() + "_" + path.stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

bool isForeign(const fs::path& path) {
  return path.extension() == ".fbx";
}

void expectCanonical(const SparseWeights& w, int most) {
  ASSERT_LE(w.slots, most);
  for (std::size_t v = 0; v < w.vertexCount(); ++v) {
    const auto joints = w.jointRow(v);
    const auto weights = w.weightRow(v);
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      sum += weights[k];
      ASSERT_TRUE(k == 0 || weights[k] <= weights[k - 1]) << "unsorted at vertex " << v;
      ASSERT_TRUE(weights[k] > 0 || joints[k] == 0) << "joint under zero weight at vertex " << v;
      for (std::size_t i = 0; i < k; ++i)
        ASSERT_TRUE(weights[k] == 0 || joints[k] != joints[i]) << "a joint twice at vertex " << v;
    }
    ASSERT_NEAR(sum, 1, 1e-5) << "vertex " << v;
  }
}

void expectSameWeights(const SparseWeights& a, const SparseWeights& b, double tolerance) {
  ASSERT_EQ(a.vertexCount(), b.vertexCount());
  for (std::size_t v = 0; v < a.vertexCount(); ++v)
    for (std::size_t k = 0; k < static_cast<std::size_t>(a.slots); ++k) {
      if (a.weightRow(v)[k] <= tolerance) continue;
      double there = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(b.slots); ++i)
        if (b.jointRow(v)[i] == a.jointRow(v)[k]) there += b.weightRow(v)[i];
      ASSERT_NEAR(there, a.weightRow(v)[k], tolerance) << "vertex " << v;
    }
}

class Corpus : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Corpus);

TEST_P(Corpus, CountsAgreeWithItsPage) {
  const fs::path characters = sharedFolder() / "characters";
  const auto rows = tableRows(characters / "SOURCES.md");
  const std::string name = fs::relative(GetParam(), characters).string();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const TableRow& r) { return r.at("file") == name; });
  ASSERT_NE(row, rows.end()) << name << " is not in SOURCES.md";
  const CharacterFile file = open(GetParam());
  const Character& c = file.character();
  const auto vertices = numbersIn(row->at("vertices")), joints = numbersIn(row->at("joints"));
  const double welded = weldByPosition(c.mesh.positions, weldTolerance(c.mesh)).weldedCount();
  EXPECT_EQ(c.skeleton.jointCount(), joints.at(0));
  if (isForeign(GetParam()))
    EXPECT_LE(welded, vertices.at(0));                          // control points, which the importer splits at seams
  else if (row->at("notes").find("draco") != std::string::npos) // the page counts unskinned parts, too
    EXPECT_EQ(static_cast<double>(c.mesh.vertexCount() + file.info().unskinned_vertex_count), vertices.at(0));
  else
    EXPECT_EQ(c.mesh.vertexCount(), vertices.at(0));
  if (vertices.size() > 1) {
    EXPECT_NEAR(welded, vertices[1], 1);
  }
  if (row->contains("triangles")) {
    EXPECT_EQ(static_cast<double>(c.mesh.triangles.size()), numbersIn(row->at("triangles")).at(0));
  }
  if (joints.size() > 1) {
    const auto statistics = weightStatistics(c.weights, c.skeleton.jointCount());
    EXPECT_EQ(std::count_if(statistics.vertices_of_joint.begin(), statistics.vertices_of_joint.end(),
                            [](std::uint32_t n) { return n > 0; }),
              joints[1]);
  }
}

TEST_P(Corpus, BindsAndIsOtherwiseUnchanged) {
  const CharacterFile file = open(GetParam());
  const TemporaryFolder folder;
  const std::pair<std::string, BindMethod> kinds[] = {{"all", BindMethod::Proximity}, {"auto", BindMethod::SkinCells}};
  for (const auto& [joints, method] : kinds) {
    SCOPED_TRACE(joints);
    const BindResult& result = bound(file, joints, method);
    expectCanonical(result.weights, 4);
    const std::string extension = isForeign(GetParam()) ? ".glb" : GetParam().extension().string();
    const fs::path out = folder.path(joints + extension);
    WriteOptions keep;
    keep.keep_unused = true;
    const auto written = file.write(out.string(), result.weights, keep);
    ASSERT_TRUE(written) << written.error().text();
    const CharacterFile again = open(out);
    EXPECT_EQ(again.character().mesh.positions, file.character().mesh.positions);
    EXPECT_EQ(again.character().mesh.triangles, file.character().mesh.triangles);
    expectSameWeights(result.weights, again.character().weights, 1.01 / 65535);
    CheckOptions strict;
    strict.strict = true;
    for (const Defect& d : checkSkin(again, strict).defects)
      EXPECT_TRUE(d.severity == Severity::Note || d.code.starts_with("skin.bind_")) << d.code << " " << d.where;
    if (!isForeign(GetParam()))
      for (const std::string& change : foreignChanges(loadDocument(GetParam()), loadDocument(out)))
        ADD_FAILURE() << "changed: " << change;
    // The same without the bytes of the old weights.
    const fs::path lean = folder.path(joints + "_lean" + extension);
    ASSERT_TRUE(file.write(lean.string(), result.weights));
    expectSameWeights(result.weights, open(lean).character().weights, 1.01 / 65535);
    if (!isForeign(GetParam()))
      for (const std::string& change : dataChanges(loadDocument(GetParam()), loadDocument(lean)))
        ADD_FAILURE() << "changed without unused data: " << change;
    EXPECT_LE(fs::file_size(lean), fs::file_size(out));
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, Corpus, testing::ValuesIn(sharedCharacters(true)),
                         [](const auto& character) { return nameOf(character.param); });

TEST(CorpusAsAWhole, IsAllThere) {
  SKINCELLS_NEEDS_SHARED();
  const auto rows = tableRows(sharedFolder() / "characters" / "SOURCES.md");
  EXPECT_EQ(rows.size(), sharedCharacters(true).size());
}

TEST(CorpusAsAWhole, PassesTheValidatorAsWellAsBefore) {
  SKINCELLS_NEEDS_SHARED();
  SKINCELLS_NEEDS_VALIDATOR();
  const TemporaryFolder folder;
  std::vector<std::pair<fs::path, fs::path>> pairs;
  for (const fs::path& path : sharedCharacters(true)) {
    const CharacterFile file = open(path);
    const BindResult& result = bound(file, "auto");
    const std::string extension = path.extension() == ".gltf" ? ".gltf" : ".glb";
    fs::create_directory(folder.path(nameOf(path)));
    const fs::path out = folder.path(nameOf(path)) / ("out" + extension);
    ASSERT_TRUE(file.write(out.string(), result.weights)) << path;
    pairs.emplace_back(isForeign(path) ? fs::path() : path, out);
  }
  const auto issues = newIssues(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(issues[i].substr(0, 2000), "") << pairs[i].second;
}

// The page took the bind matrices of placeholder joints at face value; we never end a bone there.
bool hasPlaceholders(const Character& character) {
  const auto decisions = chooseJoints(character, "auto");
  return decisions && std::ranges::any_of(*decisions, [](const JointDecision& d) { return d.rule == "placeholder"; });
}

TEST(CorpusAsAWhole, ProximityAgreesWithThePeersPage) {
  SKINCELLS_NEEDS_SHARED();
  const auto rows = tableRows(sharedFolder() / "peers" / "README.md", "Per character, deform joints");
  ASSERT_GE(rows.size(), 24U);
  const TemporaryFolder folder;
  for (const TableRow& row : rows) {
    const std::string name = row.at("character");
    // The page's clip values are over all frames, the pose file has some of them: only random poses agree.
    const double expected = numbersIn(row.at("proximity")).at(0);
    // The page's bones end at the origin where a file has placeholders, and are points where a node marks their end.
    const CharacterFile file = open(characterNamed(name));
    const bool other_bones =
        hasPlaceholders(file.character()) ||
        std::ranges::any_of(file.character().skeleton.joints, [](const Joint& j) { return j.tip.has_value(); });
    for (const PoseSetComparison& set : compared(name, "weighted", BindMethod::Proximity, folder).sets) {
      if (set.label != "random") continue;
      EXPECT_LE(set.error.rms, expected + 0.02) << name;
      if (!other_bones) {
        EXPECT_GE(set.error.rms, expected - 0.02) << name;
      }
    }
  }
}

} // namespace
} // namespace skincells::test
