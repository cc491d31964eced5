// SPDX-License-Identifier: Apache-2.0
// From raw pictures of the built-in scene to disparities: rectified and matched, they are the scene's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "support/raw_scene.hpp"
#include "vergence/rectify.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

struct Matched {
  Image<std::int16_t> map;
  int invalid = 0;
  Image<std::uint8_t> left_mask, right_mask;
};

Matched match_raw(const RawScene& scene, const char* name, const StereoOptions& options) {
  const Device device(name);
  StereoRectifier rectifier(device, scene.rig);
  Image<std::uint8_t> left(rectifier.size()), right(rectifier.size());
  rectifier.rectify(scene.left, scene.right, left, right);
  StereoMatcher matcher(device, rectifier.size(), options, {rectifier.left_mask(), rectifier.right_mask()});
  Matched result{Image<std::int16_t>(rectifier.size()), matcher.invalid(), {}, {}};
  matcher.compute({left, right}, {.disparity = result.map});
  for (const auto& [from, to] :
       {std::pair{rectifier.left_mask(), &result.left_mask}, {rectifier.right_mask(), &result.right_mask}}) {
    *to = Image<std::uint8_t>(from.size());
    for (int y = 0; y < from.height(); ++y)
      for (int x = 0; x < from.width(); ++x) (*to)(x, y) = from(x, y);
  }
  return result;
}

StereoOptions scene_options(const char* preset) {
  StereoOptions options = stereo_preset(preset).options;
  options.disparities = 36;
  return options;
}

struct ScoredMap {
  std::vector<double> errors;  ///< Of measured pixels, px, in order of size.
  double bias = 0;             ///< Mean of those within 1 px.
  double within(double limit) const {
    const auto end = std::upper_bound(errors.begin(), errors.end(), limit);
    return static_cast<double>(end - errors.begin()) / static_cast<double>(errors.size());
  }
  double median() const { return errors[errors.size() / 2]; }
};

ScoredMap scored(const RawScene& scene, const Matched& got) {
  ScoredMap result;
  int near = 0;
  for (int y = 0; y < got.map.height(); ++y)
    for (int x = 0; x < got.map.width(); ++x) {
      if (got.map(x, y) == got.invalid) continue;
      const double error = got.map(x, y) / 16.0 - static_cast<double>(scene.disparity(x, y));
      result.errors.push_back(std::abs(error));
      if (std::abs(error) <= 1) result.bias += error, ++near;
    }
  std::sort(result.errors.begin(), result.errors.end());
  result.bias /= near;
  return result;
}

/// Matching itself errs on slanted and thin things: what counts is what rectification adds to it.
TEST(RawScene, DisparitiesEqualTheTruth) {
  const RawScene raw = make_raw_scene(), ideal = make_raw_scene(true);
  const StereoOptions options = scene_options("default");
  const Matched from_raw = match_raw(raw, "cpu", options), from_ideal = match_raw(ideal, "cpu", options);
  const ScoredMap got = scored(raw, from_raw), best = scored(ideal, from_ideal);
  ASSERT_GT(got.errors.size(), std::size_t{240 * 180 * 6 / 10});
  EXPECT_LE(std::abs(got.bias), 1.0 / 16);
  EXPECT_LE(got.median(), best.median() + 1.0 / 32);
  EXPECT_GE(got.within(1), best.within(1) - 0.02);
  std::vector<int> differences;  // 1/16 px
  for (int y = 0; y < from_raw.map.height(); ++y)
    for (int x = 0; x < from_raw.map.width(); ++x)
      if (from_raw.map(x, y) != from_raw.invalid && from_ideal.map(x, y) != from_ideal.invalid)
        differences.push_back(std::abs(from_raw.map(x, y) - from_ideal.map(x, y)));
  std::sort(differences.begin(), differences.end());
  EXPECT_LE(differences[differences.size() / 2], 1);
}

TEST(RawScene, PixelsWithoutSourceAreInvalid) {
  const RawScene scene = make_raw_scene();
  StereoOptions options = scene_options("default");
  options.fill = StereoFill::nearest;
  options.window = {3, 3};  // the reference is slow
  options.disparities = 16;
  options.left_right = -1;
  const Matched got = match_raw(scene, "reference", options), fast = match_raw(scene, "cpu", options);
  int without = 0, filled_beside = 0;
  for (int y = 0; y < got.map.height(); ++y)
    for (int x = 0; x < got.map.width(); ++x) {
      ASSERT_EQ(got.map(x, y), fast.map(x, y)) << x << " " << y;
      if (got.left_mask(x, y) != 0) {
        filled_beside += got.map(x, y) != got.invalid ? 1 : 0;
        continue;
      }
      ++without;
      ASSERT_EQ(got.map(x, y), got.invalid) << x << " " << y;
    }
  EXPECT_GT(without, 100);
  EXPECT_EQ(filled_beside + without, got.map.width() * got.map.height());
}

}  // namespace
}  // namespace vergence::test
