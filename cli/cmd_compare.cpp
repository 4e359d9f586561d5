#include "command_line.h"
#include "skincells/threads.h"

namespace skincells::cli {

Run setUpCompare(CLI::App& app) {
  struct State {
    CommonOptions common;
    CompareOptions compare;
    std::string reference;
    std::vector<std::string> others;
  };
  auto state = std::make_shared<State>();
  app.add_option("reference", state->reference, "the skin to compare with, e.g. the artist's")->required();
  app.add_option("other", state->others, "skins of the same mesh")->required();
  addOptions(app, compareOptionTable(), state->compare);
  addCommonOptions(app, state->common);
  return [state] {
    const ThreadLimit threads(state->common.threads);
    auto reference = CharacterFile::read(state->reference);
    if (!reference) return fail(reference.error(), state->common);
    std::vector<CharacterFile> others;
    for (const std::string& path : state->others) {
      auto file = CharacterFile::read(path);
      if (!file) return fail(file.error(), state->common);
      others.push_back(std::move(*file));
    }
    std::vector<const CharacterFile*> pointers;
    for (const CharacterFile& f : others) pointers.push_back(&f);
    const auto result = compareSkins(*reference, pointers, state->compare);
    if (!result) return fail(result.error(), state->common);
    return finish(compareDocument(*result, state->compare), state->common);
  };
}

} // namespace skincells::cli
