// SPDX-License-Identifier: Apache-2.0
// Requests and responses of `vergence view`, whatever library carries them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vergence::cli {

/// What a client sent. Names of headers are as it wrote them: use header().
struct HttpRequest {
  std::string method;  ///< "GET"
  std::string path;    ///< "/api/scene", decoded.
  std::vector<std::pair<std::string, std::string>> query, headers;
  std::string body;

  /// How many headers have that name, in upper or lower case.
  std::size_t count(std::string_view name) const;
  /// The value of the first of them.
  std::optional<std::string> header(std::string_view name) const;
  /// The first value of that name behind the path.
  std::optional<std::string> parameter(std::string_view name) const;
};

/// What it gets. `pieces` follow each other; `owner` keeps their bytes until the client has them or is gone.
struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers{};
  std::vector<std::span<const std::byte>> pieces{};
  std::shared_ptr<const void> owner{};
};

/// A response that holds a text.
HttpResponse text_response(int status, std::string type, std::string text);

/// The JSON of a refusal: {"error": {"message": "...", "field": "..."}}.
HttpResponse error_response(int status, std::string_view message, std::string_view field = {});

}  // namespace vergence::cli
