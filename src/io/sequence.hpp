// SPDX-License-Identifier: Apache-2.0
// Numbered sequences of pictures: names such as left_%04d.png.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vergence::io {

struct SequenceName {
  std::string before;  ///< up to the number, directory included
  std::string after;   ///< behind it
  int width = 1;       ///< the number's least length
  bool zeros = true;   ///< filled with zeros, not with blanks
  std::string text(std::int64_t number) const;
  std::string path(std::int64_t number) const { return before + text(number) + after; }
};

/// The pattern in `path`, if it holds exactly one %d, %Nd or %0Nd in its file name ("%%" is a percent sign).
std::optional<SequenceName> parse_sequence(const std::string& path);
/// The numbers of the files that exist, ascending.
std::vector<std::int64_t> find_numbers(const SequenceName& name);

}  // namespace vergence::io
