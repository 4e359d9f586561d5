#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "studies/page/cases.h"
#include "studies/page/tables.h"

namespace skincells::studies {
namespace {

struct Run {
  const char* name;
  Variant variant;
  std::vector<double> loss; // by step, in the same poses
  double seconds = 0;

  // The first step from which the loss stays within 1 % of the last one.
  int settledAt() const {
    int step = static_cast<int>(loss.size());
    while (step > 0 && loss[static_cast<std::size_t>(step) - 1] <= 1.01 * loss.back()) --step;
    return step;
  }
  double settledSeconds() const {
    return seconds * settledAt() / static_cast<double>(std::max<std::size_t>(1, loss.size()));
  }
};

} // namespace

Result<Finding> studyConvergence(const Context& context) {
  SKINCELLS_TRY(c, readCase(context.examples + "/biped_apose_reference.glb", 8));
  const int steps = context.quick ? 120 : 400;
  std::vector<Run> runs{{"all of a cell", Variant::Guessed, {}, 0},
                        {"falloff only", Variant::Falloff, {}, 0},
                        {"falloff and slack", Variant::SparseFalloff, {}, 0},
                        {"weights per vertex", Variant::Vertex, {}, 0}};
  Table table({"what moves", "first loss", "last loss", "steps to within 1 %", "seconds to within 1 %", "error, %"});
  std::vector<Series> curves;
  for (Run& run : runs) {
    StudyOptions options{.variant = run.variant, .steps = steps, .joints = "weighted"};
    options.same_poses = true;
    options.full_mesh = true;
    SKINCELLS_TRY(done, runVariant(c.character, options));
    run.loss = done.losses.loss;
    run.seconds = done.loss_seconds;
    table.add({run.name, number(run.loss.front(), 1), number(run.loss.back(), 1), std::to_string(run.settledAt()),
               number(run.settledSeconds(), 2), number(errorOf(c, done.weights), 3)});
    Series curve{run.name, {}, {}};
    for (std::size_t i = 0; i < run.loss.size(); ++i) {
      curve.x.push_back(static_cast<double>(i));
      curve.y.push_back(run.loss[i]);
    }
    curves.push_back(std::move(curve));
  }
  const double against_falloff = static_cast<double>(runs[1].settledAt()) / std::max(1, runs[0].settledAt());
  const double against_vertex = static_cast<double>(runs[3].settledAt()) / std::max(1, runs[0].settledAt());
  Finding out;
  const int faster = (against_falloff >= 1 ? 1 : 0) + (against_vertex >= 1 ? 1 : 0);
  out.holds = against_falloff >= 3.5 && against_vertex >= 3.5 ? Holds::Yes : faster > 0 ? Holds::Partly : Holds::No;
  out.sentence = "Moving all of a cell takes " + std::to_string(runs[0].settledAt()) + " steps; falloff alone takes " +
                 number(against_falloff, 1) + " times as many and weights per vertex " + number(against_vertex, 1) +
                 " times; the paper reports 5 and 3.5. Falloff alone ends at a loss of " +
                 number(runs[1].loss.back() / runs[0].loss.back(), 2) + " times that of all, weights per vertex at " +
                 number(runs[3].loss.back() / runs[0].loss.back(), 2) + " times.";
  out.notes =
      "One character from the same guess, " + std::to_string(steps) +
      " steps in the same 4 poses, on the full mesh, with the rates of `bind` falling as a cosine. The loss is that "
      "which is minimized.";
  out.body = table.text() + "\n";
  SKINCELLS_TRY(shown, picture(context, "convergence", "The loss by step, for what moves", [&] {
                  return linePlot(curves, {"", "step", "", false, true});
                }));
  out.body += shown;
  return out;
}

} // namespace skincells::studies
