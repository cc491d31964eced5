// SPDX-License-Identifier: Apache-2.0
// The web server of `vergence view`, as the rest of the program sees it. It lies in a module of its own, opened at its
// first use, because its libraries (cpp-httplib, and with it TLS and compression) are many and most runs need none.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "view/http.hpp"

namespace vergence::cli {

struct HttpHandlers {
  /// Called before a request's body is read: a response here is the answer.
  std::function<std::optional<HttpResponse>(const HttpRequest&)> admit;
  /// Called by many threads at once, each with its own request. Neither may throw.
  std::function<HttpResponse(const HttpRequest&)> answer;
};

struct HttpLimits {
  std::size_t body_bytes = 0;  ///< Longer bodies are refused with status 413.
  int seconds = 5;             ///< A client that neither sends nor takes a byte for so long is left.
  int threads = 128;           ///< Connections served at once; more wait.
};

/// One thread makes it and calls both.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  /// Takes the port, 0 = any that is free. Returns it, or nothing where the system refuses.
  virtual std::optional<int> listen(const std::string& address, int port) = 0;
  /// Returns only where the system gives no more connections.
  virtual void serve() = 0;
};

/// A file of the page, compressed by gzip.
struct PageFile {
  std::string_view path;  ///< "/index.html"
  std::string_view type;  ///< "text/html; charset=utf-8"
  std::span<const unsigned char> bytes;
};

/// What the module's one function gives, vergence_view_module(version). Counted up when something above changes.
constexpr int view_module_version = 2;
struct ViewModule {
  std::unique_ptr<HttpServer> (*make_server)(HttpHandlers handlers, const HttpLimits& limits);
  std::span<const PageFile> (*page)();
};

/// Throws Error(unsupported) where this build has no such module, with how to get it, or where it cannot be opened.
const ViewModule& view_module();

}  // namespace vergence::cli
