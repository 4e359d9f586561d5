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

// The complete answer to the bytes received so far, or nothing while the head of the request is incomplete. Every
// answer closes the connection.
std::optional<std::string> answer(const Site& site, std::string_view received);

} // namespace skincells::viewer
