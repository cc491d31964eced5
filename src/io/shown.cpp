// SPDX-License-Identifier: Apache-2.0
// How players show a video otherwise than it is stored, and when.
#include "io/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

extern "C" {
#include <libavutil/display.h>
}

namespace vergence::io {
namespace {

const std::uint8_t* display_matrix(const AVStream& stream) {
#if LIBAVCODEC_VERSION_MAJOR >= 61
  const AVPacketSideData* data = av_packet_side_data_get(
      stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  return data == nullptr ? nullptr : data->data;
#else
  return av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr);
#endif
}

}  // namespace

std::string shown_notice(const AVStream& stream, const std::string& path) {
  std::string how;
  if (const std::uint8_t* matrix = display_matrix(stream)) {
    const double degrees = av_display_rotation_get(reinterpret_cast<const std::int32_t*>(matrix));
    // Counted against the clock, in [-180, 180]; NaN of a matrix that is none.
    if (std::abs(degrees) >= 1) how = fmt::format("turned by {:.0f} degrees", -degrees > 0 ? -degrees : 360 - degrees);
  }
  const AVRational own =
      stream.sample_aspect_ratio.num > 0 ? stream.sample_aspect_ratio : stream.codecpar->sample_aspect_ratio;
  constexpr double alike = 0.02;
  if (own.num > 0 && own.den > 0 && std::abs(av_q2d(own) - 1) > alike)
    how += fmt::format("{}with pixels {:.3g} times as wide as high", how.empty() ? "" : " and ", av_q2d(own));
  if (how.empty()) return "";
  return fmt::format(
      "{} is to be shown {}, and is read as it is stored, {}x{}: so are positions and distances; where players' are "
      "wanted, convert it first, as with `ffmpeg -i FILE -vf \"scale=iw*sar:ih,setsar=1\" OUT`",
      path, how, stream.codecpar->width, stream.codecpar->height);
}

std::string gap_notice(std::vector<std::int64_t> times, const std::string& path, bool whole) {
  constexpr std::size_t least = 5, waiting = 16;
  std::erase(times, AV_NOPTS_VALUE);
  std::sort(times.begin(), times.end());
  if (!whole) times.resize(times.size() - std::min(times.size(), waiting));
  if (times.size() < least) return "";
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  std::vector<std::int64_t> sorted = steps;
  std::sort(sorted.begin(), sorted.end());
  const std::int64_t usual = sorted[sorted.size() / 4];  // most may be late
  // Times may be rounded to milliseconds.
  const auto is_late = [usual](std::int64_t step) { return 10 * step >= 18 * usual; };
  const std::int64_t late = std::count_if(steps.begin(), steps.end(), is_late);
  if (usual <= 0 || late == 0) return "";
  const auto first = std::find_if(steps.begin(), steps.end(), is_late);
  return fmt::format(
      "{} of the {} frames of {} come{} late, such as frame {}, {:.3g} frame times after the one before: frames are "
      "missing, or its rate varies, and what moves from frame to frame moves for different times; give a video of a "
      "constant rate",
      late, times.size(), path, late == 1 ? "s" : "", first - steps.begin() + 1,
      static_cast<double>(*first) / static_cast<double>(usual));
}

}  // namespace vergence::io
