#include "command_line.h"
#include "progress_bar.h"
#include "skincells/threads.h"
#include "skincells/view.h"

namespace skincells::cli {
namespace {

struct State {
  CommonOptions common;
  ReadOptions read;
  BindOptions bind;
  WriteOptions write;
  FieldOutputOptions field;
  std::string input, output, page, view;
};

int run(const State& state) {
  const ThreadLimit threads(state.common.threads);
  if (state.field.wanted() && state.bind.method != BindMethod::SkinCells)
    return fail({ErrorCode::InvalidOption, "only --method skin-cells makes a field", "--field"}, state.common);
  if (!state.view.empty() && !hasViewer()) return fail(viewerPage({}).error(), state.common);
  auto file = CharacterFile::read(state.input, state.read);
  if (!file) return fail(file.error(), state.common);
  auto result = skincells::bind(file->character(), state.bind, progressBar(state.common.quiet || state.common.json));
  if (!result) return fail(result.error(), state.common);
  // A report that cannot be written must not be noticed after the result is in place.
  if (!state.common.report.empty())
    if (auto writable = checkReportPath(state.common.report); !writable) return fail(writable.error(), state.common);
  BindSummary summary;
  FieldDocument document;
  if (state.field.wanted()) {
    auto described = fieldOfBind(*file, state.bind, *result);
    if (!described) return fail(described.error(), state.common);
    document = std::move(*described);
    summary.field = &document;
    summary.field_output = {state.field, encodeField(document)};
  }
  if (auto written = file->write(state.output, result->weights, state.write, summary.field_output); !written)
    return fail(written.error(), state.common);
  summary.input = &*file;
  summary.result = &*result;
  summary.options = state.bind;
  summary.write_options = state.write;
  summary.output_path = state.output;
  summary.measure_shape = state.common.json || !state.common.report.empty();
  if (!state.page.empty())
    if (auto written = writeReport(state.page, bindPage(summary)); !written) return fail(written.error(), state.common);
  if (!state.view.empty()) {
    const auto page = viewerPage({{.file = &*file, .bound = &*result}});
    if (!page) return fail(page.error(), state.common);
    if (auto written = writeReport(state.view, *page); !written) return fail(written.error(), state.common);
  }
  return finish(bindDocument(summary), state.common);
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
  addOptions(app, readOptionTable(), state->read);
  addOptions(app, writeOptionTable(), state->write);
  addCommonOptions(app, state->common);
  return [state] { return run(*state); };
}

} // namespace skincells::cli
