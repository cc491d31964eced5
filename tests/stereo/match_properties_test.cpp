// SPDX-License-Identifier: Apache-2.0
// What must hold of the reference match on any input: symmetries and independences that its text does not spell out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "support/reference_match.hpp"
#include "verify/stereo_cases.hpp"

namespace vergence::test {
namespace {

constexpr Size largest{31, 13};

struct Wide {
  explicit Wide(Size size)
      : disparity(size), confidence(size), cost(size), second_cost(size), before(size), after(size) {}
  Image<std::int32_t> disparity;
  Image<std::uint8_t> confidence;
  Image<std::uint32_t> cost, second_cost, before, after;
};

template <class P>
Wide run(const StereoOptions& options, const Image<P>& left, const Image<P>& right) {
  Wide out(left.size());
  const MatchMaps<std::int32_t> maps{out.disparity, out.confidence, out.cost, out.second_cost, out.before, out.after};
  reference::match<P, std::int32_t>(make_stereo_plan(left.size(), options), left, right, maps);
  return out;
}

Wide run(const StereoCase& one, const StereoOptions& options) {
  return options.depth == Depth::u8 ? run(options, one.left8, one.right8) : run(options, one.left16, one.right16);
}

template <class T>
Image<T> mirrored(const Image<T>& in) {
  if (in.empty()) return {};
  Image<T> out(in.size());
  for (int y = 0; y < in.height(); ++y)
    for (int x = 0; x < in.width(); ++x) out(x, y) = in(in.width() - 1 - x, y);
  return out;
}

void expect_equal(const Wide& a, const Wide& b) {
  EXPECT_EQ(values_of(a.disparity), values_of(b.disparity));
  EXPECT_EQ(values_of(a.confidence), values_of(b.confidence));
  EXPECT_EQ(values_of(a.cost), values_of(b.cost));
  EXPECT_EQ(values_of(a.second_cost), values_of(b.second_cost));
  EXPECT_EQ(values_of(a.before), values_of(b.before));
  EXPECT_EQ(values_of(a.after), values_of(b.after));
}

/// 16-bit SSD sums may pass the 32-bit cost maps; these properties are about the decisions.
StereoCase small_case(std::uint64_t seed) {
  StereoCase one = make_stereo_case(seed, largest);
  if (one.options.depth == Depth::u16 && one.options.cost == StereoCost::ssd) one.options.cost = StereoCost::sad;
  return one;
}

// Left and right change places when both pictures are mirrored. (Without the prefilter: a mirrored derivative changes
// its sign, which census and zeros outside notice. Without the symmetric census: mirrored, the pairs of the middle row
// are compared the other way round, which ties notice.)
TEST(MatchProperties, MirroredPicturesSwapTheViews) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    StereoCase one = small_case(seed);
    if (one.options.cost == StereoCost::census_symmetric_9x7) one.options.cost = StereoCost::census_9x7;
    one.options.prefilter = StereoPrefilter::none;
    SCOPED_TRACE(describe(one));
    StereoCase other;
    other.left8 = mirrored(one.right8);
    other.right8 = mirrored(one.left8);
    other.left16 = mirrored(one.right16);
    other.right16 = mirrored(one.left16);
    StereoOptions options = one.options;
    options.reference = one.options.reference == StereoView::left ? StereoView::right : StereoView::left;
    if (options.roi) options.roi->x = one.size.width - options.roi->x - options.roi->width;
    const Wide expected = run(one, one.options);
    Wide got = run(other, options);
    got.disparity = mirrored(got.disparity);
    got.confidence = mirrored(got.confidence);
    got.cost = mirrored(got.cost);
    got.second_cost = mirrored(got.second_cost);
    got.before = mirrored(got.before);
    got.after = mirrored(got.after);
    expect_equal(expected, got);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(MatchProperties, RegionsHoldTheValuesOfTheWhole) {
  int regions = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const StereoCase one = small_case(seed);
    if (!one.options.roi) continue;
    SCOPED_TRACE(describe(one));
    ++regions;
    StereoOptions whole = one.options;
    whole.roi.reset();
    const Wide expected = run(one, whole);
    const Wide got = run(one, one.options);
    const Rect& roi = *one.options.roi;
    const int invalid = (whole.min_disparity - 1) * 16;
    for (int y = 0; y < one.size.height; ++y)
      for (int x = 0; x < one.size.width; ++x) {
        const bool inside = x >= roi.x && x < roi.x + roi.width && y >= roi.y && y < roi.y + roi.height;
        ASSERT_EQ(got.disparity(x, y), inside ? expected.disparity(x, y) : invalid) << x << "," << y;
        ASSERT_EQ(got.confidence(x, y), inside ? expected.confidence(x, y) : 0) << x << "," << y;
        ASSERT_EQ(got.cost(x, y), inside ? expected.cost(x, y) : no_cost) << x << "," << y;
        ASSERT_EQ(got.second_cost(x, y), inside ? expected.second_cost(x, y) : no_cost) << x << "," << y;
        ASSERT_EQ(got.before(x, y), inside ? expected.before(x, y) : no_cost) << x << "," << y;
        ASSERT_EQ(got.after(x, y), inside ? expected.after(x, y) : no_cost) << x << "," << y;
      }
  }
  EXPECT_GT(regions, 50);
}

// Each rejection decides for itself; together they reject what any of them rejects, and change no value.
TEST(MatchProperties, RejectionsAreIndependent) {
  int rejected = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const StereoCase one = small_case(seed);
    SCOPED_TRACE(describe(one));
    StereoOptions off = one.options;
    off.uniqueness_ratio = 0;
    off.texture_threshold = 0;
    off.left_right = -1;
    off.reject_ties = false;
    StereoOptions unique = off, textured = off, checked = off, untied = off;
    unique.uniqueness_ratio = one.options.uniqueness_ratio;
    textured.texture_threshold = one.options.texture_threshold;
    checked.left_right = one.options.left_right;
    untied.reject_ties = one.options.reject_ties;
    const Wide all = run(one, one.options), none_of_them = run(one, off);
    const Wide a = run(one, unique), b = run(one, textured), c = run(one, checked), d = run(one, untied);
    const int invalid = (off.min_disparity - 1) * 16;
    for (int y = 0; y < one.size.height; ++y)
      for (int x = 0; x < one.size.width; ++x) {
        const bool any = a.disparity(x, y) == invalid || b.disparity(x, y) == invalid || c.disparity(x, y) == invalid ||
                         d.disparity(x, y) == invalid;
        rejected += any && none_of_them.disparity(x, y) != invalid ? 1 : 0;
        ASSERT_EQ(all.disparity(x, y), any ? invalid : none_of_them.disparity(x, y)) << x << "," << y;
        ASSERT_EQ(all.confidence(x, y), any ? 0 : none_of_them.confidence(x, y)) << x << "," << y;
      }
    ASSERT_EQ(values_of(all.cost), values_of(none_of_them.cost));
  }
  EXPECT_GT(rejected, 1000);
}

