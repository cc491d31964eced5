// SPDX-License-Identifier: Apache-2.0
// The launch of remap.cl for the pictures of one camera.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/program.hpp"
#include "plan/rectify/maps.hpp"

namespace vergence::gpu {

/// Pixels of a work-item: PoCL makes vectors of work-items that have one.
inline int remap_pixels(const Properties& properties) { return properties.is_cpu ? 1 : 4; }

/// Where a kernel finds the pixels of a picture.
struct RemapPlace {
  const Buffer& buffer;
  std::int64_t first = 0, pitch = 0;  ///< In pixels.
  /// Of a row that is written, in a buffer that begins at a word: pixels that may be written from its first one on.
  std::int64_t room = 0;
};

class Remap {
 public:
  /// Uploads the map. `pixels` of a work-item: 1 or 4.
  Remap(const rectify::SourceMap& map, Programs& programs, Queue& queue, int pixels);
  /// A row of the rectified picture and what whole work-items write behind it, in pixels.
  int out_room() const { return items_ * pixels_; }
  /// Pixels have 1 or 2 bytes.
  void run(Queue& queue, int pixel_bytes, const RemapPlace& in, const RemapPlace& out, int largest) const;

 private:
  Programs* programs_;
  Size in_, out_;
  int items_ = 0;  ///< Of a row.
  int pixels_;     ///< Of a work-item.
  bool wide_ = false;
  std::unique_ptr<Buffer> words_, starts_;
};

}  // namespace vergence::gpu
