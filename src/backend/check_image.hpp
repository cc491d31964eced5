// SPDX-License-Identifier: Apache-2.0
// Checks of the images in device memory and the events that a caller hands over, as core/check_views.hpp has them for
// views.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "core/check_views.hpp"
#include "vergence/device_image.hpp"

namespace vergence::backend {

/// Who takes images: "matcher", which works on the device of this name and space (Device::space).
struct ImageTaker {
  const char* what;
  const void* space;
  std::string_view device;
};

/// Throws Error(invalid_argument), naming `what`, for an empty image, one of another device, size or type.
void check_image(const char* what, const DeviceImage& image, Size size, std::initializer_list<PixelType> types,
                 const ImageTaker& taker);
/// The same where it lies in memory that kernels cannot write.
void check_image_writable(const char* what, const DeviceImage& image);
/// Throws Error(invalid_argument) for an event to wait for that is none of the taker's device.
void check_events(std::span<const DeviceEvent> after, const ImageTaker& taker);
/// The same for what is written in host memory by a call that waits for nothing there.
[[noreturn]] void refuse_host_memory(const char* what, const char* waiting_call);
/// Of an image that was checked.
Extent extent_of(const char* what, const DeviceImage& image);

}  // namespace vergence::backend
