// SPDX-License-Identifier: Apache-2.0
// Frames that show the smaller planes of 4:2:0 in their rows.
#include "cli/chroma_rows.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/upper_bytes.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence::cli {

std::string chroma_rows_warning(const GreyPicture& frame, const std::string& name) {
  constexpr int slack = 24;  // as 1 in so many of the rows: planes may begin with what shows nothing
  const int third = frame.height() / 3, part = frame.height() / slack;
  const ChromaRows found = inspect_chroma_rows(UpperBytes(frame).view());
  if (found.end == 0) return "";
  if (std::abs(found.first - 2 * third) <= part && frame.height() - found.end <= part)
    return fmt::format(
        "{} shows the planes of 4:2:0 below the picture, in its lowest third: give --size {}x{} --format {}", name,
        frame.width(), 2 * third,
        !found.in_turn             ? "yuv420p"
        : frame.depth == Depth::u8 ? "nv12"
                                   : "p010le");
  return fmt::format(
      "{} shows the smaller planes of 4:2:0 in its rows {} .. {}, which belong behind the picture: the file begins "
      "amid a frame, or bytes were lost: cut off what lies before the first whole frame, as with `tail -c +N`, or "
      "check --size and --format",
      name, found.first, found.end - 1);
}

std::string chroma_below_warning(ImageView<const std::uint8_t> picture, const std::string& name) {
  const ChromaRows found = inspect_chroma_below(picture);
  if (found.end == 0) return "";
  return fmt::format(
      "{} shows the planes of 4:2:0 below the picture, in its lowest third, as where a buffer of {} was stored as a "
      "grey picture: what is found there is chroma: cut it off, as with `ffmpeg -i FILE -vf crop={}:{}:0:0 OUT`",
      name, found.in_turn ? "NV12" : "I420", picture.width(), found.first);
}

}  // namespace vergence::cli
