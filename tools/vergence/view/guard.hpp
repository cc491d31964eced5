// SPDX-License-Identifier: Apache-2.0
// Which requests are answered: those of who knows the token, sent to this server by its own page or by a program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "view/http.hpp"

namespace vergence::cli {

/// The part of a header Host or Origin behind the scheme: "127.0.0.1:8080", "[::1]:8080". A port that is not told is
/// 80.
struct HostPort {
  std::string host;  ///< In lower case, of IPv6 without brackets.
  int port = 80;
  friend bool operator==(const HostPort&, const HostPort&) = default;
};
/// Of IPv4 or IPv6.
bool is_address(const std::string& host);
/// Nothing where the text has another form.
std::optional<HostPort> parse_host(std::string_view text);

/// A token of 128 random bits as 32 hexadecimal digits. Error(io) where the system gives none.
std::string random_token();

/// Whether both are equal, in a time that does not tell where they differ.
bool equal_secrets(std::string_view a, std::string_view b);

/// Checks every request before its body is read.
class Guard {
 public:
  /// `address`: the IP address that is listened at. `saved_bytes`: the largest body of /api/save; other bodies may have
  /// 64 KiB.
  Guard(std::string address, int port, std::string token, std::size_t saved_bytes = 0);

  /// A refusal, or nothing where the request may pass.
  std::optional<HttpResponse> refuse(const HttpRequest& request) const;
  /// The header Set-Cookie by which the page's later requests carry the token.
  std::string cookie() const;

 private:
  bool is_own(const HostPort& host) const;
  std::optional<HttpResponse> refuse_body(const HttpRequest& request) const;
  std::optional<std::string> token_of(const HttpRequest& request) const;

  std::string address_;
  int port_;
  std::string token_, cookie_name_;
  std::size_t saved_bytes_;
};

}  // namespace vergence::cli
