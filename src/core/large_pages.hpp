// SPDX-License-Identifier: Apache-2.0
// Large memory in large pages, where the system has them: a first write then meets one page in the place of 512.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace vergence {

/// Asks for them where `bytes` are worth it. Contents stay, and nothing happens where the system refuses.
inline void ask_for_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t worth_it = std::size_t{4} << 20;
  if (bytes < worth_it) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = (start + page - 1) / page * page, last = (start + bytes) / page * page;
  ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace vergence
