// SPDX-License-Identifier: Apache-2.0
// PointFlow: checks what it is given, then runs the steps of backend/track.hpp in their order.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "core/check_views.hpp"
#include "definitions/track/position.h"
#include "plan/track/plan.hpp"
#include "track/select.hpp"
#include "vergence/error.hpp"
#include "vergence/track.hpp"

namespace vergence {

TrackPosition to_position(double x, double y) {
  constexpr double farthest = 1 << 20;  // px
  for (const double component : {x, y})
    if (!(component >= -farthest && component <= farthest))
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("position is {},{} px: both must be numbers -{} .. {}", x, y, farthest, farthest));
  const auto units = [](double component) {
    return static_cast<std::int32_t>(std::floor(component * definitions::position_units() + 0.5));
  };
  return {units(x), units(y)};
}

std::string_view to_text(TrackStatus status) {
  switch (status) {
    case TrackStatus::tracked:
      return "tracked";
    case TrackStatus::outside:
      return "outside";
    case TrackStatus::small_determinant:
      return "small-determinant";
    case TrackStatus::not_converged:
      return "not-converged";
    case TrackStatus::residual:
      return "residual";
    case TrackStatus::forward_backward:
      return "forward-backward";
    case TrackStatus::too_close:
      return "too-close";
  }
  return "unknown";
}

struct PreparedFrame::Impl {
  explicit Impl(const TrackPlan& its_plan) : plan(its_plan), planes(its_plan) {}

  /// What pyramids and gradients depend on.
  bool fits(const TrackPlan& other) const {
    return plan.levels == other.levels && plan.options.depth == other.options.depth &&
           plan.dropped_bits == other.dropped_bits && plan.gradient_shift == other.gradient_shift;
  }
  template <class T>
  void pin(const Device& device, std::vector<Image<T>>& images) {
    for (Image<T>& one : images)
      pins.push_back(
          device.pin(one.row(0), static_cast<std::size_t>(one.stride()) * static_cast<std::size_t>(one.height())));
  }
  template <class P>
  void pin(const Device& device, TrackFrame<P>& frame) {
    pin(device, frame.pictures);
    pin(device, frame.dx);
    pin(device, frame.dy);
  }
  TrackPlan plan;
  PreparedPlanes planes;
  std::string pinned_for;                   ///< Name of a device.
  std::vector<std::shared_ptr<void>> pins;  ///< They go before the planes do.
};

PreparedFrame::PreparedFrame() = default;
PreparedFrame::PreparedFrame(PreparedFrame&&) noexcept = default;
PreparedFrame& PreparedFrame::operator=(PreparedFrame&&) noexcept = default;
PreparedFrame::~PreparedFrame() = default;
bool PreparedFrame::empty() const { return impl_ == nullptr; }
void PreparedFrame::pin(const Device& device) {
  if (empty())
    throw Error(ErrorCode::invalid_argument, "a prepared frame is to be pinned while it is empty: fill it before",
                "frame");
  if (impl_->pinned_for == device.name()) return;
  impl_->pins.clear();
  impl_->pinned_for.clear();
  impl_->pin(device, impl_->planes.bytes);
  impl_->pin(device, impl_->planes.words);
  impl_->pinned_for = device.name();
}
std::size_t PreparedFrame::memory() const {
  return impl_ == nullptr ? 0 : impl_->planes.bytes.bytes() + impl_->planes.words.bytes();
}

struct PointFlow::Impl {
  Impl(Device chosen_device, Size size, const TrackOptions& options)
      : device(std::move(chosen_device)),
        plan(make_track_plan(size, options)),
        track(backend::of(device).make_track(plan)) {}

