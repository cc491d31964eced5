// SPDX-License-Identifier: Apache-2.0
// What a device says to a domain that it does not compute.
#include "backend/device.hpp"

#include <fmt/format.h>

#include "vergence/error.hpp"

namespace vergence::backend {
namespace {

[[noreturn]] void refuse(const Device& device, const char* what) {
  throw Error(ErrorCode::unsupported,
              fmt::format("device {} computes no {}: use device cpu or reference", device.name(), what));
}

}  // namespace

std::unique_ptr<Motion> Device::make_motion(const MotionPlan& /*plan*/) { refuse(*this, "motion"); }
std::unique_ptr<Track> Device::make_track(const TrackPlan& /*plan*/) { refuse(*this, "tracks"); }
std::unique_ptr<Rectifier> Device::make_rectifier(std::shared_ptr<const RectifyPlan> /*plan*/) {
  refuse(*this, "rectification");
}
std::unique_ptr<Filters> Device::make_filters(Size /*size*/) { refuse(*this, "filters of pictures"); }

}  // namespace vergence::backend
