// SPDX-License-Identifier: Apache-2.0
// The launch of remap.cl for the pictures of one camera.
#pragma once

#include <cstddef>
#include <memory>

#include "gpu/program.hpp"
#include "plan/rectify/maps.hpp"

namespace vergence::gpu {

/// Pixels of a work-item: PoCL makes vectors of work-items that have one.
inline int remap_pixels(const Properties& properties) { return properties.is_cpu ? 1 : 4; }

class Remap {
 public:
  /// Uploads the map. `pixels` of a work-item: 1 or 4.
  Remap(const rectify::SourceMap& map, Programs& programs, Queue& queue, int pixels);
  /// From row to row of the rectified picture, in bytes.
  std::size_t out_pitch(int pixel_bytes) const;
  std::size_t out_bytes(int pixel_bytes) const;
  /// Rows of `in` have no gaps; pixels have 1 or 2 bytes.
  void run(Queue& queue, int pixel_bytes, const Buffer& in, Buffer& out, int largest) const;

 private:
  Programs* programs_;
  Size in_, out_;  ///< The latter in work-items and rows.
  int pixels_;     ///< Of a work-item.
  bool wide_ = false;
  std::unique_ptr<Buffer> words_, starts_;
};

}  // namespace vergence::gpu
