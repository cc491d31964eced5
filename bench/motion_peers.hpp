// SPDX-License-Identifier: Apache-2.0
// Other people's motion searches, timed beside ours: x264's exhaustive search and FFmpeg's filter mestimate.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>

#include "vergence/image.hpp"

namespace vergence::bench {

/// The process's own time: all here run in one thread, and other programs disturb it less than the clock on the wall.
inline double cpu_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// One that finds the blocks of a frame in another, again and again, with blocks of 16x16 and a range of 64 px.
class MotionPeer {
 public:
  virtual ~MotionPeer() = default;
  /// What one frame took. Where a search cannot be run alone, `rest_ms` is the same work with next to no search.
  struct Times {
    double ms = 0;
    double rest_ms = 0;
  };
  virtual Times run() = 0;
  /// How often it can be run in reasonable time; 0 = any number.
  virtual int most_runs() const { return 0; }
};

/// x264's whole encoding of a frame with its exhaustive search (`esa`), and the same with `hex`. Null where this
/// program was built without x264.
std::unique_ptr<MotionPeer> make_x264_peer(const Image<std::uint8_t>& current, const Image<std::uint8_t>& reference);

/// FFmpeg's `mestimate` with that method: "esa", "hexbs" or "epzs". Null where this program was built without
/// libavfilter.
std::unique_ptr<MotionPeer> make_mestimate_peer(const std::string& method, const Image<std::uint8_t>& current,
                                                const Image<std::uint8_t>& reference);

}  // namespace vergence::bench
