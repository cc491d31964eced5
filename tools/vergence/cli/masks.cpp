// SPDX-License-Identifier: Apache-2.0
// Pictures that choose pixels: reading, and those that are none.
#include "cli/masks.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "vergence/inspect.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

Image<std::uint8_t> read_mask(const std::string& path, const std::string& meaning) {
  GreyPicture picture = read_grey(path);
  std::error_code problem;
  std::array<char, 3> start{};
  if (std::filesystem::is_regular_file(path, problem)) std::ifstream(path, std::ios::binary).read(start.data(), 3);
  if (std::string_view(start.data(), 3) == "\xFF\xD8\xFF")
    throw Error(ErrorCode::bad_data,
                fmt::format("mask {} is a JPEG, whose compression changes the numbers of a mask: give PNG", path));
  if (picture.depth != Depth::u8)
    throw Error(ErrorCode::bad_data,
                fmt::format("mask {} has 16 bits: it must be an 8-bit picture, {}", path, meaning));
  return std::move(picture.u8);
}

std::string mask_warning(const std::string& path, ImageView<const std::uint8_t> mask, const std::string& meaning) {
  constexpr int most_levels =
      16;  // labels of things are masks, too; JPEG and reduced sizes spread two levels over many
  std::array<bool, 256> met{};
  int levels = 0;
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x) {
      bool& level = met[mask(x, y)];
      levels += level ? 0 : 1;
      level = true;
    }
  if (levels <= most_levels) return "";
  return fmt::format("mask {} has {} grey levels, as photographs and masks of another size have: it must be {}", path,
                     levels, meaning);
}

std::string inverted_mask_warning(const std::string& path, ImageView<const std::uint8_t> mask,
                                  ImageView<const float> truth) {
  if (!inspect_inverted_mask(truth, mask)) return "";
  return fmt::format(
      "mask {} seems to be inverted: by the truth, most pixels of value 255 are those that one picture alone sees, or "
      "have no truth: give 255 where a pixel is visible in both pictures",
      path);
}

}  // namespace vergence::cli
