// SPDX-License-Identifier: Apache-2.0
// The promise of the preset opencv-bm: the values of the installed cv::StereoBM, bit for bit, wherever all candidates
// and their windows lie inside both pictures. (Beside that rectangle OpenCV either gives nothing or sums pixels that
// it has clamped to the picture's edge; Vergence gives what it can compute from real pixels.)
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <opencv2/calib3d.hpp>
#include <string>
#include <utility>

#include "interop/opencv.hpp"
#include "synth/scene.hpp"
#include "vergence/stereo.hpp"

#ifdef VERGENCE_TEST_IO
#include "core/random.hpp"
#include "vergence/io.hpp"
#endif

namespace vergence {
namespace {

struct Settings {
  int block = 21;
  int disparities = 64;
  int minimum = 0;
  int texture = 10;
  int uniqueness = 15;
  int cap = 31;
};

struct Pair {
  Image<std::uint8_t> left, right;
  Size size() const { return left.size(); }
};

std::string describe(const Settings& s, Size size) {
  std::string text = std::to_string(size.width) + "x" + std::to_string(size.height);
  const auto add = [&](const char* name, int value) { text += std::string(", ") + name + " " + std::to_string(value); };
  add("block", s.block);
  add("disparities", s.disparities);
  add("minimum", s.minimum);
  add("texture", s.texture);
  add("uniqueness", s.uniqueness);
  add("cap", s.cap);
  return text;
}

StereoOptions our_options(const Settings& s) {
  StereoOptions options = stereo_preset("opencv-bm").options;
  options.window = {s.block, s.block};
  options.disparities = s.disparities;
  options.min_disparity = s.minimum;
  options.texture_threshold = s.texture;
  options.uniqueness_ratio = s.uniqueness;
  options.prefilter_cap = s.cap;
  return options;
}

Image<std::int16_t> ours(const Pair& pair, const StereoOptions& options) {
  Image<std::int16_t> map(pair.size());
  StereoMatcher(Device("cpu"), pair.size(), options).compute({pair.left, pair.right}, {.disparity = map});
  return map;
}

Image<std::int16_t> theirs(Pair& pair, const Settings& s) {
  const auto matcher = cv::StereoBM::create(s.disparities, s.block);
  matcher->setMinDisparity(s.minimum);
  matcher->setTextureThreshold(s.texture);
  matcher->setUniquenessRatio(s.uniqueness);
  matcher->setPreFilterType(cv::StereoBM::PREFILTER_XSOBEL);
  matcher->setPreFilterCap(s.cap);
  matcher->setDisp12MaxDiff(-1);
  matcher->setSpeckleWindowSize(0);
  // For a positive minimum OpenCV writes past the end of rows, the last one too: two more rows take that.
  Image<std::int16_t> map(pair.size().width, pair.size().height + 2, 0);
  cv::Mat out = test::mat(map).rowRange(0, pair.size().height);
  matcher->compute(test::mat(pair.left), test::mat(pair.right), out);
  EXPECT_EQ(out.data, test::mat(map).data) << "OpenCV has allocated a map of its own";
  return map;
}

/// Where all candidates and their windows lie inside both pictures.
Rect defined(const Settings& s, Size size) {
  const int r = s.block / 2;
  const int first = std::max(s.minimum + s.disparities - 1, 0) + r;
  const int end = size.width + std::min(s.minimum, 0) - r;
  return {first, r, end - first, size.height - 2 * r};
}

struct Counts {
  int compared = 0, valid = 0, different = 0;
};

/// Tells the first difference in a failure's message where `report` is set.
Counts compare(const Image<std::int16_t>& a, const Image<std::int16_t>& b, const Rect& where, int invalid,
               bool report) {
  Counts counts;
  for (int y = where.y; y < where.y + where.height; ++y)
    for (int x = where.x; x < where.x + where.width; ++x) {
      ++counts.compared;
      if (b(x, y) != invalid) ++counts.valid;
      if (a(x, y) == b(x, y)) continue;
      if (report && counts.different == 0)
        ADD_FAILURE() << "at x " << x << ", y " << y << " OpenCV has " << b(x, y) << ", Vergence " << a(x, y);
      ++counts.different;
    }
  return counts;
}

Counts expect_equal(Pair& pair, const Settings& s) {
  SCOPED_TRACE(describe(s, pair.size()));
  const Rect where = defined(s, pair.size());
  if (where.empty()) {
    ADD_FAILURE() << "nothing to compare";
    return {};
  }
  return compare(ours(pair, our_options(s)), theirs(pair, s), where, (s.minimum - 1) * 16, true);
}

enum class Scenery { noise, few_levels, stripes, shifted, patches };
constexpr int scenery_kinds = 5;

/// Texture of two scales, so that neither the derivative nor the sums saturate everywhere.
void paint(Random& random, Scenery scenery, Image<std::uint8_t>& picture) {
  const int period = random.within(2, 20), levels = random.within(2, 4), step = random.within(3, 12);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      int value = random.within(0, 255);
      if (scenery == Scenery::few_levels) value = value % levels * 20;
      if (scenery == Scenery::stripes) value = x % period * 255 / period;
      if (scenery == Scenery::shifted) value = (x / step * 37 + y / step * 91) % 200 + value % 16;
      if (scenery == Scenery::patches) value = (x / 24 + y / 17) % 2 == 0 ? 80 : (x * 7 + y * 3) % 190 + value % 8;
      picture(x, y) = static_cast<std::uint8_t>(value);
    }
}

Pair make_pair(Random& random, Size size, const Settings& s) {
  const auto scenery = static_cast<Scenery>(random.within(0, scenery_kinds - 1));
  Pair pair{Image<std::uint8_t>(size), Image<std::uint8_t>(size)};
  paint(random, scenery, pair.left);
  if (scenery == Scenery::noise) {
    paint(random, scenery, pair.right);
    return pair;
  }
  int d = 0;
  for (int y = 0; y < size.height; ++y) {
    if (y % 12 == 0) d = s.minimum + random.within(0, s.disparities - 1);
    for (int x = 0; x < size.width; ++x) {
      const int value = pair.left(std::clamp(x + d, 0, size.width - 1), y) + random.within(-2, 2);
      pair.right(x, y) = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
    }
  }
  return pair;
}

Settings make_settings(Random& random) {
  constexpr int disparities[] = {16, 16, 32, 64, 128};
  constexpr int textures[] = {0, 10, 10, 500, 3000};
  constexpr int ratios[] = {0, 15, 15, 5, 60};
  Settings s;
  s.block = 2 * random.within(2, 10) + 1;
  s.disparities = disparities[random.within(0, 4)];
  if (random.once_in(3)) s.minimum = random.within(1, 24);
  if (random.once_in(3)) s.minimum = -random.within(1, s.disparities + 20);
  s.texture = textures[random.within(0, 4)];
  s.uniqueness = ratios[random.within(0, 4)];
  s.cap = random.once_in(2) ? 31 : random.within(1, 63);
  return s;
}

TEST(OpenCVBlockMatcher, GivesTheValuesOfThePresetOnSeededPictures) {
  Counts sum;
  int odd_heights = 0;
  for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings s = make_settings(random);
    const int range = std::max(s.minimum + s.disparities, -s.minimum) + std::max(-s.minimum, 0);
    const Size size{s.block + range + random.within(1, 70), s.block + random.within(1, 30)};
    odd_heights += size.height % 2;
    Pair pair = make_pair(random, size, s);
    const Counts counts = expect_equal(pair, s);
    sum.compared += counts.compared;
    sum.valid += counts.valid;
  }
  // The cases would prove little if everything, or nothing, were rejected.
  EXPECT_GT(sum.compared, 100000);
  EXPECT_GT(sum.valid, sum.compared / 4);
  EXPECT_LT(sum.valid, sum.compared / 4 * 3);
  EXPECT_GT(odd_heights, 100);
}

