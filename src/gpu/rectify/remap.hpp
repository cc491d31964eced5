// SPDX-License-Identifier: Apache-2.0
// The launch of remap.cl for one picture or a pair.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/program.hpp"
#include "plan/rectify/plan.hpp"

namespace vergence::gpu {

/// The launch configuration: changes speed and nothing else.
struct RemapTuning {
  int pixels = 4;             ///< Of a row of a work-item, 1 or 4.
  int rows = 1;               ///< Of a work-item, 1 or 2.
  bool short_places = false;  ///< Pixels of source pictures are counted in 32 bits, where that is enough.
};
/// PoCL makes vectors of work-items that have one pixel.
inline RemapTuning default_remap_tuning(const Properties& properties) { return {.pixels = properties.is_cpu ? 1 : 4}; }

/// Where a kernel finds the pixels of a picture.
struct RemapPlace {
  const Buffer& buffer;
  std::int64_t first = 0, pitch = 0;  ///< In pixels.
};

struct RemapPicture {
  RemapPlace in, out;
};

class Remap {
 public:
  /// Uploads the maps.
  Remap(const RectifyPlan& plan, Programs& programs, Queue& queue, const RemapTuning& tuning);
  /// One launch for what is given of the left and the right picture. Pixels have 1 or 2 bytes.
  void run(Queue& queue, int pixel_bytes, const RemapPicture* left, const RemapPicture* right, int largest) const;

 private:
  Programs* programs_;
  Size in_, out_;
  int fours_ = 0;  ///< Times four runs of a row.
  RemapTuning tuning_;
  bool wide_ = false;
  std::unique_ptr<Buffer> words_, runs_;
};

}  // namespace vergence::gpu
