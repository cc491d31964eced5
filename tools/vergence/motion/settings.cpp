// SPDX-License-Identifier: Apache-2.0
// The settings of motion.
#include "motion/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/idle.hpp"

namespace vergence::cli {
namespace {

struct MotionDomain {
  using Options = MotionOptions;
  static constexpr std::string_view name = "motion";
  static constexpr std::string_view pictures = "frames";
  static constexpr std::string_view how_to_see_presets = "vergence presets --of motion";
  static auto fields() { return motion_fields(); }
  static std::string get(const Options& options, std::string_view field) { return motion_get(options, field); }
  static void set(Options& options, std::string_view field, std::string_view text) { motion_set(options, field, text); }
  static auto presets() { return motion_presets(); }
  static const MotionPreset& preset(std::string_view which) { return motion_preset(which); }
};

constexpr std::array<IdleRule, 2> idle_rules{{
    {"step-grid", "search", "step", true},
    {"levels", "search", "tz hierarchical", true},
}};

/// That lambda is so large that hardly a vector is worth its bits; else "".
std::string heavy_lambda_warning(const MotionOptions& options) {
  // From one grey level (of 255) of each pixel on, hardly anything moves; of squares, 16. Of blocks below 8x8, encoders
  // spend as much, and do not get what moves either: with 20 in all, 4x4 blocks of a pan kept 21 % of their vectors.
  constexpr double parts = 65536, of_squares = 16;  // parts of a unit of the cost
  const double pixels = static_cast<double>(options.block.width) * options.block.height;
  const bool squares = options.cost == MotionCost::ssd;
  const double grey_levels = squares ? of_squares : 1;
  const double level = grey_levels * (options.depth == Depth::u8 ? 255 : options.max_value) / 255;
  const double most = parts * pixels * (squares ? level * level : level);
  if (options.lambda <= most) return {};
  return fmt::format(
      "lambda {} is far too large: a bit of a vector costs as much as {:.3g} grey levels of each pixel of a block and "
      "more, and so hardly one moves: give less than {:.0f}, such as {:.0f}",
      options.lambda, grey_levels, most, most / (squares ? 64 : 8));
}

}  // namespace

void add_motion_settings_options(Command command, SettingsArguments& arguments) {
  add_options_of<MotionDomain>(command, arguments, [](std::string_view /*field*/) { return true; });
}
MotionSettings resolve_motion_settings(const SettingsArguments& arguments) {
  return resolve_settings_of<MotionDomain>(arguments);
}
void limit_motion_range(MotionSettings& settings, Size frame) {
  if (settings.given.contains("range")) return;
  const auto limit = [](MotionRange& range, int side) {
    range = {std::max(range.first, -side), std::min(range.last, side)};
  };
  limit(settings.options.range_x, frame.width);
  limit(settings.options.range_y, frame.height);
}
void adopt_motion_depth(MotionSettings& settings, Depth depth, int max_value, std::string_view source) {
  adopt_depth_of<MotionDomain>(settings, depth, max_value, source);
}
std::vector<std::string> idle_motion_options(const SettingsArguments& arguments, const MotionOptions& options) {
  std::vector<std::string> lines =
      idle_options(arguments, idle_rules, [&](std::string_view field) { return motion_get(options, field); });
  if (std::string line = heavy_lambda_warning(options); !line.empty()) lines.push_back(std::move(line));
  return lines;
}
Json motion_settings_json(const MotionOptions& options) { return settings_json_of<MotionDomain>(options); }
void save_motion_settings(const std::string& path, const MotionOptions& options) {
  save_settings_of<MotionDomain>(path, options);
}

}  // namespace vergence::cli