  void push(const PictureRef& frame) {
    if (frame.on_device())
      throw Error(ErrorCode::unsupported,
                  "the frame lies in a device's memory: tracks take pictures in host memory, give an ImageView");
    const bool wide = frame.holds<const std::uint16_t>();
    if (!frame.empty() && wide != (plan.options.depth == Depth::u16))
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the frame has {}-bit pixels, but option pixel-depth is {}: use pixel-depth {}",
                              wide ? 16 : 8, wide ? "u8" : "u16", wide ? "u16" : "u8"),
                  "pixel-depth");
    const ImageView<const std::uint8_t> bytes = frame.view<const std::uint8_t>();
    const ImageView<const std::uint16_t> words = frame.view<const std::uint16_t>();
    if (wide)
      check_view("the frame", words, plan.size);
    else
      check_view("the frame", bytes, plan.size);
    check_values(plan.options.max_value, "the frame", words);
    track->push(bytes, words);
    ++frames;
  }
  void push(const PreparedFrame& frame) {
    if (frame.empty())
      throw Error(ErrorCode::invalid_argument, "the prepared frame is empty: fill it by PointFlow::read", "frame");
    const TrackPlan& its = frame.impl_->plan;
    if (!frame.impl_->fits(plan))
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("the prepared frame is {}x{} with {} coarse levels, this PointFlow's are {}x{} with {}: "
                      "size, pixel depth, max_value and levels must be equal",
                      its.size.width, its.size.height, its.top(), plan.size.width, plan.size.height, plan.top()));
    track->push(frame.impl_->planes);
    ++frames;
  }
  void read(PreparedFrame& frame) const {
    if (frames < 1)
      throw Error(ErrorCode::invalid_argument, "read was called before the first frame: push a frame before");
    if (frame.empty() || !frame.impl_->fits(plan)) frame.impl_ = std::make_unique<PreparedFrame::Impl>(plan);
    track->read(frame.impl_->planes);
  }

  void find(std::span<const TrackPosition> points, std::span<TrackedPoint> found,
            std::span<const TrackPosition> guesses) {
    if (frames < 2)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("track was called after {} frames: push two frames before", frames));
    if (found.size() != points.size() || (!guesses.empty() && guesses.size() != points.size()))
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("there are {} points, but {} places for what is found and {} guesses: the numbers must be equal "
                      "(or give no guesses)",
                      points.size(), found.size(), guesses.size()));
    queries.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const TrackPosition guess = guesses.empty() ? points[i] : guesses[i];
      queries[i] = {points[i],
                    {definitions::moved_onto_picture(guess.x, plan.size.width),
                     definitions::moved_onto_picture(guess.y, plan.size.height)}};
    }
    track->lk(queries, found);
  }

  std::vector<TrackPosition> corners(std::size_t most, std::span<const TrackPosition> occupied,
                                     ImageView<const std::uint8_t> mask) {
    if (frames < 1)
      throw Error(ErrorCode::invalid_argument, "corners was called before the first frame: push a frame before");
    if (mask.data() != nullptr) check_view("the mask", mask, plan.size);
    if (most == 0) return {};
    const auto area = static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
    // Choices exclude later ones near them; mostly a few candidates for each choice are enough.
    constexpr std::size_t for_each = 6;
    const bool all = track->best_corners(mask, std::min(most, area) * for_each, candidates);
    std::vector<TrackPosition> chosen = selection.select(plan, candidates, most, occupied);
    if (all || chosen.size() == most) return chosen;
    track->corners(mask, candidates);
    return selection.select(plan, candidates, most, occupied);
  }

  std::size_t memory() const {
    return track->memory() + selection.bytes() + queries.capacity() * sizeof(backend::TrackQuery) +
           candidates.capacity() * sizeof(backend::Corner);
  }

  Device device;
  TrackPlan plan;
  std::unique_ptr<backend::Track> track;
  CornerSelection selection;
  std::vector<backend::TrackQuery> queries;
  std::vector<backend::Corner> candidates;
  std::int64_t frames = 0;
};

PointFlow::PointFlow(const Device& device, Size size, const TrackOptions& options)
    : impl_(std::make_unique<Impl>(device, size, options)) {}
PointFlow::PointFlow(PointFlow&&) noexcept = default;
PointFlow& PointFlow::operator=(PointFlow&&) noexcept = default;
PointFlow::~PointFlow() = default;

void PointFlow::push(const PictureRef& frame) { impl_->push(frame); }
void PointFlow::push(const PreparedFrame& frame) { impl_->push(frame); }
void PointFlow::read(PreparedFrame& frame) const { impl_->read(frame); }
std::int64_t PointFlow::frames() const { return impl_->frames; }
void PointFlow::restart() { impl_->frames = 0; }
void PointFlow::track(std::span<const TrackPosition> points, std::span<TrackedPoint> found,
                      std::span<const TrackPosition> guesses) {
  impl_->find(points, found, guesses);
}
std::vector<TrackPosition> PointFlow::corners(std::size_t most, std::span<const TrackPosition> occupied,
                                              ImageView<const std::uint8_t> mask) {
  return impl_->corners(most, occupied, mask);
}
Size PointFlow::size() const { return impl_->plan.size; }
const TrackOptions& PointFlow::options() const { return impl_->plan.options; }
int PointFlow::levels() const { return impl_->plan.top(); }
std::size_t PointFlow::memory() const { return impl_->memory(); }

}  // namespace vergence
