// SPDX-License-Identifier: Apache-2.0
// The web server by means of cpp-httplib, and the module's one function.
#include <httplib.h>
#include <sys/socket.h>

#include <memory>
#include <utility>

#include "view/httplib/page.hpp"
#include "view/server.hpp"

namespace vergence::cli {
namespace {

HttpRequest request_of(const httplib::Request& from, bool with_body) {
  HttpRequest request;
  request.method = from.method;
  request.path = from.path;
  request.query.assign(from.params.begin(), from.params.end());
  request.headers.assign(from.headers.begin(), from.headers.end());
  if (with_body) request.body = from.body;
  return request;
}

/// The pieces from `offset` on, at most `length` bytes, to the client.
bool send(const HttpResponse& response, std::size_t offset, std::size_t length, httplib::DataSink& sink) {
  for (const std::span<const std::byte> piece : response.pieces) {
    if (offset >= piece.size()) {
      offset -= piece.size();
      continue;
    }
    const std::size_t count = std::min(length, piece.size() - offset);
    if (!sink.write(reinterpret_cast<const char*>(piece.data()) + offset, count)) return false;
    length -= count;
    offset = 0;
    if (length == 0) break;
  }
  return true;
}

/// By a provider, which the library does not compress: that would take longer than a map takes to match. `last`: the
/// connection ends with it.
void respond(HttpResponse&& from, httplib::Response& to, bool last) {
  to.status = from.status;
  for (const auto& [name, value] : from.headers) to.set_header(name, value);
  if (last) to.set_header("Connection", "close");
  std::size_t size = 0;
  for (const std::span<const std::byte> piece : from.pieces) size += piece.size();
  if (size == 0) return to.set_content("", 0, from.type);
  const auto held = std::make_shared<const HttpResponse>(std::move(from));
  // The library closes the connection of a provider that says false; all has been sent by then.
  to.set_content_provider(size, held->type,
                          [held, last](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                            return send(*held, offset, length, sink) && !last;
                          });
}

class LibraryServer final : public HttpServer {
 public:
  LibraryServer(HttpHandlers handlers, const HttpLimits& limits) : handlers_(std::move(handlers)) {
    const int threads = limits.threads;
    server_.new_task_queue = [threads] { return new httplib::ThreadPool(static_cast<std::size_t>(threads)); };
    server_.set_payload_max_length(limits.body_bytes);
    server_.set_read_timeout(limits.seconds, 0);
    server_.set_write_timeout(limits.seconds, 0);
    server_.set_keep_alive_timeout(limits.seconds);
    server_.set_keep_alive_max_count(1'000'000);
    server_.set_tcp_nodelay(true);
    // Without the library's SO_REUSEPORT, by which two servers share a port.
    server_.set_socket_options([](socket_t socket) {
      const int on = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      auto refused = handlers_.admit(request_of(request, false));
      if (!refused) return httplib::Server::HandlerResponse::Unhandled;
      respond(std::move(*refused), response, true);  // its body, unread, would be taken for the next request
      return httplib::Server::HandlerResponse::Handled;
    });
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      respond(handlers_.answer(request_of(request, true)), response, false);
    };
    server_.Get(".*", answer);
    server_.Post(".*", answer);
  }

  std::optional<int> listen(const std::string& address, int port) override {
    if (port == 0) {
      const int taken = server_.bind_to_any_port(address);
      return taken > 0 ? std::optional(taken) : std::nullopt;
    }
    return server_.bind_to_port(address, port) ? std::optional(port) : std::nullopt;
  }
  void serve() override { server_.listen_after_bind(); }

 private:
  HttpHandlers handlers_;
  httplib::Server server_;
};

std::unique_ptr<HttpServer> make_server(HttpHandlers handlers, const HttpLimits& limits) {
  return std::make_unique<LibraryServer>(std::move(handlers), limits);
}

constexpr ViewModule view_module_here{make_server, page_files};

}  // namespace
}  // namespace vergence::cli

extern "C" __attribute__((visibility("default"))) const vergence::cli::ViewModule* vergence_view_module(int version) {
  return version == vergence::cli::view_module_version ? &vergence::cli::view_module_here : nullptr;
}
