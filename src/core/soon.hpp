// SPDX-License-Identifier: Apache-2.0
// Waiting for what comes within a microsecond.
#pragma once

#include <mutex>

namespace vergence {

/// Lets the core rest for some tens of cycles.
inline void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Locks a mutex that others hold for less time than a thread takes to sleep and be woken: some 10 us, each time.
inline std::unique_lock<std::mutex> lock_soon(std::mutex& mutex) {
  constexpr int looks = 50;
  for (int i = 0; i < looks; ++i) {
    if (std::unique_lock lock(mutex, std::try_to_lock); lock) return lock;
    pause_core();
  }
  return std::unique_lock(mutex);
}

}  // namespace vergence
