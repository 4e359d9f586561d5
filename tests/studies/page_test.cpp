#include "studies/page/page.h"

#include <gtest/gtest.h>

namespace skincells::studies {
namespace {

const Section kSection{"name", "A title", "A claim.", nullptr};

TEST(StudyPage, PutsSectionsBetweenTheirMarks) {
  std::string page = "# Studies\n\n<!-- begin other -->\nkept\n<!-- end other -->\n";
  putSection(kSection, {Holds::Yes, "Because of 1.", "", "body one\n"}, page);
  const std::string once = page;
  EXPECT_NE(page.find("## A title\n\n*Claim.* A claim.\n\n**Verdict: holds.** Because of 1.\n"), std::string::npos)
      << page;
  EXPECT_NE(page.find("kept"), std::string::npos);
  putSection(kSection, {Holds::Yes, "Because of 1.", "", "body one\n"}, page);
  EXPECT_EQ(page, once);
  putSection(kSection, {Holds::No, "Because of 2.", "", "body two\n"}, page);
  EXPECT_EQ(page.find("body one"), std::string::npos);
  EXPECT_EQ(verdictIn(page, kSection), "does not hold here");
}

TEST(StudyPage, HasNoVerdictWithoutTheSection) {
  EXPECT_EQ(verdictIn("", kSection), "");
  EXPECT_EQ(verdictIn("<!-- begin name -->\n<!-- end name -->\n**Verdict: holds.**", kSection), "");
}

TEST(StudyPage, BreaksLongLines) {
  std::string page, words;
  for (int i = 0; i < 60; ++i) words += "word ";
  putSection(kSection, {Holds::Partly, words, words, ""}, page);
  std::size_t from = 0;
  for (std::size_t at; (at = page.find('\n', from)) != std::string::npos; from = at + 1) EXPECT_LE(at - from, 120U);
}

} // namespace
} // namespace skincells::studies
