// SPDX-License-Identifier: Apache-2.0
// The section of a preset as docs/presets.md must hold it: what differs from the defaults.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace vergence {

/// Heading, summary and a row for each field whose text differs from the default's, or a sentence where none does.
template <class Preset, class Fields, class Get>
std::string preset_section(const std::string& heading, const Preset& preset, const Fields& fields, const Get& get) {
  const decltype(preset.options) defaults{};
  std::string rows;
  for (const auto& field : fields) {
    const std::string value = get(preset.options, field.name);
    const std::string usual = get(defaults, field.name);
    if (value != usual)
      rows +=
          "| `" + std::string(field.name) + "` | " + value + " | " + usual + " | " + std::string(field.unit) + " |\n";
  }
  return heading + std::string(preset.name) + "\n\n" + std::string(preset.summary) + "\n\n" +
         (rows.empty() ? "Every option has its default.\n"
                       : "| option | value | default | unit |\n|---|---|---|---|\n" + rows);
}

/// docs/presets.md, whole.
inline std::string presets_document() {
  const std::string path = VERGENCE_SOURCE_DIR "/docs/presets.md";
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// docs/presets.md must hold `section`, and nothing more in it.
inline void expect_documented(const std::string& document, const std::string& section) {
  const std::size_t at = document.find(section);
  ASSERT_NE(at, std::string::npos) << "docs/presets.md must hold this section:\n\n" << section;
  const std::size_t end = at + section.size();
  EXPECT_TRUE(end == document.size() || document[end] == '\n') << "docs/presets.md has more rows than:\n\n" << section;
}

}  // namespace vergence
