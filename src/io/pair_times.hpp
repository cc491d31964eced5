// SPDX-License-Identifier: Apache-2.0
// Whether frames that are paired by their numbers are of one time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vergence::io {

/// Whether both rates are known and differ by more than they do by rounding.
bool are_of_other_rates(double left, double right);

class PairTimes {
 public:
  /// Frames per second, 0 where a file does not tell. Of files of two rates, times part although no frame is missing.
  void set_rates(double left, double right);
  /// When the frames of a pair are shown, in seconds, where their files tell.
  void take(std::int64_t frame, std::optional<double> left, std::optional<double> right);
  /// A line where they part behind the first pair; else "".
  const std::string& text() const { return text_; }

 private:
  struct Times {
    double left = 0;
    double right = 0;
  };
  double rate_ = 0;
  std::optional<Times> first_;
  int apart_ = 0;     ///< Pairs in a row,
  Times apart_from_;  ///< and when the first of these are shown, behind the first pair of all.
  std::string text_;
};

}  // namespace vergence::io
