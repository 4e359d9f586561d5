// The viewer: a page for web browsers that shows characters moving, their weights and where they are bad.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/result.h"

namespace skincells {

struct ViewCharacter {
  const CharacterFile* file = nullptr;
  std::string label = "";            // shown as its name; empty: the character's
  const BindResult* bound = nullptr; // show these weights, cells and reasons instead of what the file has
  // Its cells are shown, where `bound` is not given; one that does not fit is left out, and the page says why.
  const FieldDocument* field = nullptr;
};

// Do the field's joints stand where the character's joints of those names do? The error names the first that does not.
Result<void> checkFieldFits(const Character& character, const FieldDocument& field);

struct ViewOptions {
  // Ranges of motion of the page's random poses, as in SkinPageOptions; "auto": those that `bound` or the bind of
  // `field` used.
  std::string rom = "auto";
};
const OptionTable<ViewOptions>& viewOptionTable();

// Was the library built with the page? (CMake option SKINCELLS_BUILD_VIEWER)
bool hasViewer();

// One self-contained HTML file with the characters inside: it opens from disk and asks nobody for anything.
// Several characters are shown one at a time or side by side. Fails without a viewer (UnsupportedFeature).
Result<std::string> viewerPage(const std::vector<ViewCharacter>& characters, const ViewOptions& options = {});

// The content security policy that the page declares, to be sent with it as a header too.
std::string_view viewerPolicy();

// Serves one page to browsers on this machine: on 127.0.0.1 only, at "/" only, for GET and HEAD only, and only to
// requests that name this very server as their host, so that no web site can read it through the user's browser.
class PageServer {
public:
  // Port 0: any free one.
  static Result<PageServer> start(std::string page, std::string policy, int port = 0);
  PageServer(PageServer&&) noexcept;
  PageServer& operator=(PageServer&&) noexcept;
  ~PageServer();

  int port() const;
  std::string address() const; // "http://127.0.0.1:PORT/"
  // Answers requests until `keep_going` says no; it is asked several times a second.
  void run(const std::function<bool()>& keep_going);

private:
  struct State;
  explicit PageServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace skincells
