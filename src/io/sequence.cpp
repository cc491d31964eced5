// SPDX-License-Identifier: Apache-2.0
// Numbered sequences: finding their files, and ranges of numbers.
#include "io/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <system_error>

#include "vergence/error.hpp"
#include "vergence/io.hpp"

namespace vergence::io {
namespace {

// Length of the conversion %d, %Nd or %0Nd at the start of `text`, 0 where there is none; sets how numbers are written.
std::size_t conversion(std::string_view text, SequenceName& name) {
  constexpr int longest = 18;
  std::size_t at = 1;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  if (at > 1) {
    const auto result = std::from_chars(text.data() + 1, text.data() + at, name.width);
    if (result.ec != std::errc() || name.width < 1 || name.width > longest) return 0;
    name.zeros = text[1] == '0';
  }
  return at < text.size() && text[at] == 'd' ? at + 1 : 0;
}

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::string SequenceName::text(std::int64_t number) const {
  return zeros ? fmt::format("{:0{}}", number, width) : fmt::format("{:{}}", number, width);
}

std::optional<SequenceName> parse_sequence(const std::string& path) {
  SequenceName name;
  bool found = false;
  for (std::size_t at = 0; at < path.size();) {
    std::string& part = found ? name.after : name.before;
    if (path[at] != '%') {
      part.push_back(path[at++]);
      continue;
    }
    if (path.compare(at, 2, "%%") == 0) {
      part.push_back('%');
      at += 2;
      continue;
    }
    const std::size_t length = found ? 0 : conversion(std::string_view(path).substr(at), name);
    if (length == 0) return std::nullopt;
    found = true;
    at += length;
  }
  if (!found || name.after.find('/') != std::string::npos) return std::nullopt;
  return name;
}

void refuse_pattern(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  const bool percent = path.find('%') != std::string::npos;
  if (!percent && file.find_first_of("*#") == std::string::npos) return;
  throw Error(ErrorCode::not_found,
              fmt::format("cannot read \"{}\": there is no such file{}", path,
                          percent ? ", and no numbered ones: these have one %d, %4d or %04d in the file's name, and no "
                                    "other % than %%"
                                  : ": numbered files are named with %d, such as left_%04d.png"));
}

SequenceFiles find_files(const SequenceName& name) {
  const std::size_t slash = name.before.find_last_of('/');
  const std::string directory = slash == std::string::npos ? "." : name.before.substr(0, slash + 1);
  const std::string prefix = slash == std::string::npos ? name.before : name.before.substr(slash + 1);
  SequenceFiles files;
  std::error_code error;
  for (std::filesystem::directory_iterator file(directory, error), end; !error && file != end; file.increment(error)) {
    const std::string entry = file->path().filename().string();
    if (entry.size() <= prefix.size() + name.after.size()) continue;
    if (entry.compare(0, prefix.size(), prefix) != 0) continue;
    const std::size_t length = entry.size() - prefix.size() - name.after.size();
    if (entry.compare(prefix.size() + length, std::string::npos, name.after) != 0) continue;
    std::int64_t number = 0;
    const std::string spelled = entry.substr(prefix.size(), length);
    const char* const stop = spelled.data() + length;
    const auto result =
        std::from_chars(spelled.data() + std::min(spelled.find_first_not_of(' '), length), stop, number);
    // The largest of all would have no next one.
    if (result.ec != std::errc() || result.ptr != stop || number < 0 || number == most) continue;
    // Only the spelling that the pattern gives: 7 under %04d is 0007, not 07.
    if (name.text(number) == spelled)
      files.numbers.push_back(number);
    else if (files.left_out++ == 0 || entry < files.other)
      files.other = entry, files.other_number = number;
  }
  std::sort(files.numbers.begin(), files.numbers.end());
  return files;
}

std::string left_out_text(const SequenceFiles& files, const SequenceName& name, const std::string& path) {
  return fmt::format("{} file{} left out of {}, such as {}, where {} would be read: write all numbers in one way",
                     files.left_out, files.left_out == 1 ? " is" : "s are", path, files.other,
                     name.text(files.other_number));
}

void require_partners(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  if (left.size() == right.size()) return;
  const bool left_is_longer = left.size() > right.size();
  const std::string& alone = (left_is_longer ? left : right)[std::min(left.size(), right.size())];
  throw Error(
      ErrorCode::not_found,
      fmt::format(R"("{}" has no partner: the {} sequence ends before its number, add the file or choose frames)",
                  alone, left_is_longer ? "right" : "left"));
}

}  // namespace vergence::io

namespace vergence {
namespace {

std::int64_t parse_frame_number(std::string_view number, std::string_view range) {
  constexpr std::int64_t most = 1'000'000'000'000;  // so that sums of frames stay numbers
  std::int64_t value = 0;
  const auto result = std::from_chars(number.data(), number.data() + number.size(), value);
  if (result.ec != std::errc() || result.ptr != number.data() + number.size() || value < 0)
    throw Error(ErrorCode::invalid_argument, fmt::format("frames \"{}\" is not a range: give A:B, A:, :B or A", range));
  if (value > most)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("frames \"{}\": {} is no frame's number, they are 0 .. {}", range, value, most));
  return value;
}

}  // namespace

FrameRange parse_frame_range(std::string_view text) {
  const std::size_t colon = text.find(':');
  FrameRange range;
  if (colon == std::string_view::npos) {
    range.first = range.last = parse_frame_number(text, text);
    return range;
  }
  const std::string_view first = text.substr(0, colon);
  const std::string_view last = text.substr(colon + 1);
  if (first.empty() && last.empty()) parse_frame_number({}, text);
  if (!first.empty()) range.first = parse_frame_number(first, text);
  if (!last.empty()) range.last = parse_frame_number(last, text);
  if (range.last >= 0 && range.last < range.first)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("frames \"{}\" end before they start: give A:B with A <= B", text));
  return range;
}

}  // namespace vergence
