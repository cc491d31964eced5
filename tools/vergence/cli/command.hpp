// SPDX-License-Identifier: Apache-2.0
// What the commands of the program share: exit statuses, usage errors, reading of option values.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cli/printable.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {

/// Exit statuses of the program. A signal ends it with 128 + its number (Ctrl-C: 130).
enum Status : int {
  success = 0,
  failure = 1,  ///< Something failed that is not the command line: a file, data, a device; `diff`: the maps differ.
  usage = 2,    ///< The command line is wrong.
};

/// The command line is wrong; what() is one line.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message, std::string_view field = {})
      : std::runtime_error(message), field_(field) {}
  /// As Error::field.
  std::string_view field() const noexcept { return field_; }

 private:
  std::string_view field_;
};

class Command;
class Program;

/// What a command does once its options are known; returns the exit status.
using Action = std::function<int()>;

/// Each adds one command to the program.
void add_stereo(Program& program);
void add_motion(Program& program);
void add_track(Program& program);
void add_study(Program& program);
void add_eval(Program& program);
void add_eval_tracks(Program& program);
void add_diff(Program& program);
void add_synth(Program& program);
void add_calibrate(Program& program);
void add_calibration(Program& program);
void add_rectify(Program& program);
void add_devices(Program& program);
void add_presets(Program& program);
void add_tune(Program& program);
void add_verify(Program& program);
void add_view(Program& program);
void add_report(Program& program);
void add_help(Program& program);

/// Runs `interpret`, which turns option values into objects: a value that the library refuses there is wrong usage.
template <class Interpret>
decltype(auto) as_usage(Interpret&& interpret) {
  try {
    return std::forward<Interpret>(interpret)();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument || error.code() == ErrorCode::not_found)
      throw UsageError(error.what(), error.field());
    throw;
  }
}

/// The whole number that is all of `text`, within low .. high; otherwise UsageError naming `option`.
long long parse_integer(std::string_view option, std::string_view text, long long low, long long high);
/// The same for a finite number written with a decimal point.
double parse_number(std::string_view option, std::string_view text, double low, double high);
/// The same for one above 0.
double parse_positive(std::string_view option, std::string_view text, double high);
/// "640x480".
std::pair<int, int> parse_size(std::string_view option, std::string_view text, int low, int high);
/// "0:64" (both ends needed).
std::pair<long long, long long> parse_range(std::string_view option, std::string_view text, long long low,
                                            long long high);

/// Whether `words`, parted by one blank each, has this one.
bool holds_word(std::string_view words, std::string_view word);

/// To stdout; a failure is kept for finish_stdout.
void print_text(std::string_view text);

/// An argument of print: of texts, which may be names of files, what a line may hold.
template <class Argument>
decltype(auto) shown(const Argument& argument) {
  if constexpr (std::is_convertible_v<const Argument&, std::string_view>)
    return one_line(argument);
  else
    return (argument);
}

/// print("{} of {}\n", 3, 5) on stdout. The format alone says where lines end; arguments cannot.
template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const auto put = [&format](const auto&... texts) {
    print_text(fmt::vformat(fmt::string_view(format), fmt::make_format_args(texts...)));
  };
  put(shown(arguments)...);
}

/// "vergence: warning: LINE" on stderr.
void warn(std::string_view line);

/// Flushes stdout; throws Error(io) where what was printed did not arrive (a full disk, a closed pipe). Of help, a
/// reader such as `head` may leave when it has seen enough.
void finish_stdout(bool reader_may_leave = false);

}  // namespace vergence::cli
