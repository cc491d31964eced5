// SPDX-License-Identifier: Apache-2.0
// Checks of images in device memory, and of events.
#include "backend/check_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "backend/access.hpp"
#include "backend/event.hpp"
#include "backend/memory.hpp"

namespace vergence::backend {
namespace {

const char* name_of(PixelType type) {
  constexpr std::array names{"u8", "u16", "u32", "i16", "i32"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace

void check_image(const char* what, const DeviceImage& image, Size size, std::initializer_list<PixelType> types,
                 const ImageTaker& taker) {
  if (image.empty()) refuse_argument(what, fmt::format("{} is an empty image: give one with memory", what));
  const Memory& memory = *of(image.memory());
  if (memory.space() != taker.space)
    refuse_argument(what, fmt::format("{} lies in memory of device {}, but the {} works on device {}{}", what,
                                      memory.device(), taker.what, taker.device,
                                      taker.space == nullptr ? ", in host memory: give ImageViews"
                                                             : ": make both with the same vergence::Device"));
  if (image.size() != size)
    refuse_argument(what, fmt::format("{} is {}x{}: it must have the {}'s size, {}x{}", what, image.size().width,
                                      image.size().height, taker.what, size.width, size.height));
  if (std::find(types.begin(), types.end(), image.type()) != types.end()) return;
  std::string allowed;
  for (const PixelType type : types) allowed.append(allowed.empty() ? "" : " or ").append(name_of(type));
  refuse_argument(what, fmt::format("{} has pixels of type {}: {} is needed", what, name_of(image.type()), allowed));
}

void check_image_writable(const char* what, const DeviceImage& image) {
  if (!of(image.memory())->place().writable)
    refuse_argument(what, fmt::format("{} lies in memory that is CL_MEM_READ_ONLY: make it CL_MEM_READ_WRITE", what));
}

void check_events(std::span<const DeviceEvent> after, const ImageTaker& taker) {
  for (const DeviceEvent& event : after)
    if (!event.empty() && of(event).space() != taker.space)
      refuse_argument("after", fmt::format("an event to wait for is one of device {}, but the {} works on device {}{}",
                                           of(event).device(), taker.what, taker.device,
                                           taker.space == nullptr ? ", in host memory, where nothing waits for events"
                                                                  : ": record it on the same vergence::Device"));
}

void refuse_host_memory(const char* what, const char* waiting_call) {
  refuse_argument(what, fmt::format("{} lies in host memory, which is not written without waiting for it: give a "
                                    "DeviceImage, or use {}",
                                    what, waiting_call));
}

Extent extent_of(const char* what, const DeviceImage& image) {
  const Memory& memory = *of(image.memory());
  const Memory::Place place = memory.place();
  return {what,
          memory.space(),
          place.block,
          static_cast<std::uintptr_t>(place.start + image.offset()),
          bytes_of(image.type()) * static_cast<std::size_t>(image.size().width),
          image.pitch(),
          image.size().height};
}

}  // namespace vergence::backend
