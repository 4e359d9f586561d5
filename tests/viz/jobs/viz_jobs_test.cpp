// The jobs of viz called as functions. The command line has its own tests.
#include <filesystem>

#include <gtest/gtest.h>

#include "skincells/io/character_file.h"
#include "skincells/viz/bind_pages_job.h"
#include "skincells/viz/render_job.h"
#include "skincells/viz/report_job.h"
#include "skincells/viz/view_job.h"
#include "support/files.h"
#include "support/gltf_builder.h"
#include "support/ply_builder.h"

namespace fs = std::filesystem;

namespace skincells {
namespace {

class VizJobs : public testing::Test {
protected:
  VizJobs() { test::writeBytes(folder_.path("in.glb"), test::TubeDocument().glb()); }

  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  RenderJob renderJob() const {
    RenderJob job{path("in.glb"), {}, path("sheet.png"), false, {}};
    job.sheet.poses = SheetPoses::Bind;
    job.sheet.size = 32;
    return job;
  }
  ReportJob reportJob() const { return {path("in.glb"), {}, path("report.html"), false, {}}; }

  test::TemporaryFolder folder_;
};

TEST_F(VizJobs, RenderWritesASheet) {
  const auto outcome = run(renderJob());
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_GT(outcome->width, 32);
  EXPECT_TRUE(test::readText(path("sheet.png")).starts_with("\x89PNG"));
  EXPECT_NE(documentOf(*outcome).text.find("sheet.png"), std::string::npos);
}

TEST_F(VizJobs, SplatsAreShownAsTheyAre) {
  test::writeText(path("splats.ply"), test::splatPly(test::PlyKind::Little, 50, 1));
  RenderJob job = renderJob();
  job.input = path("splats.ply");
  job.sheet.poses = SheetPoses::Random;
  const auto outcome = run(job);
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_TRUE(test::readText(path("sheet.png")).starts_with("\x89PNG"));

  ViewJob view;
  view.inputs = {job.input};
  const auto shown = run(view);
  EXPECT_EQ(bool(shown), hasViewer());

  job.rig = path("in.glb"); // a skeleton, but no weights to pose the splats with
  job.force = true;
  const auto refused = run(job);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Mismatch);
}

TEST_F(VizJobs, ReportWritesAPage) {
  const auto outcome = run(reportJob());
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_TRUE(test::readText(path("report.html")).starts_with("<!DOCTYPE html>"));
}

TEST_F(VizJobs, ViewReturnsThePageItWrites) {
  ViewJob job;
  job.inputs = {path("in.glb")};
  job.output = path("view.html");
  const auto outcome = run(job);
  if (!hasViewer()) {
    EXPECT_FALSE(outcome);
    EXPECT_FALSE(fs::exists(job.output));
    return;
  }
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(outcome->page, test::readText(job.output));
}

TEST_F(VizJobs, BindWritesItsPageBesideTheCharacter) {
  BindPagesJob job;
  job.bind.input = path("in.glb");
  job.bind.output = path("out.glb");
  job.bind.bind.quality = BindQuality::Draft;
  job.page = path("bind.html");
  const auto outcome = run(job);
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_TRUE(fs::exists(path("out.glb")));
  EXPECT_NE(test::readText(job.page).find("joint1"), std::string::npos);
}

TEST_F(VizJobs, TheViewerPageOfAGarmentHasItsBody) {
  if (!hasViewer()) GTEST_SKIP() << "no viewer in this build";
  BindPagesJob body;
  body.bind.input = path("in.glb");
  body.bind.output = path("unique_body.glb");
  body.bind.bind.quality = BindQuality::Draft;
  ASSERT_TRUE(run(body));
  BindPagesJob garment = body;
  garment.bind.output = path("garment.glb");
  garment.bind.wear.body = path("unique_body.glb");
  garment.view = path("garment.html");
  const auto outcome = run(garment);
  ASSERT_TRUE(outcome) << outcome.error().text();
  const std::string page = test::readText(garment.view);
  EXPECT_NE(page.find("unique_body"), std::string::npos);
  EXPECT_NE(page.find("\"arrangement\":\"together\""), std::string::npos);
}

// The tube as a body, and once more as a garment over it.
TEST_F(VizJobs, ReportsAndViewsOfAGarmentMeasureItOverItsBody) {
  BindPagesJob body;
  body.bind.input = path("in.glb");
  body.bind.output = path("unique_body.glb");
  body.bind.bind.method = BindMethod::Proximity;
  ASSERT_TRUE(run(body));
  ReportJob report{path("in.glb"), {path("unique_body.glb")}, path("report.html"), false, {}};
  report.page.wear.body = path("unique_body.glb");
  const auto reported = run(report);
  ASSERT_TRUE(reported) << reported.error().text();
  const std::string page = test::readText(report.output);
  EXPECT_NE(page.find("Garments"), std::string::npos);
  EXPECT_NE(page.find("vertices inside the body"), std::string::npos); // in the verdict
  report.page.wear = {.garment = "no such mesh"};
  report.force = true;
  EXPECT_EQ(run(report).error().where, "--garment");

  if (!hasViewer()) return;
  ViewJob view;
  view.inputs = {path("in.glb")};
  view.wear.body = path("unique_body.glb");
  const auto shown = run(view);
  ASSERT_TRUE(shown) << shown.error().text();
  EXPECT_NE(shown->page.find("\"arrangement\":\"together\""), std::string::npos);
  EXPECT_NE(shown->page.find("\"garments\":[{\"name\""), std::string::npos);
  EXPECT_NE(shown->page.find("\"places\":[\"/meshes/0/primitives/0\"]"), std::string::npos);
  EXPECT_NE(shown->page.find("penetration_percent\",\"value"), std::string::npos);
  view.output = view.wear.body; // the body is an input
  view.force = true;
  EXPECT_EQ(run(view).error().code, ErrorCode::CannotWrite);
}

TEST_F(VizJobs, ExistingOutputsAreReplacedOnlyByForce) {
  RenderJob render = renderJob();
  ReportJob report = reportJob();
  for (const std::string& output : {render.output, report.output}) test::writeText(output, "mine");
  EXPECT_EQ(run(render).error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(run(report).error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(test::readText(render.output), "mine");
  render.force = report.force = true;
  EXPECT_TRUE(run(render));
  EXPECT_TRUE(run(report));
  EXPECT_NE(test::readText(report.output), "mine");
}

TEST_F(VizJobs, PagesDoNotReplaceTheirInputs) {
  ReportJob report = reportJob();
  report.output = report.input;
  report.force = true;
  const auto before = test::readBytes(report.input);
  EXPECT_EQ(run(report).error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(test::readBytes(report.input), before);
}

} // namespace
} // namespace skincells
