// SPDX-License-Identifier: Apache-2.0
// Lines about patterns that lie all over a picture.
#include "cli/patterns.hpp"

#include <fmt/format.h>

#include "vergence/inspect.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence::cli {

std::string packed_warning(ImageView<const std::uint8_t> picture, const std::string& name) {
  const PackedSamples found = inspect_packed_samples(picture);
  if (found.bits == 0) return {};
  const bool ten = found.bits == 10;
  return fmt::format(
      "{} seems to hold packed samples of {} bits ({} px in {} bytes) that were taken for grey pixels: each {} column, "
      "from column {} on, holds the lowest bits of those beside it, and is noise: unpack it first, or leave these "
      "columns out",
      name, found.bits, ten ? 4 : 2, ten ? 5 : 3, ten ? "fifth" : "third", found.place);
}

std::string mosaic_warning(const GreyPicture& picture, const std::string& name) {
  const bool is_mosaic = picture.depth == Depth::u8
                             ? inspect_mosaic(ImageView<const std::uint8_t>(picture.u8.view()))
                             : inspect_mosaic(ImageView<const std::uint16_t>(picture.u16.view()));
  if (!is_mosaic) return {};
  return fmt::format(
      "{} looks like a mosaic of colour filters (Bayer), as sensors give it: neighbouring pixels are of different "
      "colours, and match others of their own colour alone: demosaic it first",
      name);
}

std::string regular_warning(ImageView<const std::uint8_t> picture, const std::string& name) {
  const RegularPattern found = inspect_regular_pattern(picture);
  if (!found.is_told()) return {};
  const EnlargedFindings blocks = inspect_enlarged(picture);  // that are told by another line
  if (blocks.block != Size{1, 1} && !blocks.compressed) return {};
  return fmt::format(
      "a regular pattern lies all over {}, with a period of {} px along {}: waves of interference or hum, a mesh or a "
      "fence before the lens, a screen of print, or what the scene itself repeats: it matches at each of its periods, "
      "and hides what moves or lies behind it: mend cable, supply or exposure, take away what stands before the lens, "
      "or filter that frequency",
      name, found.period, found.down ? "columns" : "rows");
}

}  // namespace vergence::cli
