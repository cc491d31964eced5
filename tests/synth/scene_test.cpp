// SPDX-License-Identifier: Apache-2.0
// The furnished room: sizes, ranges, determinism, noise, exposure, refusals.
#include "synth/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "vergence/error.hpp"

namespace vergence::synth {
namespace {

/// FNV-1a over the bytes of an image's pixels and its size.
template <class T>
void add_hash(std::uint64_t& hash, const Image<T>& image) {
  const auto add = [&](const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * 0x100000001B3u;
  };
  const int size[2] = {image.width(), image.height()};
  add(size, sizeof(size));
  for (int y = 0; y < image.height(); ++y) add(image.row(y), sizeof(T) * static_cast<std::size_t>(image.width()));
}

std::uint64_t hash_of(const SceneFrame& f) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const auto* image : {&f.left, &f.right, &f.visible_left, &f.visible_right, &f.region_left, &f.flow_visible})
    add_hash(hash, *image);
  for (const auto* image : {&f.left_rgb, &f.right_rgb}) add_hash(hash, *image);
  for (const auto* image : {&f.disparity_left, &f.disparity_right}) add_hash(hash, *image);
  add_hash(hash, f.flow);
  return hash;
}

SceneOptions busy_options() {
  SceneOptions o;
  o.size = {97, 61};
  o.seed = 12345;
  o.frames = 3;
  o.noise_sigma = 2.5;
  o.gain = 1.1;
  o.offset = -4;
  o.color = true;
  return o;
}

// The promise "the same bits on every machine": a change of this number is a change of everybody's test scene.
TEST(SynthScene, FrameIsPinned) { EXPECT_EQ(hash_of(Scene(busy_options()).render(1)), 10700612911894075152u); }

TEST(SynthScene, ThreadsChangeNothing) {
  SceneOptions o = busy_options();
  o.threads = 1;
  const std::uint64_t one = hash_of(Scene(o).render(0));
  for (const int threads : {2, 5, 0}) {
    o.threads = threads;
    EXPECT_EQ(hash_of(Scene(o).render(0)), one) << threads;
  }
}

TEST(SynthScene, SeedChangesEverythingAndFramesDiffer) {
  SceneOptions o = busy_options();
  o.noise_sigma = 0;
  std::set<std::uint64_t> hashes;
  for (const std::uint64_t seed : {0u, 1u, 2u, 0xFFFFFFFFu}) {
    o.seed = seed;
    for (const int frame : {0, 1}) hashes.insert(hash_of(Scene(o).render(frame)));
  }
  EXPECT_EQ(hashes.size(), 8U);
}

void expect_range(const SceneOptions& options, int frame_step) {
  const Scene scene(options);
  const auto low = static_cast<float>(*scene.options().min_disparity);
  const auto high = static_cast<float>(*scene.options().max_disparity);
  for (int f = 0; f < options.frames; f += frame_step) {
    const SceneFrame frame = scene.render(f);
    for (const Image<float>* map : {&frame.disparity_left, &frame.disparity_right}) {
      ASSERT_EQ(map->size(), options.size);
      for (int y = 0; y < map->height(); ++y) {
        for (int x = 0; x < map->width(); ++x) {
          ASSERT_GE((*map)(x, y), low) << "seed " << options.seed << " frame " << f << " at " << x << " " << y;
          ASSERT_LE((*map)(x, y), high) << "seed " << options.seed << " frame " << f << " at " << x << " " << y;
        }
      }
    }
  }
}

TEST(SynthScene, DisparitiesStayInTheRange) {
  struct Case {
    Size size;
    double low, high;
  };
  std::uint64_t seed = 100;
  for (const Case& c :
       {Case{{80, 60}, 0.5, 7.5}, Case{{80, 60}, 30, 34}, Case{{64, 48}, 6, 6.1}, Case{{80, 60}, 0.001, 80},
        Case{{100, 11}, 1, 20}, Case{{11, 100}, 1, 9}, Case{{33, 33}, 3, 3.0001}, Case{{64, 64}, 63.9, 64}}) {
    SceneOptions o;
    o.size = c.size;
    o.seed = ++seed;
    o.min_disparity = c.low;
    o.max_disparity = c.high;
    o.frames = 400;
    o.samples = 1;
    expect_range(o, 43);
  }
}

