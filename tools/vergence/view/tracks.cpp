// SPDX-License-Identifier: Apache-2.0
// Tracks for the page.
#include "view/tracks.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "cli/stopwatch.hpp"
#include "view/differing_bytes.hpp"
#include "view/domain.hpp"

namespace vergence::cli {
namespace {

/// Positions of a track that its tail shows.
constexpr int tail = 32;
/// Numbers of a track in the packet: id, x, y (1/1024 px), status, age, residual, way back.
constexpr int numbers_of_track = 7;

using TrackRow = std::array<std::int32_t, numbers_of_track>;

TrackRow row_of(const Track& track) {
  return {static_cast<std::int32_t>(track.id),
          track.position.x,
          track.position.y,
          static_cast<std::int32_t>(track.status),
          static_cast<std::int32_t>(track.age),
          static_cast<std::int32_t>(track.residual),
          static_cast<std::int32_t>(track.way_back)};
}

std::shared_ptr<Image<std::int32_t>> numbers_of(const std::vector<Track>& tracks) {
  auto numbers = std::make_shared<Image<std::int32_t>>(numbers_of_track, static_cast<int>(tracks.size()));
  int y = 0;
  for (const Track& track : tracks) {
    const TrackRow row = row_of(track);
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

void ViewTracks::Run::take(const ViewFrame& frame) {
  const std::span<const Track> tracks = tracker.next(frame.pair.left);
  hash.add(next, tracks);
  ++next;
  if (!started) started = tracks.size();
  if (before)
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const Track& track = tracks[i];
      const std::span<const TrackPosition> history = tracker.history(i);
      const bool found = track.status == TrackStatus::tracked;
      if (found && history.size() < 2) continue;  // it begins here
      const TrackPosition from = found ? history[history.size() - 2] : track.position;
      const auto px = [](std::int32_t position) { return position / 1024.0; };
      scorer.add({px(from.x), px(from.y), found, px(track.position.x), px(track.position.y)}, before->flow.view());
    }
}

void ViewTracks::add_figures(const Run& run, ViewTrackList& list) {
  std::uint64_t alive = 0, followed = 0;
  double residual = 0;
  for (const Track& track : list.now.tracks) {
    if (track.status != TrackStatus::tracked) continue;
    alive += track.id < run.started.value_or(0) ? 1U : 0U;
    if (track.age == 0) continue;
    ++followed;
    residual += track.residual / 1024.0;
  }
  if (run.started.value_or(0) > 0)
    list.survival = 100.0 * static_cast<double>(alive) / static_cast<double>(*run.started);
  if (followed > 0) list.residual = residual / static_cast<double>(followed);
  if (const TrackScore score = run.scorer.score(); score.found > 0) list.epe = score.mean_error;
}

std::shared_ptr<const ViewTrackList> ViewTracks::follow(const ViewTrackRequest& request,
                                                        const ViewChoice<TrackSettings>& what) {
  Stopwatch watch;
  ViewScene& scene = work_.scene;
  const std::int64_t number = request.frame.value_or(scene.first_frame());
  const auto wanted = scene.frame(number);
  const bool is_live = scene.is_live();
  // What is there now may be gone when its turn comes.
  const std::vector<std::shared_ptr<const ViewFrame>> earlier = scene.before(number);
  const std::int64_t first = is_live ? number - static_cast<std::int64_t>(earlier.size()) : scene.first_frame();
  const GreyPicture& picture = wanted->pair.left;
  TrackSettings settings = what.settings;
  adopt_track_depth(settings, picture.depth, picture.max_value, scene.name());
  settings.options.history = TrackOptions{}.history;  // no command line has it
  TrackOptions options = settings.options;
  options.history = tail;
  work_.clients.check(request);
  ViewDevice& device = work_.devices.open(what.device);
  const std::lock_guard lock(device.mutex);
  work_.clients.check(request);
  auto list = std::make_shared<ViewTrackList>();
  list->wait_ms = watch.lap();
  const Size size = picture.size();
  const auto make = [&] { return std::make_unique<Run>(device.device, size, options, first); };
  Run& run = runs_.get(device, size, Key{options, request.client}, make);
  if (!run.started) run.next = first;  // an earlier request failed before its first frame, which may be gone
  if (run.next > number + 1) run = Run(device.device, size, options, first);
  if (is_live && run.started && run.next < number) run.next = number;  // what was not shown is left out
  watch.lap();
  while (run.next <= number) {
    work_.clients.check(request);
    const auto frame = run.next == number ? wanted
                       : is_live          ? earlier[static_cast<std::size_t>(run.next - first)]
                                          : scene.frame(run.next);
    run.take(*frame);
    run.before = frame->flow.empty() ? nullptr : frame;
    ++list->frames;
  }
  list->track_ms = watch.lap();
  list->now.take(run.tracker, true);
  add_figures(run, *list);
  list->hash = run.hash.value();
  list->device = device.device.name();
  list->preset = what.preset;
  list->asked = settings.options;
  list->frame = number;
  return list;
}

Json track_start_json(const ViewFrame& frame) {
  TrackSettings settings;
  adopt_track_depth(settings, frame.pair.left.depth, frame.pair.left.max_value, "the scene");
  return Json{{"preset", "default"}, {"settings", track_settings_json(settings.options)}};
}

TrackDifference difference_of(const ViewTrackList& a, const ViewTrackList& b) {
  TrackDifference difference;
  auto one = a.now.tracks.begin(), other = b.now.tracks.begin();  // in the order of their ids
  while (one != a.now.tracks.end() || other != b.now.tracks.end()) {
    const bool only_b = one == a.now.tracks.end() || (other != b.now.tracks.end() && other->id < one->id);
    const bool only_a = !only_b && (other == b.now.tracks.end() || one->id < other->id);
    std::int64_t bytes = only_a || only_b ? std::int64_t{sizeof(TrackRow)} : 0;
    if (bytes == 0) {
      const TrackRow from = row_of(*one), to = row_of(*other);
      for (std::size_t i = 0; i < from.size(); ++i) bytes += differing_bytes(from[i], to[i]);
    }
    difference.bytes += bytes;
    difference.tracks += bytes > 0 ? 1 : 0;
    if (!only_b) ++one;
    if (!only_a) ++other;
  }
  return difference;
}

Json track_json(const ViewTrackList& list, const ViewScene& scene) {
  const auto number = [](const std::optional<double>& value) { return value ? json_number(*value, 4) : Json(); };
  Json json{{"device", list.device}, {"preset", list.preset}, {"frame", list.frame}};
  json["settings"] = track_settings_json(list.asked);
  json["ms"] = Json{{"wait", json_number(list.wait_ms, 3)}, {"track", json_number(list.track_ms, 3)}};
  json["frames"] = list.frames;
  json["survival"] = number(list.survival);
  json["residual"] = number(list.residual);
  json["epe"] = number(list.epe);
  Json statuses = Json::array();
  for (int status = 0; status <= static_cast<int>(TrackStatus::too_close); ++status)
    statuses.push_back(to_text(static_cast<TrackStatus>(status)));
  json["statuses"] = std::move(statuses);
  json["hash"] = hash_text(list.hash);
  // A run of one frame alone is refused by the program.
  const std::int64_t first = scene.first_frame();
  const std::string command = list.frame == first ? "" : scene.video_command("track", first, list.frame);
  json["command"] = command.empty() ? "" : command + options_words(list.preset, list.asked, list.device);
  return json;
}

void add_tracks(Packet& packet, const std::string& prefix, const ViewTrackList& list) {
  const auto add = [&](const char* name, const std::shared_ptr<Image<std::int32_t>>& numbers) {
    if (!numbers->empty()) packet.add(prefix + name, std::as_const(*numbers).view(), numbers);
  };
  add("tracks", numbers_of(list.now.tracks));
  add("positions", positions_of(list.now.positions));
  add("ends", ends_of(list.now.ends));
}

}  // namespace vergence::cli
