// SPDX-License-Identifier: Apache-2.0
// Frames of a live source: a thread reads it all the time, and the latest frame is what a caller gets.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::io {

class LiveReader {
 public:
  /// Starts to read; next() tells of what goes wrong. Throws Error where `path` is no live source.
  LiveReader(const std::string& path, bool standard_input, const LiveOptions& options);
  LiveReader(LiveReader&&) noexcept;
  LiveReader& operator=(LiveReader&&) noexcept;
  ~LiveReader();

  /// Waits for a frame that no call gave before; nothing at the end. Throws Error where the source never gave one.
  std::optional<YuvFrame> next(bool chroma);
  LiveReport report() const;
  /// Frames per second; 0 where the source does not say.
  double rate() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What users should know of how it went, a line each.
std::vector<std::string> live_notices(const std::string& path, const LiveReport& report);

}  // namespace vergence::io
