// SPDX-License-Identifier: Apache-2.0
// Tracks for the page.
#include "view/tracks.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "cli/stopwatch.hpp"

namespace vergence::cli {
namespace {

/// Positions of a track that its tail shows.
constexpr int tail = 32;
/// Numbers of a track in the packet: id, x, y (1/1024 px), status, age, residual, way back.
constexpr int numbers_of_track = 7;

std::string track_words(const ViewTrackList& list) {
  const TrackOptions& preset = track_preset(list.preset).options;
  return settings_words(
             list.preset, track_fields(), [&](const Field& one) { return track_get(preset, one.name); },
             [&](const Field& one) { return track_get(list.asked, one.name); }) +
         (list.device == "cpu" ? "" : " --device " + list.device);
}

std::shared_ptr<Image<std::int32_t>> numbers_of(const std::vector<Track>& tracks) {
  auto numbers = std::make_shared<Image<std::int32_t>>(numbers_of_track, static_cast<int>(tracks.size()));
  int y = 0;
  for (const Track& track : tracks) {
    const std::array<std::int32_t, numbers_of_track> row{static_cast<std::int32_t>(track.id),
                                                         track.position.x,
                                                         track.position.y,
                                                         static_cast<std::int32_t>(track.status),
                                                         static_cast<std::int32_t>(track.age),
                                                         static_cast<std::int32_t>(track.residual),
                                                         static_cast<std::int32_t>(track.way_back)};
    for (int x = 0; x < numbers_of_track; ++x) (*numbers)(x, y) = row[static_cast<std::size_t>(x)];
    ++y;
  }
  return numbers;
}

/// The positions of track i end at number ends[i].
std::shared_ptr<Image<std::int32_t>> positions_of(const std::vector<TrackPosition>& positions) {
  auto numbers = std::make_shared<Image<std::int32_t>>(2, static_cast<int>(positions.size()));
  for (int y = 0; y < numbers->height(); ++y) {
    (*numbers)(0, y) = positions[static_cast<std::size_t>(y)].x;
    (*numbers)(1, y) = positions[static_cast<std::size_t>(y)].y;
  }
  return numbers;
}

std::shared_ptr<Image<std::int32_t>> ends_of(const std::vector<std::size_t>& ends) {
  auto numbers = std::make_shared<Image<std::int32_t>>(1, static_cast<int>(ends.size()));
  for (int y = 0; y < numbers->height(); ++y)
    (*numbers)(0, y) = static_cast<std::int32_t>(ends[static_cast<std::size_t>(y)]);
  return numbers;
}

}  // namespace

std::shared_ptr<const ViewTrackList> ViewTracks::follow(const ViewTrackRequest& request) {
  Stopwatch watch;
  const std::int64_t first = work_.scene.first_frame();
  const std::int64_t number = request.frame.value_or(first);
  const auto wanted = work_.scene.frame(number);
  const GreyPicture& picture = wanted->pair.left;
  TrackSettings settings = request.choice.settings;
  adopt_track_depth(settings, picture.depth, picture.max_value, work_.scene.name());
  settings.options.history = TrackOptions{}.history;  // no command line has it
  TrackOptions options = settings.options;
  options.history = tail;
  work_.clients.check(request);
  ViewDevice& device = work_.devices.open(request.choice.device);
  const std::lock_guard lock(device.mutex);
  auto list = std::make_shared<ViewTrackList>();
  list->wait_ms = watch.lap();
  const Size size = picture.size();
  Run& run =
      runs_.get(device, size, options, [&] { return std::make_unique<Run>(device.device, size, options, first); });
  if (run.next > number + 1) run = Run(device.device, size, options, first);
  if (run.next < number && work_.scene.live(-1)) run.next = number;  // what was not shown is gone
  watch.lap();
  while (run.next <= number) {
    work_.clients.check(request);
    const auto frame = run.next == number ? wanted : work_.scene.frame(run.next);
    run.hash.add(run.next, run.tracker.next(frame->pair.left));
    ++run.next;
    ++list->frames;
  }
  list->track_ms = watch.lap();
  list->now.take(run.tracker, true);
  list->hash = run.hash.value();
  list->device = device.device.name();
  list->preset = request.choice.preset;
  list->asked = settings.options;
  list->frame = number;
  return list;
}

Json track_start_json(const ViewFrame& frame) {
  TrackSettings settings;
  adopt_track_depth(settings, frame.pair.left.depth, frame.pair.left.max_value, "the scene");
  return Json{{"preset", "default"}, {"settings", track_settings_json(settings.options)}};
}

HttpResponse track_response(const ViewTrackList& list, const ViewScene& scene) {
  Json json{{"device", list.device}, {"preset", list.preset}, {"frame", list.frame}};
  json["settings"] = track_settings_json(list.asked);
  json["ms"] = Json{{"wait", json_number(list.wait_ms, 3)}, {"track", json_number(list.track_ms, 3)}};
  json["frames"] = list.frames;
  Json statuses = Json::array();
  for (int status = 0; status <= static_cast<int>(TrackStatus::too_close); ++status)
    statuses.push_back(to_text(static_cast<TrackStatus>(status)));
  json["statuses"] = std::move(statuses);
  json["hash"] = hash_text(list.hash);
  // A run of one frame alone is refused by the program.
  const std::int64_t first = scene.first_frame();
  const std::string command = list.frame == first ? "" : scene.video_command("track", first, list.frame);
  json["command"] = command.empty() ? "" : command + track_words(list);
  Packet packet;
  const auto add = [&packet](const char* name, const std::shared_ptr<Image<std::int32_t>>& numbers) {
    if (!numbers->empty()) packet.add(name, std::as_const(*numbers).view(), numbers);
  };
  add("tracks", numbers_of(list.now.tracks));
  add("positions", positions_of(list.now.positions));
  add("ends", ends_of(list.now.ends));
  return packet.response(std::move(json));
}

}  // namespace vergence::cli
