// SPDX-License-Identifier: Apache-2.0
// The settings of a study: every constant of its paper as text with a default, read with checks.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vergence/image.hpp"

namespace vergence::studies {

/// One setting. Its default is the paper's value where the paper gives one.
struct Field {
  const char* name;      ///< "runs": the option is --runs.
  const char* type;      ///< "N", for help.
  const char* fallback;  ///< The default.
  const char* help;      ///< Meaning, unit, allowed values.
};

/// Values of a study's fields. Every reader throws Error(invalid_argument) that names the field, the value and what is
/// allowed.
class Settings {
 public:
  explicit Settings(std::span<const Field> fields);
  /// Error(not_found) where there is no such field.
  void set(std::string_view name, std::string_view value);
  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }

  const std::string& text(std::string_view name) const;
  int integer(std::string_view name, int low, int high) const;
  /// Odd, for windows.
  int odd(std::string_view name, int low, int high) const;
  /// "32,64": at least one.
  std::vector<int> integers(std::string_view name, int low, int high) const;
  /// "512x512".
  Size size(std::string_view name, int low, int high) const;
  /// "32x16,32x32".
  std::vector<Size> sizes(std::string_view name, int low, int high) const;
  /// A list of words, each one of `allowed`.
  std::vector<std::string> words(std::string_view name, std::span<const std::string_view> allowed) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace vergence::studies
