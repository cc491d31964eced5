// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a client sends to `vergence view`: a body, a path below the root, a header Host, a header Cookie.
#include <string>
#include <string_view>

#include "map_consumers.hpp"
#include "view/guard.hpp"
#include "view/requests.hpp"
#include "view/root.hpp"

namespace {

using namespace vergence::cli;  // NOLINT(google-build-using-namespace)

/// Names of settings and presets may be unknown, too.
template <class Call>
void accept_refusals(const Call& call) {
  vergence::fuzz::accept_errors([&] {
    try {
      call();
    } catch (const vergence::Error& error) {
      if (error.code() != vergence::ErrorCode::not_found) throw;
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  accept_refusals([&] { parse_view_request(text, false); });
  accept_refusals([&] { parse_view_request(text, true); });
  for (const bool compares : {false, true}) {
    accept_refusals([&] { parse_motion_request(text, compares); });
    accept_refusals([&] { parse_track_request(text, compares); });
  }
  accept_refusals([&] { parse_open_request(text); });
  accept_refusals([&] {
    for (const std::string& part : path_parts(text))
      vergence::fuzz::require(!part.empty() && part.front() != '.' &&
                              part.find_first_of(std::string("/\0", 2)) == part.npos);
  });
  if (const auto host = parse_host(text)) {
    vergence::fuzz::require(!host->host.empty() && host->port >= 1 && host->port <= 65535);
    vergence::fuzz::require(host->host.find_first_of("/@ \\?#\r\n") == std::string::npos);
  }
  const Guard guard("127.0.0.1", 8080, "0123456789abcdef0123456789abcdef");
  HttpRequest request;
  request.method = "GET";
  request.headers = {{"Host", "127.0.0.1:8080"}, {"Cookie", text}};
  const bool passes = !guard.refuse(request).has_value();
  vergence::fuzz::require(!passes ||
                          text.find("vergence-view-8080=0123456789abcdef0123456789abcdef") != std::string::npos);
  return 0;
}
