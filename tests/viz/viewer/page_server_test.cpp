#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "skincells/viz/page_server.h"

namespace skincells {
namespace {

int connectTo(std::uint32_t address, int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(address);
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return fd;
  ::close(fd);
  return -1;
}

std::string readAll(int fd) {
  std::string out;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::recv(fd, buffer, sizeof buffer, 0)) > 0;) out.append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return out;
}

class PageServerTest : public testing::Test {
protected:
  PageServerTest() : server_(std::move(*PageServer::start(std::string(3'000'000, 'x'), "default-src 'none'"))) {
    thread_ = std::thread([this] { server_.run([this] { return !stop_.load(); }); });
  }
  ~PageServerTest() override {
    stop_ = true;
    thread_.join();
  }
  std::string get(const std::string& more = "") const {
    const int fd = connectTo(INADDR_LOOPBACK, server_.port());
    const std::string text = "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server_.port()) + "\r\n\r\n" + more;
    EXPECT_EQ(::send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    return readAll(fd);
  }

  PageServer server_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

TEST_F(PageServerTest, SendsTheWholePage) {
  EXPECT_EQ(server_.address(), "http://127.0.0.1:" + std::to_string(server_.port()) + "/");
  const std::string reply = get();
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 OK"));
  EXPECT_TRUE(reply.ends_with(std::string(3'000'000, 'x')));
}

TEST_F(PageServerTest, IdleConnectionsBlockNoOthers) {
  std::vector<int> idle;
  for (int i = 0; i < 5; ++i) idle.push_back(connectTo(INADDR_LOOPBACK, server_.port()));
  EXPECT_TRUE(get().starts_with("HTTP/1.1 200 OK"));
  for (int fd : idle) ::close(fd);
}

// More of them than the server has places for, some with half a request.
TEST_F(PageServerTest, SlowClientsLockNobodyOut) {
  std::vector<int> slow;
  for (int i = 0; i < 200; ++i) {
    slow.push_back(connectTo(INADDR_LOOPBACK, server_.port()));
    if (i % 2 == 0) ::send(slow.back(), "GET / HT", 8, MSG_NOSIGNAL);
  }
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(get().ends_with(std::string(3'000'000, 'x'))) << i;
  for (int fd : slow) ::close(fd);
}

// Clients that ask for the page and do not take it.
TEST_F(PageServerTest, DeafClientsLockNobodyOut) {
  const std::string text = "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server_.port()) + "\r\n\r\n";
  std::vector<int> deaf;
  for (int i = 0; i < 100; ++i) {
    deaf.push_back(connectTo(INADDR_LOOPBACK, server_.port()));
    ::send(deaf.back(), text.data(), text.size(), MSG_NOSIGNAL);
  }
  EXPECT_TRUE(get().ends_with(std::string(3'000'000, 'x')));
  for (int fd : deaf) ::close(fd);
}

// A socket that is closed with unread bytes takes back what was sent.
TEST_F(PageServerTest, MoreBytesThanTheRequestDoNotCutTheReply) {
  for (const std::size_t more : {1U, 5'000U, 300'000U}) {
    const std::string reply = get(std::string(more, 'y'));
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 OK")) << more;
    EXPECT_TRUE(reply.ends_with(std::string(3'000'000, 'x'))) << more << ": " << reply.size();
  }
}

TEST_F(PageServerTest, ListensOnTheLoopbackOnly) {
  // 127.0.0.2 reaches this machine too, but only what listens on every address.
  const int fd = connectTo(INADDR_LOOPBACK + 1, server_.port());
  EXPECT_LT(fd, 0);
  if (fd >= 0) ::close(fd);
}

TEST(PageServer, SaysWhenThePortIsTaken) {
  const auto first = PageServer::start("", "");
  ASSERT_TRUE(first);
  const auto second = PageServer::start("", "", first->port());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().text().find("cannot listen"), std::string::npos);
}

} // namespace
} // namespace skincells
