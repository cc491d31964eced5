// SPDX-License-Identifier: Apache-2.0
// Missing numbers of pictures. FFmpeg's parsers read them from the heads of slices (ITU-T H.264, 8.2.1; H.265, 8.3.1).
#include "io/picture_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace vergence::io {
namespace {

constexpr int unread = std::numeric_limits<int>::min();
constexpr std::size_t least_steps = 5;
constexpr int reordered = 16;  // pictures at most that wait for others

/// From the picture before. Damaged numbers may be any.
std::int64_t step_to(const std::vector<int>& part, std::size_t picture) {
  return std::int64_t{part[picture]} - part[picture - 1];
}

/// The step that most pictures have, if nine of ten have it; else 0: numbers that mean something else.
std::int64_t usual_step(const std::vector<std::vector<int>>& parts) {
  std::map<std::int64_t, std::size_t> counts;
  std::size_t all = 0;
  for (const std::vector<int>& part : parts)
    for (std::size_t i = 1; i < part.size(); ++i, ++all) ++counts[step_to(part, i)];
  if (all < least_steps) return 0;
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first > 0 && 10 * most->second >= 9 * all - 10 ? most->first : 0;
}

}  // namespace

void PictureOrder::open(const AVCodecParameters& parameters) {
  if (parameters.codec_id != AV_CODEC_ID_H264 && parameters.codec_id != AV_CODEC_ID_HEVC) return;
  context_ = make_context(nullptr);
  if (avcodec_parameters_to_context(context_.get(), &parameters) < 0) return;
  parser_.reset(av_parser_init(parameters.codec_id));
  if (parser_ != nullptr) parser_->flags |= PARSER_FLAG_COMPLETE_FRAMES;
}

void PictureOrder::take(const AVPacket& packet) {
  if (parser_ == nullptr) return;
  parser_->output_picture_number = unread;
  std::uint8_t* data = nullptr;
  int size = 0;
  av_parser_parse2(parser_.get(), context_.get(), &data, &size, packet.data, packet.size, packet.pts, packet.dts, -1);
  const int number = parser_->output_picture_number;
  if (number == unread) return;
  if (parser_->picture_structure == AV_PICTURE_STRUCTURE_TOP_FIELD ||
      parser_->picture_structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD)
    fields_ = true;  // each has a packet and a number of its own, or not
  const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  if (parts_.empty()) starts_with_key_ = key;
  if (key && !starts_with_key_) parts_.clear();  // of what came before, the beginning is not there
  starts_with_key_ = starts_with_key_ || key;
  if (parts_.empty() || (key && number <= highest_)) {
    parts_.emplace_back();
    highest_ = number;
  }
  parts_.back().push_back(number);
  highest_ = std::max(highest_, number);
}

std::string PictureOrder::notice(const std::string& path, bool whole) const {
  std::vector<std::vector<int>> parts = parts_;
  for (std::vector<int>& part : parts) std::sort(part.begin(), part.end());
  if (!whole && !parts.empty())
    parts.back().resize(parts.back().size() - std::min<std::size_t>(parts.back().size(), reordered));
  const std::int64_t usual = usual_step(parts);
  if (usual == 0 || fields_) return "";
  std::int64_t missing = 0;
  std::size_t frame = 0, gap = 0;
  for (const std::vector<int>& part : parts)
    for (std::size_t i = 0; i < part.size(); ++i, ++frame) {
      const std::int64_t step = i == 0 ? usual : step_to(part, i);
      if (step == 0)  // numbers began again
        return fmt::format(
            "a keyframe of {} is missing: what stands behind it is shown wrongly or not at all: copy it "
            "again, or choose --frames",
            path);
      if (step % usual != 0) return "";
      if (step > usual && missing == 0) gap = frame;
      missing += step / usual - 1;
    }
  if (missing == 0) return "";
  return fmt::format(
      "{0} frame{1} of {2} {3} missing, by the numbers of its pictures, such as before frame {4}: what moves there "
      "moves for "
      "a longer time, and what follows may be spoilt: copy it again, or choose --frames",
      missing, missing == 1 ? "" : "s", path, missing == 1 ? "is" : "are", gap);
}

}  // namespace vergence::io
