// One thread, many connections, non-blocking sockets: no connection can hold up the others. A client that is slow keeps
// its place until somebody else needs it.
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
constexpr auto kRequestTimeout = std::chrono::seconds(10); // for the whole request, however it trickles in
constexpr auto kReplyTimeout = std::chrono::seconds(20);   // without any byte taken
constexpr auto kDrainTimeout = std::chrono::seconds(2);
constexpr std::size_t kMaxDrained = 1U << 20U; // bytes after the request that are read

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
  enum class Stage {
    Receiving,
    Sending,
    Draining, // closing a socket with unread bytes would take back what was sent
    Done,
  };
  Socket socket;
  Stage stage = Stage::Receiving;
  std::string received;
  viewer::Answer answer;
  std::size_t sent = 0, drained = 0;
  bool has_input = true;                  // more may come after the request
  Clock::time_point since = Clock::now(); // start of the stage; while sending, the last progress

  void enter(Stage next) {
    stage = next;
    since = Clock::now();
  }
  bool isLate() const {
    const auto limit = stage == Stage::Receiving ? kRequestTimeout
                       : stage == Stage::Sending ? kReplyTimeout
                                                 : kDrainTimeout;
    return Clock::now() - since > limit;
  }
};
using Stage = Connection::Stage;

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

  void acceptAll();
  void makeRoom();
  void receive(Connection& c) const;
  static void send(Connection& c);
  static void discardInput(Connection& c);
};

// Gives up the connection that has waited longest, one without a request if there is any.
void PageServer::State::makeRoom() {
  const auto later = [](const Connection& a, const Connection& b) {
    const bool a_sends = a.stage == Stage::Sending, b_sends = b.stage == Stage::Sending;
    return a_sends != b_sends ? b_sends : a.since < b.since;
  };
  connections.erase(std::ranges::min_element(connections, later));
}

void PageServer::State::acceptAll() {
  for (std::size_t i = 0; i < kMaxConnections; ++i) {
    Socket socket(::accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.fd() < 0) return;
    if (connections.size() >= kMaxConnections) makeRoom();
    connections.emplace_back();
    connections.back().socket = std::move(socket);
  }
}

void PageServer::State::receive(Connection& c) const {
  char buffer[4096];
  const ssize_t n = ::recv(c.socket.fd(), buffer, sizeof buffer, 0);
  if (n <= 0) {
    if (n == 0 || !wouldBlock()) c.enter(Stage::Done);
    return;
  }
  c.received.append(buffer, static_cast<std::size_t>(n));
  auto answer = viewer::answer(site, c.received);
  if (!answer) return;
  c.answer = std::move(*answer);
  c.enter(Stage::Sending);
}

void PageServer::State::send(Connection& c) {
  const std::size_t head = c.answer.head.size();
  const std::string_view left =
      c.sent < head ? std::string_view(c.answer.head).substr(c.sent) : c.answer.body.substr(c.sent - head);
  const ssize_t n = left.empty() ? 0 : ::send(c.socket.fd(), left.data(), left.size(), MSG_NOSIGNAL);
  if (n < 0) {
    if (!wouldBlock()) c.enter(Stage::Done);
    return;
  }
  c.sent += static_cast<std::size_t>(n);
  c.since = Clock::now();
  if (c.sent < head + c.answer.body.size()) return;
  ::shutdown(c.socket.fd(), SHUT_WR);
  c.enter(c.has_input ? Stage::Draining : Stage::Done);
}

// A client that sends on while it gets its reply would wait for ever if nobody read that.
void PageServer::State::discardInput(Connection& c) {
  char buffer[16384];
  const ssize_t n = ::recv(c.socket.fd(), buffer, sizeof buffer, 0);
  if (n < 0 && wouldBlock()) return;
  c.drained += n > 0 ? static_cast<std::size_t>(n) : 0;
  c.has_input = n > 0 && c.drained <= kMaxDrained;
  if (!c.has_input && c.stage == Stage::Draining) c.enter(Stage::Done);
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
      polled.push_back({c.socket.fd(),
                        static_cast<short>((c.stage == Stage::Sending ? POLLOUT : 0) | (c.has_input ? POLLIN : 0)), 0});
    if (::poll(polled.data(), polled.size(), kPollMilliseconds) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < s.connections.size(); ++i) {
      Connection& c = s.connections[i];
      const auto events = static_cast<unsigned>(polled[i + 1].revents);
      if (c.isLate()) {
        c.enter(Stage::Done);
      } else if (c.stage == Stage::Receiving) {
        if (events != 0) s.receive(c);
      } else {
        if ((events & POLLIN) != 0) State::discardInput(c);
        if (c.stage == Stage::Sending && (events & ~static_cast<unsigned>(POLLIN)) != 0) State::send(c);
        if (c.stage == Stage::Draining && (events & (POLLERR | POLLHUP | POLLNVAL)) != 0) c.enter(Stage::Done);
      }
    }
    std::erase_if(s.connections, [](const Connection& c) { return c.stage == Stage::Done; });
    if ((polled[0].revents & POLLIN) != 0) s.acceptAll();
  }
}

} // namespace skincells
