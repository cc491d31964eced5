// SPDX-License-Identifier: Apache-2.0
// The settings of tracks.
#include "track/settings.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/idle.hpp"

namespace vergence::cli {
namespace {

struct TrackDomain {
  using Options = TrackOptions;
  static constexpr std::string_view name = "track";
  static constexpr std::string_view pictures = "frames";
  static constexpr std::string_view how_to_see_presets = "vergence presets --of track";
  static auto fields() { return track_fields(); }
  static std::string get(const Options& options, std::string_view field) { return track_get(options, field); }
  static void set(Options& options, std::string_view field, std::string_view text) { track_set(options, field, text); }
  static auto presets() { return track_presets(); }
  static const TrackPreset& preset(std::string_view which) { return track_preset(which); }
};

/// Where no points are looked for, nothing says how.
constexpr std::array<IdleRule, 8> idle_rules{{
    {"refill", "points", "0"},
    {"corner", "points", "0"},
    {"harris-k", "corner", "shi-tomasi"},
    {"corner-block", "points", "0"},
    {"quality", "points", "0"},
    {"min-distance", "points", "0"},
    {"grid", "points", "0"},
    {"roi", "points", "0"},
}};

/// That windows are so small, on one level, that many places look alike, and nothing tells a wrong one; else "".
std::string small_window_warning(const TrackOptions& options) {
  constexpr int small = 25;  // pixels
  if (options.window * options.window > small || options.levels > 0 || options.max_residual != 0 ||
      options.forward_backward != 0)
    return {};
  return fmt::format(
      "windows of {0}x{0} px, on the frames alone and without a limit, are found at wrong places that look alike, and "
      "nothing tells these: give --window 9 or more and --levels 3, or --max-residual 20 and --forward-backward 1",
      options.window);
}

}  // namespace

void add_track_settings_options(Command command, SettingsArguments& arguments) {
  // The program shows no history but the overlay's, whose length is an option of its own.
  add_options_of<TrackDomain>(command, arguments, [](std::string_view field) { return field != "history"; });
}
TrackSettings resolve_track_settings(const SettingsArguments& arguments) {
  return resolve_settings_of<TrackDomain>(arguments);
}
void adopt_track_depth(TrackSettings& settings, Depth depth, int max_value, std::string_view source) {
  adopt_depth_of<TrackDomain>(settings, depth, max_value, source);
}
std::vector<std::string> idle_track_options(const SettingsArguments& arguments, const TrackOptions& options) {
  std::vector<std::string> lines =
      idle_options(arguments, idle_rules, [&](std::string_view field) { return track_get(options, field); });
  if (std::string line = small_window_warning(options); !line.empty()) lines.push_back(std::move(line));
  return lines;
}
Json track_settings_json(const TrackOptions& options) { return settings_json_of<TrackDomain>(options); }
void save_track_settings(const std::string& path, const TrackOptions& options) {
  save_settings_of<TrackDomain>(path, options);
}

}  // namespace vergence::cli
