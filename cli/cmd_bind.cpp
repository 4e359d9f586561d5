#include "command_line.h"
#include "progress_bar.h"
#include "skincells/jobs/bind_job.h"
#include "skincells/viz/skin_page.h"
#include "skincells/viz/viewer.h"

namespace skincells::cli {
namespace {

struct State : SkinningOptions {
  BindOptions bind;
  FieldOutputOptions field;
  std::string input, page, view;

  FileNames files() const { return {{input, read.rig}, {output, field.field, page, view}}; }
};

// The pages that go with the result.
Result<void> writePages(const State& state, const BindSummary& summary) {
  if (!state.page.empty())
    if (auto written = writeReport(state.page, bindPage(summary)); !written) return written;
  if (state.view.empty()) return {};
  const auto page = viewerPage({{.file = summary.input, .bound = summary.result}});
  return page ? writeReport(state.view, *page) : Result<void>(page.error());
}

Result<Outcome> run(const State& state) {
  if (state.field.wanted() && state.bind.method != BindMethod::SkinCells)
    return Error{ErrorCode::InvalidOption, "only --method skin-cells makes a field", "--field"};
  if (!state.view.empty() && !hasViewer()) return viewerPage({}).error();
  if (auto ready = checkOutputPath(state.output, state.write); !ready) return ready.error();
  for (const std::string& page : {state.page, state.view})
    if (auto writable = checkReportPath(page); !writable) return writable.error();
  const auto file = CharacterFile::read(state.input, state.read);
  if (!file) return file.error();
  auto result = skincells::bind(file->character(), state.bind, progressBar(state.common.silent()));
  if (!result) return result.error();
  BindSummary summary{state.written(), &*file, &*result, state.bind};
  FieldDocument document;
  if (state.field.wanted()) {
    auto described = fieldOfBind(*file, state.bind, *result);
    if (!described) return described.error();
    document = std::move(*described);
    summary.field = &document;
    summary.field_output = {state.field, encodeField(document)};
  }
  if (auto written = file->write(state.output, result->weights, state.write, summary.field_output); !written)
    return written.error();
  if (auto written = writePages(state, summary); !written) return written.error();
  return Outcome{bindDocument(summary)};
}

} // namespace

Run setUpBind(CLI::App& app) {
  auto state = std::make_shared<State>();
  app.add_option("input", state->input, "the character file (.glb, .gltf, .vrm, .fbx, .obj, .dae, ...)")->required();
  app.add_option("-o,--output", state->output, "where to write the skinned character (.glb, .gltf, .vrm)")->required();
  app.add_option("--page", state->page, "also write a report page (one HTML file with pictures)");
  app.add_option("--view", state->view, "also write the viewer page with the result and its skin cells inside (HTML)");
  addOptions(app, bindOptionTable(), state->bind);
  addOptions(app, fieldOutputOptionTable(), state->field);
  addSkinningOptions(app, *state);
  return runner<State>(state, run);
}

} // namespace skincells::cli
