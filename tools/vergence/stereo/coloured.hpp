// SPDX-License-Identifier: Apache-2.0
// Coloured maps of `vergence stereo`: disparity, depth and confidence with a legend, as pictures or as videos.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "stereo/output_kinds.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli {

class Command;

struct ColourArguments {
  std::optional<std::string> range;        ///< Of --color.
  std::optional<std::string> depth_range;  ///< Of --depth-color.
  std::optional<std::string> rate;         ///< Of videos.
};

void add_colour_options(Command command, ColourArguments& arguments);

/// Least and largest number of a scale.
struct ColourRange {
  double low = 0, high = 0;
};

/// Writes coloured pictures: a file for each frame, or one video.
class ColouredMaps {
 public:
  /// UsageError for values that are not allowed, and for options without their output. `paths`: of all outputs.
  ColouredMaps(const ColourArguments& arguments, const std::map<Output, std::string>& paths);

  /// The scale of disparities in px: what was asked for, or all candidates.
  ColourRange disparities(const StereoOptions& options) const;
  /// The scale of depths in m: what was asked for, or that of the first map with measured depths, which all later ones
  /// share. `mask`: of the map's size, or empty where every depth is measured.
  ColourRange depths(ImageView<const float> metres, ImageView<const std::uint8_t> mask);
  /// Whether outside_warning may tell something: a scale was asked for, of disparities or of depths, and it told
  /// nothing.
  bool doubts_range(Output output) const {
    return (output == Output::color ? range_.has_value() : depth_asked_) && !told_.contains(output);
  }
  /// That no value lies within the scale that was asked for, or all in a 64th of it, once; else "". `least`, `largest`:
  /// of the map `name`.
  std::string outside_warning(Output output, const std::string& name, double least, double largest);
  /// Videos of sources that do not say their speed get 25 frames per second.
  void set_rate(double source_rate);

  void write(Output output, const std::string& path, const Image<Rgb>& picture);
  double rate() const { return rate_; }
  /// Videos get their names.
  void commit();

 private:
  std::optional<ColourRange> range_, depth_range_;  ///< The second may be that of the first map.
  bool depth_asked_ = false;
  std::set<Output> told_;  ///< That no value lies within the scale.
  double rate_ = 0;
  std::map<Output, std::optional<VideoWriter>> videos_;
};

/// Does the name stand for a video, which holds all frames?
bool names_video(const std::string& path);

}  // namespace vergence::cli
