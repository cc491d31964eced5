// SPDX-License-Identifier: Apache-2.0
// `vergence view` as clients meet it: the real program, and requests as raw bytes.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/program.hpp"

namespace vergence::view_test {

/// Tests of a build that has the server's module; others skip.
class ViewTest : public testing::Test {
 protected:
  void SetUp() override;
  /// A pair of 80x40 and its truth, written to `scratch`, as arguments; small, so that each device is quick.
  std::vector<std::string> pictures(const std::vector<std::string>& more = {}) const;

  cli_test::Scratch scratch;
};

struct Answer {
  int status = 0;  ///< 0 where none came.
  std::string head, body;

  nlohmann::json json() const { return nlohmann::json::parse(body); }
  /// Of a packet: its JSON, and the bytes of one of its arrays.
  nlohmann::json packet() const;
  std::string array(const std::string& name) const;
};

/// A connection to a port of this machine; closed with the object.
class Connection {
 public:
  explicit Connection(int port);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::string_view bytes) const;
  /// The next answer; waits up to a minute for it.
  Answer receive();
  /// Whether the server has closed it, within so many seconds.
  bool closed_within(int seconds);

 private:
  int socket_ = -1;
  std::string read_;
};

/// A running `vergence view --no-open`, ended with the object.
class Server {
 public:
  explicit Server(const cli_test::Scratch& scratch, const std::vector<std::string>& arguments = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const { return port_; }
  const std::string& token() const { return token_; }
  const std::string& line() const { return line_; }  ///< What it printed.
  /// By the header of programs.
  Answer get(const std::string& path) const;
  Answer post(const std::string& path, const nlohmann::json& body) const;
  /// The headers of a request that may pass, each with its end.
  std::string headers() const;
  /// Sends the signal; the exit status, and the seconds that it took.
  std::pair<int, double> end(int signal);

 private:
  int child_ = -1;
  int port_ = 0;
  std::string token_, line_;
};

/// One request, one answer, then the connection is closed.
Answer ask(int port, std::string_view bytes);

}  // namespace vergence::view_test
