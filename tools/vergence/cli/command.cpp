// SPDX-License-Identifier: Apache-2.0
// Reading of option values, with messages in the library's style: what, the value, what is allowed.
#include "cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace vergence::cli {
namespace {

// errno of the first failure on stdout; only the main thread prints.
int print_problem = 0;
// Who read stdout has left, as it may.
bool reader_left = false;

template <class Number>
bool parse_whole(std::string_view text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

}  // namespace

long long parse_integer(std::string_view option, std::string_view text, long long low, long long high) {
  long long value = 0;
  if (!parse_whole(text, value) || value < low || value > high)
    throw UsageError(fmt::format("{} is '{}': allowed are whole numbers {} .. {}", option, text, low, high));
  return value;
}

double parse_number(std::string_view option, std::string_view text, double low, double high) {
  double value = 0;
  if (!parse_whole(text, value) || !std::isfinite(value) || value < low || value > high)
    throw UsageError(fmt::format("{} is '{}': allowed are numbers {} .. {}", option, text, low, high));
  return value;
}

double parse_positive(std::string_view option, std::string_view text, double high) {
  double value = 0;
  // What is above 0 but too small for a float would become 0.
  if (!parse_whole(text, value) || !(value >= std::numeric_limits<float>::min()) || !(value <= high))
    throw UsageError(fmt::format("{} is '{}': allowed are numbers above 0, up to {}", option, text, high));
  return value;
}

std::pair<int, int> parse_size(std::string_view option, std::string_view text, int low, int high) {
  int width = 0;
  int height = 0;
  const std::size_t cut = text.find('x');
  const bool parsed = cut != std::string_view::npos && parse_whole(text.substr(0, cut), width) &&
                      parse_whole(text.substr(cut + 1), height);
  if (!parsed || width < low || height < low || width > high || height > high)
    throw UsageError(
        fmt::format("{} is '{}': allowed is WIDTHxHEIGHT, {}x{} .. {}x{}", option, text, low, low, high, high));
  return {width, height};
}

bool holds_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t blank = words.find(' ');
    if (words.substr(0, blank) == word) return true;
    words = blank == std::string_view::npos ? std::string_view{} : words.substr(blank + 1);
  }
  return false;
}

std::pair<long long, long long> parse_range(std::string_view option, std::string_view text, long long low,
                                            long long high) {
  long long first = 0;
  long long last = 0;
  const std::size_t cut = text.find(':');
  const bool parsed = cut != std::string_view::npos && parse_whole(text.substr(0, cut), first) &&
                      parse_whole(text.substr(cut + 1), last);
  if (!parsed || first > last || first < low || last > high)
    throw UsageError(
        fmt::format("{} is '{}': allowed is FIRST:LAST with {} <= FIRST <= LAST <= {}", option, text, low, high));
  return {first, last};
}

void print_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && print_problem == 0) print_problem = errno;
}

void warn(std::string_view line) { fmt::print(stderr, "vergence: warning: {}\n", one_line(line)); }

void finish_stdout(bool reader_may_leave) {
  if (std::fflush(stdout) != 0 && print_problem == 0) print_problem = errno;
  reader_left = reader_left || (reader_may_leave && print_problem == EPIPE);
  if (print_problem == 0 || reader_left) return;
  throw Error(ErrorCode::io, fmt::format("cannot write to standard output: {}",
                                         print_problem == EBADF ? "it is closed" : std::strerror(print_problem)));
}

}  // namespace vergence::cli
