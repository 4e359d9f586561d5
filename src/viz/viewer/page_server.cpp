// One thread, many connections, non-blocking sockets: no connection can hold up the others.
#include "skincells/viz/page_server.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "viz/viewer/http.h"

namespace skincells {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 200;
constexpr std::size_t kMaxConnections = 64;
constexpr auto kIdleTimeout = std::chrono::seconds(20);

class Socket {
public:
  explicit Socket(int fd = -1) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }

private:
  int fd_;
};

struct Connection {
  Socket socket;
  std::string received, reply;
  std::size_t sent = 0;
  Clock::time_point last_seen = Clock::now();
  bool done = false;
};

Error systemError(const std::string& what) {
  return {ErrorCode::CannotWrite, what + ": " + std::strerror(errno), "--serve"};
}

bool wouldBlock() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

} // namespace

struct PageServer::State {
  Socket listener;
  viewer::Site site;
  std::vector<Connection> connections;

  void accept();
  void receive(Connection& c) const;
  static void send(Connection& c);
};

void PageServer::State::accept() {
  Socket socket(::accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.fd() < 0 || connections.size() >= kMaxConnections) return;
  connections.emplace_back();
  connections.back().socket = std::move(socket);
}

void PageServer::State::receive(Connection& c) const {
  char buffer[4096];
  const ssize_t n = ::recv(c.socket.fd(), buffer, sizeof buffer, 0);
  if (n <= 0) {
    c.done = n == 0 || !wouldBlock();
    return;
  }
  c.received.append(buffer, static_cast<std::size_t>(n));
  if (auto reply = viewer::answer(site, c.received)) c.reply = std::move(*reply);
}

void PageServer::State::send(Connection& c) {
  const ssize_t n = ::send(c.socket.fd(), c.reply.data() + c.sent, c.reply.size() - c.sent, MSG_NOSIGNAL);
  if (n < 0) {
    c.done = !wouldBlock();
    return;
  }
  c.sent += static_cast<std::size_t>(n);
  if (c.sent == c.reply.size()) {
    ::shutdown(c.socket.fd(), SHUT_WR);
    c.done = true;
  }
}

PageServer::PageServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
PageServer::PageServer(PageServer&&) noexcept = default;
PageServer& PageServer::operator=(PageServer&&) noexcept = default;
PageServer::~PageServer() = default;

Result<PageServer> PageServer::start(std::string page, std::string policy, int port) {
  auto state = std::make_unique<State>();
  state->listener = Socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (state->listener.fd() < 0) return systemError("cannot open a socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (::bind(state->listener.fd(), raw, sizeof address) != 0 || ::listen(state->listener.fd(), 16) != 0)
    return systemError("cannot listen on 127.0.0.1 port " + std::to_string(port));
  socklen_t size = sizeof address;
  if (::getsockname(state->listener.fd(), raw, &size) != 0) return systemError("cannot find the port");
  state->site = {std::move(page), std::move(policy), ntohs(address.sin_port)};
  return PageServer(std::move(state));
}

int PageServer::port() const {
  return state_->site.port;
}

std::string PageServer::address() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/";
}

void PageServer::run(const std::function<bool()>& keep_going) {
  State& s = *state_;
  std::vector<pollfd> polled;
  while (keep_going()) {
    polled.assign(1, {s.listener.fd(), POLLIN, 0});
    for (const Connection& c : s.connections)
      polled.push_back({c.socket.fd(), static_cast<short>(c.reply.empty() ? POLLIN : POLLOUT), 0});
    if (::poll(polled.data(), polled.size(), kPollMilliseconds) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < s.connections.size(); ++i) {
      Connection& c = s.connections[i];
      if (polled[i + 1].revents == 0) {
        c.done = c.done || Clock::now() - c.last_seen > kIdleTimeout;
        continue;
      }
      c.last_seen = Clock::now();
      if (c.reply.empty())
        s.receive(c);
      else
        State::send(c);
    }
    std::erase_if(s.connections, [](const Connection& c) { return c.done; });
    if ((polled[0].revents & POLLIN) != 0) s.accept();
  }
}

} // namespace skincells
