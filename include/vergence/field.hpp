// SPDX-License-Identifier: Apache-2.0
// What is known about one setting: the tables from which command lines, settings files and pages are made.
#pragma once

#include <span>
#include <string_view>

namespace vergence {

/// What the value of a field is, and how it looks as text.
enum class FieldKind {
  integer,  ///< A whole number: "64".
  real,     ///< A decimal number: "0.01".
  choice,   ///< One word of `choices`: "census-5x5".
  boolean,  ///< "off" or "on", which are its choices.
  size,     ///< Two whole numbers: "11x7". `least` and `most` hold for each.
  range,  ///< First and last candidate of both axes: "64", "-64:63", "64,-32:31". `least` and `most` hold for each end.
  rectangle,  ///< "x,y,width,height", or the word in `choices`, which stands for the whole picture.
};

/// What of the picture bounds a field, beside `least` and `most`.
enum class FieldBound {
  none,
  picture_width,  ///< At most the picture's width.
  picture_size,   ///< At most the picture's width and height: both numbers of a size, both axes of a range.
  below_picture,  ///< Less than the picture's width and less than its height.
  inside,         ///< The rectangle lies inside the picture.
  pixel_depth,    ///< Follows the type of the picture's pixels (u8 or u16).
};

/// A number with a meaning of its own: 0 = off. Of a size: both numbers, and the meaning is the text that stands for
/// them, "auto".
struct FieldSpecial {
  int value = 0;
  std::string_view meaning{};  ///< Empty: the field has no such number.
};

/// One field of StereoOptions, MotionOptions or TrackOptions. The constructors of StereoMatcher, MotionEstimator and
/// PointFlow check with these very numbers. All texts live as long as the program.
struct Field {
  std::string_view name{};  ///< As on the command line without "--": "min-disparity".
  FieldKind kind = FieldKind::integer;
  /// Of integer, real, size and range: the smallest and largest number allowed, whatever the picture.
  double least = 0;
  double most = 0;
  /// Of integer and size: allowed are least, least + step, least + 2 step, ...
  int step = 1;
  bool below_most = false;      ///< `most` itself is refused.
  std::span<const int> also{};  ///< Numbers that are allowed too.
  FieldSpecial special{};       ///< Allowed even where it is not within least .. most.
  bool square = false;          ///< Of a size: one number stands for both, "9" for "9x9".
  FieldBound bound = FieldBound::none;
  std::span<const std::string_view> choices{};  ///< Words, in the order of the enumeration.
  std::string_view unit{};                      ///< "px", "1/16 px", "%", or empty.
  std::string_view group{};                     ///< Fields of a group stand together: "Matching".
  std::string_view help{};                      ///< What it does, one sentence.
  std::string_view form{};                      ///< Of size, range and rectangle: how the text looks, with an example.
  std::string_view default_value{};             ///< As text.
  std::string_view range{};                     ///< Allowed values for people, from the above: "1 .. picture width".
};

}  // namespace vergence
