// SPDX-License-Identifier: Apache-2.0
// MotionSizesEstimator: the fields of all block sizes from one pass.
#include <fmt/format.h>

#include <array>

#include "motion/call.hpp"
#include "plan/motion/plan.hpp"
#include "vergence/error.hpp"
#include "vergence/motion.hpp"

namespace vergence {

struct MotionSizesEstimator::Impl {
  Impl(const Device& device, Size size, const MotionSizesOptions& chosen)
      : options(chosen), call(device, make_motion_sizes_plan(size, chosen)) {}

  MotionSizesOptions options;
  MotionCall call;
};

MotionSizesEstimator::MotionSizesEstimator(const Device& device, Size size, const MotionSizesOptions& options)
    : impl_(std::make_unique<Impl>(device, size, options)) {}
MotionSizesEstimator::MotionSizesEstimator(MotionSizesEstimator&&) noexcept = default;
MotionSizesEstimator& MotionSizesEstimator::operator=(MotionSizesEstimator&&) noexcept = default;
MotionSizesEstimator::~MotionSizesEstimator() = default;

void MotionSizesEstimator::compute(const MotionSizesInput& input, const MotionSizesOutput& output) {
  std::array<MotionMaps, sides.size()> maps;
  for (std::size_t i = 0; i < maps.size(); ++i) maps[i] = {output[i], input.previous[i]};
  impl_->call.compute(input.current, input.reference, maps);
}

Size MotionSizesEstimator::size() const { return impl_->call.plan().size; }
const MotionSizesOptions& MotionSizesEstimator::options() const { return impl_->options; }
Size MotionSizesEstimator::blocks(int index) const {
  if (index < 0 || index >= static_cast<int>(sides.size()))
    throw Error(ErrorCode::invalid_argument, fmt::format("index is {}: there are {} block sizes", index, sides.size()));
  return impl_->call.plan().grids[static_cast<std::size_t>(index)];
}
std::size_t MotionSizesEstimator::memory() const { return impl_->call.motion().memory(); }
void MotionSizesEstimator::measure(bool on) { impl_->call.motion().measure(on); }
std::optional<DeviceTimes> MotionSizesEstimator::times() { return impl_->call.motion().times(); }

}  // namespace vergence
