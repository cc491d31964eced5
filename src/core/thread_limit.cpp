// SPDX-License-Identifier: Apache-2.0
// Starts as many threads as are needed, and ends them at once.
#include "core/thread_limit.hpp"

#include <fmt/format.h>

#include <atomic>
#include <future>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "vergence/error.hpp"

namespace vergence {
namespace {

// The most that were seen to run at a time.
std::atomic<int> proven{1};

}  // namespace

void require_threads(int count) {
  if (count <= proven.load()) return;
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  std::vector<std::thread> threads;
  bool refused = false;
  try {
    threads.reserve(static_cast<std::size_t>(count));
    while (static_cast<int>(threads.size()) < count - 1) threads.emplace_back([ended] { ended.wait(); });
  } catch (const std::system_error&) {
    refused = true;
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  const std::size_t started = threads.size() + 1;
  end.set_value();
  for (std::thread& thread : threads) thread.join();
  if (refused)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("cannot start {} threads, only {}: raise the limit of processes or of memory (ulimit -u, "
                            "ulimit -v), or ask for fewer threads",
                            count, started));
  proven.store(count);
}

}  // namespace vergence
