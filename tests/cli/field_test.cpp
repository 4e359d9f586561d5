// bind --field, apply and transfer from the command line.
#include <algorithm>

#include "cli/cli_test.h"
#include "support/gltf_builder.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

class Field : public CliTest {
protected:
  // in.glb bound, with its field beside it.
  void bindWithField(const std::vector<std::string>& more = {}) {
    auto words = bindWords({"--field", path("in.skc"), "--quality", "draft"});
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult r = run(words);
    ASSERT_EQ(r.code, 0) << r.err;
  }
};

TEST_F(Field, BindThenApplyGivesTheSameBytes) {
  bindWithField();
  const ProgramResult r = run({"apply", path("in.skc"), path("in.glb"), "-o", path("applied.glb")});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(readBytes(path("applied.glb")), readBytes(path("out.glb")));
  for (const char* part : {"in.skc", "vertices", "joints", "influences"})
    EXPECT_NE(r.out.find(part), std::string::npos) << r.out;
}

TEST_F(Field, ReportStatesTheSizeAgainstTables) {
  const ProgramResult r = run(bindWords({"--field", path("in.skc"), "--quality", "draft", "--json"}));
  const auto field = documentIn(r.out)["field"];
  EXPECT_EQ(field["bytes"], readBytes(path("in.skc")).size());
  EXPECT_EQ(field["table_bytes"], 56 * 4 * 3); // bytes for joints, 16 bits for weights
  EXPECT_EQ(field["path"], path("in.skc"));
  EXPECT_EQ(field["embedded"], false);
  EXPECT_EQ(field["input"], "in.glb");
  EXPECT_EQ(field["input_sha256"].get<std::string>().size(), 64U);
  EXPECT_NE(run(bindWords({"--field", path("b.skc"), "--force"})).out.find("times as much"), std::string::npos);
}