TEST(OpenCVBlockMatcher, GivesTheValuesOfThePresetForLargeBlocksAndSteepCaps) {
  // Windows beyond 21 and caps beyond 31 make OpenCV change to wider sums.
  Random random(7);
  for (const int block : {23, 31, 51})
    for (const int cap : {1, 31, 32, 63}) {
      const Settings s{block, 16, 0, 10, 15, cap};
      Pair pair = make_pair(random, {120, 71}, s);
      expect_equal(pair, s);
    }
}

TEST(OpenCVBlockMatcher, GivesTheValuesOfThePresetOnTheBuiltInScene) {
  for (const Size size : {Size{320, 240}, Size{301, 227}}) {
    synth::SceneOptions options;
    options.size = size;
    options.samples = 1;
    options.noise_sigma = 2;
    options.max_disparity = 60;
    synth::SceneFrame frame = synth::Scene(options).render(0);
    Pair pair{std::move(frame.left), std::move(frame.right)};
    for (const int block : {5, 9, 15, 21}) expect_equal(pair, {block, 64, 0, 10, 15, 31});
    expect_equal(pair, {});
    expect_equal(pair, {11, 128, -32, 0, 0, 63});
  }
}

TEST(OpenCVBlockMatcher, IsNotEqualWithAnyOtherRule) {
  // The comparison notices each rule that the preset sets apart from the defaults.
  Random random(3);
  Pair pair{Image<std::uint8_t>(160, 61), Image<std::uint8_t>(160, 61)};
  paint(random, Scenery::few_levels, pair.left);
  paint(random, Scenery::stripes, pair.right);
  for (int y = 0; y < 61; ++y)
    for (int x = 0; x < 160; ++x) {
      if (y < 20) pair.left(x, y) = pair.right(x, y);                                                 // repeats: ties
      if (y >= 20 && y < 35) pair.right(x, y) = pair.left(std::min(x + 5, 159), y);                   // a match
      if (y >= 35 && y < 50) pair.left(x, y) = static_cast<std::uint8_t>(100 + random.within(0, 1));  // weak texture
    }
  const auto expect_different = [&](const char* what, const Settings& s, auto change) {
    expect_equal(pair, s);
    StereoOptions options = our_options(s);
    change(options);
    const Counts counts = compare(ours(pair, options), theirs(pair, s), defined(s, pair.size()), -16, false);
    EXPECT_GT(counts.different, 0) << what;
  };
  const Settings all{9, 32, 0, 0, 0, 31};
  expect_different("tie", all, [](StereoOptions& o) { o.tie = StereoTie::lowest; });
  expect_different("last row", all, [](StereoOptions& o) { o.prefilter = StereoPrefilter::xsobel; });
  expect_different("sub-pixel", all, [](StereoOptions& o) { o.subpixel = false; });
  expect_different("cap", all, [](StereoOptions& o) { o.prefilter_cap += 1; });
  expect_different("texture", {9, 32, 0, 300, 0, 31}, [](StereoOptions& o) { o.texture_threshold -= 50; });
  expect_different("uniqueness", {9, 32, 0, 0, 15, 31}, [](StereoOptions& o) { o.uniqueness_ratio -= 3; });
}

