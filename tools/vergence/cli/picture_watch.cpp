// SPDX-License-Identifier: Apache-2.0
// Pictures that show nothing, and raw video of another width.
#include "cli/picture_watch.hpp"

#include <fmt/format.h>

#include <optional>

#include "vergence/inspect.hpp"

namespace vergence::cli {
namespace {

PictureFindings look_at(const GreyPicture& picture) {
  return picture.depth == Depth::u8
             ? inspect_picture(ImageView<const std::uint8_t>(picture.u8.view()))
             : inspect_picture(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value);
}

std::optional<int> row_length(const GreyPicture& picture) {
  return picture.depth == Depth::u8
             ? inspect_row_length(ImageView<const std::uint8_t>(picture.u8.view()))
             : inspect_row_length(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value);
}

}  // namespace

std::string flat_warning(const GreyPicture& picture, const std::string& name) {
  // A few pixels, as tests and thumbnails have, may well be alike.
  constexpr int least_side = 16;
  if (picture.width() < least_side || picture.height() < least_side) return {};
  const PictureFindings found = look_at(picture);
  if (!found.flat) return {};
  return fmt::format(
      "{} is {}: all its pixels are {} .. {} of {}, so that nothing can be found in it; check the camera "
      "and the file, or choose other frames",
      name, found.black ? "black" : "flat", found.lowest, found.highest, picture.max_value);
}

void PictureWatch::see(const GreyPicture& picture, std::int64_t number) {
  if (seen_++ % frames_between_looks != 0) return;
  if (!flat_) {
    if (std::string line = flat_warning(picture, fmt::format("frame {} of {}", number, video_)); !line.empty()) {
      flat_ = true;
      warnings_.push_back(std::move(line));
    }
  }
  if (!raw_ || seen_ > 1) return;
  if (const std::optional<int> length = row_length(picture))
    warnings_.push_back(
        fmt::format("frame {} of {} does not look like a picture of {}x{}: its rows would be alike if they were "
                    "{} px long; check --size and --format",
                    number, video_, picture.width(), picture.height(), *length));
}

}  // namespace vergence::cli