TEST_F(Field, IsInspected) {
  bindWithField();
  const ProgramResult r = run({"inspect", path("in.skc"), "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  const auto field = documentIn(r.out)["field"];
  EXPECT_EQ(field["bytes"], readBytes(path("in.skc")).size());
  EXPECT_EQ(field["format_version"], nlohmann::json::parse("[2, 0]"));
  EXPECT_EQ(field["normals"], true);
  EXPECT_EQ(field["max_influences"], 4);
  EXPECT_EQ(field["skeleton_joints"], 4);
  EXPECT_LE(field["joints"].size(), 4U);
  EXPECT_EQ(field["table_bytes_per_vertex"], 12); // four joints of a byte, four weights of two
  EXPECT_EQ(field["provenance"]["input"], "in.glb");
  EXPECT_EQ(field["provenance"]["options"]["quality"], "draft");
  const ProgramResult text = run({"inspect", path("in.skc")});
  for (const char* part :
       {"version 2.0", "sees normals", "in.glb", "sites each", "at most 4 influences", "bytes per vertex"})
    EXPECT_NE(text.out.find(part), std::string::npos) << text.out;
}

TEST_F(Field, ADamagedOneIsNotInspected) {
  bindWithField();
  auto bytes = readBytes(path("in.skc"));
  bytes[bytes.size() / 2] ^= 1U;
  writeBytes(path("in.skc"), bytes);
  const ProgramResult r = run({"inspect", path("in.skc")});
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("in.skc"), std::string::npos) << r.err;
}

TEST_F(Field, EmbeddedFieldIsApplied) {
  ASSERT_EQ(run(bindWords({"--embed-field", "--quality", "draft"})).code, 0);
  ASSERT_EQ(run({"check", path("out.glb")}).code, 0);
  const ProgramResult r = run({"apply", path("out.glb"), path("bare.glb"), "-o", path("applied.glb"), "--json"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["command"], "apply");
  const ProgramResult none = run({"apply", path("in.glb"), path("bare.glb"), "-o", path("none.glb")});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("--embed-field"), std::string::npos) << none.err;
}

TEST_F(Field, ApplyHonorsItsOptions) {
  bindWithField();
  const ProgramResult r = run({"apply", path("in.skc"), path("in.glb"), "-o", path("applied.glb"), "--max-influences",
                               "1", "--align", "none", "--quantize", "u8", "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  const auto document = documentIn(r.out);
  EXPECT_EQ(document["max_influences"], 1);
  EXPECT_EQ(document["weights"]["max_influences"], 1);
  EXPECT_EQ(document["alignment"]["identity"], true);
  EXPECT_EQ(run({"apply", path("in.skc"), path("in.glb"), "-o", path("more.glb"), "--max-influences", "8"}).code, 1);
  EXPECT_FALSE(fs::exists(path("more.glb")));
}

TEST_F(Field, AMeshWithoutSkeletonNeedsARig) {
  bindWithField();
  GltfBuilder mesh;
  const Mesh tube_mesh = TubeDocument(4).parts.mesh;
  std::vector<std::uint32_t> indices;
  for (const Triangle& t : tube_mesh.triangles) indices.insert(indices.end(), t.begin(), t.end());
  mesh.mesh(
      {{"attributes", {{"POSITION", mesh.positions(tube_mesh.positions)}}}, {"indices", mesh.data(indices, "SCALAR")}});
  mesh.node({{"mesh", 0}});
  writeBytes(path("mesh.glb"), mesh.glb());
  const ProgramResult without = run({"apply", path("in.skc"), path("mesh.glb"), "-o", path("a.glb")});
  EXPECT_EQ(without.code, 2);
  EXPECT_NE(without.err.find("--rig"), std::string::npos) << without.err;
  const ProgramResult with =
      run({"apply", path("in.skc"), path("mesh.glb"), "-o", path("a.glb"), "--rig", path("in.glb")});
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_EQ(run({"check", path("a.glb")}).code, 0);
  // A transfer takes the rig from its source by itself.
  const ProgramResult carried = run({"transfer", path("in.glb"), path("mesh.glb"), "-o", path("b.glb")});
  EXPECT_EQ(carried.code, 0) << carried.err;
  EXPECT_EQ(run({"check", path("b.glb")}).code, 0);
}

TEST_F(Field, MissingJointsAreNamed) {
  bindWithField();
  TubeDocument other(4);
  for (auto& node : other.json["nodes"])
    if (node.value("name", "") == "joint2") node["name"] = "Joint_2";
  writeBytes(path("other.glb"), other.glb());
  for (const std::vector<std::string>& words : {std::vector<std::string>{"apply", path("in.skc"), path("other.glb")},
                                                {"transfer", path("in.glb"), path("other.glb")}}) {
    auto all = words;
    all.insert(all.end(), {"-o", path("a.glb")});
    const ProgramResult r = run(all);
    EXPECT_EQ(r.code, 2);
    EXPECT_NE(r.err.find("'joint2' (did you mean 'Joint_2'?)"), std::string::npos) << r.err;
    EXPECT_FALSE(fs::exists(path("a.glb")));
  }
}

TEST_F(Field, BadFieldsEndWithTwoOrThree) {
  bindWithField();
  auto bytes = readBytes(path("in.skc"));
  bytes[bytes.size() / 2] ^= 1U;
  writeBytes(path("damaged.skc"), bytes);
  bytes = readBytes(path("in.skc"));
  bytes[8] = 7;
  writeBytes(path("newer.skc"), bytes);
  const auto before = names();
  for (const auto& [name, code, word] : {std::tuple{"damaged.skc", 2, "checksum"},
                                         {"garbage.glb", 2, "field"},
                                         {"missing.skc", 2, "opened"},
                                         {"newer.skc", 3, "newer program"}}) {
    const ProgramResult r = run({"apply", path(name), path("in.glb"), "-o", path("a.glb")});
    EXPECT_EQ(r.code, code) << r.err;
    EXPECT_NE(r.err.find(path(name)), std::string::npos) << r.err;
    EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
  }
  EXPECT_EQ(names(), before);
}

TEST_F(Field, OnlySkinCellsMakeAField) {
  for (const char* flag : {"--field", "--embed-field"}) {
    auto words = bindWords({"--method", "proximity", flag});
    if (std::string(flag) == "--field") words.push_back(path("a.skc"));
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 1);
    EXPECT_NE(r.err.find("skin-cells"), std::string::npos) << r.err;
  }
  EXPECT_EQ(run({"transfer", path("in.glb"), path("in.glb"), "-o", path("a.glb"), "--field", path("a.skc")}).code, 1);
  EXPECT_FALSE(fs::exists(path("a.skc")));
}

TEST_F(Field, NothingIsWrittenWhereTheFieldCannotBe) {
  const auto before = names();
  EXPECT_EQ(run(bindWords({"--field", path("in.glb") + "/in.skc", "--quality", "draft"})).code, 4);
  EXPECT_EQ(names(), before);
}

TEST_F(Field, TransferOntoItselfKeepsTheWeights) {
  for (const char* via : {"closest", "robust", "field"}) {
    SCOPED_TRACE(via);
    const ProgramResult r = run(
        {"transfer", path("in.glb"), path("in.glb"), "-o", path(std::string(via) + ".glb"), "--via", via, "--json"});
    ASSERT_EQ(r.code, 0) << r.err;
    const auto document = documentIn(r.out);
    EXPECT_EQ(document["command"], "transfer");
    EXPECT_EQ(document.contains("fit"), std::string(via) == "field");
    const auto compared = documentIn(run({"compare", path("in.glb"), path(std::string(via) + ".glb"), "--json"}).out);
    EXPECT_LT(compared["others"][0]["half_l1"], std::string(via) == "field" ? 0.2 : 1e-3);
  }
}

TEST_F(Field, TransferWritesItsField) {
  const ProgramResult r = run({"transfer", path("in.glb"), path("in.glb"), "-o", path("a.glb"), "--via", "field",
                               "--field", path("a.skc"), "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["field"]["bytes"], readBytes(path("a.skc")).size());
  EXPECT_EQ(run({"apply", path("a.skc"), path("in.glb"), "-o", path("b.glb")}).code, 0);
}

TEST_F(Field, TransferNeedsASkinnedSource) {
  const ProgramResult r = run({"transfer", path("bare.glb"), path("in.glb"), "-o", path("a.glb")});
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("no weights"), std::string::npos) << r.err;
}

} // namespace
} // namespace skincells::test
