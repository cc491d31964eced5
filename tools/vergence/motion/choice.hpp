// SPDX-License-Identifier: Apache-2.0
// How `vergence motion` goes about its video, apart from the settings of the search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/run.hpp"

namespace vergence::cli {

struct MotionChoice {
  int repeat = 1;
  bool timed = false;
  int reference = 1;            ///< So many frames before.
  bool reconstruction = false;  ///< As it was itself predicted.
  MotionWants wants;
  std::vector<MotionSearch> compared;  ///< Of --compare.

  /// Of --check, in px.
  std::optional<double> check() const;
};

/// UsageError for values that are not allowed, alone or with these options.
MotionChoice read_motion_choice(const MotionArguments& arguments, const MotionOptions& options);
/// UsageError where these devices, being several, cannot share the frames.
void check_motion_sharing(const MotionArguments& arguments, const MotionChoice& choice, const MotionOptions& options,
                          const std::vector<StreamDevice>& devices);
/// A line for each option that does nothing with these settings.
std::vector<std::string> idle_motion_choices(const MotionArguments& arguments, const MotionChoice& choice,
                                             const MotionOptions& options);
/// UsageError where --first, which changes names and the column `frame`, would change nothing.
void check_first_number(const MotionArguments& arguments);

}  // namespace vergence::cli
