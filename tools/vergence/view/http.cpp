// SPDX-License-Identifier: Apache-2.0
// Headers and parameters of requests, and responses that hold a text.
#include "view/http.hpp"

#include <strings.h>

#include <algorithm>

#include "cli/json.hpp"

namespace vergence::cli {
namespace {

bool same_header(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

std::size_t HttpRequest::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(headers.begin(), headers.end(), [&](const auto& one) { return same_header(one.first, name); }));
}

std::optional<std::string> HttpRequest::header(std::string_view name) const {
  for (const auto& [own, value] : headers)
    if (same_header(own, name)) return value;
  return std::nullopt;
}

std::optional<std::string> HttpRequest::parameter(std::string_view name) const {
  for (const auto& [own, value] : query)
    if (own == name) return value;
  return std::nullopt;
}

HttpResponse text_response(int status, std::string type, std::string text) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  HttpResponse response;
  response.status = status;
  response.type = std::move(type);
  response.pieces = {std::as_bytes(std::span(*owner))};
  response.owner = owner;
  return response;
}

HttpResponse error_response(int status, std::string_view message, std::string_view field) {
  Json error{{"message", message}};
  if (!field.empty()) error["field"] = field;
  return text_response(status, "application/json", json_text(Json{{"error", std::move(error)}}));
}

}  // namespace vergence::cli
