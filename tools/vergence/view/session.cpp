// SPDX-License-Identifier: Apache-2.0
// Paths that are about a scene, and what they do.
#include "view/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "cli/live_option.hpp"
#include "view/pair_doubts.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t most_kept_maps = 8;
constexpr std::size_t longest_client = 64;

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

/// Of both that are compared, also where newer ones come meanwhile.
void fix_frame(ViewCaller& request, std::int64_t otherwise) {
  if (!request.frame) request.frame = otherwise;
}

HttpResponse no_longer_kept() {
  return error_response(404, "the maps of this request are no longer kept: ask /api/stereo for them again");
}

}  // namespace

ViewSession::ViewSession(ViewFiles files, ViewDevices& devices)
    : files_(std::move(files)),
      scene_(open_view_scene(files_.read, files_.told, files_.flow)),
      start_(view_start(files_.told, *scene_, devices, "view")),
      work_{*scene_, devices} {}

std::optional<HttpResponse> ViewSession::answer(const HttpRequest& request) {
  if (request.method != "POST") return get(request);
  if (request.path == "/api/motion") return motion(request.body);
  if (request.path == "/api/track") return track(request.body);
  if (request.path == "/api/compare/motion") return compare_motion(request.body);
  if (request.path == "/api/compare/track") return compare_tracks(request.body);
  return post_pair(request);
}

std::optional<HttpResponse> ViewSession::get(const HttpRequest& request) {
  if (request.path == "/api/scene") {
    Json json = view_scene_json(*scene_, *scene_->begin(), start_);
    json["root"] = files_.has_root;
    return json_response(json);
  }
  if (request.path == "/api/pictures") return pictures(request);
  if (request.path == "/api/live") return live(request);
  return std::nullopt;
}

std::optional<HttpResponse> ViewSession::post_pair(const HttpRequest& request) {
  static const std::map<std::string_view, HttpResponse (ViewSession::*)(const std::string&)> answers{
      {"/api/stereo", &ViewSession::stereo},
      {"/api/maps", &ViewSession::whole_maps},
      {"/api/report", &ViewSession::report},
      {"/api/compare", &ViewSession::compare}};
  const auto found = answers.find(request.path);
  if (found == answers.end()) return std::nullopt;
  if (!scene_->is_pair())
    return error_response(422, fmt::format("{} is one video and has no disparities", scene_->name()));
  return (this->*found->second)(request.body);
}

HttpResponse ViewSession::pictures(const HttpRequest& request) {
  const std::int64_t number = frame_number(request, scene_->first_frame());
  if (const auto client = request.parameter("client")) scene_->look(client->substr(0, longest_client), number);
  const std::shared_ptr<const ViewFrame> frame = scene_->frame(number);
  Packet packet;
  packet.add("left", frame->left.view(), frame);
  if (!frame->right.empty()) packet.add("right", frame->right.view(), frame);
  if (!frame->truth.empty()) packet.add("truth", frame->truth.view(), frame);
  return packet.response(Json{{"frame", number}, {"width", frame->left.width()}, {"height", frame->left.height()}});
}

void ViewSession::keep(const ViewRequest& request, std::shared_ptr<const ViewMaps> maps) {
  if (request.client.empty() || (request.report && request.every == 1)) return;  // nothing is left to ask for
  const std::lock_guard lock(mutex_);
  const auto is_newer = [&](const auto& one) {
    return one.first.first == request.client && one.first.second > request.serial;
  };
  if (std::any_of(kept_.begin(), kept_.end(), is_newer)) return;  // it was quicker
  std::erase_if(kept_, [&](const auto& one) { return one.first.first == request.client; });
  kept_.emplace_front(Client{request.client, request.serial}, std::move(maps));
  if (kept_.size() > most_kept_maps) kept_.pop_back();
}

HttpResponse ViewSession::stereo(const std::string& body) {
  const ViewRequest request = parse_view_request(body, false);
  work_.clients.come(request);
  const auto maps = matching_.match(request, request.match);
  Json json = maps_json(*maps, *scene_);
  if (request.report) add_report_members(json, report_of(*maps));
  keep(request, maps);
  Packet packet;
  add_maps(packet, "", maps, request.every);
  return packet.response(std::move(json));
}

