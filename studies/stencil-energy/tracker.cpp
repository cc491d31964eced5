// SPDX-License-Identifier: Apache-2.0
// Measures trackers, and makes the clip on which the published one keeps its features.
#include "stencil-energy/tracker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vergence/error.hpp"

namespace vergence::studies::stencil_energy {
namespace {

Json counts_of(const Spent& spent, const Following& following) {
  const double frames = following.frames;
  Json json{{"window", following.window},
            {"features", following.features},
            {"frames", following.frames},
            {"left", spent.left},
            {"mean_features", spent.followed / frames},
            {"last", fmt::format("{:016x}", spent.last)},
            {"frames_per_s", 1000 * frames / spent.loop()},
            {"prepare_ms", spent.prepare / frames},
            {"update_ms", spent.update / frames},
            {"prepare_share", spent.prepare / (spent.prepare + spent.update)}};
  if (spent.plane_bytes > 0) {
    json["read_ms"] = spent.read / frames;
    json["hand_over_ms"] = spent.hand_over / frames;
    json["plane_bytes"] = spent.plane_bytes;
  }
  return json;
}

/// Rounds in order of their times; the middle one stands for all.
Spent middle(std::vector<Spent>& rounds) {
  std::sort(rounds.begin(), rounds.end(), [](const Spent& a, const Spent& b) { return a.loop() < b.loop(); });
  return rounds[rounds.size() / 2];
}

void follow(Cell& cell, Joules& joules, const Tracker& tracker, const Following& following, const Rounds& how,
            Follower& follower, std::vector<std::pair<float, float>>* places) {
  int found = 0;
  double detect = 0;
  if (how.warm)
    cell.setup_ms = milliseconds([&] {
      follower.detect();
      follower.follow();
    });
  detect = milliseconds([&] { found = follower.detect(); });
  std::vector<Spent> rounds;
  for (int i = 0; i < how.rounds; ++i) {
    rounds.push_back(follower.follow());
    Times times;
    times.wall = rounds.back().loop() / following.frames;
    cell.runs.push_back(times);
    if (places != nullptr) *places = rounds.back().places;
    if (rounds.back().last != rounds.front().last) cell.differing = 1;
  }
  const Spent spent = middle(rounds);
  cell.counts = counts_of(spent, following);
  cell.counts["found"] = found;
  cell.counts["detect_ms"] = detect;
  cell.counts["rounds"] = how.rounds;
  if (how.energy_frames > 0) {
    // The loop with the preparation of its first frame; detection by itself.
    cell.counts["energy"] = joules.around(
        tracker.worker, [&] { follower.follow(); }, following.frames, how.energy_frames, how.energy_frames, 0);
    cell.counts["energy_detection"] = joules.around(
        tracker.worker, [&] { follower.detect(); }, 1, 1, 1, 0);
  }
}

}  // namespace

const ImageView<const std::uint8_t>& Stream::frame(int i) const {
  const int last = static_cast<int>(clip_.size()) - 1;
  if (last == 0) return clip_.front();
  const int place = i % (2 * last);
  return clip_[static_cast<std::size_t>(place <= last ? place : 2 * last - place)];
}

std::string Tracker::on() const {
  if (prepare == update) return threads > 0 ? fmt::format("{}, threads {}", prepare, threads) : prepare;
  return fmt::format("prepare={},update={}", prepare, update);
}

Cell measure_tracker(const Effort& effort, Joules& joules, const Stream& stream, const Tracker& tracker,
                     const Following& following, const Rounds& rounds,
                     const std::function<std::unique_ptr<Follower>()>& make,
                     std::vector<std::pair<float, float>>* places) {
  Cell cell;
  cell.what = {{"part", "tracker"},
               {"on", tracker.on()},
               {"size", fmt::format("{}x{}", stream.size().width, stream.size().height)},
               {"points", "-"},
               {"form", fmt::format("{}, window {}, {} features, {} frames", tracker.name, following.window,
                                    following.features, following.frames)}};
  for (const char* key : {"width", "taps", "unrolled", "group", "strip"}) cell.what[key] = "-";
  cell.counts = {{"window", following.window}, {"features", following.features}, {"tracker", tracker.name}};
  if (effort.over()) cell.refused = time_is_over;
  if (!cell.ran()) return cell;
  try {
    const std::unique_ptr<Follower> follower = make();
    follow(cell, joules, tracker, following, rounds, *follower, places);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument || error.code() == ErrorCode::bad_data) throw;
    cell.refused = fmt::format("not available: {}", error.what());
    cell.failed = error.code() != ErrorCode::unsupported;
  }
  cell.counts["tracker"] = tracker.name;
  return cell;
}

double farthest(const std::vector<std::pair<float, float>>& a, const std::vector<std::pair<float, float>>& b) {
  if (a.size() != b.size()) return -1;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::hypot(double{a[i].first} - b[i].first, double{a[i].second} - b[i].second));
  return most;
}

std::vector<Image<std::uint8_t>> drifting(ImageView<const std::uint8_t> first, int hundredths, int frames) {
  std::vector<Image<std::uint8_t>> clip;
  const int width = first.width(), height = first.height();
  for (int i = 0; i < frames; ++i) {
    const double x_shift = hundredths * i / 100.0, y_shift = x_shift / 2;
    const int whole_x = static_cast<int>(x_shift), whole_y = static_cast<int>(y_shift);
    const double a = x_shift - whole_x, b = y_shift - whole_y;
    Image<std::uint8_t>& out = clip.emplace_back(first.size());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto at = [&](int left, int up) {
          return double{
              static_cast<double>(first(std::clamp(x - left, 0, width - 1), std::clamp(y - up, 0, height - 1)))};
        };
        const double value = (1 - b) * ((1 - a) * at(whole_x, whole_y) + a * at(whole_x + 1, whole_y)) +
                             b * ((1 - a) * at(whole_x, whole_y + 1) + a * at(whole_x + 1, whole_y + 1));
        out(x, y) = static_cast<std::uint8_t>(value + 0.5);
      }
  }
  return clip;
}

}  // namespace vergence::studies::stencil_energy
