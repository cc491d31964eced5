// SPDX-License-Identifier: Apache-2.0
// The settings of stereo.
#include "stereo/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/files.hpp"
#include "cli/idle.hpp"

namespace vergence::cli {
namespace {

struct StereoDomain {
  using Options = StereoOptions;
  static constexpr std::string_view name = "stereo";
  static constexpr std::string_view pictures = "pictures";
  static constexpr std::string_view how_to_see_presets = "vergence presets";
  static auto fields() { return stereo_fields(); }
  static std::string get(const Options& options, std::string_view field) { return stereo_get(options, field); }
  static void set(Options& options, std::string_view field, std::string_view text) { stereo_set(options, field, text); }
  static auto presets() { return stereo_presets(); }
  static const StereoPreset& preset(std::string_view which) { return stereo_preset(which); }
  static std::string help(const Field& field) {
    if (field.name != "disparities") return field_help(field);
    return std::string(field.help) +
           " auto: as many as the first frame shows (published presets keep theirs), follow: and later ones. [1 .. "
           "picture width, auto, follow; unit: px; default: auto]";
  }
};

constexpr std::array<IdleRule, 9> idle_rules{{
    {"paths", "aggregate", "window"},
    {"p1", "aggregate", "window"},
    {"p2", "aggregate", "window"},
    {"p2-slope", "aggregate", "window"},
    {"prefilter-cap", "prefilter", "none"},
    {"prefilter-cap", "texture", "0"},
    {"left-right-unit", "left-right", "-1"},
    {"speckle-range", "speckle-size", "0"},
    {"fill-window", "fill", "mean mean-all", true},
}};

/// Presets that are published set-ups: their number of candidates belongs to them.
constexpr std::array<std::string_view, 3> presets_with_range{"sad-2018", "ssd-cross-check", "opencv-bm"};

/// --cost once named the file of costs, too.
void check_cost(const SettingsArguments& arguments) {
  const auto cost = arguments.given.find("cost");
  if (cost != arguments.given.end() && !ending(cost->second).empty())
    throw UsageError(
        fmt::format("--cost is '{0}': it is how pixels are compared; the file is now --cost-map {0}", cost->second));
}

}  // namespace

void add_stereo_settings_options(Command command, SettingsArguments& arguments) {
  add_options_of<StereoDomain>(command, arguments, [](std::string_view /*field*/) { return true; });
}
StereoSettings resolve_stereo_settings(const SettingsArguments& arguments) {
  check_cost(arguments);
  SettingsArguments numbers = arguments;
  const auto finds = [&numbers](const char* field, const char* word) {
    const auto given = numbers.given.find(field);
    if (given == numbers.given.end() || given->second != word) return false;
    numbers.given.erase(given);
    return true;
  };
  const bool follows = finds("disparities", "follow"), disparities = follows || finds("disparities", "auto");
  const bool minimum = finds("min-disparity", "auto");
  StereoSettings settings{resolve_settings_of<StereoDomain>(numbers), disparities, minimum, follows, disparities};
  if (disparities) settings.given.erase("disparities");  // of a settings file
  const bool published =
      std::find(presets_with_range.begin(), presets_with_range.end(), arguments.preset) != presets_with_range.end();
  if (!settings.given.contains("disparities") && !published) settings.finds_disparities = true;
  if (minimum && !settings.finds_disparities)
    throw UsageError("--min-disparity is 'auto': give --disparities auto with it, or follow, or a number");
  return settings;
}
void adopt_stereo_depth(StereoSettings& settings, Depth depth, int max_value, std::string_view source) {
  adopt_depth_of<StereoDomain>(settings, depth, max_value, source);
}
namespace {

/// Of a limit that no two disparities exceed.
std::string limit_warning(const SettingsArguments& arguments, std::string_view field, int limit, int most,
                          std::string_view unit) {
  if (limit < most || !arguments.given.contains(std::string(field))) return "";
  return fmt::format("--{} {} does nothing: the disparities differ by {}{} at most", field, limit, most, unit);
}

}  // namespace

std::vector<std::string> idle_stereo_options(const SettingsArguments& arguments, const StereoOptions& options) {
  std::vector<std::string> lines =
      idle_options(arguments, idle_rules, [&](std::string_view field) { return stereo_get(options, field); });
  const int most = options.disparities - 1;
  if (options.left_right_unit == StereoCheckUnit::pixels)
    lines.push_back(limit_warning(arguments, "left-right", options.left_right, most, " px"));
  if (options.speckle_size > 0)
    lines.push_back(limit_warning(arguments, "speckle-range", options.speckle_range, 16 * most, "/16 px"));
  std::erase(lines, "");
  return lines;
}
Json stereo_settings_json(const StereoOptions& options) { return settings_json_of<StereoDomain>(options); }
void save_stereo_settings(const std::string& path, const StereoOptions& options) {
  save_settings_of<StereoDomain>(path, options);
}

}  // namespace vergence::cli
