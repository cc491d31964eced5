// SPDX-License-Identifier: Apache-2.0
// Runs a track case on a device, compares two runs, hashes one.
#include "verify/track_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "verify/guarded_map.hpp"

namespace vergence {
namespace {

constexpr std::size_t added = 8;  ///< of the case's points, to the video's tracks

TrackList list_of(std::string name, std::span<const TrackPosition> positions) {
  TrackList list{std::move(name), {"x", "y"}, {}};
  for (const TrackPosition at : positions) list.values.insert(list.values.end(), {at.x, at.y});
  return list;
}

TrackList list_of(std::string name, std::span<const TrackedPoint> points) {
  TrackList list{std::move(name), {"x", "y", "status", "converged", "residual", "way_back"}, {}};
  for (const TrackedPoint& point : points)
    list.values.insert(list.values.end(), {point.position.x, point.position.y, static_cast<std::int64_t>(point.status),
                                           point.converged ? 1 : 0, point.residual, point.way_back});
  return list;
}

TrackList list_of(std::string name, std::span<const Track> tracks) {
  TrackList list{std::move(name), {"id", "x", "y", "age", "status", "converged", "residual", "way_back"}, {}};
  for (const Track& track : tracks)
    list.values.insert(list.values.end(), {static_cast<std::int64_t>(track.id), track.position.x, track.position.y,
                                           track.age, static_cast<std::int64_t>(track.status), track.converged ? 1 : 0,
                                           track.residual, track.way_back});
  return list;
}

template <class P>
bool same_pixels(ImageView<const P> a, ImageView<const P> b) {
  for (int y = 0; y < a.height(); ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width(), b.row(y))) return false;
  return true;
}

template <class P>
void run_flow(const Device& device, const TrackCase& track_case, ImageView<const P> previous,
              ImageView<const P> current, const TrackPoints& points, ImageView<const std::uint8_t> mask,
              TrackRun& run) {
  PointFlow flow(device, track_case.size, track_case.options);
  flow.push(previous);
  run.lists.push_back(list_of("first corners", flow.corners(1000)));
  flow.push(current);
  run.lists.push_back(list_of("corners", flow.corners(30, points.points, mask)));
  std::vector<TrackedPoint> found(points.points.size());
  flow.track(points.points, found);
  run.lists.push_back(list_of("points", found));
  flow.track(points.points, found, points.guesses);
  run.lists.push_back(list_of("guessed points", found));
}

template <class P>
void run_tracker(const Device& device, const TrackCase& track_case, ImageView<const P> previous,
                 ImageView<const P> current, const TrackPoints& points, ImageView<const std::uint8_t> mask,
                 TrackRun& run) {
  PointTracker tracker(device, track_case.size, track_case.options);
  tracker.set_mask(mask);
  tracker.add(std::span(points.points).first(std::min(points.points.size(), added)));
  int index = 0;
  for (const ImageView<const P>& frame : {previous, current, previous}) {
    const std::span<const Track> tracks = tracker.next(frame);
    run.lists.push_back(list_of(fmt::format("tracks of frame {}", index), tracks));
    TrackList history{fmt::format("history in frame {}", index++), {"x", "y"}, {}};
    for (std::size_t i = 0; i < tracks.size(); ++i)
      for (const TrackPosition at : tracker.history(i)) history.values.insert(history.values.end(), {at.x, at.y});
    run.lists.push_back(std::move(history));
  }
}

}  // namespace

template <class P>
TrackRun run_track(const Device& device, const TrackCase& track_case, const TrackFrames<P>& frames,
                   const TrackPoints& points, int padding) {
  const GuardedMap<P> previous(frames.previous.view(), padding);
  const GuardedMap<P> current(frames.current.view(), padding / 3);
  const Image<std::uint8_t> mask = make_track_mask(track_case);
  TrackRun run;
  run_flow<P>(device, track_case, previous.view(), current.view(), points, mask, run);
  run_tracker<P>(device, track_case, previous.view(), current.view(), points, mask, run);
  run.intact = previous.intact() && current.intact() && same_pixels(previous.view(), frames.previous.view()) &&
               same_pixels(current.view(), frames.current.view());
  return run;
}
template TrackRun run_track(const Device&, const TrackCase&, const TrackFrames<std::uint8_t>&, const TrackPoints&, int);
template TrackRun run_track(const Device&, const TrackCase&, const TrackFrames<std::uint16_t>&, const TrackPoints&,
                            int);

TrackRun run_track(const Device& device, const TrackCase& track_case, int padding) {
  const TrackPoints points = make_track_points(track_case);
  if (track_case.options.depth == Depth::u8)
    return run_track(device, track_case, make_track_frames<std::uint8_t>(track_case), points, padding);
  return run_track(device, track_case, make_track_frames<std::uint16_t>(track_case), points, padding);
}

std::string first_difference(const TrackRun& expected, const TrackRun& got) {
  for (std::size_t i = 0; i < expected.lists.size() && i < got.lists.size(); ++i) {
    const TrackList& a = expected.lists[i];
    const TrackList& b = got.lists[i];
    const std::size_t fields = a.fields.size();
    for (std::size_t k = 0; k < std::min(a.values.size(), b.values.size()); ++k)
      if (a.values[k] != b.values[k])
        return fmt::format("{}: {} of number {} is {}, must be {}", a.name, a.fields[k % fields], k / fields,
                           b.values[k], a.values[k]);
    if (a.values.size() != b.values.size())
      return fmt::format("{}: there are {}, must be {}", a.name, b.values.size() / fields, a.values.size() / fields);
  }
  if (expected.lists.size() != got.lists.size()) return "a list is missing";
  return got.intact ? std::string() : "a frame, or memory around it, was changed";
}

std::uint64_t hash_run(const TrackRun& run, std::uint64_t hash) {
  for (const TrackList& list : run.lists) {
    hash = hash_value(hash, list.values.size());
    for (const std::int64_t value : list.values) hash = hash_value(hash, static_cast<std::uint64_t>(value));
  }
  return hash;
}

}  // namespace vergence
