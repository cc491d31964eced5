// SPDX-License-Identifier: Apache-2.0
// Who is answered: token, Host, Origin, bodies, paths; slow and vanished clients; the end.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server.hpp"

namespace vergence::view_test {
namespace {

using cli_test::holds;
using nlohmann::json;

class ViewSecurity : public ViewTest {};

/// A GET of the tables with these headers besides.
int status_with(const Server& server, const std::string& headers) {
  return ask(server.port(), "GET /api/scene HTTP/1.1\r\n" + headers + "\r\n").status;
}

TEST_F(ViewSecurity, EachRequestNeedsTheToken) {
  const Server server(scratch, pictures());
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
  EXPECT_EQ(server.token().size(), 32U);
  EXPECT_EQ(status_with(server, host + "X-Vergence-Token: " + server.token() + "\r\n"), 200);
  EXPECT_EQ(status_with(server, host), 401);
  EXPECT_EQ(status_with(server, host + "X-Vergence-Token: " + std::string(32, '0') + "\r\n"), 401);
  EXPECT_EQ(status_with(server, host + "X-Vergence-Token: " + server.token().substr(0, 31) + "\r\n"), 401);
  EXPECT_EQ(status_with(server, host + "X-Vergence-Token:\r\n"), 401);
  EXPECT_EQ(status_with(server, host + "Cookie: vergence-view-1=" + server.token() + "\r\n"), 401) << "another port's";
  const std::string name = "vergence-view-" + std::to_string(server.port());
  EXPECT_EQ(status_with(server, host + "Cookie: a=b; " + name + "=" + server.token() + "; c=d\r\n"), 200);
  for (const std::string path : {"/", "/index.html", "/api/fields", "/nothing"})
    EXPECT_EQ(ask(server.port(), "GET " + path + " HTTP/1.1\r\n" + host + "\r\n").status, 401) << path;
}

TEST_F(ViewSecurity, TokensAreNotTheSameTwice) {
  const Server one(scratch, pictures()), two(scratch, pictures());
  EXPECT_NE(one.token(), two.token());
}

TEST_F(ViewSecurity, NamesOfOtherHostsAreRefused) {
  const Server server(scratch, pictures());
  const std::string port = ":" + std::to_string(server.port());
  const std::string token = "X-Vergence-Token: " + server.token() + "\r\n";
  for (const std::string& host : {"127.0.0.1" + port, "localhost" + port, "LOCALHOST" + port, "[::1]" + port})
    EXPECT_EQ(status_with(server, token + "Host: " + host + "\r\n"), 200) << host;
  for (const std::string& host :
       {std::string("127.0.0.1"), std::string("127.0.0.1:1"), "evil.example" + port, "127.0.0.1.evil.example" + port,
        "localhost.evil.example" + port, "127.evil" + port, "192.168.1.1" + port, "[::1" + port, "a@localhost" + port,
        "localhost" + port + "0000", std::string()})
    EXPECT_EQ(status_with(server, token + "Host: " + host + "\r\n"), 403) << host;
  EXPECT_EQ(status_with(server, token), 403) << "none";
  EXPECT_EQ(status_with(server, token + "Host: localhost" + port + "\r\nHost: evil.example\r\n"), 400);
}

TEST_F(ViewSecurity, PagesOfOtherServersAreRefused) {
  const Server server(scratch, pictures());
  const std::string own = "http://127.0.0.1:" + std::to_string(server.port());
  EXPECT_EQ(status_with(server, server.headers() + "Origin: " + own + "\r\n"), 200);
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), std::string("http://127.0.0.1"),
        "https" + own.substr(4), own + "1", "http://localhost:" + std::to_string(server.port())})
    EXPECT_EQ(status_with(server, server.headers() + "Origin: " + origin + "\r\n"), 403) << origin;
  EXPECT_EQ(status_with(server, server.headers() + "Origin: " + own + "\r\nOrigin: http://evil.example\r\n"), 400);
}

