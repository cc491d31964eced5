// SPDX-License-Identifier: Apache-2.0
// The launch of remap.cl for one picture or a pair.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/grid.hpp"
#include "gpu/program.hpp"
#include "plan/rectify/plan.hpp"

namespace vergence::gpu {

/// The launch configuration: changes speed and nothing else.
struct RemapTuning {
  int pixels = 4;  ///< Of a row of a work-item, 1 or 4.
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
  void run(Queue& queue, int pixel_bytes, const RemapPicture* left, const RemapPicture* right, int largest);

 private:
  struct Launch {
    Grid grid;
    const Kernel& kernel;
  };
  /// Made at the first use: to find a kernel by its text takes the host longer than the device works.
  const Launch& launch_of(int pixel_bytes);

  Programs* programs_;
  Size in_, out_;
  int fours_ = 0;  ///< Times four runs of a row.
  int items_ = 0;  ///< Work-items of a row.
  RemapTuning tuning_;
  bool wide_ = false;
  std::unique_ptr<Buffer> words_, runs_;
  std::array<std::optional<Launch>, 2> launches_;  ///< For bytes and for words.
};

}  // namespace vergence::gpu