HttpResponse ViewSession::compare(const std::string& body) {
  ViewRequest request = parse_view_request(body, true);
  work_.clients.come(request);
  fix_frame(request, scene_->first_frame());
  const auto a = matching_.match(request, request.match);
  const auto b = matching_.match(request, request.other);
  const MapDifference difference = difference_of(*a->maps, *b->maps);
  Json json{{"a", maps_json(*a, *scene_)}, {"b", maps_json(*b, *scene_)}};
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

/// The maps that the same client and serial got from /api/stereo: they are shown before hash and scores are known.
std::shared_ptr<const ViewMaps> ViewSession::kept(const ViewRequest& request) {
  work_.clients.check(request);
  const std::lock_guard lock(mutex_);
  const auto wanted = [&](const auto& one) { return one.first == Client{request.client, request.serial}; };
  const auto found = std::find_if(kept_.begin(), kept_.end(), wanted);
  return found != kept_.end() ? found->second : nullptr;
}

HttpResponse ViewSession::report(const std::string& body) {
  const ViewRequest request = parse_view_request(body, false);
  const auto maps = kept(request);
  if (!maps) return no_longer_kept();
  Json json = maps_json(*maps, *scene_);
  add_report_members(json, report_of(*maps));
  json["warnings"] = Json::array();
  if (!scene_->is_live())  // whose frames are newer than what would be said of them
    for (const std::string& line : pair_doubts(files_.read, files_.told, *maps, request.match.settings))
      json["warnings"].push_back(line);
  return json_response(json);
}

HttpResponse ViewSession::whole_maps(const std::string& body) {
  const auto maps = kept(parse_view_request(body, false));
  if (!maps) return no_longer_kept();
  Packet packet;
  add_maps(packet, "", maps);
  return packet.response(maps_json(*maps, *scene_));
}

HttpResponse ViewSession::live(const HttpRequest& request) {
  const std::optional<ViewLive> now = scene_->live(frame_number(request, -1, "after", -1));
  if (!now) return error_response(404, fmt::format("{} is no live source", scene_->name()));
  Json json = live_json(now->report);
  json["frame"] = now->newest;
  json["failure"] = now->failure;
  return json_response(json);
}

HttpResponse ViewSession::motion(const std::string& body) {
  const ViewMotionRequest request = parse_motion_request(body, false);
  work_.clients.come(request);
  const auto field = motion_.search(request, request.choice);
  Packet packet;
  add_field(packet, "", field);
  return packet.response(motion_json(*field, *scene_));
}

HttpResponse ViewSession::compare_motion(const std::string& body) {
  ViewMotionRequest request = parse_motion_request(body, true);
  work_.clients.come(request);
  fix_frame(request, scene_->first_frame() + 1);
  const auto a = motion_.search(request, request.choice);
  const auto b = motion_.search(request, request.other);
  const FieldDifference difference = difference_of(*a, *b);
  Json json{{"a", motion_json(*a, *scene_)}, {"b", motion_json(*b, *scene_)}};
  json["differing_bytes"] = difference.bytes ? Json(*difference.bytes) : Json();
  json["differing_pixels"] = difference.pixels;
  Packet packet;
  add_field(packet, "a.", a);
  add_field(packet, "b.", b);
  return packet.response(std::move(json));
}

HttpResponse ViewSession::track(const std::string& body) {
  const ViewTrackRequest request = parse_track_request(body, false);
  work_.clients.come(request);
  const auto list = tracks_.follow(request, request.choice);
  Packet packet;
  add_tracks(packet, "", *list);
  return packet.response(track_json(*list, *scene_));
}

HttpResponse ViewSession::compare_tracks(const std::string& body) {
  ViewTrackRequest request = parse_track_request(body, true);
  work_.clients.come(request);
  fix_frame(request, scene_->first_frame());
  const auto a = tracks_.follow(request, request.choice);
  const auto b = tracks_.follow(request, request.other);
  const TrackDifference difference = difference_of(*a, *b);
  Json json{{"a", track_json(*a, *scene_)}, {"b", track_json(*b, *scene_)}};
  json["differing_bytes"] = difference.bytes;
  json["differing_tracks"] = difference.tracks;
  Packet packet;
  add_tracks(packet, "a.", *a);
  add_tracks(packet, "b.", *b);
  return packet.response(std::move(json));
}

}  // namespace vergence::cli
