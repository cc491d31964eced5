// SPDX-License-Identifier: Apache-2.0
// StereoMatcher: checks what it is given (frame.cpp), then runs the steps of a backend in their order.
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "core/flight.hpp"
#include "plan/stereo/plan.hpp"
#include "stereo/bands.hpp"
#include "stereo/frame.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

/// The order of the stages; a stage that is off is not called. With `later`, the targets are complete only after
/// wait().
void run_steps(const StereoPlan& plan, backend::Stereo& stereo, const backend::StereoPair& pair,
               const backend::StereoTargets& targets, bool later = false) {
  stereo.begin(pair, targets);
  stereo.match();
  if (plan.options.speckle_size > 0) stereo.speckle();
  if (plan.options.median > 0) stereo.median();
  if (plan.options.fill != StereoFill::none) stereo.fill();
  if (later)
    stereo.submit();
  else
    stereo.finish();
}

}  // namespace

struct PendingStereo::State {
  std::shared_ptr<Flight<backend::Stereo>::Frame> frame;
};

struct StereoMatcher::Impl {
  Impl(Device chosen_device, Size size, const StereoOptions& options)
      : device(std::move(chosen_device)),
        plan(make_stereo_plan(size, options)),
        flight(make_fitting_stereo(device, plan), most_in_flight) {}

  CheckedFrame check(const StereoInput& input, const StereoOutput& output) const {
    return check_frame({plan, backend::of(device).space(), device.name()}, input, output);
  }

  void compute(const CheckedFrame& frame) {
    flight.end_first();
    run_steps(plan, flight.first(), frame.pair, frame.targets);
    if (frame.wants_other) compute_other(frame);
  }
  std::shared_ptr<PendingStereo::State> enqueue(const CheckedFrame& frame) {
    auto state = std::make_shared<PendingStereo::State>();
    state->frame =
        flight.start([&](backend::Stereo& stereo) { run_steps(plan, stereo, frame.pair, frame.targets, true); });
    if (frame.wants_other) compute_other(frame);
    return state;
  }

  /// The other view is the same work with the roles of the pictures exchanged; most callers never ask, so what it needs
  /// is made at the first request.
  void compute_other(const CheckedFrame& frame) {
    if (other_stereo == nullptr) {
      other_plan = make_other_plan(plan);
      other_stereo = make_fitting_stereo(device, other_plan);
      other_stereo->measure(measures);
    }
    run_steps(other_plan, *other_stereo, frame.pair, frame.other);
  }

  Device device;
  StereoPlan plan;
  Flight<backend::Stereo> flight;
  StereoPlan other_plan;
  std::unique_ptr<backend::Stereo> other_stereo;
  bool measures = false;
};

PendingStereo::PendingStereo(std::shared_ptr<State> state) : state_(std::move(state)) {}
void PendingStereo::wait() {
  if (const std::shared_ptr<State> state = std::exchange(state_, nullptr); state != nullptr)
    Flight<backend::Stereo>::finish(state->frame);
}

StereoMatcher::StereoMatcher(const Device& device, Size size, const StereoOptions& options)
    : impl_(std::make_unique<Impl>(device, size, options)) {}
StereoMatcher::StereoMatcher(StereoMatcher&&) noexcept = default;
StereoMatcher& StereoMatcher::operator=(StereoMatcher&&) noexcept = default;
StereoMatcher::~StereoMatcher() = default;

void StereoMatcher::compute(const StereoInput& input, const StereoOutput& output) {
  impl_->compute(impl_->check(input, output));
}
PendingStereo StereoMatcher::enqueue(const StereoInput& input, const StereoOutput& output) {
  return PendingStereo(impl_->enqueue(impl_->check(input, output)));
}

Size StereoMatcher::size() const { return impl_->plan.size; }
const StereoOptions& StereoMatcher::options() const { return impl_->plan.options; }
int StereoMatcher::invalid() const { return impl_->plan.invalid; }
bool StereoMatcher::needs_wide_output() const { return impl_->plan.wide; }
int StereoMatcher::band_rows() const { return impl_->flight.first().band_rows(); }
std::size_t StereoMatcher::memory() const {
  return impl_->flight.memory() + (impl_->other_stereo != nullptr ? impl_->other_stereo->memory() : 0);
}

void StereoMatcher::measure(bool on) {
  impl_->measures = on;
  impl_->flight.measure(on);
  if (impl_->other_stereo != nullptr) impl_->other_stereo->measure(on);
}
std::optional<DeviceTimes> StereoMatcher::times() {
  std::optional<DeviceTimes> sum;
  impl_->flight.add_times_to(sum);
  if (impl_->other_stereo != nullptr) add_times(sum, impl_->other_stereo->times());
  return sum;
}

}  // namespace vergence
