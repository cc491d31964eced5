// SPDX-License-Identifier: Apache-2.0
// Coloured maps of `vergence stereo`.
#include "stereo/coloured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "cli/canvas.hpp"
#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "stereo/outputs.hpp"

namespace vergence::cli {
namespace {

/// "A:B" of two numbers, A below B.
ColourRange parse_scale(std::string_view option, const std::string& text, double low, double high) {
  const std::size_t cut = text.find(':');
  const auto refuse = [&] {
    throw UsageError(fmt::format("{} is '{}': allowed is A:B with {} <= A < B <= {}", option, text, low, high));
  };
  if (cut == std::string::npos) refuse();
  const ColourRange range{parse_number(option, text.substr(0, cut), low, high),
                          parse_number(option, text.substr(cut + 1), low, high)};
  if (range.high - range.low < 1e-3) refuse();
  return range;
}

/// From the 2nd to the 98th percentile of the measured depths, rounded outwards to a tenth of the range's power of ten:
/// a few wrong matches, very near or far, would else leave all others one colour. Nothing where none is measured.
std::optional<ColourRange> range_of_depths(ImageView<const float> metres, ImageView<const std::uint8_t> mask) {
  std::vector<float> measured;
  for (int y = 0; y < metres.height(); ++y)
    for (int x = 0; x < metres.width(); ++x)
      if (std::isfinite(metres(x, y)) && (mask.empty() || mask(x, y) == measured_pixel))
        measured.push_back(metres(x, y));
  if (measured.empty()) return std::nullopt;
  const auto percentile = [&measured](std::size_t percent) {
    const auto at = measured.begin() + static_cast<std::ptrdiff_t>((measured.size() - 1) * percent / 100);
    std::nth_element(measured.begin(), at, measured.end());
    return static_cast<double>(*at);
  };
  constexpr double most = 9e8;  // near what a legend can hold
  const double low = std::min(most, percentile(2)), high = std::min(most, percentile(98));
  const double range = std::max({high - low, 0.1 * high, 1e-3});  // of a wall, too
  const double step = std::pow(10.0, std::floor(std::log10(range)) - 1);
  const double middle = (low + high) / 2;
  return ColourRange{std::max(0.0, std::floor(std::min(low, middle - range / 2) / step + 1e-6) * step),
                     std::ceil(std::max(high, middle + range / 2) / step - 1e-6) * step};
}

}  // namespace

void add_colour_options(Command command, ColourArguments& arguments) {
  command
      .add("--color-range", arguments.range,
           "Disparities that have the first and the last colour of --color [A:B; unit: px; default: all candidates]")
      .type("A:B")
      .group("Outputs");
  command
      .add("--depth-range", arguments.depth_range,
           "Depths that have the first and the last colour of --depth-color [A:B; unit: m; default: those that 2 % and "
           "98 % of the first frame's measured pixels do not exceed, rounded outwards]")
      .type("A:B")
      .group("Outputs");
  command
      .add("--rate", arguments.rate,
           "Frames per second of the videos that are written, and of the times of --rgbd [above 0, up to 1000000; "
           "default: the video's, else 25]")
      .type("FPS")
      .group("Outputs");
}

bool names_video(const std::string& path) { return ending(path) == ".mp4" || ending(path) == ".y4m"; }

ColouredMaps::ColouredMaps(const ColourArguments& arguments, const std::map<Output, std::string>& paths) {
  if (arguments.range) {
    if (!paths.contains(Output::color)) throw UsageError("--color-range needs --color FILE");
    range_ = parse_scale("--color-range", *arguments.range, -1e6, 1e6);
  }
  if (arguments.depth_range) {
    if (!paths.contains(Output::depth_color)) throw UsageError("--depth-range needs --depth-color FILE");
    depth_range_ = parse_scale("--depth-range", *arguments.depth_range, 0, 1e6);
    depth_asked_ = true;
  }
  if (!arguments.rate) return;
  rate_ = parse_positive("--rate", *arguments.rate, 1'000'000);
  const bool videos =
      std::any_of(paths.begin(), paths.end(), [](const auto& item) { return names_video(item.second); });
  if (!videos && !paths.contains(Output::rgbd))
    throw UsageError("--rate is for videos and --rgbd: give an output such as --color map.mp4");
}

ColourRange ColouredMaps::disparities(const StereoOptions& options) const {
  if (range_) return *range_;
  const double low = options.min_disparity;
  return {low, low + options.disparities};
}

ColourRange ColouredMaps::depths(ImageView<const float> metres, ImageView<const std::uint8_t> mask) {
  if (!depth_range_) depth_range_ = range_of_depths(metres, mask);
  return depth_range_.value_or(ColourRange{0, 1});
}

std::string ColouredMaps::outside_warning(Output output, const std::string& name, double least, double largest) {
  const bool of_depths = output == Output::depth_color;
  const ColourRange range = (of_depths ? depth_range_ : range_).value();  // doubts_range
  constexpr double share = 64;                                            // 4 of 256 colours
  const bool beside = least > range.high || largest < range.low;
  const bool wide = share * (largest - least) < range.high - range.low;
  if (least > largest || !(beside || wide) || !told_.insert(output).second) return {};
  return fmt::format("{} is of {} colour: {} are {:.4g} .. {:.4g} {}, and {} {} {:g}:{:g}: give a range in {} that {}",
                     name, beside ? "one" : "nearly one", of_depths ? "depths" : "disparities", least, largest,
                     of_depths ? "m" : "px", beside ? "none lies within" : "these are less than a 64th of",
                     of_depths ? "--depth-range" : "--color-range", range.low, range.high,
                     of_depths ? "metres" : "pixels", beside ? "holds some" : "is about as long");
}

void ColouredMaps::set_rate(double source_rate) {
  if (rate_ == 0) rate_ = source_rate > 0 ? source_rate : 25;
}

void ColouredMaps::write(Output output, const std::string& path, const Image<Rgb>& picture) {
  if (names_video(path))
    add_picture(videos_[output], path, rate_, picture);
  else
    write_picture(path, picture.view());
}

void ColouredMaps::commit() {
  for (auto& item : videos_)
    if (item.second) item.second->commit();
}

}  // namespace vergence::cli
