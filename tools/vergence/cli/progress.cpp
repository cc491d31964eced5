// SPDX-License-Identifier: Apache-2.0
// The progress bar: its text, and its drawing at most ten times a second.
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace vergence::cli {
namespace {

std::atomic<bool> bar_stands{false};

/// Straight to the terminal; a failure is no reason to stop the work.
void write_terminal(std::string_view text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool on_terminal() {
  const char* const terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

/// "45 s", "3:07 min", "1:02:09 h".
std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

std::string progress_text(const std::string& what, std::int64_t done, std::int64_t total, double seconds, int width) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  if (total < 0) return fmt::format("{} {}  {:.1f}/s", what, done, rate).substr(0, static_cast<std::size_t>(width));
  const std::string count = std::to_string(total);
  const std::string head = fmt::format("{} {:>{}}/{}", what, done, count.size(), count);
  std::string tail = fmt::format("  {:.1f}/s", rate);
  if (done > 0 && done < total)
    tail += fmt::format("  {} left",
                        duration_text(seconds * static_cast<double>(total - done) / static_cast<double>(done)));
  const int room = std::min(40, width - static_cast<int>(head.size() + tail.size()) - 3);
  if (room < 5) return (head + tail).substr(0, static_cast<std::size_t>(width));
  const auto full = static_cast<std::size_t>(total > 0 ? room * std::min(done, total) / total : room);
  return fmt::format("{} [{}{}]{}", head, std::string(full, '#'),
                     std::string(static_cast<std::size_t>(room) - full, '.'), tail);
}

Progress::Progress(std::string what, std::int64_t total)
    : what_(std::move(what)), total_(total), shown_(total != 1 && on_terminal()), start_(Clock::now()) {}

Progress::~Progress() { clear_line(); }

void Progress::step() {
  ++done_;
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  draw();
}

void Progress::draw() {
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  bar_stands = true;
  write_terminal(fmt::format("\r{}\x1b[K", progress_text(what_, done_, total_, seconds, terminal_width() - 1)));
}

void Progress::clear_line() {
  if (bar_stands.exchange(false)) write_terminal("\r\x1b[K");
}

}  // namespace vergence::cli