TEST(SynthScene, AnySize) {
  for (const Size size : {Size{1, 1}, Size{7, 3}, Size{1, 31}, Size{31, 1}, Size{2, 2}, Size{33, 65}}) {
    SceneOptions o;
    o.size = size;
    o.frames = 2;
    o.color = true;
    expect_range(o, 1);
    const SceneFrame frame = Scene(o).render(0);
    EXPECT_EQ(frame.left.size(), size);
    EXPECT_EQ(frame.right_rgb.size(), size);
    EXPECT_EQ(frame.visible_right.size(), size);
    EXPECT_EQ(frame.flow.size(), size);
    EXPECT_EQ(frame.flow_visible.size(), size);
  }
}

TEST(SynthScene, HoldsEveryRegionAndUsesTheRange) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    SceneOptions o;
    o.size = {320, 240};
    o.seed = seed;
    o.samples = 1;
    const SceneFrame frame = Scene(o).render(0);
    int regions[4] = {};
    float low = 1e9F;
    float high = 0;
    for (int y = 0; y < 240; ++y) {
      for (int x = 0; x < 320; ++x) {
        ++regions[frame.region_left(x, y)];
        low = std::min(low, frame.disparity_left(x, y));
        high = std::max(high, frame.disparity_left(x, y));
      }
    }
    const int pixels = 320 * 240;
    EXPECT_GT(regions[0], pixels / 2) << seed;
    EXPECT_GT(regions[1], pixels / 100) << seed;
    EXPECT_GT(regions[2], pixels / 30) << seed;
    EXPECT_GT(regions[3], pixels / 100) << seed;
    EXPECT_LT(low, 4.5F) << seed;  // of 2 .. 30
    EXPECT_GT(high, 25.0F) << seed;
  }
}

TEST(SynthScene, GreyIsMadeFromColor) {
  const SceneFrame frame = Scene(busy_options()).render(0);
  for (int y = 0; y < 61; ++y) {
    for (int x = 0; x < 97; ++x) {
      const Rgb c = frame.right_rgb(x, y);
      ASSERT_EQ(frame.right(x, y), (9798 * c.r + 19235 * c.g + 3735 * c.b + 16384) >> 15);
    }
  }
  SceneOptions grey = busy_options();
  grey.color = false;
  const SceneFrame same = Scene(grey).render(0);
  EXPECT_TRUE(same.left_rgb.empty());
  for (int x = 0; x < 97; ++x) ASSERT_EQ(same.left(x, 30), frame.left(x, 30));
}

struct Moments {
  double mean = 0;
  double deviation = 0;
  double with_other = 0;  ///< Correlation.
};

TEST(SynthScene, NoiseHasItsDeviationAndIsIndependent) {
  SceneOptions o;
  o.size = {240, 160};
  o.seed = 6;
  o.samples = 1;
  o.color = true;
  o.frames = 2;
  const Scene clean(o);
  o.noise_sigma = 6;
  const Scene noisy(o);
  const SceneFrame a = clean.render(0);
  const SceneFrame b = noisy.render(0);
  const auto safe = [](Rgb c) { return std::min({c.r, c.g, c.b}) > 25 && std::max({c.r, c.g, c.b}) < 230; };
  double n = 0, sum = 0, squares = 0, across = 0, beside = 0;
  for (int y = 0; y < 160; ++y) {
    for (int x = 0; x + 1 < 240; ++x) {
      if (!safe(a.left_rgb(x, y)) || !safe(a.left_rgb(x + 1, y)) || !safe(a.right_rgb(x, y))) continue;
      const double left = double(b.left(x, y)) - a.left(x, y);
      const double right = double(b.right(x, y)) - a.right(x, y);
      const double next = double(b.left(x + 1, y)) - a.left(x + 1, y);
      n += 1;
      sum += left;
      squares += left * left;
      across += left * right;
      beside += left * next;
    }
  }
  ASSERT_GT(n, 4000);
  EXPECT_NEAR(sum / n, 0, 0.4);
  EXPECT_NEAR(std::sqrt(squares / n), 6, 0.3);
  EXPECT_NEAR(across / n / 36, 0, 0.06);
  EXPECT_NEAR(beside / n / 36, 0, 0.06);
  for (int y = 0; y < 160; ++y)
    for (int x = 0; x < 240; ++x) ASSERT_EQ(a.disparity_left(x, y), b.disparity_left(x, y));
}

