// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the bytes pick size, strides, settings and pixels; `reference` and every SIMD target of `cpu` must
// agree on every byte of every map.
#include <cstddef>
#include <cstdint>

#include "pixels.hpp"
#include "plan/stereo/plan.hpp"
#include "stereo_compare.hpp"
#include "vergence/error.hpp"

namespace {

using namespace vergence;  // NOLINT(google-build-using-namespace): a program of one file
using fuzz::Bytes;

StereoOptions read_options(Bytes& bytes, Size size) {
  StereoOptions o;
  o.cost = static_cast<StereoCost>(bytes.within(0, 4));
  o.window = {2 * bytes.within(0, (size.width - 1) / 2) + 1, 2 * bytes.within(0, (size.height - 1) / 2) + 1};
  o.disparities = bytes.within(1, size.width);
  o.min_disparity = bytes.within(-40, 40);
  if (bytes.within(0, 63) == 63) o.min_disparity *= 100;
  o.reference = static_cast<StereoView>(bytes.within(0, 1));
  o.border = static_cast<StereoBorder>(bytes.within(0, 1));
  o.outside = static_cast<StereoOutside>(bytes.within(0, 2));
  o.tie = static_cast<StereoTie>(bytes.within(0, 1));
  o.prefilter = static_cast<StereoPrefilter>(bytes.within(0, 2));
  o.prefilter_cap = bytes.within(1, 127);
  o.subpixel = bytes.flag();
  o.uniqueness_ratio = bytes.flag() ? bytes.within(0, 1000) : 0;
  o.texture_threshold = bytes.flag() ? bytes.within(0, 30000) : 0;
  o.left_right = bytes.flag() && o.outside == StereoOutside::skip ? bytes.within(0, 255) : -1;
  o.left_right_unit = static_cast<StereoCheckUnit>(bytes.within(0, 1));
  o.speckle_size = bytes.flag() ? bytes.within(0, 300) : 0;
  o.speckle_range = bytes.flag() ? bytes.within(0, 65535) : bytes.within(0, 40);
  constexpr int medians[] = {0, 3, 5};
  o.median = medians[bytes.within(0, 2)];
  o.fill = static_cast<StereoFill>(bytes.within(0, 4));
  if (o.fill == StereoFill::mean_all && o.min_disparity > 0) o.fill = StereoFill::mean;
  o.fill_window = 2 * bytes.within(1, 127) + 1;
  o.depth = static_cast<Depth>(bytes.within(0, 1));
  o.max_value = bytes.flag() ? 65535 : bytes.within(1, 65535);
  if (bytes.flag()) {
    const int x = bytes.within(0, size.width - 1);
    const int y = bytes.within(0, size.height - 1);
    o.roi = Rect{x, y, bytes.within(1, size.width - x), bytes.within(1, size.height - y)};
  }
  o.reject_ties = bytes.flag();
  if (bytes.flag()) {
    constexpr int paths[] = {2, 4, 5, 8};
    o.aggregate = StereoAggregate::sgm;
    o.paths = paths[bytes.within(0, 3)];
    o.p1 = bytes.within(0, 80);
    o.p2 = bytes.flag() ? 0 : o.p1 + bytes.within(1, 70000);
    o.p2_slope = bytes.flag() ? 0 : bytes.within(0, 65535);
  }
  return o;
}

template <class P>
void read_pictures(Bytes& bytes, const StereoCase& c, int largest, Image<P>& left, Image<P>& right) {
  left = Image<P>(c.size);
  right = Image<P>(c.size);
  const int shift = bytes.within(-8, 24);
  const unsigned noise = bytes.next() % 8;
  fuzz::Pixels<P> pixels(bytes, largest, true);
  for (int y = 0; y < c.size.height; ++y)
    for (int x = 0; x < c.size.width; ++x) left(x, y) = pixels.next();
  for (int y = 0; y < c.size.height; ++y)
    for (int x = 0; x < c.size.width; ++x)
      right(x, y) = pixels.chance() % 8 < noise ? pixels.next() : left(fuzz::around(x + shift, c.size.width), y);
}

/// Holes where bytes say so, or a run in each row, which moves from row to row.
Image<std::uint8_t> read_mask(Bytes& bytes, Size size) {
  const unsigned rarity = 1 + bytes.next() % 16;
  const bool runs = bytes.flag();
  const int first = bytes.within(-8, 24), end = bytes.within(0, 48), slope = bytes.within(-2, 2);
  fuzz::Pixels<std::uint8_t> pixels(bytes, 255, false);
  Image<std::uint8_t> mask(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const bool shown = runs ? x >= first + slope * y && x < end + slope * y : pixels.chance() % 16 >= rarity % 16;
      mask(x, y) = shown ? 1 : 0;
    }
  return mask;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::StereoCompare compare;
  Bytes bytes(data, size);
  StereoCase c;
  c.size = {bytes.within(1, 48), bytes.within(1, 24)};
  StereoRunOptions run;
  run.padding = bytes.within(0, 40);
  run.wide_maps = bytes.flag();
  c.options = read_options(bytes, c.size);
  StereoPlan plan;
  try {
    plan = make_stereo_plan(c.size, c.options);
  } catch (const Error&) {
    return -1;  // not a case: keep it out of the corpus
  }
  // The reference adds up every tap of every window: keep an input well under a second, sanitizers included.
  const std::int64_t taps = std::int64_t{c.size.width} * c.size.height * c.options.disparities *
                            (c.options.window.width * c.options.window.height + (plan.sums_paths() ? 30 : 0));
  if (taps > 3'000'000) return -1;
  run.wide_maps = run.wide_maps || plan.wide;
  run.costs = plan.max_cost < no_cost;
  if (c.options.depth == Depth::u8)
    read_pictures(bytes, c, 255, c.left8, c.right8);
  else
    read_pictures(bytes, c, c.options.max_value, c.left16, c.right16);
  // Last, so that inputs from before masks were drawn mean what they meant.
  if (bytes.flag()) {
    c.left_mask = read_mask(bytes, c.size);
    c.right_mask = read_mask(bytes, c.size);
  }
  return fuzz::judge(compare.difference(c, run));
}
