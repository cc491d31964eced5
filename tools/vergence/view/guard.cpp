// SPDX-License-Identifier: Apache-2.0
// Token, Host and Origin of requests.
#include "view/guard.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "vergence/error.hpp"

namespace vergence::cli {

bool is_address(const std::string& host) {
  if (host.find('\0') != std::string::npos) return false;  // the system would read up to there
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

namespace {

constexpr std::size_t largest_body = std::size_t{64} << 10;

bool is_loopback(const std::string& host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::optional<int> parse_port(std::string_view text) {
  if (text.empty() || text.size() > 5) return std::nullopt;
  int port = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    port = 10 * port + (c - '0');
  }
  return port >= 1 && port <= 65535 ? std::optional(port) : std::nullopt;
}

}  // namespace

std::optional<HostPort> parse_host(std::string_view text) {
  HostPort parsed;
  std::string_view rest;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    parsed.host = in_lower_case(text.substr(1, end - 1));
    if (parsed.host.find(':') == std::string::npos || !is_address(parsed.host)) return std::nullopt;
    rest = text.substr(end + 1);
  } else {
    const std::size_t colon = text.find(':');
    parsed.host = in_lower_case(text.substr(0, colon));
    rest = colon == std::string_view::npos ? "" : text.substr(colon);
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    if (parsed.host.empty() || parsed.host.find_first_not_of(allowed) != std::string::npos) return std::nullopt;
  }
  if (rest.empty()) return parsed;
  const std::optional<int> port = rest.starts_with(':') ? parse_port(rest.substr(1)) : std::nullopt;
  if (!port) return std::nullopt;
  parsed.port = *port;
  return parsed;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(ErrorCode::io, "the system gives no random bytes for the token of `view`");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    different |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return different == 0;
}

// Cookies are sent to all ports of a host: the port in its name keeps two servers apart.
Guard::Guard(std::string address, int port, std::string token, std::size_t saved_bytes)
    : address_(std::move(address)),
      port_(port),
      token_(std::move(token)),
      cookie_name_(fmt::format("vergence-view-{}", port)),
      saved_bytes_(saved_bytes) {}

std::string Guard::cookie() const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_name_, token_);
}

/// A page of another host can give its name this machine's address (DNS rebinding), but no address as a name.
bool Guard::is_own(const HostPort& host) const {
  if (host.port != port_) return false;
  return is_loopback(address_) ? is_loopback(host.host) && (host.host == "localhost" || is_address(host.host))
                               : is_address(host.host) || host.host == "localhost";
}

std::optional<std::string> Guard::token_of(const HttpRequest& request) const {
  if (auto token = request.header("X-Vergence-Token")) return token;
  if (auto token = request.parameter("token")) return token;
  const std::string cookies = request.header("Cookie").value_or("");
  for (std::size_t at = 0; at < cookies.size();) {
    const std::size_t end = std::min(cookies.find(';', at), cookies.size());
    const std::string_view one = std::string_view(cookies).substr(at, end - at);
    if (one.starts_with(cookie_name_ + "=")) return std::string(one.substr(cookie_name_.size() + 1));
    at = std::min(cookies.find_first_not_of("; ", end), cookies.size());
  }
  return std::nullopt;
}

std::optional<HttpResponse> Guard::refuse(const HttpRequest& request) const {
  for (const std::string_view name : {"Host", "Origin", "Content-Length"})
    if (request.count(name) > 1)
      return error_response(400, fmt::format("the header {} stands there several times: send it once", name));
  const std::optional<std::string> host_text = request.header("Host");
  const std::optional<HostPort> host = parse_host(host_text.value_or(""));
  if (!host || !is_own(*host))
    return error_response(403,
                          "the header Host does not name this server: use the address that `vergence view` prints");
  if (const auto origin = request.header("Origin")) {
    constexpr std::string_view scheme = "http://";
    const bool http = origin->starts_with(scheme);
    if (!http || parse_host(std::string_view(*origin).substr(scheme.size())) != host)
      return error_response(403, "the request comes from the page of another server (Origin), which is not answered");
  }
  const std::optional<std::string> token = token_of(request);
  if (!token || !equal_secrets(*token, token_))
    return error_response(401, "the token is missing or wrong: open the whole address that `vergence view` prints");
  return refuse_body(request);
}

std::optional<HttpResponse> Guard::refuse_body(const HttpRequest& request) const {
  // A body without a length, and a packed one, could have any.
  const bool has_body = request.method != "GET" && request.method != "HEAD";
  if (request.count("Transfer-Encoding") > 0 || (has_body && request.count("Content-Length") == 0))
    return error_response(411, "a body needs the header Content-Length and comes whole, without Transfer-Encoding");
  if (request.count("Content-Encoding") > 0)
    return error_response(415, "packed bodies (Content-Encoding) are not taken: send them as they are");
  const std::string length = request.header("Content-Length").value_or("0");
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
  if (error != std::errc{} || end != length.data() + length.size())
    return error_response(400, "the header Content-Length is no number of bytes");
  const std::size_t most = std::max(largest_body, request.path == "/api/save" ? saved_bytes_ : 0);
  if (bytes > most) return error_response(413, fmt::format("the body has {} bytes: {} are taken here", bytes, most));
  return std::nullopt;
}

}  // namespace vergence::cli
