// The part of HTTP/1.1 that is needed to serve one page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace skincells::viewer {

inline constexpr std::size_t kMaxRequestBytes = 16384;

// What is served.
struct Site {
  std::string page;
  std::string policy; // content security policy
  int port = 0;       // requests must name 127.0.0.1 or localhost with this port as their host
};

struct Answer {
  std::string head;      // with the text of a refusal
  std::string_view body; // sent after it: the page, in `site`, or nothing
};

// The complete answer to the bytes received so far, or nothing while the head of the request is incomplete. Every
// answer closes the connection. Bytes after the head are ignored.
std::optional<Answer> answer(const Site& site, std::string_view received);

} // namespace skincells::viewer
