// SPDX-License-Identifier: Apache-2.0
// Keys and numbers of calibration files. A number that is not one to its last character is an error that names its
// line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vergence::io {

/// Throws Error where it begins with the mark of UTF-16 or UTF-32.
void refuse_wide_text(std::string_view text, const std::string& name);

/// The text of a file and its name for messages; both must outlive it.
struct CalibrationText {
  CalibrationText(std::string_view whole, const std::string& file);
  /// Throws Error: `cannot read "name": line N: reason`; `at` lies in the text.
  [[noreturn]] void fail(std::string_view at, const std::string& reason) const;

  std::string_view text;
  const std::string& name;
};

/// A number that must be all of `word`, and finite.
std::optional<double> whole_number(std::string_view word);

/// What follows `key` and its separator up to the end of the file, where the key starts a line (blanks before it
/// allowed). Throws Error where it stands twice.
std::optional<std::string_view> after_key(const CalibrationText& file, std::string_view key, char separator);

/// The one number on the key's own line.
std::optional<double> line_number(const CalibrationText& file, std::string_view key, char separator);

enum class Comma { separates, is_text };

/// The numbers from the start of `rest` on: in brackets, or else up to the end of the line.
std::vector<double> number_list(const CalibrationText& file, std::string_view key, std::string_view rest, Comma comma);

/// The numbers of a matrix of YAML, behind the key: in brackets or a line for each. Its rows and cols must be 3 and 4.
std::vector<double> yaml_numbers(const CalibrationText& file, std::string_view key, std::string_view rest);

}  // namespace vergence::io
