// SPDX-License-Identifier: Apache-2.0
// Points that both pictures of a pair show, in the same row or not.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/reduce.hpp"
#include "inspect/close_look.hpp"
#include "inspect/samples.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/rig_check.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

using inspect::Picture;
using inspect::Point;

constexpr Size least_pair{64, 48};
constexpr int largest_side = 1024;  // px: beyond that pictures are reduced, and time grows no more
constexpr int search_width = 128;   // px of the reduced pictures in which points are searched for
constexpr std::size_t most_points = 192;
constexpr std::int64_t way_back = 512;  // 1/1024 px from where a point began to where its way back ends

/// Where patches of one picture lie in the other one, to some px.
class CoarseSearch {
 public:
  CoarseSearch(Picture left, Picture right, int factor)
      : factor_(factor), left_(reduced(left, factor)), right_(reduced(right, factor)) {}

  /// Where the point moves to, in px of the pictures themselves.
  Point find(int x, int y) const {
    const Picture left = left_.view(), right = right_.view();
    const Point from{std::clamp(x / factor_ - inspect::patch_width / 2, 0, left.width() - inspect::patch_width),
                     std::clamp(y / factor_ - inspect::patch_height / 2, 0, left.height() - inspect::patch_height)};
    const int rows = std::max(3, left.height() / 24);
    const int back = left.width() / 16, ahead = 3 * left.width() / 8;
    int least = std::numeric_limits<int>::max();
    Point best;
    for (int dy = -rows; dy <= rows; ++dy)
      for (int dx = -ahead; dx <= back; ++dx) {
        const Point there{from.x + dx, from.y + dy};
        if (!inspect::inside(right, there)) continue;
        const int cost = inspect::difference(left_.view(), from, right, there);
        if (cost < least) least = cost, best = {dx, dy};
      }
    return {best.x * factor_, best.y * factor_};
  }

 private:
  int factor_;
  Image<std::uint8_t> left_, right_;
};

TrackOptions flow_options(Size size) {
  TrackOptions options;
  options.quality = 0.003;
  options.min_distance = std::max(4, size.width / 48);
  options.grid = {8, 6};
  options.window = 15;
  options.levels = 2;
  options.iterations = 20;
  options.epsilon = 0.02;
  options.gain_offset = true;
  options.forward_backward = 0;  // its way back begins where the point was found, and disparities are long: see below
  return options;
}

TrackPosition moved(const TrackPosition& from, const TrackPosition& by, int sign) {
  return {from.x + sign * by.x, from.y + sign * by.y};
}

bool comes_back(const TrackedPoint& there, const TrackedPoint& back, const TrackPosition& from) {
  if (there.status != TrackStatus::tracked || back.status != TrackStatus::tracked) return false;
  const std::int64_t x = back.position.x - from.x, y = back.position.y - from.y;
  return x * x + y * y <= way_back * way_back;
}

/// Pictures as they are, or reduced by `factor`.
std::vector<PairPoint> match_bytes(Picture left, Picture right, int factor) {
  const Image<std::uint8_t> even = inspect::with_levels(right, inspect::levels(right), inspect::levels(left));
  const int coarse = std::min((left.width() + search_width - 1) / search_width, left.height() / 16);
  const CoarseSearch search(left, even.view(), std::max(1, coarse));
  PointFlow flow(Device("cpu"), left.size(), flow_options(left.size()));
  flow.push(left);
  const std::vector<TrackPosition> from = flow.corners(most_points);
  std::vector<TrackPosition> steps, places;
  for (const TrackPosition& corner : from) {
    const Point step = search.find(corner.x / 1024, corner.y / 1024);
    steps.push_back({step.x * 1024, step.y * 1024});
    places.push_back(moved(corner, steps.back(), 1));
  }
  std::vector<TrackedPoint> there(from.size()), back(from.size());
  flow.push(right);
  flow.track(from, there, places);
  std::vector<TrackPosition> found;
  for (std::size_t i = 0; i < from.size(); ++i) {
    found.push_back(there[i].position);
    places[i] = moved(found[i], steps[i], -1);
  }
  flow.push(left);
  flow.track(found, back, places);
  std::vector<PairPoint> points;
  const auto px = [factor](std::int32_t position) { return (position_to_pixels(position) + 0.5) * factor - 0.5; };
  for (std::size_t i = 0; i < from.size(); ++i)
    if (comes_back(there[i], back[i], from[i]))
      points.push_back({px(from[i].x), px(from[i].y), px(found[i].x), px(found[i].y)});
  return points;
}

template <class Pixel>
std::vector<PairPoint> match_any(ImageView<const Pixel> left, ImageView<const Pixel> right, int max_value) {
  const Size size = left.size();
  if (size != right.size() || left.empty())
    throw Error(ErrorCode::invalid_argument, fmt::format("left is {}x{} and right {}x{}: give pictures of one size",
                                                         size.width, size.height, right.width(), right.height()));
  if (size.width < least_pair.width || size.height < least_pair.height) return {};
  const int most = std::min(max_value, inspect::highest(right, inspect::highest(left, 255)));
  const inspect::Bytes a(left, most), b(right, most);
  const int factor = (std::max(size.width, size.height) + largest_side - 1) / largest_side;
  if (factor == 1) return match_bytes(a.view(), b.view(), 1);
  const Image<std::uint8_t> small_left = reduced(a.view(), factor), small_right = reduced(b.view(), factor);
  if (small_left.width() < least_pair.width || small_left.height() < least_pair.height) return {};
  return match_bytes(small_left.view(), small_right.view(), factor);
}

}  // namespace

std::vector<PairPoint> match_pair_points(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right) {
  return match_any(left, right, 255);
}
std::vector<PairPoint> match_pair_points(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                         int max_value) {
  return match_any(left, right, max_value);
}

}  // namespace vergence
