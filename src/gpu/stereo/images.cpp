// SPDX-License-Identifier: Apache-2.0
// Launches of images.cl, and which frames are made of the same images.
#include "gpu/stereo/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "backend/access.hpp"
#include "gpu/memory.hpp"
#include "gpu/shared/stereo/images.h"
#include "vergence/error.hpp"

namespace vergence::gpu {
namespace {

/// Callers keep a few images and use them in turn.
constexpr std::size_t most_sets = 32;

Buffer& buffer_of(const std::shared_ptr<backend::Memory>& memory) { return static_cast<Memory&>(*memory).buffer(); }

std::int64_t first_pixel(const DeviceImage& image) {
  return static_cast<std::int64_t>(image.offset() / bytes_of(image.type()));
}
std::int64_t pitch_in_pixels(const DeviceImage& image) {
  return static_cast<std::int64_t>(image.pitch() / bytes_of(image.type()));
}

}  // namespace

int Images::key(const backend::StereoPair& pair, const backend::StereoTargets& targets) {
  const backend::StereoImages& extras = targets.images;
  const std::array<const DeviceImage*, 9> images{&pair.left,          &pair.right,         &targets.disparity,
                                                 &extras.mask,        &extras.confidence,  &extras.cost,
                                                 &extras.second_cost, &extras.cost_before, &extras.cost_after};
  Set set;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (images[i]->empty()) continue;
    set[i] = {images[i]->memory().handle(), images[i]->offset(), images[i]->pitch()};
    const std::size_t bytes = bytes_of(images[i]->type());
    if (copy_of(bytes) == nullptr) copy_of(bytes) = &compile_copy(bytes);
  }
  if (set == Set{}) return 0;
  const auto found = std::find(sets_.begin(), sets_.end(), set);
  if (found == sets_.end() && sets_.size() == most_sets) return -1;
  const auto index = static_cast<int>(found - sets_.begin());
  if (found == sets_.end()) sets_.push_back(set);
  return index + 1;
}

const Kernel& Images::compile_copy(std::size_t pixel_bytes) {
  const char* const pixel = pixel_bytes == 1 ? "uchar" : pixel_bytes == 2 ? "ushort" : "uint";
  return programs_.kernel("stereo/images.cl", grid_.defines().set("PIXEL", pixel), "copy_rows");
}

void Images::check_values(Queue& queue, const char* what, const DeviceImage& picture) {
  const int largest = plan_.options.max_value;
  if (plan_.options.depth == Depth::u8 || largest == 65535) return;
  std::uint32_t first = 0;
  if (first_ == nullptr) {
    find_large_ = &programs_.kernel("stereo/images.cl",
                                    grid_.defines().set("PIXEL", "ushort").set("MAX_VALUE", largest), "find_large");
    first_ = programs_.device().allocate(sizeof(first));
  }
  queue.fill(*first_, 0xFF);
  grid_.launch(queue, *find_large_,
               {buffer_of(backend::of(picture.memory())), *first_,
                shared::FindLargeArguments{.first = first_pixel(picture),
                                           .pitch = pitch_in_pixels(picture),
                                           .width = plan_.size.width,
                                           .height = plan_.size.height}});
  queue.download(*first_, {0, sizeof(first), sizeof(first), sizeof(first), 1}, &first);
  if (first == 0xFFFFFFFF) return;
  const auto width = static_cast<std::uint32_t>(plan_.size.width);
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{} has a value above max-value {} at x {}, y {}: scale the picture or raise max-value", what,
                          largest, first % width, first / width));
}

const Buffer& Images::picture(Queue& queue, const DeviceImage& picture, Buffer& own) {
  if (picture.is_direct()) return buffer_of(backend::of(picture.direct()));
  const std::int64_t width = plan_.size.width;
  grid_.launch(queue, *copy_of(bytes_of(picture.type())),
               {buffer_of(backend::of(picture.memory())), own,
                shared::CopyRowsArguments{.in_first = first_pixel(picture),
                                          .in_pitch = pitch_in_pixels(picture),
                                          .out_first = 0,
                                          .out_pitch = width,
                                          .width = plan_.size.width,
                                          .height = plan_.size.height}});
  return own;
}

Buffer& Images::place(const DeviceImage& image, Buffer& own) {
  return image.is_direct() ? buffer_of(backend::of(image.direct())) : own;
}

void Images::deliver(Queue& queue, const Buffer& own, std::size_t offset, const DeviceImage& image) {
  const std::size_t bytes = bytes_of(image.type());
  const std::int64_t width = plan_.size.width;
  grid_.launch(queue, *copy_of(bytes),
               {own, buffer_of(backend::of(image.memory())),
                shared::CopyRowsArguments{.in_first = static_cast<std::int64_t>(offset / bytes),
                                          .in_pitch = width,
                                          .out_first = first_pixel(image),
                                          .out_pitch = pitch_in_pixels(image),
                                          .width = plan_.size.width,
                                          .height = plan_.size.height}});
}

}  // namespace vergence::gpu
