// SPDX-License-Identifier: Apache-2.0
// Signals are taken by a thread of their own (sigwait), so that nothing here is bound by what a signal handler may do.
#include "cli/signals.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>

#include "cli/progress.hpp"

namespace vergence::cli {
namespace {

// Held while files are written. Never destroyed: the watching thread outlives main.
std::timed_mutex& writing() {
  static auto* const mutex = new std::timed_mutex;
  return *mutex;
}

/// Waits for the end of the write in progress, or for a second signal.
void wait_for_writer(const sigset_t& watched) {
  const timespec now{0, 0};
  while (!writing().try_lock_for(std::chrono::milliseconds(20)))
    if (sigtimedwait(&watched, nullptr, &now) > 0) return;
}

void watch(sigset_t watched) {
  int number = 0;
  if (sigwait(&watched, &number) != 0) return;
  wait_for_writer(watched);
  Progress::clear_line();
  _exit(128 + number);
}

}  // namespace

void watch_signals() {
  sigset_t watched;
  sigemptyset(&watched);
  bool any = false;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current {};
    if (sigaction(number, nullptr, &current) != 0 || current.sa_handler == SIG_IGN) continue;
    sigaddset(&watched, number);
    any = true;
  }
  if (!any) return;
  pthread_sigmask(SIG_BLOCK, &watched, nullptr);
  std::thread(watch, watched).detach();
}

WriteGuard::WriteGuard() { writing().lock(); }
WriteGuard::~WriteGuard() { writing().unlock(); }

}  // namespace vergence::cli
