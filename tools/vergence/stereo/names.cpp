// SPDX-License-Identifier: Apache-2.0
// The names of files of `vergence stereo` and the number in them.
#include "stereo/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"
#include "stereo/coloured.hpp"

namespace vergence::cli {
namespace {

/// One pair has no number, so that a %d in a name is text like any other.
std::vector<std::string> check_pair(const StereoArguments& arguments, const std::vector<OutputName>& names) {
  if (arguments.first)
    throw UsageError("--first numbers the outputs of a sequence or video: LEFT and RIGHT are single pictures");
  std::vector<std::string> warnings;
  for (const OutputName& name : names) {
    if (names_video(name.path))
      throw UsageError(fmt::format("{} is '{}': a video is for a sequence or video, one pair gets a picture",
                                   name.option, name.path));
    if (has_frame_number(name.path))
      warnings.push_back(
          fmt::format("{} '{}' is written under this very name: LEFT and RIGHT are single pictures without a number",
                      name.option, name.path));
  }
  check_one_truth(arguments.truth, "LEFT and RIGHT are single pictures");
  return warnings;
}

}  // namespace

std::vector<std::string> check_stereo_names(const StereoArguments& arguments, bool is_stream) {
  const std::vector<OutputName> names = output_names(arguments.outputs);
  if (!is_stream) return check_pair(arguments, names);
  const auto numbered = [](const OutputName& name) { return has_frame_number(name.path); };
  if (arguments.first && std::none_of(names.begin(), names.end(), numbered))
    throw UsageError("--first needs an output with the frame's number in its name, such as map_%04d.png");
  for (const OutputName& name : names)
    if (!numbered(name) && !name.grows)
      throw UsageError(
          fmt::format("{} is '{}': a sequence or video needs the frame's number in it, such as map_%04d.png",
                      name.option, name.path));
  const std::optional<std::string>& truth = arguments.truth.file;
  if (truth && !has_frame_number(*truth))
    throw UsageError(fmt::format(
        "--truth is '{}': a sequence or video needs the frame's number in it, such as truth_%04d.pfm", *truth));
  return {};
}

}  // namespace vergence::cli
