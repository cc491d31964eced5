// SPDX-License-Identifier: Apache-2.0
// Runs trackers over a stream of frames.
#include "stencil-energy/tracker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>
#include <optional>

#include "common/study.hpp"
#include "published/exact_sdvbs.hpp"
#include "vergence/error.hpp"
#include "vergence/track.hpp"

namespace vergence::studies::stencil_energy {
namespace {

namespace exact = reference::exact_sdvbs;

/// What following a stream took, in ms.
struct Spent {
  double detect = 0, prepare = 0, update = 0;
  double whole = 0;  ///< Of the loop, where phases overlap.
  double loop() const { return whole > 0 ? whole : prepare + update; }
  int found = 0, left = 0;
  std::uint64_t last = 0;  ///< A hash of where the features are at the end: equal on all devices.
  double followed = 0;     ///< Features of all frames.
};

/// The published program, with its settings for full HD but for window and number. It follows the first frame in itself
/// first; so does this.
Spent follow_exact(const Stream& stream, const Following& following) {
  const exact::Settings settings{following.window, following.features, 20, following.frames, 0.03F};
  Spent spent;
  exact::Levels previous;
  std::vector<exact::Feature> features;
  spent.detect = milliseconds([&] {
    previous = exact::levels(stream.frame(0));
    features = exact::detect(previous, settings);
  });
  spent.found = static_cast<int>(features.size());
  for (int i = 0; i < following.frames; ++i) {
    exact::Levels next;
    spent.prepare += milliseconds([&] { next = exact::levels(stream.frame(i)); });
    spent.followed += static_cast<double>(features.size());
    spent.update += milliseconds([&] { features = exact::follow(previous, next, features, settings); });
    previous = std::move(next);
  }
  spent.left = static_cast<int>(features.size());
  return spent;
}

TrackOptions options_of(const Following& following) {
  TrackOptions options;
  options.window = following.window;
  options.points = following.features;
  options.levels = 1;  // the program has two levels, the picture among them
  options.iterations = 20;
  return options;
}

Device device_of(const std::string& name, int threads) {
  DeviceOptions options;
  if (name == "cpu") options.threads = threads;
  return Device(name, options);
}

/// This library's, in the same order: features of the first frame, then frame after frame. Where the phases have
/// different devices, a frame is prepared on one while the frame before is followed on the other.
class Ours {
 public:
  Ours(const Stream& stream, const Tracker& tracker, const Following& following)
      : stream_(stream),
        following_(following),
        mapped_(tracker.prepare != tracker.update),
        flow_(device_of(tracker.update, tracker.threads), stream.size(), options_of(following)) {
    if (mapped_)
      first_phase_.emplace(device_of(tracker.prepare, tracker.threads), stream.size(), options_of(following));
  }

  Spent follow() {
    Spent spent;
    flow_.restart();
    spent.detect = milliseconds([&] {
      flow_.push(stream_.frame(0));
      points_ = flow_.corners(static_cast<std::size_t>(following_.features));
    });
    spent.found = static_cast<int>(points_.size());
    if (mapped_)
      follow_mapped(spent);
    else
      for (int i = 0; i < following_.frames; ++i) {
        spent.prepare += milliseconds([&] { flow_.push(stream_.frame(i)); });
        update(spent);
      }
    spent.left = static_cast<int>(points_.size());
    for (const TrackPosition& point : points_)
      for (const std::int32_t component : {point.x, point.y})
        spent.last = (spent.last ^ static_cast<std::uint32_t>(component)) * 0x9E3779B97F4A7C15U;
    return spent;
  }

 private:
  /// Both phases run side by side, so that the time of the loop is less than their sum.
  void follow_mapped(Spent& spent) {
    const auto prepare = [&](int i) {
      return milliseconds([&] {
        first_phase_->push(stream_.frame(i));
        first_phase_->read(prepared_[static_cast<std::size_t>(i % 2)]);
      });
    };
    spent.whole = milliseconds([&] {
      spent.prepare += prepare(0);
      for (int i = 0; i < following_.frames; ++i) {
        std::future<double> next;
        if (i + 1 < following_.frames) next = std::async(std::launch::async, prepare, i + 1);
        flow_.push(prepared_[static_cast<std::size_t>(i % 2)]);
        update(spent);
        if (next.valid()) spent.prepare += next.get();
      }
    });
  }
  void update(Spent& spent) {
    spent.followed += static_cast<double>(points_.size());
    spent.update += milliseconds([&] {
      found_.resize(points_.size());
      flow_.track(points_, found_);
      points_.clear();
      for (const TrackedPoint& one : found_)
        if (one.status == TrackStatus::tracked) points_.push_back(one.position);
    });
  }

  const Stream& stream_;
  const Following& following_;
  bool mapped_;
  PointFlow flow_;
  std::optional<PointFlow> first_phase_;
  std::array<PreparedFrame, 2> prepared_;
  std::vector<TrackPosition> points_;
  std::vector<TrackedPoint> found_;
};

Json counts_of(const Spent& spent, const Following& following) {
  const double frames = following.frames;
  return {{"window", following.window},
          {"features", following.features},
          {"frames", following.frames},
          {"found", spent.found},
          {"left", spent.left},
          {"mean_features", spent.followed / frames},
          {"last", fmt::format("{:016x}", spent.last)},
          {"frames_per_s", 1000 * frames / spent.loop()},
          {"detect_ms", spent.detect},
          {"prepare_ms", spent.prepare / frames},
          {"update_ms", spent.update / frames},
          {"loop_share", spent.loop() / (spent.loop() + spent.detect)},
          {"prepare_share", spent.prepare / (spent.prepare + spent.update)}};
}

void follow(Cell& cell, Joules& joules, const std::function<Spent()>& once, const Following& following,
            int energy_frames, bool warm) {
  Spent spent;
  cell.setup_ms = warm ? milliseconds([&] { once(); }) : 0;  // kernels are compiled, memory is touched
  Json energy;
  if (energy_frames > 0) {
    energy = joules.around([&] { spent = once(); }, following.frames, energy_frames, energy_frames, 0);
    if (energy.is_object())
      energy["frames_per_watt"] =
          energy["frames"].get<double>() / energy["seconds"].get<double>() / energy["watts"].get<double>();
  }
  if (!energy.is_object()) spent = once();
  cell.counts = counts_of(spent, following);
  if (energy_frames > 0) cell.counts["energy"] = energy;
  Times times;
  times.wall = spent.loop() / following.frames;
  cell.runs.push_back(times);
}

}  // namespace

const ImageView<const std::uint8_t>& Stream::frame(int i) const {
  const int last = static_cast<int>(clip_.size()) - 1;
  if (last == 0) return clip_.front();
  const int place = i % (2 * last);
  return clip_[static_cast<std::size_t>(place <= last ? place : 2 * last - place)];
}

std::string Tracker::on() const {
  if (prepare == update) return threads == 1 ? "one core" : prepare;
  return fmt::format("prepare={},update={}", prepare, update);
}

Cell measure_tracker(const Effort& effort, Joules& joules, const Stream& stream, const Tracker& tracker,
                     const Following& following, int energy_frames) {
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
    if (tracker.name == "exact-sdvbs") {
      follow(
          cell, joules, [&] { return follow_exact(stream, following); }, following, energy_frames, false);
    } else {
      Ours ours(stream, tracker, following);
      const bool slow = tracker.prepare == "reference";
      follow(
          cell, joules, [&] { return ours.follow(); }, following, energy_frames, !slow);
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument || error.code() == ErrorCode::bad_data) throw;
    cell.refused = fmt::format("not available: {}", error.what());
    cell.failed = error.code() != ErrorCode::unsupported;
  }
  cell.counts["tracker"] = tracker.name;
  return cell;
}

}  // namespace vergence::studies::stencil_energy
