// SPDX-License-Identifier: Apache-2.0
// Pictures and truth of the furnished room belong together: one picture moved by the exact maps gives the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "synth/scene.hpp"

namespace vergence::synth {
namespace {

constexpr int width = 320;
constexpr int height = 240;

const Scene& scene() {
  static const Scene made = [] {
    SceneOptions o;
    o.size = {width, height};
    o.seed = 3;
    o.frames = 2;
    o.samples = 3;
    return Scene(o);
  }();
  return made;
}
const SceneFrame& frame(int index) {
  static const std::vector<SceneFrame> frames = [] {
    std::vector<SceneFrame> made;
    for (int i = 0; i < 2; ++i) made.push_back(scene().render(i));
    return made;
  }();
  return frames[static_cast<std::size_t>(index)];
}

/// Whether all disparities of the 3x3 pixels around lie close together: no edge of an object there.
bool smooth(const Image<float>& disparity, int x, int y) {
  if (x < 1 || y < 1 || x + 1 >= width || y + 1 >= height) return false;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      if (std::abs(disparity(x + i, y + j) - disparity(x, y)) > 0.7F) return false;
  return true;
}

double sampled(const Image<std::uint8_t>& picture, double x, double y) {
  const int x0 = std::min(static_cast<int>(x), width - 2);
  const int y0 = std::min(static_cast<int>(y), height - 2);
  const double fx = x - x0;
  const double fy = y - y0;
  return (picture(x0, y0) * (1 - fx) + picture(x0 + 1, y0) * fx) * (1 - fy) +
         (picture(x0, y0 + 1) * (1 - fx) + picture(x0 + 1, y0 + 1) * fx) * fy;
}

struct Warp {
  double psnr = 0;
  double share = 0;  ///< Of the picture's pixels that were compared.
};

/// The left picture against the right one at x - disparity - shift.
Warp warp_right(double shift) {
  const SceneFrame& f = frame(0);
  double squares = 0;
  double count = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double xr = x - double{f.disparity_left(x, y)} - shift;
      if (f.visible_left(x, y) == 0 || xr < 1 || xr > width - 2 || !smooth(f.disparity_left, x, y) ||
          !smooth(f.disparity_right, static_cast<int>(xr), y))
        continue;
      const double error = sampled(f.right, xr, y) - f.left(x, y);
      squares += error * error;
      count += 1;
    }
  }
  return {10 * std::log10(255.0 * 255.0 * count / squares), count / (width * height)};
}

/// The left picture against the next one at (x, y) + flow + shift.
Warp warp_next(double shift_u, double shift_v) {
  const SceneFrame& f = frame(0);
  const SceneFrame& next = frame(1);
  double squares = 0;
  double count = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double xn = x + double{f.flow(x, y).u} + shift_u;
      const double yn = y + double{f.flow(x, y).v} + shift_v;
      if (f.flow_visible(x, y) == 0 || xn < 1 || yn < 1 || xn > width - 2 || yn > height - 2 ||
          !smooth(f.disparity_left, x, y) || !smooth(next.disparity_left, static_cast<int>(xn), static_cast<int>(yn)))
        continue;
      const double error = sampled(next.left, xn, yn) - f.left(x, y);
      squares += error * error;
      count += 1;
    }
  }
  return {10 * std::log10(255.0 * 255.0 * count / squares), count / (width * height)};
}

TEST(SynthVideo, RightPictureMovedByTheDisparityIsTheLeftOne) {
  const Warp exact = warp_right(0);
  EXPECT_GT(exact.share, 0.7);
  EXPECT_GT(exact.psnr, 37);
  for (const double shift : {-0.5, 0.5}) EXPECT_LT(warp_right(shift).psnr, exact.psnr - 6) << shift;
  for (const double shift : {-0.125, 0.125}) EXPECT_LT(warp_right(shift).psnr, exact.psnr - 1) << shift;
}

TEST(SynthVideo, NextPictureMovedByTheFlowIsThisOne) {
  const Warp exact = warp_next(0, 0);
  EXPECT_GT(exact.share, 0.7);
  EXPECT_GT(exact.psnr, 37);
  for (const double shift : {-0.5, 0.5}) {
    EXPECT_LT(warp_next(shift, 0).psnr, exact.psnr - 5) << shift;
    EXPECT_LT(warp_next(0, shift).psnr, exact.psnr - 5) << shift;
  }
}

/// Of the pixels of one map: how many of those called visible find the same surface in the other map, and of those
/// called hidden (inside the picture) find a nearer one there.
struct Agreement {
  double visible = 0, visible_agree = 0, hidden = 0, hidden_agree = 0;
};
Agreement compare(const Image<float>& here, const Image<std::uint8_t>& seen, const Image<float>& there, double sign) {
  Agreement a;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double d = double{here(x, y)};
      const double other = x + sign * d;
      if (other < 0 || other > width - 1) {
        EXPECT_EQ(seen(x, y), 0);
        continue;
      }
      const int x0 = static_cast<int>(other);
      const int x1 = std::min(x0 + 1, width - 1);
      const double near = std::min(std::abs(double{there(x0, y)} - d), std::abs(double{there(x1, y)} - d));
      const double most = std::max(double{there(x0, y)}, double{there(x1, y)});
      if (seen(x, y) == 255) {
        a.visible += 1;
        a.visible_agree += near < 0.6 ? 1 : 0;
      } else {
        EXPECT_EQ(seen(x, y), 0);
        a.hidden += 1;
        a.hidden_agree += most > d + 1e-3 ? 1 : 0;
      }
    }
  }
  return a;
}

TEST(SynthVideo, MasksAgreeWithBothMaps) {
  const SceneFrame& f = frame(0);
  const Agreement left = compare(f.disparity_left, f.visible_left, f.disparity_right, -1);
  const Agreement right = compare(f.disparity_right, f.visible_right, f.disparity_left, 1);
  for (const Agreement& a : {left, right}) {
    EXPECT_GT(a.hidden, 1500);
    EXPECT_GT(a.visible_agree, 0.999 * a.visible);
    EXPECT_GT(a.hidden_agree, 0.995 * a.hidden);
  }
}

TEST(SynthVideo, ThingsMove) {
  const SceneFrame& f = frame(0);
  int moving = 0;
  int hidden = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      moving += std::hypot(f.flow(x, y).u, f.flow(x, y).v) > 0.25F ? 1 : 0;
      hidden += f.flow_visible(x, y) == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(moving, width * height / 3);
  EXPECT_GT(hidden, width * height / 200);
  EXPECT_TRUE(frame(1).flow.empty());
}

}  // namespace
}  // namespace vergence::synth
