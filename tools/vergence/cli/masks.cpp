// SPDX-License-Identifier: Apache-2.0
// Pictures that choose pixels: reading, and those that are none.
#include "cli/masks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cli/jpeg_file.hpp"
#include "vergence/inspect.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

namespace {

/// The one grey level of a picture that has no other.
std::optional<int> only_level(ImageView<const std::uint8_t> mask) {
  const std::uint8_t first = mask(0, 0);
  for (int y = 0; y < mask.height(); ++y)
    if (std::any_of(mask.row(y), mask.row(y) + mask.width(), [first](std::uint8_t value) { return value != first; }))
      return std::nullopt;
  return first;
}

/// Alpha is dropped: what is drawn in it alone would choose every pixel, or none.
void refuse_transparency(const std::string& path, ImageView<const std::uint8_t> mask, const std::string& meaning) {
  std::error_code problem;
  const std::optional<int> level = only_level(mask);
  if (!level || !std::filesystem::is_regular_file(path, problem) || !read_values(path).alpha) return;
  throw Error(ErrorCode::bad_data,
              fmt::format("mask {} is drawn in its transparency, which is not read, and its colours are {} everywhere: "
                          "extract it (`ffmpeg -i {} -vf alphaextract mask.png`), for a mask must be {}",
                          path, *level, path, meaning));
}

}  // namespace

Image<std::uint8_t> read_mask(const std::string& path, const std::string& meaning) {
  GreyPicture picture = read_grey(path);
  if (is_jpeg_file(path))
    throw Error(ErrorCode::bad_data,
                fmt::format("mask {} is a JPEG, whose compression changes the numbers of a mask: give PNG", path));
  if (picture.depth != Depth::u8)
    throw Error(ErrorCode::bad_data,
                fmt::format("mask {} has 16 bits: it must be an 8-bit picture, {}", path, meaning));
  refuse_transparency(path, picture.u8.view(), meaning);
  return std::move(picture.u8);
}

std::string mask_warning(const std::string& path, ImageView<const std::uint8_t> mask, const std::string& meaning,
                         int most_levels) {
  std::array<bool, 256> met{};
  int levels = 0;
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x) {
      bool& level = met[mask(x, y)];
      levels += level ? 0 : 1;
      level = true;
    }
  if (levels == 1)
    return fmt::format("mask {} is {} everywhere, and chooses {}: it must be {}", path, mask(0, 0),
                       mask(0, 0) == 0 ? "no pixel" : "all pixels", meaning);
  if (levels <= most_levels) return "";
  return fmt::format("mask {} has {} grey levels, as photographs and masks of another size have: it must be {}", path,
                     levels, meaning);
}

namespace {

std::string turned_mask_warning(const std::string& path, ImageView<const std::uint8_t> mask,
                                ImageView<const float> truth) {
  const TruthProblem found = inspect_turned_mask(truth, mask);
  if (found == TruthProblem::none) return "";
  return fmt::format(
      "mask {} seems to be {}: most pixels that it leaves out are those that, by the truth, one picture "
      "alone sees, once it is turned: check the order of its rows and columns",
      path,
      found == TruthProblem::upside_down ? "upside down"
      : found == TruthProblem::mirrored  ? "mirrored"
                                         : "turned by 180 degrees");
}

}  // namespace

std::string inverted_mask_warning(const std::string& path, ImageView<const std::uint8_t> mask,
                                  ImageView<const float> truth) {
  if (inspect_mask_of_other_view(truth, mask))
    return fmt::format(
        "mask {} seems to be the other picture's: most pixels that it leaves out are those that, by the truth, the "
        "other "
        "picture alone sees: give the mask of the map's own picture",
        path);
  if (!inspect_inverted_mask(truth, mask)) return turned_mask_warning(path, mask, truth);
  return fmt::format(
      "mask {} seems to be inverted: by the truth, most pixels of value 255 are those that one picture alone sees, or "
      "have no truth: give 255 where a pixel is visible in both pictures",
      path);
}

}  // namespace vergence::cli
