// SPDX-License-Identifier: Apache-2.0
// This library's tracker in the order of the published one: features of the first frame, then frame after frame. Where
// the phases have different devices, frames go through a pipeline.
#include <array>
#include <chrono>
#include <optional>

#include "common/bench.hpp"
#include "stencil-energy/follower.hpp"
#include "vergence/pipeline.hpp"
#include "vergence/track.hpp"

namespace vergence::studies::stencil_energy {
namespace {

constexpr int slots = 4;

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

class Ours final : public Follower {
 public:
  Ours(const Stream& stream, const Following& following, const std::string& prepare, const std::string& update,
       int threads)
      : stream_(stream),
        following_(following),
        second_(device_of(update, threads)),
        flow_(second_, stream.size(), options_of(following)) {
    if (prepare != update) first_phase_.emplace(device_of(prepare, threads), stream.size(), options_of(following));
  }

  int detect() override {
    flow_.restart();
    flow_.push(stream_.frame(0));
    corners_ = flow_.corners(static_cast<std::size_t>(following_.features));
    return static_cast<int>(corners_.size());
  }

  Spent follow() override {
    Spent spent;
    points_ = corners_;
    flow_.restart();
    flow_.push(stream_.frame(0));
    if (first_phase_)
      follow_mapped(spent);
    else
      for (int i = 0; i < following_.frames; ++i) {
        spent.prepare += milliseconds([&] { flow_.push(stream_.frame(i)); });
        update(spent);
      }
    spent.left = static_cast<int>(points_.size());
    for (const TrackPosition& point : points_) {
      spent.places.emplace_back(position_to_pixels(point.x), position_to_pixels(point.y));
      for (const std::int32_t component : {point.x, point.y})
        spent.last = mixed(spent.last, static_cast<std::uint32_t>(component));
    }
    return spent;
  }

 private:
  void follow_mapped(Spent& spent) {
    std::array<int, slots> number{};
    int next = 0;
    const auto first = [&](int slot) {
      PreparedFrame& frame = prepared_[static_cast<std::size_t>(slot)];
      spent.prepare += milliseconds([&] { first_phase_->push(stream_.frame(number[static_cast<std::size_t>(slot)])); });
      spent.read += milliseconds([&] { first_phase_->read(frame); });
      frame.pin(second_);
      spent.plane_bytes = static_cast<double>(frame.memory());
    };
    const auto second = [&](int slot) {
      spent.hand_over += milliseconds([&] { flow_.push(prepared_[static_cast<std::size_t>(slot)]); });
      update(spent);
    };
    const std::vector<PipelineStage> stages{{"prepare", {{"first", first}}}, {"update", {{"second", second}}}};
    const PipelineReport report = run_pipeline(
        slots,
        [&](int slot) {
          if (next == following_.frames) return false;
          number[static_cast<std::size_t>(slot)] = next++;
          return true;
        },
        stages, [](int) {});
    spent.whole = 1000 * report.seconds;
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
  Following following_;
  Device second_;
  PointFlow flow_;
  std::optional<PointFlow> first_phase_;
  std::array<PreparedFrame, slots> prepared_;  ///< Kept, so that memory is pinned once.
  std::vector<TrackPosition> corners_, points_;
  std::vector<TrackedPoint> found_;
};

}  // namespace

std::unique_ptr<Follower> make_ours(const Stream& stream, const Following& following, const std::string& prepare,
                                    const std::string& update, int threads) {
  return std::make_unique<Ours>(stream, following, prepare, update, threads);
}

}  // namespace vergence::studies::stencil_energy
