// SPDX-License-Identifier: Apache-2.0
// Numbered files, pair by pair.
#include "eval/file_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

/// The numbers of the files that there are, in the range.
std::vector<std::int64_t> find_numbers(const NamedPath& name, const FrameRange& range) {
  check_number({name.argument, "", "", name.path, true});
  const std::vector<std::int64_t> all = existing_numbers(name.path);
  if (all.empty())
    throw Error(ErrorCode::not_found, fmt::format("{} is '{}', but there is no file such as {}: check the name",
                                                  name.argument, name.path, frame_path(name.path, 0)));
  std::vector<std::int64_t> numbers;
  std::copy_if(all.begin(), all.end(), std::back_inserter(numbers), [&range](std::int64_t number) {
    return number >= range.first && (range.last < 0 || number <= range.last);
  });
  if (numbers.empty())
    throw Error(ErrorCode::not_found, fmt::format("--frames leaves no file of {} '{}': their numbers are {} .. {}",
                                                  name.argument, name.path, all.front(), all.back()));
  return numbers;
}

/// Refuses the first number of `from` that `other` lacks.
void require_all(const NamedPath& name, const std::vector<std::int64_t>& numbers, const NamedPath& from,
                 const std::vector<std::int64_t>& others) {
  for (const std::int64_t number : others)
    if (!std::binary_search(numbers.begin(), numbers.end(), number))
      throw Error(
          ErrorCode::not_found,
          fmt::format("{} '{}' does not exist, but {} '{}' does: add it, or choose frames with --frames", name.argument,
                      frame_path(name.path, number), from.argument, frame_path(from.path, number)));
}

}  // namespace

bool is_numbered(const std::string& path) {
  std::error_code problem;
  return has_frame_number(path) && !std::filesystem::exists(path, problem);
}

std::string file_of(const std::string& path, std::int64_t frame) {
  return is_numbered(path) ? frame_path(path, frame) : path;
}

void add_pair_options(Command command, std::optional<std::string>& frames) {
  command
      .add("--frames", frames,
           "Of numbered files: numbers A to B of the names, both included [A:B, A:, :B, A; default: all]")
      .type("A:B");
}

FilePairs pair_files(const NamedPath& a, const NamedPath& b, const std::optional<std::string>& frames) {
  FilePairs result;
  result.numbered = is_numbered(a.path);
  if (result.numbered != is_numbered(b.path)) {
    const NamedPath& many = result.numbered ? a : b;
    const NamedPath& one = result.numbered ? b : a;
    throw UsageError(
        fmt::format("{} '{}' stands for numbered files, and {} '{}' is one file: give both a number, or "
                    "neither",
                    many.argument, many.path, one.argument, one.path));
  }
  if (!result.numbered) {
    if (frames)
      throw UsageError(fmt::format("--frames is for numbered files (map_%04d.pfm), {} '{}' is one file: leave it out",
                                   a.argument, a.path));
    result.pairs.push_back({0, a.path, b.path});
    return result;
  }
  const FrameRange range = frames ? as_usage([&] { return parse_frame_range(*frames); }) : FrameRange{};
  const std::vector<std::int64_t> numbers = find_numbers(a, range);
  const std::vector<std::int64_t> others = find_numbers(b, range);
  require_all(b, others, a, numbers);
  require_all(a, numbers, b, others);
  const std::int64_t first = range.first < 0 ? numbers.front() : range.first;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != first + static_cast<std::int64_t>(i))
      throw Error(ErrorCode::not_found,
                  fmt::format("{} '{}' does not exist, and number {} does: add it, or choose frames with --frames",
                              a.argument, frame_path(a.path, first + static_cast<std::int64_t>(i)), numbers[i]));
  for (const std::int64_t number : numbers)
    result.pairs.push_back({number, frame_path(a.path, number), frame_path(b.path, number)});
  if (numbers.back() < range.last)
    result.notices.push_back(
        fmt::format("frames {} were asked for, but the last files have number {}", *frames, numbers.back()));
  for (const std::string& path : {a.path, b.path})
    if (std::string line = left_out_notice(path); !line.empty()) result.notices.push_back(std::move(line));
  return result;
}

}  // namespace vergence::cli
