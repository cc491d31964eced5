// SPDX-License-Identifier: Apache-2.0
// Starts the program, finds its port, and speaks HTTP by hand.
#include "server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <stdexcept>

namespace vergence::view_test {
namespace {

constexpr int patience_ms = 60'000;

/// Appends what comes within `ms`; false where the other end has closed, or nothing comes.
bool read_more(int stream, std::string& text, int ms) {
  pollfd wait{stream, POLLIN, 0};
  if (poll(&wait, 1, ms) != 1) return false;
  std::array<char, 65536> buffer{};
  const ssize_t bytes = read(stream, buffer.data(), buffer.size());
  if (bytes <= 0) return false;
  text.append(buffer.data(), static_cast<std::size_t>(bytes));
  return true;
}

std::size_t length_of(std::string_view head) {
  constexpr std::string_view name = "Content-Length: ";
  const std::size_t at = head.find(name);
  return at == std::string_view::npos ? 0 : std::stoul(std::string(head.substr(at + name.size())));
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

void ViewTest::SetUp() {
  if (!std::filesystem::exists(VERGENCE_TEST_VIEW_MODULE))
    GTEST_SKIP() << "this build has no `view`: cpp-httplib or the packages of scripts/web-tools were missing";
}

std::vector<std::string> ViewTest::pictures(const std::vector<std::string>& more) const {
  scratch.write("left.pgm", cli_test::left_pgm(80, 40, 5));
  scratch.write("right.pgm", cli_test::right_pgm(80, 40));
  scratch.write("truth.pfm", cli_test::flat_pfm(80, 40, 5));
  std::vector<std::string> words{"left.pgm", "right.pgm"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json Answer::packet() const {
  if (status != 200) throw std::runtime_error("status " + std::to_string(status) + ": " + body);
  return nlohmann::json::parse(body.substr(4, little_endian(body)));
}

std::string Answer::array(const std::string& name) const {
  const nlohmann::json head_json = packet();
  for (const auto& one : head_json.at("arrays"))
    if (one.at("name") == name)
      return body.substr(4 + little_endian(body) + one.at("offset").get<std::size_t>(), one.at("bytes"));
  throw std::runtime_error("the packet has no array " + name);
}

Connection::Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("connect");
}
Connection::~Connection() { close(socket_); }

void Connection::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the answer, or its absence, tells
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

Answer Connection::receive() {
  Answer answer;
  std::size_t end = 0;
  while ((end = read_.find("\r\n\r\n")) == std::string::npos)
    if (!read_more(socket_, read_, patience_ms)) return answer;
  answer.head = read_.substr(0, end + 4);
  answer.status = std::stoi(answer.head.substr(answer.head.find(' ') + 1));
  read_.erase(0, end + 4);
  const std::size_t length = length_of(answer.head);
  while (read_.size() < length)
    if (!read_more(socket_, read_, patience_ms)) break;
  answer.body = read_.substr(0, length);
  read_.erase(0, std::min(length, read_.size()));
  return answer;
}

bool Connection::closed_within(int seconds) {
  pollfd wait{socket_, POLLIN, 0};
  std::string rest;
  while (poll(&wait, 1, 1000 * seconds) == 1)
    if (!read_more(socket_, rest, 0)) return true;
  return false;
}

Server::Server(const cli_test::Scratch& scratch, const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  std::vector<std::string> words{VERGENCE_PROGRAM, "view", "--no-open"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string directory = scratch.path("");
  child_ = fork();
  if (child_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that ends early leaves no server
    if (chdir(directory.c_str()) != 0) _exit(126);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
    dup2(ends[1], STDOUT_FILENO);
    execv(VERGENCE_PROGRAM, pointers.data());
    _exit(127);
  }
  close(ends[1]);
  while (line_.find('\n') == std::string::npos && read_more(ends[0], line_, patience_ms)) {
  }
  close(ends[0]);
  const std::size_t colon = line_.find(':', line_.find("://") + 3);
  const std::size_t token = line_.find("/?token=");
  if (colon == std::string::npos || token == std::string::npos) throw std::runtime_error("no address: " + line_);
  port_ = std::stoi(line_.substr(colon + 1));
  token_ = line_.substr(token + 8, line_.size() - token - 9);
}

Server::~Server() {
  if (child_ > 0) end(SIGKILL);
}

std::pair<int, double> Server::end(int signal) {
  const auto start = std::chrono::steady_clock::now();
  kill(child_, signal);
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), seconds.count()};
}

std::string Server::headers() const {
  return "Host: 127.0.0.1:" + std::to_string(port_) + "\r\nX-Vergence-Token: " + token_ + "\r\n";
}

Answer Server::get(const std::string& path) const {
  return ask(port_, "GET " + path + " HTTP/1.1\r\n" + headers() + "\r\n");
}

Answer Server::post(const std::string& path, const nlohmann::json& body) const {
  const std::string text = body.dump();
  return ask(port_, "POST " + path + " HTTP/1.1\r\n" + headers() + "Content-Length: " + std::to_string(text.size()) +
                        "\r\n\r\n" + text);
}

Answer ask(int port, std::string_view bytes) {
  Connection connection(port);
  connection.send(bytes);
  return connection.receive();
}

}  // namespace vergence::view_test