#ifdef VERGENCE_TEST_IO
class OpenCVBlockMatcherOnPhotographs : public testing::TestWithParam<const char*> {};

TEST_P(OpenCVBlockMatcherOnPhotographs, GivesTheValuesOfThePreset) {
  const std::string folder = std::string(VERGENCE_TEST_DATA) + "/stereo/" + GetParam();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no photographs in " << folder;
  GreyPicture left = read_grey(folder + "/left.png"), right = read_grey(folder + "/right.png");
  Pair pair{std::move(left.u8), std::move(right.u8)};
  Counts sum;
  for (const int block : {5, 7, 11, 15, 21})
    for (const int minimum : {0, 4, -16})
      for (const int uniqueness : {0, 15}) {
        const Counts counts = expect_equal(pair, {block, 32, minimum, uniqueness == 0 ? 0 : 10, uniqueness, 31});
        sum.compared += counts.compared;
        sum.valid += counts.valid;
      }
  expect_equal(pair, {});
  expect_equal(pair, {21, 128, 0, 0, 0, 63});
  EXPECT_GT(sum.valid, sum.compared / 2);
}
INSTANTIATE_TEST_SUITE_P(, OpenCVBlockMatcherOnPhotographs, testing::Values("venus", "tsukuba"),
                         [](const auto& name) { return std::string(name.param); });
#endif

}  // namespace
}  // namespace vergence
