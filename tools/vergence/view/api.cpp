// SPDX-License-Identifier: Apache-2.0
// Paths and what they do.
#include "view/api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <new>

#include "cli/command.hpp"
#include "cli/live_option.hpp"
#include "cli/printable.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t most_kept_maps = 8;

/// The page's own files and nothing else.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// 422: what was asked for is refused; 500: it could not be done.
int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::unsupported:
    case ErrorCode::not_found:
    case ErrorCode::bad_data:
      return 422;
    case ErrorCode::io:
    case ErrorCode::out_of_memory:
    case ErrorCode::device:
      return 500;
  }
  return 500;
}

HttpResponse not_found(const HttpRequest& request) {
  return error_response(404, one_line(fmt::format("nothing is called '{}' here", request.path.substr(0, 200))));
}

std::int64_t frame_number(const HttpRequest& request, std::int64_t otherwise, const char* name = "frame",
                          std::int64_t least = 0) {
  const std::optional<std::string> text = request.parameter(name);
  if (!text) return otherwise;
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || stop != text->data() + text->size() || number < least)
    throw Error(ErrorCode::invalid_argument, fmt::format("{} is no whole number from {} on", name, least), name);
  return number;
}

}  // namespace

ViewApi::ViewApi(ViewWork& work, const Guard& guard, std::span<const PageFile> page, ViewStart start)
    : work_(work),
      scene_(work.scene),
      matching_(work),
      motion_(work),
      tracks_(work),
      guard_(guard),
      page_(page),
      start_(std::move(start)) {}

HttpResponse ViewApi::secured(HttpResponse response) {
  response.headers.insert(response.headers.end(), {{"Content-Security-Policy", content_policy},
                                                   {"X-Content-Type-Options", "nosniff"},
                                                   {"Cross-Origin-Resource-Policy", "same-origin"},
                                                   {"Cross-Origin-Opener-Policy", "same-origin"},
                                                   {"Referrer-Policy", "no-referrer"},
                                                   {"Cache-Control", "no-store"}});
  return response;
}

HttpResponse ViewApi::answer(const HttpRequest& request) {
  try {
    return secured(route(request));
  } catch (const Superseded& error) {
    return secured(error_response(409, error.what()));
  } catch (const UsageError& error) {
    return secured(error_response(422, error.what(), error.field()));
  } catch (const Error& error) {
    return secured(error_response(status_of(error.code()), error.what(), error.field()));
  } catch (const std::bad_alloc&) {
    return secured(error_response(500, "out of memory: use smaller pictures or free memory"));
  } catch (const std::exception& error) {
    return secured(error_response(500, error.what()));
  }
}

HttpResponse ViewApi::route(const HttpRequest& request) {
  if (request.method == "GET" || request.method == "HEAD") return get(request);
  if (request.path == "/api/motion") return motion(request.body);
  if (request.path == "/api/track") return track(request.body);
  if (!scene_.is_pair() && request.path.starts_with("/api/"))
    return error_response(422, fmt::format("{} is one video and has no disparities", scene_.name()));
  if (request.path == "/api/stereo") return stereo(request.body);
  if (request.path == "/api/compare") return compare(request.body);
  if (request.path == "/api/report") return report(request.body);
  return not_found(request);
}

HttpResponse ViewApi::get(const HttpRequest& request) {
  if (request.path == "/api/fields") return json_response(view_fields_json());
  if (request.path == "/api/devices") return json_response(view_devices_json());
  if (request.path == "/api/scene") return json_response(view_scene_json(scene_, *scene_.begin(), start_));
  if (request.path == "/api/pictures") return pictures(request);
  if (request.path == "/api/live") return live(request);
  return page_file(request);
}

HttpResponse ViewApi::page_file(const HttpRequest& request) const {
  const std::string_view path = request.path == "/" ? "/index.html" : std::string_view(request.path);
  const auto found = std::find_if(page_.begin(), page_.end(), [&](const PageFile& file) { return file.path == path; });
  if (found == page_.end()) return not_found(request);
  if (request.header("Accept-Encoding").value_or("").find("gzip") == std::string::npos)
    return error_response(406, "the page is compressed by gzip: send the header Accept-Encoding: gzip");
  HttpResponse response;
  response.type = found->type;
  response.headers = {{"Content-Encoding", "gzip"}};
  // The address that was printed holds the token; what the page loads then carries it in this cookie.
  if (path == "/index.html") response.headers.emplace_back("Set-Cookie", guard_.cookie());
  response.pieces = {std::as_bytes(found->bytes)};
  return response;
}

