// SPDX-License-Identifier: Apache-2.0
// Lines about columns and rows in another order.
#include "cli/pixel_order.hpp"

#include <fmt/format.h>

namespace vergence::cli {
namespace {

/// What became of the order, and the cure.
std::string order_text(const Rearranged& found) {
  const char* const lines = found.rows ? "rows" : "columns";
  const char* const first = found.rows ? "upper" : "left";
  const char* const second = found.rows ? "lower" : "right";
  const int size = found.size;
  switch (found.order) {
    case PixelOrder::as_taken:
      return {};
    case PixelOrder::reversed:
      if (found.rows) return fmt::format("each {} of them are in reverse order: check what wrote the picture", size);
      return fmt::format(
          "each {} of them are in reverse order, as bytes of words of {} bits are where these were written in the "
          "other byte order: check what wrote the picture",
          size, 8 * size);
    case PixelOrder::exchanged:
      return fmt::format(
          "each two groups of {} have changed places, as tiles of graphics memory or the words of a bus do: check what "
          "wrote the picture",
          size);
    case PixelOrder::mirrored_first:
    case PixelOrder::mirrored_second:
      return fmt::format(
          "those of the {} half are in reverse order, as of sensors that are read from both sides: turn them round",
          found.order == PixelOrder::mirrored_first ? first : second);
    case PixelOrder::mirrored_halves:
      return fmt::format(
          "the {} half and the {} one have changed places, or both are in reverse order: check what put the {} "
          "together",
          first, second, lines);
    case PixelOrder::repeated:
      return fmt::format(
          "{} of them are rows further up once more, to the last bit, as where a buffer was written in part: check "
          "what wrote the picture",
          size);
  }
  return {};
}

}  // namespace

Rearranged order_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8 ? inspect_rearranged(ImageView<const std::uint8_t>(picture.u8.view()))
                                    : inspect_rearranged(ImageView<const std::uint16_t>(picture.u16.view()));
}

std::string order_warning(const Rearranged& found, const std::string& name) {
  const std::string text = order_text(found);
  if (text.empty()) return {};
  return fmt::format("{} of {} stand in another order than they were taken: {}", found.rows ? "rows" : "columns", name,
                     text);
}

}  // namespace vergence::cli
