#include "viz/viewer/http.h"

#include <algorithm>
#include <cctype>

#include "text/split.h"

namespace skincells::viewer {
namespace {

struct Request {
  std::string_view method, target, host;
};

std::string_view nextLine(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end == std::string_view::npos ? text.size() : end + 2));
  return line;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

std::optional<Request> parse(std::string_view head) {
  const std::string_view line = nextLine(head);
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || !line.substr(last + 1).starts_with("HTTP/1.")) return {};
  Request request{line.substr(0, first), line.substr(first + 1, last - first - 1), {}};
  int hosts = 0;
  while (!head.empty()) {
    const std::string_view header = nextLine(head);
    const std::size_t colon = header.find(':');
    if (header.empty()) break;
    if (colon == std::string_view::npos) return {};
    if (!equalIgnoringCase(header.substr(0, colon), "host")) continue;
    request.host = text::trimmed(header.substr(colon + 1));
    ++hosts;
  }
  return hosts == 1 ? std::optional(request) : std::nullopt;
}

std::string headOf(const Site& site, std::string_view status, std::string_view type, std::size_t length,
                   std::string_view more = {}) {
  std::string out = "HTTP/1.1 ";
  out.append(status).append("\r\nContent-Type: ").append(type);
  out += "\r\nContent-Length: " + std::to_string(length);
  out.append("\r\nContent-Security-Policy: ").append(site.policy).append("; frame-ancestors 'none'");
  out += "\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store"
         "\r\nCross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin"
         "\r\nConnection: close\r\n";
  return out.append(more).append("\r\n");
}

Answer refusal(const Site& site, std::string_view status, bool with_body = true, std::string_view more = {}) {
  const std::string text = std::string(status) + "\n";
  return {headOf(site, status, "text/plain; charset=utf-8", text.size(), more) + (with_body ? text : ""), {}};
}

} // namespace

std::optional<Answer> answer(const Site& site, std::string_view received) {
  const std::size_t end = received.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (received.size() > kMaxRequestBytes) return refusal(site, "431 Request Header Fields Too Large");
    return std::nullopt;
  }
  const auto request = parse(received.substr(0, end + 2));
  if (!request) return refusal(site, "400 Bad Request");
  const std::string port = ":" + std::to_string(site.port);
  if (request->host != "127.0.0.1" + port && request->host != "localhost" + port)
    return refusal(site, "421 Misdirected Request");
  const bool is_head = request->method == "HEAD";
  if (request->method != "GET" && !is_head)
    return refusal(site, "405 Method Not Allowed", true, "Allow: GET, HEAD\r\n");
  if (request->target != "/") return refusal(site, "404 Not Found", !is_head);
  return Answer{headOf(site, "200 OK", "text/html; charset=utf-8", site.page.size()),
                is_head ? std::string_view() : site.page};
}

} // namespace skincells::viewer
