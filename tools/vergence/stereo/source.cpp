// SPDX-License-Identifier: Apache-2.0
// The pictures of `vergence stereo`.
#include "stereo/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "cli/command.hpp"
#include "cli/files.hpp"

namespace vergence::cli {

bool is_sequence(const std::string& path) {
  std::error_code problem;
  return has_frame_number(path) && !std::filesystem::exists(path, problem);
}

Halves halves_of(const std::string& layout) {
  if (layout == "side-by-side") return Halves::columns;
  return layout == "top-bottom" ? Halves::rows : Halves::none;
}

StereoSource open_source(const StereoArguments& arguments, const FrameRange& range) {
  FrameSourceOptions options;
  options.standard_input = arguments.left == "-";
  const std::string name = options.standard_input ? "standard input" : arguments.left;
  options.live = live_options(arguments.live, name);
  if (arguments.layout == "pair") {
    if (options.live)
      throw UsageError(
          "--stream takes one source that holds both pictures, as two have no common clock here: give --layout "
          "side-by-side or top-bottom");
    if (!arguments.right)
      throw UsageError(
          "RIGHT is missing: give two pictures, or --layout side-by-side or top-bottom for one that holds both");
    return {arguments.left, *arguments.right, range};
  }
  if (arguments.layout != "side-by-side" && arguments.layout != "top-bottom")
    throw UsageError(fmt::format("--layout is '{}': allowed are pair, side-by-side, top-bottom", arguments.layout));
  if (arguments.right)
    throw UsageError(fmt::format("--layout {} takes one source that holds both pictures, RIGHT is '{}'",
                                 arguments.layout, *arguments.right));
  const StereoLayout layout =
      arguments.layout == "side-by-side" ? StereoLayout::side_by_side : StereoLayout::top_bottom;
  return {name, layout, range, options};
}

std::vector<std::string> input_files(const StereoArguments& arguments, const StereoSource& source) {
  std::vector<std::string> names = source.files();
  if (names.empty()) return names;  // a pipe, or the network
  names.push_back(arguments.left);
  if (arguments.right) names.push_back(*arguments.right);
  return names;
}

std::optional<std::string> coloured_file(const StereoArguments& arguments, const StereoSource& source,
                                         const StereoFrame& frame, StereoView reference) {
  const std::string& name =
      reference == StereoView::left || !arguments.right ? arguments.left : arguments.right.value();
  if (!source.is_stream()) return name;
  if (!is_sequence(name)) return std::nullopt;
  return frame_path(name, frame.index);
}

Image<Rgb> reference_colours(const StereoArguments& arguments, const StereoSource& source, const StereoFrame& frame,
                             StereoView reference) {
  if (const auto file = coloured_file(arguments, source, frame, reference)) return read_rgb(*file);
  return grey_colours(reference == StereoView::left ? frame.left : frame.right);
}

Image<Rgb> grey_colours(const GreyPicture& picture) {
  Image<Rgb> colours(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const int value = picture.depth == Depth::u8 ? picture.u8(x, y) : picture.u16(x, y) * 255 / picture.max_value;
      const auto grey = static_cast<std::uint8_t>(std::min(value, 255));
      colours(x, y) = {grey, grey, grey};
    }
  return colours;
}

Rect reference_part(const StereoArguments& arguments, Size frame, StereoView reference) {
  Rect part{0, 0, frame.width, frame.height};
  const bool second = reference == StereoView::right;
  if (second && arguments.layout == "side-by-side") part.x = frame.width;
  if (second && arguments.layout == "top-bottom") part.y = frame.height;
  return part;
}

}  // namespace vergence::cli
