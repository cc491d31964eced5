// SPDX-License-Identifier: Apache-2.0
// Signals are taken by a thread of their own (sigwait), so that nothing here is bound by what a signal handler may do.
#include "cli/signals.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/printable.hpp"
#include "cli/progress.hpp"
#include "cli/strict.hpp"
#include "vergence/output_file.hpp"

namespace vergence::cli {
namespace {

/// Threads that are writing files. Never destroyed: the watching thread outlives main.
struct Writing {
  std::mutex mutex;
  std::condition_variable changed;
  int threads = 0;
  bool ends = false;  ///< The process does: nothing more is begun.
};
Writing& writing() {
  static auto* const all = new Writing;
  return *all;
}

/// Waits for the end of the writes in progress, or for a second signal. Not for ever: the reader of a pipe may be gone
/// or stand still.
void wait_for_writers(const sigset_t& watched) {
  const timespec now{0, 0};
  constexpr int most_waits = 25;
  Writing& all = writing();
  std::unique_lock lock(all.mutex);
  all.ends = true;
  for (int i = 0; i < most_waits; ++i) {
    if (all.changed.wait_for(lock, std::chrono::milliseconds(20), [&all] { return all.threads == 0; })) return;
    if (sigtimedwait(&watched, nullptr, &now) > 0) return;
  }
}

/// Names of can_be_resumed and is_whole. Never destroyed, either.
struct Told {
  std::mutex mutex;
  std::set<std::string> resumable;
  std::map<std::string, std::string> whole;  ///< The last file of each pattern.
};
Told& told() {
  static auto* const all = new Told;
  return *all;
}

/// Never destroyed, either.
struct OrderlyEnd {
  std::atomic<bool> possible = false;
  std::atomic<bool> wanted = false;
};
OrderlyEnd& orderly_end() {
  static auto* const end = new OrderlyEnd;
  return *end;
}

/// Asks the run to end, and waits until main has returned and this thread is gone, for half a second at most.
void wait_for_run(const sigset_t& watched) {
  orderly_end().wanted = true;
  const timespec most{0, 450'000'000};
  sigtimedwait(&watched, nullptr, &most);  // or for a second signal
}

std::string resume_text(const std::string& partial) {
  const std::lock_guard lock(told().mutex);
  return told().resumable.contains(partial) ? ", or to another name to go on with it by --resume" : "";
}

std::string whole_text() {
  const std::lock_guard lock(told().mutex);
  std::string text;
  for (const auto& [pattern, file] : told().whole)
    text += one_line(fmt::format("vergence: interrupted: the files of {} are whole up to {}", pattern, file)) + "\n";
  return text;
}

/// A file that grew stays: what a long run wrote is worth having.
void tell_of(const std::vector<std::string>& partial) {
  std::string text = whole_text();
  for (const std::string& path : partial)
    text += one_line(fmt::format("vergence: interrupted: {} holds what was finished: rename it to {} to use it{}, or "
                                 "delete it: while it exists, no run begins it anew",
                                 path, path.substr(0, path.size() - std::string_view(".partial").size()),
                                 resume_text(path))) +
            "\n";
  pollfd err{STDERR_FILENO, POLLOUT, 0};
  if (text.empty() || poll(&err, 1, 0) != 1) return;  // nobody reads: this thread must not hang, too
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

void watch(sigset_t watched) {
  int number = 0;
  if (sigwait(&watched, &number) != 0) return;
  if (orderly_end().possible) wait_for_run(watched);
  wait_for_writers(watched);
  const std::vector<std::string> partial = AtomicFile::end_all();
  HeldFiles::drop_all();
  Progress::clear_line();
  tell_of(partial);
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

void can_be_resumed(const std::string& partial) {
  const std::lock_guard lock(told().mutex);
  told().resumable.insert(partial);
}

void is_whole(const std::string& pattern, const std::string& file) {
  const std::lock_guard lock(told().mutex);
  told().whole[pattern] = file;
}

const std::atomic<bool>* end_by_itself() {
  orderly_end().possible = true;
  return &orderly_end().wanted;
}

WriteGuard::WriteGuard() {
  Writing& all = writing();
  std::unique_lock lock(all.mutex);
  all.changed.wait(lock, [&all] { return !all.ends; });
  ++all.threads;
}
WriteGuard::~WriteGuard() {
  Writing& all = writing();
  {
    const std::lock_guard lock(all.mutex);
    --all.threads;
  }
  all.changed.notify_all();
}

}  // namespace vergence::cli
