// SPDX-License-Identifier: Apache-2.0
// Launches of remap.cl.
#include "gpu/rectify/remap.hpp"

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

}  // namespace

Remap::Remap(const rectify::SourceMap& map, Programs& programs, Queue& queue, int pixels)
    : programs_(&programs), in_(map.source), pixels_(pixels) {
  const PackedMap packed = pack_map(map, pixels);
  out_ = map.x.size();
  items_ = packed.items;
  wide_ = packed.wide;
  words_ = uploaded(packed.words, programs.device(), queue);
  starts_ = uploaded(packed.starts, programs.device(), queue);
}

void Remap::run(Queue& queue, int pixel_bytes, const RemapPlace& in, const RemapPlace& out, int largest) const {
  const Grid grid({items_, out_.height}, programs_->device().properties());
  const std::int64_t pixels_of_word = 4 / pixel_bytes;
  const bool whole = out.room >= out_room() && out.first % pixels_of_word == 0 && out.pitch % pixels_of_word == 0;
  const auto defines = grid.defines()
                           .set("WORDS", pixel_bytes == 2 ? 1 : 0)
                           .set("WIDE", wide_ ? 1 : 0)
                           .set("PIXELS", pixels_)
                           .set("WHOLE", whole ? 1 : 0);
  const Kernel& kernel = programs_->kernel("rectify/remap.cl", defines, "remap");
  grid.launch(queue, kernel,
              {in.buffer, *words_, *starts_, out.buffer,
               shared::RemapArguments{.in_first = in.first,
                                      .in_pitch = in.pitch,
                                      .out_first = out.first,
                                      .out_pitch = out.pitch,
                                      .items = items_,
                                      .width = out_.width,
                                      .height = out_.height,
                                      .in_width = in_.width,
                                      .in_height = in_.height,
                                      .largest = largest}});
}

}  // namespace vergence::gpu
