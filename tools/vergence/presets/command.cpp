// SPDX-License-Identifier: Apache-2.0
// `vergence presets`: every field of the named settings.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "motion/settings.hpp"
#include "stereo/settings.hpp"
#include "track/settings.hpp"
#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {
namespace {

/// What the presets of a command are made of.
template <class Preset, class Options>
struct Domain {
  std::span<const Preset> presets;
  std::span<const Field> fields;
  std::string (*get)(const Options&, std::string_view);
  Json (*json)(const Options&);
};

Domain<StereoPreset, StereoOptions> stereo_domain() {
  return {stereo_presets(), stereo_fields(), stereo_get, stereo_settings_json};
}
Domain<MotionPreset, MotionOptions> motion_domain() {
  return {motion_presets(), motion_fields(), motion_get, motion_settings_json};
}

Domain<TrackPreset, TrackOptions> track_domain() {
  return {track_presets(), track_fields(), track_get, track_settings_json};
}

template <class Domain>
void print_json_of(const Domain& domain) {
  Json list = Json::array();
  for (const auto& preset : domain.presets)
    list.push_back(Json{{"name", preset.name}, {"summary", preset.summary}, {"settings", domain.json(preset.options)}});
  Json report = json_report();
  report["presets"] = std::move(list);
  print_json(report);
}

template <class Domain>
void print_preset(const Domain& domain) {
  const auto& preset = domain.presets.front();
  print("{}: {}\n\n", preset.name, preset.summary);
  for (const auto& field : domain.fields)
    print("{:<16} {:<11} {}{}\n", field.name, domain.get(preset.options, field.name), field.range,
          field.unit.empty() ? "" : fmt::format(" ({})", field.unit));
}

/// One column per preset, as wide as its longest value.
template <class Domain>
void print_table(const Domain& domain) {
  std::vector<std::string> rows(domain.fields.size() + 1);
  const auto add_column = [&rows](const std::vector<std::string>& cells) {
    std::size_t width = 0;
    for (const std::string& row : rows) width = std::max(width, row.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (width > 0) rows[i].resize(width + 2, ' ');
      rows[i] += cells[i];
    }
  };
  std::vector<std::string> cells{"field"};
  for (const auto& field : domain.fields) cells.emplace_back(field.name);
  add_column(cells);
  for (const auto& preset : domain.presets) {
    cells.assign(1, std::string(preset.name));
    for (const auto& field : domain.fields) cells.push_back(domain.get(preset.options, field.name));
    add_column(cells);
  }
  for (const auto& preset : domain.presets) print("{:<16} {}\n", preset.name, preset.summary);
  print("\n");
  for (const std::string& row : rows) print("{}\n", row);
}

struct PresetArguments {
  std::optional<std::string> name;
  std::string of = "stereo";
  bool json = false;
};

/// Another command's preset of that name, if this command has none.
void check_name(const PresetArguments& arguments) {
  const auto has = [&arguments](auto presets) {
    return std::any_of(presets.begin(), presets.end(),
                       [&](const auto& preset) { return preset.name == *arguments.name; });
  };
  const std::pair<const char*, bool> all[] = {
      {"stereo", has(stereo_presets())}, {"motion", has(motion_presets())}, {"track", has(track_presets())}};
  for (const auto& [command, here] : all)
    if (command == arguments.of && here) return;
  for (const auto& [command, there] : all)
    if (*arguments.name == command)
      throw UsageError(fmt::format("{0} is a command, not a preset: give --of {0} for its presets", command));
  for (const auto& [command, there] : all)
    if (there)
      throw UsageError(fmt::format("no {} preset is named '{}', but one of {} is: give --of {}", arguments.of,
                                   *arguments.name, command, command));
}

template <class Domain, class Find>
int show(Domain domain, const Find& find, const PresetArguments& arguments) {
  if (arguments.name) check_name(arguments);
  if (arguments.name) domain.presets = {as_usage([&] { return &find(*arguments.name); }), 1};
  if (arguments.json)
    print_json_of(domain);
  else if (arguments.name)
    print_preset(domain);
  else
    print_table(domain);
  return success;
}

int run(const PresetArguments& arguments) {
  if (arguments.of == "stereo") return show(stereo_domain(), stereo_preset, arguments);
  if (arguments.of == "motion") return show(motion_domain(), motion_preset, arguments);
  if (arguments.of == "track") return show(track_domain(), track_preset, arguments);
  throw UsageError(fmt::format("--of is '{}': allowed are stereo, motion, track", arguments.of));
}

}  // namespace

void add_presets(Program& program) {
  Command command = program.add("presets", "Show the presets of `stereo`, `motion` or `track`");
  const auto arguments = std::make_shared<PresetArguments>();
  command.add("NAME", arguments->name, "Show this one, with ranges and units");
  command.add("--of", arguments->of, "Whose presets [stereo, motion, track; default: stereo]")
      .type("COMMAND")
      .choices({"stereo", "motion", "track"});
  command.flag("--json", arguments->json, "Print one JSON object");
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli
