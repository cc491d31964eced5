// SPDX-License-Identifier: Apache-2.0
// `vergence presets`: every field of the named settings.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "settings.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli {
namespace {

void print_json_of(std::span<const StereoPreset> presets) {
  Json list = Json::array();
  for (const StereoPreset& preset : presets)
    list.push_back(
        Json{{"name", preset.name}, {"summary", preset.summary}, {"settings", settings_json(preset.options)}});
  Json report = json_report();
  report["presets"] = std::move(list);
  print_json(report);
}

void print_preset(const StereoPreset& preset) {
  print("{}: {}\n\n", preset.name, preset.summary);
  for (const StereoField& field : stereo_fields())
    print("{:<16} {:<11} {}{}\n", field.name, stereo_get(preset.options, field.name), field.range,
          field.unit.empty() ? "" : fmt::format(" ({})", field.unit));
}

/// One column per preset, as wide as its longest value.
void print_table(std::span<const StereoPreset> presets) {
  std::vector<std::string> rows(stereo_fields().size() + 1);
  const auto add_column = [&rows](const std::vector<std::string>& cells) {
    std::size_t width = 0;
    for (const std::string& row : rows) width = std::max(width, row.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (width > 0) rows[i].resize(width + 2, ' ');
      rows[i] += cells[i];
    }
  };
  std::vector<std::string> cells{"field"};
  for (const StereoField& field : stereo_fields()) cells.emplace_back(field.name);
  add_column(cells);
  for (const StereoPreset& preset : presets) {
    cells.assign(1, std::string(preset.name));
    for (const StereoField& field : stereo_fields()) cells.push_back(stereo_get(preset.options, field.name));
    add_column(cells);
  }
  for (const StereoPreset& preset : presets) print("{:<16} {}\n", preset.name, preset.summary);
  print("\n");
  for (const std::string& row : rows) print("{}\n", row);
}

int run(const std::optional<std::string>& name, bool json) {
  std::span<const StereoPreset> presets = stereo_presets();
  if (name) presets = {&as_usage([&]() -> const StereoPreset& { return stereo_preset(*name); }), 1};
  if (json)
    print_json_of(presets);
  else if (name)
    print_preset(presets.front());
  else
    print_table(presets);
  return success;
}

}  // namespace

void add_presets(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("presets", "Show the presets of `stereo`, every field of each");
  const auto name = std::make_shared<std::optional<std::string>>();
  const auto json = std::make_shared<bool>(false);
  command->add_option("NAME", *name, "Show this one, with ranges and units");
  command->add_flag("--json", *json, "Print one JSON object");
  command->callback([&action, name, json] { action = [name, json] { return run(*name, *json); }; });
}

}  // namespace vergence::cli