TEST_F(ViewSecurity, ThePageIsSentWithItsPolicy) {
  const Server server(scratch, pictures());
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\nAccept-Encoding: gzip\r\n";
  const Answer page = ask(server.port(), "GET /?token=" + server.token() + " HTTP/1.1\r\n" + host + "\r\n");
  ASSERT_EQ(page.status, 200);
  EXPECT_TRUE(page.body.starts_with("\x1f\x8b")) << "gzip";
  EXPECT_TRUE(holds(page.head, "Content-Security-Policy: default-src 'none'; script-src 'self';"));
  EXPECT_TRUE(holds(page.head, "X-Content-Type-Options: nosniff"));
  EXPECT_TRUE(holds(page.head, "Referrer-Policy: no-referrer"));
  EXPECT_TRUE(holds(page.head, "Set-Cookie: vergence-view-" + std::to_string(server.port()) + "=" + server.token() +
                                   "; Path=/; HttpOnly; SameSite=Strict"));
  const Answer plain = server.get("/");
  EXPECT_EQ(plain.status, 406);
  EXPECT_TRUE(holds(server.get("/nothing").head, "Content-Security-Policy"));
}

TEST_F(ViewSecurity, NoPathReachesFiles) {
  const Server server(scratch, pictures());
  scratch.write("secret.txt", "secret");
  for (const std::string path :
       {"/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2f..%2fetc/passwd", "//etc/passwd", "/etc/passwd",
        "/api/../secret.txt", "/api/pictures?frame=../../etc/passwd", "/index.html%00.txt"}) {
    const Answer answer = server.get(path);
    EXPECT_TRUE(answer.status == 404 || answer.status == 422 || answer.status == 400) << path << ": " << answer.status;
    EXPECT_FALSE(holds(answer.body, "root:") || answer.body == "secret") << path;
  }
}

TEST_F(ViewSecurity, BodiesAreBounded) {
  const Server server(scratch, pictures());
  const auto post = [&](std::size_t length) {
    const std::string text = "{}" + std::string(length - 2, ' ');
    return ask(server.port(), "POST /api/stereo HTTP/1.1\r\n" + server.headers() +
                                  "Content-Length: " + std::to_string(length) + "\r\n\r\n" + text)
        .status;
  };
  EXPECT_EQ(post(65536), 200);
  EXPECT_EQ(post(65537), 413);
  const std::string pieces =
      "POST /api/stereo HTTP/1.1\r\n" + server.headers() + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
  EXPECT_EQ(ask(server.port(), pieces).status, 411);
  const std::string start = "POST /api/stereo HTTP/1.1\r\n" + server.headers();
  EXPECT_EQ(ask(server.port(), start + "\r\n{}").status, 411);
  EXPECT_EQ(ask(server.port(), start + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}").status, 415);
  EXPECT_EQ(
      ask(server.port(), "GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\n" + server.headers() + "\r\n").status /
          100,
      4);
  EXPECT_EQ(server.get("/api/scene").status, 200) << "it goes on";
}

TEST_F(ViewSecurity, BodiesOfRefusedRequestsAreNoRequests) {
  const Server server(scratch, pictures());
  Connection one(server.port());
  one.send("POST /api/stereo HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 500\r\n\r\n");
  EXPECT_EQ(one.receive().status, 403);
  one.send("GET /api/scene HTTP/1.1\r\n" + server.headers() + "\r\n");  // that body
  EXPECT_EQ(one.receive().status, 0);
}

TEST_F(ViewSecurity, OnANetworkOnlyAddressesAreAnswered) {
  const Server server(scratch, pictures({"--listen", "0.0.0.0"}));
  const std::string token = "X-Vergence-Token: " + server.token() + "\r\n", port = ":" + std::to_string(server.port());
  for (const std::string& host : {"192.168.1.1" + port, "localhost" + port, "[fe80::1]" + port})
    EXPECT_EQ(status_with(server, token + "Host: " + host + "\r\n"), 200) << host;
  const std::string with_zero("[fe80::1\0 evil]", 15);
  for (const std::string& host :
       {"evil.example" + port, "192.168.1.1.evil.example" + port, std::string("192.168.1.1"), with_zero + port})
    EXPECT_EQ(status_with(server, token + "Host: " + host + "\r\n"), 403) << host;
}

TEST_F(ViewSecurity, OtherMethodsDoNothing) {
  const Server server(scratch, pictures());
  for (const std::string method : {"PUT", "DELETE", "OPTIONS", "PATCH"})
    EXPECT_EQ(ask(server.port(), method + " /api/stereo HTTP/1.1\r\n" + server.headers() + "Content-Length: 0\r\n\r\n")
                      .status /
                  100,
              4)
        << method;
  EXPECT_EQ(server.post("/api/scene", json::object()).status, 404);
}

TEST_F(ViewSecurity, SlowAndVanishedClientsHoldNobody) {
  const Server server(scratch);
  std::vector<std::unique_ptr<Connection>> slow;
  for (int i = 0; i < 40; ++i) {
    slow.push_back(std::make_unique<Connection>(server.port()));
    slow.back()->send(i % 2 == 0 ? "GET /api/scene HT"
                                 : "POST /api/stereo HTTP/1.1\r\n" + server.headers() + "Content-Length: 50\r\n\r\n{");
  }
  // Those that ask for a map and take none of it, and those that go.
  for (int i = 0; i < 20; ++i) {
    auto one = std::make_unique<Connection>(server.port());
    one->send("GET /api/pictures HTTP/1.1\r\n" + server.headers() + "\r\n");
    if (i % 2 == 0) slow.push_back(std::move(one));
  }
  EXPECT_EQ(server.post("/api/stereo", json::object()).status, 200);
  EXPECT_TRUE(slow.front()->closed_within(30)) << "after the time limit of 5 s";
}

TEST_F(ViewSecurity, CtrlCEndsWithinASecond) {
  Server server(scratch);
  Connection idle(server.port());
  Connection busy(server.port());
  const std::string body = R"({"device": "reference", "preset": "quality"})";
  busy.send("POST /api/stereo HTTP/1.1\r\n" + server.headers() + "Content-Length: " + std::to_string(body.size()) +
            "\r\n\r\n" + body);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto [status, seconds] = server.end(SIGINT);
  EXPECT_EQ(status, 130);
  EXPECT_LT(seconds, 1);
}

TEST_F(ViewSecurity, OneLineTellsTheAddress) {
  const Server server(scratch, pictures());
  EXPECT_EQ(server.line(),
            "view    http://127.0.0.1:" + std::to_string(server.port()) + "/?token=" + server.token() + "\n");
  // A second server does not share the port.
  const cli_test::Result taken = scratch.run({"view", "--no-open", "--port", std::to_string(server.port())});
  EXPECT_EQ(taken.status, 1);
  EXPECT_TRUE(holds(taken.err, "cannot be taken")) << taken.err;
}

TEST_F(ViewSecurity, WrongCommandLinesAreRefusedBeforeAnythingStarts) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& part) {
    std::vector<std::string> words{"view", "--no-open"};
    words.insert(words.end(), more.begin(), more.end());
    const cli_test::Result result = scratch.run(words);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_TRUE(holds(result.err, part)) << result.err;
    EXPECT_EQ(result.out, "");
  };
  refused({"--port", "70000"}, "--port");
  refused({"--listen", "example.com"}, "give an IP address");
  scratch.write("only_left.pgm", cli_test::pgm(8, 8, 255, [](int x, int) { return x; }));
  refused({"only_left.pgm"}, "RIGHT is missing");
  refused({"--truth-scale", "2"}, "--truth");
  refused({"--window", "4"}, "window");
  refused({"--disparities", "follow"}, "give auto, or a number");
  EXPECT_EQ(scratch.run({"view", "--no-open", "none.png", "none.png"}).status, 1);
}

}  // namespace
}  // namespace vergence::view_test