TEST(SynthScene, ExposureChangesTheRightPictureAlone) {
  SceneOptions o;
  o.size = {120, 90};
  o.color = true;
  const SceneFrame plain = Scene(o).render(0);
  o.gain = 1.3;
  o.offset = -20;
  const SceneFrame changed = Scene(o).render(0);
  int clipped = 0;
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 120; ++x) {
      ASSERT_EQ(changed.left_rgb(x, y), plain.left_rgb(x, y));
      const double wanted = plain.right_rgb(x, y).r * 1.3 - 20;
      clipped += wanted < 0 || wanted > 255 ? 1 : 0;
      // The plain value is rounded: half a level, times the gain.
      ASSERT_NEAR(changed.right_rgb(x, y).r, std::clamp(wanted, 0.0, 255.0), 1.16);
    }
  }
  EXPECT_GT(clipped, 0);
  o.gain = 0;
  o.offset = 77;
  const SceneFrame grey = Scene(o).render(0);
  for (int x = 0; x < 120; ++x) ASSERT_EQ(grey.right(x, 45), 77);
}

TEST(SynthScene, Calibration) {
  SceneOptions o;
  o.size = {320, 200};
  const Scene scene(o);
  EXPECT_DOUBLE_EQ(*scene.options().min_disparity, 2);
  EXPECT_DOUBLE_EQ(*scene.options().max_disparity, 30);
  const Calibration c = scene.calibration();
  EXPECT_DOUBLE_EQ(c.focal_px, 320);
  EXPECT_DOUBLE_EQ(c.focal_px * c.baseline_m / 30, 2.0);  // the nearest depth is 2 m
  EXPECT_DOUBLE_EQ(c.offset_px, 0);
  EXPECT_DOUBLE_EQ(c.center_x, 159.5);
  EXPECT_DOUBLE_EQ(c.center_y, 99.5);
  EXPECT_EQ(c.size, o.size);
  EXPECT_EQ(c.disparities, 31);
  // One limit given: the other follows.
  o.max_disparity = 3;
  EXPECT_LT(*Scene(o).options().min_disparity, 3);
  o.max_disparity.reset();
  o.min_disparity = 100;
  EXPECT_GT(*Scene(o).options().max_disparity, 100);
}

TEST(SynthScene, Refusals) {
  const auto refused = [](const std::string& part, const std::function<void(SceneOptions&)>& change) {
    SceneOptions o;
    o.size = {32, 24};
    change(o);
    try {
      const Scene scene(o);
      FAIL() << part << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused("size.width is 0", [](auto& o) { o.size.width = 0; });
  refused("size.height is -3", [](auto& o) { o.size.height = -3; });
  refused("size.width is 65536", [](auto& o) { o.size.width = 65536; });
  refused("disparities are 5 to 5 px", [](auto& o) { o.min_disparity = 5, o.max_disparity = 5; });
  refused("disparities are 0 to 5 px", [](auto& o) { o.min_disparity = 0, o.max_disparity = 5; });
  refused("<= 32 (the picture's width)", [](auto& o) { o.max_disparity = 33; });
  refused("disparities are 40 to", [](auto& o) { o.min_disparity = 40; });
  refused("disparities are", [](auto& o) { o.min_disparity = std::nan(""); });
  refused("frames is 0: give a number from 1", [](auto& o) { o.frames = 0; });
  refused("noise_sigma is -0.5: give a number from 0 to 64", [](auto& o) { o.noise_sigma = -0.5; });
  refused("noise_sigma is nan", [](auto& o) { o.noise_sigma = std::nan(""); });
  refused("gain is 9", [](auto& o) { o.gain = 9; });
  refused("offset is 300", [](auto& o) { o.offset = 300; });
  refused("samples is 0", [](auto& o) { o.samples = 0; });
  refused("threads is -1", [](auto& o) { o.threads = -1; });
  SceneOptions o;
  o.size = {8, 8};
  const Scene scene(o);
  EXPECT_THROW(scene.render(1), Error);
  EXPECT_THROW(scene.render(-1), Error);
}

}  // namespace
}  // namespace vergence::synth
