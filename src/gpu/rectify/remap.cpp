// SPDX-License-Identifier: Apache-2.0
// Launches of remap.cl.
#include "gpu/rectify/remap.hpp"

#include <algorithm>
#include <vector>

#include "gpu/grid.hpp"
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
  words_ = uploaded(packed.words, programs.device(), queue);
  runs_ = uploaded(packed.runs, programs.device(), queue);
}

void Remap::run(Queue& queue, int pixel_bytes, const RemapPicture* left, const RemapPicture* right, int largest) const {
  const int items = wide_ || tuning_.pixels == 1 ? out_.width : REMAP_RUN * fours_;
  const Grid grid({items, (out_.height + tuning_.rows - 1) / tuning_.rows}, programs_->device().properties(),
                  REMAP_RUN);
  const RemapPicture& first = left != nullptr ? *left : *right;
  const RemapPicture& last = right != nullptr ? *right : *left;
  const std::int64_t pitch = std::max(first.in.pitch, last.in.pitch);
  const bool is_short = tuning_.short_places && pitch * (in_.height + 1) < std::int64_t{1} << 31;
  const auto defines = grid.defines()
                           .set("WORDS", pixel_bytes == 2 ? 1 : 0)
                           .set("WIDE", wide_ ? 1 : 0)
                           .set("PIXELS", tuning_.pixels)
                           .set("ROWS", tuning_.rows)
                           .set("SHORT_PLACES", is_short ? 1 : 0)
                           .set("WHOLE_FOURS", out_.width % REMAP_FOUR_RUNS == 0 ? 1 : 0);
  const Kernel& kernel = programs_->kernel("rectify/remap.cl", defines, "remap");
  const shared::RemapArguments arguments{.left = numbers_of(first),
                                         .right = numbers_of(last),
                                         .first_camera = left != nullptr ? 0 : 1,
                                         .items = items,
                                         .fours = fours_,
                                         .width = out_.width,
                                         .height = out_.height,
                                         .in_width = in_.width,
                                         .in_height = in_.height,
                                         .largest = largest};
  grid.launch(queue, kernel,
              {first.in.buffer, last.in.buffer, *words_, *runs_, first.out.buffer, last.out.buffer, arguments}, 1,
              left != nullptr && right != nullptr ? 2 : 1);
}

}  // namespace vergence::gpu
