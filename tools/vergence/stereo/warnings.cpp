// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` warns of.
#include "stereo/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

namespace vergence::cli {

namespace {

/// The pixels that are matched, and the candidates that they have.
class Matched {
 public:
  Matched(Size size, const StereoOptions& options) : options_(options) {
    const bool inner = options.border == StereoBorder::invalid;
    const int rx = options.window.width / 2, ry = options.window.height / 2;
    const Rect roi = options.roi.value_or(Rect{0, 0, size.width, size.height});
    const int left_out_x = inner ? rx : 0, left_out_y = inner ? ry : 0;
    first_ = std::max(roi.x, left_out_x);
    last_ = std::min(roi.x + roi.width, size.width - left_out_x) - 1;
    rows_ = std::min(roi.y + roi.height, size.height - left_out_y) - std::max(roi.y, left_out_y);
    margin_ = options.aggregate == StereoAggregate::sgm ? 0 : left_out_x;  // paths know no margins
    end_ = size.width - margin_ - 1;
  }
  int columns() const { return last_ - first_ + 1; }
  int rows() const { return rows_; }
  bool empty() const { return columns() <= 0 || rows_ <= 0; }
  std::int64_t low() const { return matches_left() ? first_ - end_ : margin_ - last_; }
  std::int64_t high() const { return matches_left() ? last_ - margin_ : end_ - first_; }
  /// How many candidates of the range the pixels of a column have.
  std::int64_t candidates(int x) const {
    const std::int64_t least = options_.min_disparity, most = least + options_.disparities - 1;
    if (options_.outside != StereoOutside::skip) return options_.disparities;
    const std::int64_t nearest = matches_left() ? x - end_ : margin_ - x;
    return std::max<std::int64_t>(0, std::min(most, nearest + end_ - margin_) - std::max(least, nearest) + 1);
  }
  /// Of the pixel that has the most.
  std::int64_t most_candidates() const {
    std::int64_t most = 0;
    for (int x = first_; x <= last_; ++x) most = std::max(most, candidates(x));
    return most;
  }
  /// Columns whose pixels have so many candidates at least.
  int columns_with(std::int64_t least) const {
    int count = 0;
    for (int x = first_; x <= last_; ++x) count += candidates(x) >= least ? 1 : 0;
    return count;
  }

