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
  out_ = {packed.items, map.x.height()};
  wide_ = packed.wide;
  words_ = uploaded(packed.words, programs.device(), queue);
  starts_ = uploaded(packed.starts, programs.device(), queue);
}

std::size_t Remap::out_pitch(int pixel_bytes) const {
  return static_cast<std::size_t>(out_.width * pixels_ * pixel_bytes);
}
std::size_t Remap::out_bytes(int pixel_bytes) const {
  return out_pitch(pixel_bytes) * static_cast<std::size_t>(out_.height);
}

void Remap::run(Queue& queue, int pixel_bytes, const Buffer& in, Buffer& out, int largest) const {
  const Grid grid(out_, programs_->device().properties());
  const auto defines =
      grid.defines().set("WORDS", pixel_bytes == 2 ? 1 : 0).set("WIDE", wide_ ? 1 : 0).set("PIXELS", pixels_);
  const Kernel& kernel = programs_->kernel("rectify/remap.cl", defines, "remap");
  grid.launch(queue, kernel,
              {in, *words_, *starts_, out,
               shared::RemapArguments{.items = out_.width,
                                      .height = out_.height,
                                      .in_width = in_.width,
                                      .in_height = in_.height,
                                      .largest = largest}});
}

}  // namespace vergence::gpu