HttpResponse ViewApi::pictures(const HttpRequest& request) {
  const std::int64_t number = frame_number(request, scene_.first_frame());
  const std::shared_ptr<const ViewFrame> frame = scene_.frame(number);
  Packet packet;
  packet.add("left", frame->left.view(), frame);
  if (!frame->right.empty()) packet.add("right", frame->right.view(), frame);
  if (!frame->truth.empty()) packet.add("truth", frame->truth.view(), frame);
  return packet.response(Json{{"frame", number}, {"width", frame->left.width()}, {"height", frame->left.height()}});
}

void ViewApi::keep(const ViewRequest& request, std::shared_ptr<const ViewMaps> maps) {
  if (request.client.empty() || request.report) return;
  const std::lock_guard lock(mutex_);
  const auto is_newer = [&](const auto& one) {
    return one.first.first == request.client && one.first.second > request.serial;
  };
  if (std::any_of(kept_.begin(), kept_.end(), is_newer)) return;  // it was quicker
  std::erase_if(kept_, [&](const auto& one) { return one.first.first == request.client; });
  kept_.emplace_front(Client{request.client, request.serial}, std::move(maps));
  if (kept_.size() > most_kept_maps) kept_.pop_back();
}

HttpResponse ViewApi::stereo(const std::string& body) {
  const ViewRequest request = parse_view_request(body, false);
  work_.clients.come(request);
  const auto maps = matching_.match(request, request.match);
  Json json = maps_json(*maps, scene_);
  if (request.report) add_report_members(json, report_of(*maps));
  keep(request, maps);
  Packet packet;
  add_maps(packet, "", maps);
  return packet.response(std::move(json));
}

HttpResponse ViewApi::compare(const std::string& body) {
  ViewRequest request = parse_view_request(body, true);
  if (!request.frame) request.frame = scene_.first_frame();  // of both, also where newer ones come meanwhile
  work_.clients.come(request);
  const auto a = matching_.match(request, request.match);
  const auto b = matching_.match(request, request.other);
  const MapDifference difference = difference_of(*a->maps, *b->maps);
  Json json{{"a", maps_json(*a, scene_)}, {"b", maps_json(*b, scene_)}};
  json["differing_bytes"] = difference.bytes;
  json["differing_pixels"] = difference.pixels;
  if (request.report) {
    add_report_members(json["a"], report_of(*a));
    add_report_members(json["b"], report_of(*b));
  }
  Packet packet;
  add_maps(packet, "a.", a);
  add_maps(packet, "b.", b);
  return packet.response(std::move(json));
}

/// Of the maps that the same client and serial got from /api/stereo: they are shown before hash and scores are known.
HttpResponse ViewApi::report(const std::string& body) {
  const ViewRequest request = parse_view_request(body, false);
  work_.clients.check(request);
  std::shared_ptr<const ViewMaps> maps;
  {
    const std::lock_guard lock(mutex_);
    const auto wanted = [&](const auto& one) { return one.first == Client{request.client, request.serial}; };
    const auto found = std::find_if(kept_.begin(), kept_.end(), wanted);
    if (found != kept_.end()) maps = found->second;
  }
  if (!maps) return error_response(404, "the maps of this request are no longer kept: ask for them with a report");
  Json json = maps_json(*maps, scene_);
  add_report_members(json, report_of(*maps));
  return json_response(json);
}

HttpResponse ViewApi::live(const HttpRequest& request) {
  const std::optional<ViewLive> now = scene_.live(frame_number(request, -1, "after", -1));
  if (!now) return error_response(404, fmt::format("{} is no live source", scene_.name()));
  Json json = live_json(now->report);
  json["frame"] = now->newest;
  json["failure"] = now->failure;
  return json_response(json);
}

HttpResponse ViewApi::motion(const std::string& body) {
  const ViewMotionRequest request = parse_motion_request(body);
  work_.clients.come(request);
  return motion_response(motion_.search(request), scene_);
}

HttpResponse ViewApi::track(const std::string& body) {
  const ViewTrackRequest request = parse_track_request(body);
  work_.clients.come(request);
  return track_response(*tracks_.follow(request), scene_);
}

}  // namespace vergence::cli