 private:
  bool matches_left() const { return options_.reference == StereoView::left; }
  const StereoOptions& options_;
  int first_ = 0, last_ = 0;  ///< Columns of pixels that are matched.
  int margin_ = 0, end_ = 0;  ///< First and last column of their partners.
  int rows_ = 0;
};

/// Regions that cannot be larger than those that are removed as speckles.
std::string only_speckles_warning(const Matched& matched, const StereoOptions& options) {
  const int least = options.reject_ties && options.disparities > 2 ? 3 : 1;
  const std::int64_t columns = matched.columns_with(least), rows = matched.rows();
  if (columns * rows > options.speckle_size) return {};
  const bool inner = options.border == StereoBorder::invalid;
  return fmt::format(
      "no pixel can get a disparity: {}{} x {} pixels can have one, and --speckle-size {} removes regions of so few: "
      "give {}--speckle-size 0{}",
      inner ? fmt::format("with border invalid and window {}x{} only ", options.window.width, options.window.height)
            : "",
      columns, rows, options.speckle_size, inner ? "--border partial, a smaller window or " : "",
      options.roi ? ", or a larger --roi" : "");
}

/// SGM: p2 was not given, and its default lies below p1.
std::string alike_penalties_warning(const StereoOptions& given, const StereoOptions& used) {
  // Of the penalties that follow from the largest cost.
  const bool census = given.cost != StereoCost::sad && given.cost != StereoCost::ssd;
  const std::int64_t usual =
      given.cost == StereoCost::sad ? std::int64_t{25} * given.p1 / 6 : std::int64_t{4} * given.p1;
  return fmt::format(
      "p1 is {}, not below the p2 that {} costs have by default, and so p2 is {}: steps of all sizes cost the same: "
      "give --p2 as well, such as {}, or a smaller p1",
      given.p1, census ? "census" : stereo_get(given, "cost"), used.p2,
      std::min<std::int64_t>(usual, std::numeric_limits<std::int32_t>::max()));
}

/// SGM: penalties so far above the defaults that hardly a step of the disparity is worth them, or so far below that
/// they smooth nothing.
std::string odd_penalties_warning(const StereoOptions& used) {
  constexpr std::int64_t far_above = 8, far_below = 16;
  constexpr std::int64_t of_pixels_p1 = 6, of_pixels_p2 = 8;  // of SAD without a window, which has few costs
  StereoOptions usual = used;
  usual.p1 = usual.p2 = 0;
  usual.disparities = 16;
  usual.roi.reset();
  // Defaults follow from the largest cost, whatever the size.
  usual = StereoMatcher(Device("reference"), {64, 64}, usual).options();
  const std::int64_t below_p1 = used.window == Size{1, 1} && used.cost == StereoCost::sad ? of_pixels_p1 : far_below,
                     below_p2 = below_p1 == far_below ? far_below : of_pixels_p2;
  if (below_p1 * used.p1 <= usual.p1 && below_p2 * used.p2 <= usual.p2)
    return fmt::format(
        "p1 {} and p2 {} are far below {} and {}, the defaults for cost {} with window {}x{}: the map is hardly "
        "smoothed, and holds single wrong matches: leave --p1 and --p2 out, or give larger ones",
        used.p1, used.p2, usual.p1, usual.p2, stereo_get(used, "cost"), used.window.width, used.window.height);
  if (used.p1 <= far_above * usual.p1 && used.p2 <= far_above * usual.p2) return {};
  return fmt::format(
      "p1 {} and p2 {} are far above {} and {}, the defaults for cost {} with window {}x{}: the map hardly follows "
      "steps of the disparity: leave --p1 and --p2 out, or give smaller ones (those of OpenCV's StereoSGBM suit sums "
      "over its block)",
      used.p1, used.p2, usual.p1, usual.p2, stereo_get(used, "cost"), used.window.width, used.window.height);
}

}  // namespace

std::string no_candidate_warning(Size size, const StereoOptions& options) {
  const Matched matched(size, options);
  if (matched.empty())
    return fmt::format(
        "no pixel can get a disparity: roi lies within the border that border invalid leaves out, {} columns and {} "
        "rows at each side with window {}x{}: give --border partial, a smaller window or a larger --roi",
        options.window.width / 2, options.window.height / 2, options.window.width, options.window.height);
  const std::int64_t least = options.min_disparity;
  const std::int64_t most = least + options.disparities - 1;
  if (options.outside == StereoOutside::skip) {
    const std::string range =
        fmt::format("no pixel can get a disparity: min-disparity {} and disparities {} mean {} .. {}", least,
                    options.disparities, least, most);
    const std::int64_t low = matched.low(), high = matched.high();
    if (least > high || most < low) return fmt::format("{}, and candidates exist for {} .. {}", range, low, high);
    const std::int64_t candidates = matched.most_candidates();
    if (options.reject_ties && candidates <= 2 && candidates != options.disparities)
      return fmt::format(
          "{}, candidates exist for {} .. {}, and so each pixel has at most {}, too few for --reject-ties on: mend "
          "the range",
          range, low, high, candidates);
  }
  return only_speckles_warning(matched, options);
}

std::string penalties_warning(const StereoOptions& given, const StereoOptions& used) {
  if (given.aggregate != StereoAggregate::sgm) return {};
  return given.p1 != 0 && given.p2 == 0 && used.p2 <= given.p1 + 1 ? alike_penalties_warning(given, used)
                                                                   : odd_penalties_warning(used);
}

std::string window_warning(Size size, const StereoOptions& options) {
  constexpr int large = 31, share = 5;  // px; of the pictures' width or height, as 1 in so many
  const auto is_large = [](int side, int of) { return side > large && share * side > of; };
  const Size window = options.window;
  if (!is_large(window.width, size.width) && !is_large(window.height, size.height)) return {};
  return fmt::format(
      "the window of {}x{} px is more than a fifth of the pictures of {}x{}: each disparity is one of so large a "
      "part, and edges of depth are lost: give a smaller one, such as 9",
      window.width, window.height, size.width, size.height);
}

std::string speckle_size_warning(Size size, const StereoSettings& settings) {
  constexpr int share = 5;  // of the pixels; a tenth leaves out nothing that matters
  const std::int64_t pixels = std::int64_t{size.width} * size.height, removed = settings.options.speckle_size;
  // Of nearly the whole picture hardly a pixel is left, which is told.
  if (share * removed < pixels || 10 * removed >= 9 * pixels || !settings.given.contains("speckle-size")) return {};
  return fmt::format(
      "--speckle-size {} is {} % of the picture: whole surfaces of up to so many pixels are removed, and filled from "
      "others: give a few hundred",
      removed, 100 * removed / pixels);
}

StereoResult naming_size(const Size& size, const std::function<StereoResult()>& run) {
  try {
    return run();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory || size.width == 0) throw;
    if (!std::string_view(error.what()).starts_with("no memory for an image")) throw;
    throw Error(error.code(), fmt::format("no memory to match pictures of {}x{}: use smaller ones or free memory",
                                          size.width, size.height));
  }
}

std::string bands_warning(const std::string& device, const StereoMatcher& matcher) {
  if (matcher.band_rows() == 0) return {};
  return fmt::format(
      "device {} has too little memory for whole pictures of {}x{}: it matched them in bands of {} rows, and device "
      "cpu filtered "
      "and filled the maps",
      device, matcher.size().width, matcher.size().height, matcher.band_rows());
}

}  // namespace vergence::cli
