// SPDX-License-Identifier: Apache-2.0
// The end of a named pipe that a test writes into.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <string>
#include <thread>

namespace vergence::test {

/// Waits until somebody reads, half a minute at most: a program that never does so fails its test and holds up none.
class PipeEnd {
 public:
  explicit PipeEnd(const std::string& path) {
    constexpr int tries = 3000;
    for (int i = 0; i < tries && end_ < 0; ++i) {
      end_ = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      if (end_ < 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (end_ >= 0) fcntl(end_, F_SETFL, fcntl(end_, F_GETFL) & ~O_NONBLOCK);
  }
  PipeEnd(const PipeEnd&) = delete;
  PipeEnd& operator=(const PipeEnd&) = delete;
  ~PipeEnd() {
    if (end_ >= 0) close(end_);
  }
  /// False where nobody reads any more: without the signal, which programs that are started would inherit ignored.
  bool put(const std::string& bytes) const {
    sigset_t broken{}, before{};
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    const bool all = write_all(bytes);
    const timespec now{};
    while (sigtimedwait(&broken, nullptr, &now) == SIGPIPE) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return all;
  }

 private:
  bool write_all(const std::string& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t count = write(end_, bytes.data() + at, bytes.size() - at);
      if (count <= 0) return false;
      at += static_cast<std::size_t>(count);
    }
    return true;
  }

  int end_ = -1;
};

}  // namespace vergence::test
