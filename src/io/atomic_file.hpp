// SPDX-License-Identifier: Apache-2.0
// The full disk, made to order: lets tests see what happens when a write fails half way.
#pragma once

#include <cstdint>

namespace vergence::io {

/// While one of these lives, the process may write `bytes` more bytes through AtomicFile; then every write fails as it
/// does on a full disk. One at a time.
class FullDisk {
 public:
  explicit FullDisk(std::int64_t bytes);
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk();
};

}  // namespace vergence::io