/// The picture with `padding` columns on either side, zeros or copies of the edge.
Image<std::uint8_t> padded(const Image<std::uint8_t>& in, int padding, StereoOutside outside) {
  Image<std::uint8_t> out(in.width() + 2 * padding, in.height(), 0);
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      const int source = x - padding;
      const bool inside = source >= 0 && source < in.width();
      if (inside || outside == StereoOutside::clamp) out(x, y) = in(std::clamp(source, 0, in.width() - 1), y);
    }
  return out;
}

// With whole windows, zeros (or copies of the edge) outside are the same as a wider picture that holds them. (Not so
// for paths, which begin at the picture's edge.)
TEST(MatchProperties, PixelsOutsideAreThoseOfAWiderPicture) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const StereoCase one = make_stereo_case(seed, largest);
    StereoOptions options = one.options;
    if (options.depth == Depth::u16 || std::abs(options.min_disparity) > 100) continue;
    SCOPED_TRACE(describe(one));
    ++tried;
    options.aggregate = StereoAggregate::window;
    if (options.window == Size{0, 0}) options.window = {1, 1};
    options.cost = seed % 2 == 0 ? StereoCost::sad : StereoCost::ssd;
    options.outside = seed % 3 == 0 ? StereoOutside::zero : StereoOutside::clamp;
    options.border = StereoBorder::invalid;
    options.prefilter = StereoPrefilter::none;
    options.texture_threshold = 0;
    options.left_right = -1;
    options.roi.reset();
    const int padding = 100 + options.disparities + options.window.width;
    StereoOptions wider = options;
    wider.outside = StereoOutside::skip;
    const Wide expected =
        run(wider, padded(one.left8, padding, options.outside), padded(one.right8, padding, options.outside));
    const Wide got = run(options, one.left8, one.right8);
    const int margin = options.window.width / 2;
    for (int y = 0; y < one.size.height; ++y)
      for (int x = margin; x < one.size.width - margin; ++x) {
        ASSERT_EQ(got.disparity(x, y), expected.disparity(x + padding, y)) << x << "," << y;
        ASSERT_EQ(got.second_cost(x, y), expected.second_cost(x + padding, y)) << x << "," << y;
        ASSERT_EQ(got.after(x, y), expected.after(x + padding, y)) << x << "," << y;
      }
  }
  EXPECT_GT(tried, 300);
}

TEST(MatchProperties, StridesDoNotMatter) {
  const StereoCase one = make_stereo_case(7, largest);
  StereoOptions options = one.options;
  options.depth = Depth::u8;
  options.roi.reset();
  const Size size{17, 9};
  options.window = {5, 3};
  options.disparities = 9;
  options.min_disparity = -2;
  Image<std::uint8_t> left(40, 9, 200), right(40, 9, 200);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      left(x + 3, y) = static_cast<std::uint8_t>(x * 37 + y * 11);
      right(x + 3, y) = static_cast<std::uint8_t>(x * 31 + y * 17);
    }
  const Rect part{3, 0, size.width, size.height};
  Image<std::int16_t> expected(size), got_in(33, 9, 1234);
  Image<std::uint8_t> left_alone(size), right_alone(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      left_alone(x, y) = left(x + 3, y);
      right_alone(x, y) = right(x + 3, y);
    }
  const StereoPlan plan = make_stereo_plan(size, options);
  MatchMaps<std::int16_t> maps;
  maps.disparity = expected;
  reference::match<std::uint8_t, std::int16_t>(plan, left_alone, right_alone, maps);
  maps.disparity = got_in.view().crop({5, 0, size.width, size.height});
  const Image<std::uint8_t>& const_left = left;
  const Image<std::uint8_t>& const_right = right;
  reference::match<std::uint8_t, std::int16_t>(plan, const_left.view().crop(part), const_right.view().crop(part), maps);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 33; ++x) {
      const bool inside = x >= 5 && x < 5 + size.width;
      ASSERT_EQ(got_in(x, y), inside ? expected(x - 5, y) : 1234) << x << "," << y;
    }
}

}  // namespace
}  // namespace vergence::test
