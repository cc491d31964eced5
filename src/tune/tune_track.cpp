// SPDX-License-Identifier: Apache-2.0
// The work of tracks that candidates of an entry are tried on.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "core/random.hpp"
#include "plan/track/plan.hpp"
#include "tune/tune_work.hpp"

namespace vergence {
namespace {

/// Odd sizes, for every edge of groups, levels that end, and small enough for the reference.
constexpr Size check_sizes[] = {{131, 67}, {71, 93}};
constexpr int apart = 12;  ///< Points, in px across and down.

/// What a device makes of two frames.
struct Found {
  Found(const TrackPlan& plan, std::size_t count) : frame(plan), points(count) {}
  PreparedPlanes frame;
  std::vector<TrackedPoint> points;
};

template <class T>
std::string first_difference(const Image<T>& expected, const Image<T>& got, const char* what) {
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x)
      if (expected(x, y) != got(x, y))
        return fmt::format("{} at x {}, y {} of the level of {}x{} is {}, must be {}", what, x, y, expected.width(),
                           expected.height(), got(x, y), expected(x, y));
  return {};
}

std::string first_difference(const Found& expected, const Found& got) {
  std::string wrong;
  const TrackFrame<std::uint8_t>&a = expected.frame.bytes, &b = got.frame.bytes;
  for (std::size_t i = 0; i < a.pictures.size() && wrong.empty(); ++i) {
    wrong = first_difference(a.pictures[i], b.pictures[i], "the pixel");
    if (wrong.empty()) wrong = first_difference(a.dx[i], b.dx[i], "the gradient across");
    if (wrong.empty()) wrong = first_difference(a.dy[i], b.dy[i], "the gradient down");
  }
  for (std::size_t i = 0; i < expected.points.size() && wrong.empty(); ++i) {
    const TrackedPoint &one = expected.points[i], &other = got.points[i];
    if (!(one == other))
      wrong = fmt::format("point {} is at {},{} ({}, residual {}), must be at {},{} ({}, residual {})", i,
                          other.position.x, other.position.y, to_text(other.status), other.residual, one.position.x,
                          one.position.y, to_text(one.status), one.residual);
  }
  return wrong;
}

/// Smooth noise that moves by (3, 2), with fresh noise on it, points all over it, and what a right candidate makes of
/// it.
struct Trial {
  Trial(Size size, std::uint64_t seed, const char* reference_device, const backend::TrackWorkload& tracks)
      : follows(tracks.follows_points),
        previous(size),
        current(size),
        plan(make_track_plan(size, tracks.options)),
        queries(points_of(size)),
        expected(plan, queries.size()) {
    Random random(seed);
    Image<std::uint8_t> coarse(Size{size.width / 4 + 4, size.height / 4 + 4});
    for (int y = 0; y < coarse.height(); ++y)
      for (int x = 0; x < coarse.width(); ++x) coarse(x, y) = static_cast<std::uint8_t>(random.within(0, 250));
    const auto smooth = [&](int x, int y) {
      const int u = x / 4, v = y / 4, a = x % 4, b = y % 4;
      return ((4 - b) * ((4 - a) * coarse(u, v) + a * coarse(u + 1, v)) +
              b * ((4 - a) * coarse(u, v + 1) + a * coarse(u + 1, v + 1))) /
             16;
    };
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        previous(x, y) = static_cast<std::uint8_t>(smooth(x, y) + random.within(0, 5));
        current(x, y) = static_cast<std::uint8_t>(smooth(x + 3, y + 2) + random.within(0, 5));
      }
    look(*backend::of(Device(reference_device)).make_track(plan), expected);
  }
  static std::vector<backend::TrackQuery> points_of(Size size) {
    std::vector<backend::TrackQuery> queries;
    for (int y = 0; y < size.height; y += apart)
      for (int x = 0; x < size.width; x += apart) {
        const TrackPosition at{1024 * x + 37 * (x % 27), 1024 * y + 37 * (y % 27)};
        queries.push_back({at, at});
      }
    return queries;
  }
  void look(backend::Track& track, Found& found) const {
    track.push(previous, {});
    track.push(current, {});
    if (follows) track.lk(queries, found.points);
    track.read(found.frame);
  }
  bool follows;  ///< Else levels and gradients are all that is looked at.
  Image<std::uint8_t> previous, current;
  TrackPlan plan;
  std::vector<backend::TrackQuery> queries;
  Found expected;
};

class TrackWork final : public TuneWork {
 public:
  TrackWork(const backend::TrackWorkload& tracks, const TuneOptions& options)
      : follows_points_(tracks.follows_points), repeat_(options.repeat) {
    for (const Size size : check_sizes) trials_.emplace_back(size, options.seed, "reference", tracks);
    trials_.emplace_back(options.size, options.seed, "cpu", tracks);  // which tests and verify hold to the reference
  }
  std::string run(const Device& device, double& ms) const override {
    for (const Trial& trial : trials_) {
      const std::unique_ptr<backend::Track> track = backend::of(device).make_track(trial.plan);
      Found got(trial.plan, trial.queries.size());
      trial.look(*track, got);
      std::string wrong = first_difference(trial.expected, got);
      if (!wrong.empty()) return wrong;
      if (&trial != &trials_.back()) continue;
      ms = least_ms(*track, repeat_, [&] {
        if (follows_points_)
          track->lk(trial.queries, got.points);
        else
          track->push(trial.current, {});
      });
    }
    return {};
  }

 private:
  bool follows_points_;
  int repeat_;
  std::vector<Trial> trials_;
};

}  // namespace

std::unique_ptr<TuneWork> make_work(const backend::TrackWorkload& tracks, const TuneOptions& options) {
  return std::make_unique<TrackWork>(tracks, options);
}

}  // namespace vergence
