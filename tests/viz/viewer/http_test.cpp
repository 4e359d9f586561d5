#include "viz/viewer/http.h"

#include <gtest/gtest.h>

namespace skincells::view {
namespace {

const viewer::Site kSite{"<p>the page</p>", "default-src 'none'", 4711};

std::string request(const std::string& line, const std::string& host = "127.0.0.1:4711") {
  return line + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: */*\r\n\r\n";
}

std::string textOf(const std::optional<viewer::Answer>& answer) {
  return answer ? answer->head + std::string(answer->body) : "";
}

std::string statusOf(const std::string& received) {
  const std::string reply = textOf(viewer::answer(kSite, received));
  return reply.empty() ? "none" : reply.substr(9, 3);
}

TEST(Http, ServesThePageWithAStrictPolicy) {
  const std::string reply = textOf(viewer::answer(kSite, request("GET /")));
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(reply.ends_with("\r\n\r\n<p>the page</p>"));
  for (const char* header : {"Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n",
                             "X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
                             "Cache-Control: no-store\r\n", "Content-Length: 15\r\n", "Connection: close\r\n"})
    EXPECT_NE(reply.find(header), std::string::npos) << header;
}

TEST(Http, HeadHasNoBody) {
  const std::string reply = textOf(viewer::answer(kSite, request("HEAD /")));
  EXPECT_NE(reply.find("Content-Length: 15\r\n"), std::string::npos);
  EXPECT_TRUE(reply.ends_with("\r\n\r\n"));
}

TEST(Http, WaitsForTheWholeHead) {
  const std::string whole = request("GET /");
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_EQ(statusOf(whole.substr(0, n)), "none") << n;
  EXPECT_EQ(statusOf(whole), "200");
}

TEST(Http, NothingButThePage) {
  for (const char* target : {"/index.html", "/..", "/../etc/passwd", "/%2e%2e/etc/passwd", "//", "/?", "/?a=b", "*",
                             "http://127.0.0.1:4711/", ""})
    EXPECT_NE(statusOf(request(std::string("GET ") + target)), "200") << target;
  EXPECT_EQ(statusOf(request("GET /etc/passwd")), "404");
}

TEST(Http, NoOtherMethods) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"})
    EXPECT_EQ(statusOf(request(std::string(method) + " /")), "405") << method;
}

TEST(Http, OnlyForThisHost) {
  EXPECT_EQ(statusOf(request("GET /", "localhost:4711")), "200");
  for (const char* host :
       {"example.org", "example.org:4711", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:4711.example.org", ""})
    EXPECT_EQ(statusOf(request("GET /", host)), "421") << host;
}

TEST(Http, RefusesNonsense) {
  EXPECT_EQ(statusOf("GET /\r\n\r\n"), "400");
  EXPECT_EQ(statusOf("GET / HTTP/1.1\r\n\r\n"), "400"); // no host
  EXPECT_EQ(statusOf("GET / HTTP/1.1\r\nHost: 127.0.0.1:4711\r\nHost: example.org\r\n\r\n"), "400");
  EXPECT_EQ(statusOf("GET / HTTP/1.1\r\nno colon\r\n\r\n"), "400");
  EXPECT_EQ(statusOf(std::string(viewer::kMaxRequestBytes + 1, 'x')), "431");
}

} // namespace
} // namespace skincells::view
