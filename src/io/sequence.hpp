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
/// Error(not_found) where `path`, which does not exist, was meant for numbered files and is no pattern.
void refuse_pattern(const std::string& path);

/// The files that exist.
struct SequenceFiles {
  std::vector<std::int64_t> numbers;  ///< Ascending.
  std::int64_t left_out = 0;          ///< Files whose number is written in another way.
  std::string other;                  ///< The name of the first of these, without its directory,
  std::int64_t other_number = 0;      ///< and its number.
};
SequenceFiles find_files(const SequenceName& name);
/// What is said of those that are left out.
std::string left_out_text(const SequenceFiles& files, const SequenceName& name, const std::string& path);

/// Of two sequences, both must have each number of the range: Error(not_found) where one has more files.
void require_partners(const std::vector<std::string>& left, const std::vector<std::string>& right);

}  // namespace vergence::io
