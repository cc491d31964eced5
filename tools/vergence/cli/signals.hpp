// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: the program ends at once with status 130, but never in the middle of a file.
#pragma once

#include <atomic>
#include <string>

namespace vergence::cli {

/// Starts to watch SIGINT, SIGTERM and SIGHUP, each unless it is ignored. Call it before any other thread exists.
void watch_signals();

/// What a signal leaves under this name is such that --resume goes on with it: that is said, too.
void can_be_resumed(const std::string& partial);

/// A numbered output of this pattern that is whole: the last one is named at a signal.
void is_whole(const std::string& pattern, const std::string& file);

/// From now on the first signal sets what this points to, and the program has half a second to end by itself.
const std::atomic<bool>* end_by_itself();

/// While one exists, its thread writes files: a signal waits until the last one is gone, for half a second at most (a
/// pipe may have no reader), and no other one is made meanwhile. A second signal does not wait. A thread that waits for
/// another one's files must have none.
class WriteGuard {
 public:
  WriteGuard();
  ~WriteGuard();
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;
};

}  // namespace vergence::cli
