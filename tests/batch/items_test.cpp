#include <gtest/gtest.h>

#include "skincells/batch.h"
#include "support/files.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

using Strings = std::vector<std::string>;

class Items : public testing::Test {
protected:
  void touch(const std::string& name) const {
    fs::create_directories(folder_.path(name).parent_path());
    writeText(folder_.path(name), "x");
  }
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  Strings namesIn(const Strings& inputs) const {
    Strings paths;
    for (const std::string& input : inputs) paths.push_back(path(input));
    const auto items = batchItems({.inputs = paths, .output = path("out")});
    if (!items) return {"error: " + items.error().text()};
    Strings names;
    for (const BatchItem& item : *items) names.push_back(item.name);
    return names;
  }
  Result<std::vector<BatchItem>> manifest(const std::string& text) const {
    writeText(path("m.jsonl"), text);
    return batchItems({.inputs = {path("m.jsonl")}, .output = path("out")});
  }

  TemporaryFolder folder_;
};

TEST_F(Items, AFolderHasItsCharactersByName) {
  for (const char* name : {"in/b.GLB", "in/a.gltf", "in/z/a.vrm", "in/notes.txt", "in/.hidden.glb", "in/.git/x.glb"})
    touch(name);
  EXPECT_EQ(namesIn({"in"}), (Strings{"a", "b", "z/a"}));
}

// Else the second run would find the results of the first.
TEST_F(Items, AnOutputFolderBelowTheInputsIsPassedOver) {
  for (const char* name : {"a.glb", "out/items/a/a.glb", "out/items/a/a_lod1.glb"}) touch(name);
  EXPECT_EQ(namesIn({""}), (Strings{"a"}));
  EXPECT_EQ(namesIn({"**/*.glb"}), (Strings{"a"}));
}

TEST_F(Items, PatternsMatchWithinFolders) {
  for (const char* name : {"in/a.glb", "in/b.fbx", "in/x/a.glb", "in/x/y/c.glb"}) touch(name);
  EXPECT_EQ(namesIn({"in/*.glb"}), (Strings{"a"}));
  EXPECT_EQ(namesIn({"in/*/*.glb"}), (Strings{"x/a"}));
  EXPECT_EQ(namesIn({"in/**/*.glb"}), (Strings{"a", "x/a", "x/y/c"}));
  EXPECT_NE(namesIn({"in/*.stl"})[0].find("matches no file"), std::string::npos);
}

TEST_F(Items, AFileFoundTwiceIsOneItem) {
  touch("in/a.glb");
  EXPECT_EQ(namesIn({"in", "in/a.glb", "in/*.glb"}), (Strings{"a"}));
}

TEST_F(Items, SameNamesGetTheirExtension) {
  for (const char* name : {"in/a.glb", "in/a.fbx", "in/b.glb", "in/b/c.glb"}) touch(name);
  EXPECT_EQ(namesIn({"in"}), (Strings{"a_fbx", "a_glb", "b/c", "b_glb"}));
}

TEST_F(Items, NamesThatStayTheSameAreAnError) {
  for (const char* name : {"x/a.glb", "y/a.glb"}) touch(name);
  const std::string error = namesIn({"x/a.glb", "y/a.glb"})[0];
  EXPECT_NE(error.find("manifest"), std::string::npos) << error;
}

TEST_F(Items, EmptyFoldersAndOutputsAreErrors) {
  fs::create_directories(path("in"));
  EXPECT_NE(namesIn({"in"})[0].find("no character files"), std::string::npos);
  touch("out/items/a/a.glb");
  EXPECT_NE(namesIn({"out/items/a/a.glb"})[0].find("output of this batch"), std::string::npos);
}

TEST_F(Items, AManifestHasNamesAndOptions) {
  const auto items = manifest("{\"input\": \"in/a.glb\", \"name\": \"heroes/a\", \"options\": {\"max-influences\": 8, "
                              "\"rom\": \"clips\", \"embed-field\": true, \"force\": false}}\n\n  in/b.glb  \n");
  ASSERT_TRUE(items) << items.error().text();
  ASSERT_EQ(items->size(), 2U);
  EXPECT_EQ((*items)[0].name, "b");
  EXPECT_EQ((*items)[0].input, path("in/b.glb")); // relative to the manifest
  EXPECT_EQ((*items)[1].name, "heroes/a");
  EXPECT_EQ((*items)[1].options, (Strings{"--max-influences=8", "--rom=clips", "--embed-field"}));
  const auto again = manifest(batchManifest(*items));
  ASSERT_TRUE(again);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ((*again)[i].name, (*items)[i].name);
    EXPECT_EQ((*again)[i].input, (*items)[i].input);
    EXPECT_EQ((*again)[i].options, (*items)[i].options);
  }
}

TEST_F(Items, BadManifestsSayWhere) {
  for (const char* line :
       {"{\"inputs\": \"a.glb\"}", "{\"input\": 3}", "{\"input\": \"a.glb\", \"name\": \"../x\"}",
        "{\"input\": \"a.glb\", \"name\": \"/x\"}", "{\"input\": \"a.glb\", \"name\": \"\"}",
        "{\"input\": \"a.glb\", \"options\": [1]}", "{\"input\": \"a.glb\", \"options\": {\"x\": null}}", "{broken",
        "{\"input\": \"a.glb\", \"name\": \"a\\u0007\"}"}) {
    const auto items = manifest(std::string("b.glb\n") + line + "\n");
    ASSERT_FALSE(items) << line;
    EXPECT_NE(items.error().text().find("line 2"), std::string::npos) << items.error().text();
  }
  EXPECT_FALSE(manifest(""));
}

TEST(BatchOptionWords, ReplaceThoseOfTheCommand) {
  const Strings command{"bind", "--rom", "clips", "--early-stop", "--max-influences=8", "--max"};
  EXPECT_EQ(withOptions(command, {}), command);
  EXPECT_EQ(withOptions(command, {"--max-influences=2", "--rom=auto", "--early-stop"}),
            (Strings{"bind", "--max", "--max-influences=2", "--rom=auto", "--early-stop"}));
  EXPECT_EQ(withOptions({"bind", "--rom"}, {"--rom=auto"}), (Strings{"bind", "--rom=auto"}));
}

} // namespace
} // namespace skincells::test
