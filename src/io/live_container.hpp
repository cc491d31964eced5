// SPDX-License-Identifier: Apache-2.0
// Opening of live sources: named pipes, standard input, and the network where a live source was asked for.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "io/container.hpp"

namespace vergence::io {

/// Which kind of live source a path is.
enum class LiveKind { pipe, udp, rtsp };
/// Throws Error(invalid_argument, unsupported) that tells what may be read live.
LiveKind live_kind(const std::string& path, bool standard_input);

/// What ends a wait for the source: that it is to stop, or is silent for too long. FFmpeg asks it several times a
/// second, on the thread that reads.
class LiveWait {
 public:
  LiveWait(double silence_s, const std::atomic<bool>* stop) : silence_(silence_s), stop_(stop) {}
  /// The source gave something: the silence begins anew.
  void restart() { since_ = Clock::now(); }
  void close() { closing_ = true; }
  bool stopped() const { return closing_ || (stop_ != nullptr && *stop_); }
  bool silent() const { return Clock::now() - since_ > silence_; }
  double silence_s() const { return silence_.count(); }
  AVIOInterruptCB callback();

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> silence_;
  const std::atomic<bool>* stop_;
  std::atomic<bool> closing_ = false;
  Clock::time_point since_ = Clock::now();
};

/// A descriptor that is closed in the end; negative: none.
class OwnDescriptor {
 public:
  OwnDescriptor() = default;
  explicit OwnDescriptor(int number) : number_(number) {}
  OwnDescriptor(const OwnDescriptor&) = delete;
  OwnDescriptor& operator=(const OwnDescriptor&) = delete;
  ~OwnDescriptor();
  int number() const { return number_; }

 private:
  int number_ = -1;
};
/// The pipe's, of which no read waits. Throws Error.
int open_live_pipe(const std::string& path, bool standard_input);
/// Waits until a pipe has a writer that wrote or left; false where the wait ended before.
bool await_writer(int descriptor, const LiveWait& wait);

/// Throws Error that says why the source cannot be read. `descriptor` is that of a pipe and must outlive the container.
Container open_live_container(const std::string& path, LiveKind kind, int descriptor, LiveWait& wait);

}  // namespace vergence::io
