// A local HTTP server for one page.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "skincells/result.h"

namespace skincells {

// Serves one page to browsers on this machine: on 127.0.0.1 only, at "/" only, for GET and HEAD only, and only if the
// request names this server as its host, so that no web site can read the page through the user's browser.
class PageServer {
public:
  // Port 0: any free one.
  static Result<PageServer> start(std::string page, std::string policy, int port = 0);
  PageServer(PageServer&&) noexcept;
  PageServer& operator=(PageServer&&) noexcept;
  ~PageServer();

  int port() const;
  std::string address() const; // "http://127.0.0.1:PORT/"
  // Answers requests until `keep_going` returns false; it is called several times a second.
  void run(const std::function<bool()>& keep_going);

private:
  struct State;
  explicit PageServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace skincells
