// SPDX-License-Identifier: Apache-2.0
// Launches of remap.cl.
#include "gpu/rectify/remap.hpp"

#include <algorithm>
#include <vector>

#include "gpu/rectify/packed_map.hpp"
#include "gpu/shared/rectify/remap.h"

namespace vergence::gpu {
namespace {

template <class T>
std::unique_ptr<Buffer> uploaded(const std::vector<T>& values, Device& device, Queue& queue) {
  const std::size_t bytes = values.size() * sizeof(T);
  auto buffer = device.allocate(bytes);
  queue.upload(*buffer, {0, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}, values.data());
  return buffer;
}

shared::RemapPicture numbers_of(const RemapPicture& picture) {
  return {.in_first = picture.in.first,
          .in_second = picture.in.first + picture.in.pitch,
          .out_first = picture.out.first,
          .in_pitch = static_cast<int>(picture.in.pitch),
          .out_pitch = static_cast<int>(picture.out.pitch)};
}

}  // namespace

Remap::Remap(const RectifyPlan& plan, Programs& programs, Queue& queue, const RemapTuning& tuning)
    : programs_(&programs), in_(plan.left.source), out_(plan.left.x.size()), tuning_(tuning) {
  const PackedMaps packed = pack_maps(plan.left, plan.right);
  fours_ = packed.fours;
  wide_ = packed.wide;
  items_ = wide_ || tuning.pixels == 1 ? out_.width : REMAP_RUN * fours_;
  words_ = uploaded(packed.words, programs.device(), queue);
  runs_ = uploaded(packed.runs, programs.device(), queue);
}

const Remap::Launch& Remap::launch_of(int pixel_bytes) {
  std::optional<Launch>& launch = launches_[pixel_bytes == 2 ? 1 : 0];
  if (launch.has_value()) return *launch;
  const Grid grid({items_, out_.height}, programs_->device().properties(), REMAP_RUN);
  const auto defines = grid.defines()
                           .set("WORDS", pixel_bytes == 2 ? 1 : 0)
                           .set("WIDE", wide_ ? 1 : 0)
                           .set("PIXELS", tuning_.pixels)
                           .set("WHOLE_FOURS", out_.width % REMAP_FOUR_RUNS == 0 ? 1 : 0);
  return launch.emplace(Launch{grid, programs_->kernel("rectify/remap.cl", defines, "remap")});
}

void Remap::run(Queue& queue, int pixel_bytes, const RemapPicture* left, const RemapPicture* right, int largest) {
  const Launch& launch = launch_of(pixel_bytes);
  const RemapPicture& first = left != nullptr ? *left : *right;
  const RemapPicture& last = right != nullptr ? *right : *left;
  const shared::RemapArguments arguments{.left = numbers_of(first),
                                         .right = numbers_of(last),
                                         .first_camera = left != nullptr ? 0 : 1,
                                         .items = items_,
                                         .fours = fours_,
                                         .width = out_.width,
                                         .height = out_.height,
                                         .in_width = in_.width,
                                         .in_height = in_.height,
                                         .largest = largest};
  launch.grid.launch(queue, launch.kernel,
                     {first.in.buffer, last.in.buffer, *words_, *runs_, first.out.buffer, last.out.buffer, arguments},
                     1, left != nullptr && right != nullptr ? 2 : 1);
}

}  // namespace vergence::gpu
