// SPDX-License-Identifier: Apache-2.0
// The progress bar of long runs: on a terminal's standard error, and nothing anywhere else.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace vergence::cli {

/// Counts steps and shows them, their rate and the time left. `total` < 0: not known; 1: nothing is shown.
class Progress {
 public:
  Progress(std::string what, std::int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more step is done.
  void step();

  /// Removes a bar that stands on the terminal; any thread may call it.
  static void clear_line();

 private:
  void draw();

  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  bool shown_;
  Clock::time_point start_;
  Clock::time_point last_{};
};

/// The bar as text of at most `width` columns: "frames  12/100 [###.......]  8.3/s  11 s left".
std::string progress_text(const std::string& what, std::int64_t done, std::int64_t total, double seconds, int width);

}  // namespace vergence::cli
