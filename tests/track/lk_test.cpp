// SPDX-License-Identifier: Apache-2.0
// Points in the next frame: known motion, every reason of a loss, every option, and a second implementation in floating
// point.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "core/pictures.hpp"
#include "track/float_lk.hpp"
#include "track/track_pictures.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

using test::follow;
using test::raster;
using test::textured;

/// The worst distance from `points` moved by (x, y) px; all must be tracked.
double worst_error(const std::vector<TrackPosition>& points, const std::vector<TrackedPoint>& found, double x,
                   double y) {
  double worst = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(found[i].status, TrackStatus::tracked) << i;
    worst = std::max(worst, std::hypot(position_to_pixels(found[i].position.x - points[i].x) - x,
                                       position_to_pixels(found[i].position.y - points[i].y) - y));
  }
  return worst;
}

TEST(TrackLk, NothingMoves) {
  const Image<std::uint8_t> frame = textured<std::uint8_t>({64, 48}, 0, 0);
  const std::vector<TrackPosition> points{to_position(20, 20), to_position(31.3, 17.77), to_position(1, 2),
                                          to_position(63, 47), to_position(0, 0)};
  TrackOptions o = test::unchecked();
  o.window = 9;
  const auto found = follow(frame, frame, points, o);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_EQ(found[i], (TrackedPoint{points[i], TrackStatus::tracked, true, 0})) << i;
}

TEST(TrackLk, AShiftOfThreeAndTwo) {
  const Image<std::uint8_t> previous = textured<std::uint8_t>({160, 120}, 0, 0);
  const Image<std::uint8_t> current = textured<std::uint8_t>({160, 120}, -3, 2);
  const auto points = raster(previous.size(), 9, 20);
  for (const int window : {9, 15, 21, 31}) {
    TrackOptions o = test::unchecked();
    o.window = window;
    const auto found = follow(previous, current, points, o);
    EXPECT_LT(worst_error(points, found, 3, -2), 0.01) << window;
    for (const TrackedPoint& one : found) EXPECT_TRUE(one.converged);
  }
}

TEST(TrackLk, ShiftsOfParts) {
  for (const auto& [x, y] : std::vector<std::pair<double, double>>{{0.5, 0.25}, {-1.75, 4.125}, {7.3, -6.6}}) {
    const Image<std::uint8_t> previous = textured<std::uint8_t>({160, 120}, 0, 0);
    const Image<std::uint8_t> current = textured<std::uint8_t>({160, 120}, -x, -y);
    const auto points = raster(previous.size(), 13, 24);
    EXPECT_LT(worst_error(points, follow(previous, current, points, test::unchecked()), x, y), 0.05) << x << " " << y;
  }
}

TEST(TrackLk, EveryWindow) {
  const Image<std::uint8_t> previous = textured<std::uint8_t>({160, 130}, 0, 0);
  const Image<std::uint8_t> current = textured<std::uint8_t>({160, 130}, -1.5, 0.75);
  const auto points = raster(previous.size(), 31, 40);
  TrackOptions o = test::unchecked();
  for (const int window : {5, 7, 11, 13, 17, 33, 47, 63, 8, 16, 32, 48}) {
    o.window = window;
    EXPECT_LT(worst_error(points, follow(previous, current, points, o), 1.5, -0.75), 0.08) << window;
  }
}

TEST(TrackLk, EvenWindowsReachFurtherLeftAndUp) {
  // Only the column and the row 4 px before the point move: the window of 8 sees them, that of 7 does not.
  Image<std::uint8_t> previous = test::noise<std::uint8_t>({40, 40}, 2, 100);
  Image<std::uint8_t> current = previous.clone();
  for (int i = 0; i < 40; ++i) current(16, i) = current(i, 16) = 255;
  TrackOptions o = test::unchecked();
  o.levels = 0;
  o.iterations = 1;
  const std::vector<TrackPosition> point{to_position(20, 20)};
  o.window = 7;
  EXPECT_EQ(follow(previous, current, point, o)[0].residual, 0u);
  o.window = 8;
  EXPECT_NE(follow(previous, current, point, o)[0].residual, 0u);
  // The other side is out of reach.
  current = previous.clone();
  for (int i = 0; i < 40; ++i) current(24, i) = current(i, 24) = 255;
  EXPECT_EQ(follow(previous, current, point, o)[0].residual, 0u);
}

TEST(TrackLk, LevelsLetPointsGoFar) {
  const Image<std::uint8_t> from = textured<std::uint8_t>({200, 150}, 0, 0);
  const Image<std::uint8_t> to = textured<std::uint8_t>({200, 150}, -17, 0);
  const auto points = raster({200, 150}, 19, 50);
  TrackOptions o = test::unchecked();
  o.levels = 3;
  EXPECT_LT(worst_error(points, follow(from, to, points, o), 17, 0), 0.1);
  o.levels = 0;
  const auto near = follow(from, to, points, o);
  EXPECT_TRUE(std::any_of(near.begin(), near.end(), [&](const TrackedPoint& one) {
    const auto i = static_cast<std::size_t>(&one - near.data());
    return std::abs(position_to_pixels(one.position.x - points[i].x) - 17) > 5;
  }));
  // A guess does what levels do.
  std::vector<TrackPosition> guesses = points;
  for (TrackPosition& at : guesses) at.x += 16 * 1024;
  EXPECT_LT(worst_error(points, follow(from, to, points, o, guesses), 17, 0), 0.1);
}

TEST(TrackLk, PointsThatAreLost) {
  Image<std::uint8_t> picture = textured<std::uint8_t>({96, 64}, 0, 0);
  for (int y = 0; y < 64; ++y)
    for (int x = 48; x < 96; ++x) picture(x, y) = x < 72 ? 100 : 180;  // flat, an edge at 72
  TrackOptions o = test::unchecked();
  o.window = 9;
  o.levels = 0;
  const std::vector<TrackPosition> points{to_position(60, 30),    to_position(72, 30),    to_position(20, 30),
                                          to_position(-0.001, 5), to_position(95.001, 5), to_position(5, 63.5),
                                          to_position(5, -40)};
  const auto found = follow(picture, picture, points, o);
  const std::vector<TrackStatus> expected{
      TrackStatus::small_determinant, TrackStatus::small_determinant, TrackStatus::tracked, TrackStatus::outside,
      TrackStatus::outside,           TrackStatus::outside,           TrackStatus::outside};
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(found[i].status, expected[i]) << i << " " << to_text(found[i].status);
    EXPECT_EQ(found[i].position, points[i]) << i;  // the last good one
  }
}

TEST(TrackLk, PointsThatLeave) {
  const Image<std::uint8_t> previous = textured<std::uint8_t>({100, 80}, 0, 0);
  const Image<std::uint8_t> current = textured<std::uint8_t>({100, 80}, 4, 0);  // 4 px to the left
  TrackOptions o = test::unchecked();
  const std::vector<TrackPosition> points{to_position(2, 40), to_position(9, 40), to_position(50, 40)};
  const auto found = follow(previous, current, points, o);
  EXPECT_EQ(found[0].status, TrackStatus::outside);
  EXPECT_EQ(found[0].position, points[0]);
  EXPECT_EQ(found[1].status, TrackStatus::tracked);
  EXPECT_NEAR(position_to_pixels(found[1].position.x), 5, 0.8);  // half of its window has left
  EXPECT_NEAR(position_to_pixels(found[2].position.x), 46, 0.02);
  // A guess that sends a window away from the picture is moved onto it first.
  const auto guessed = follow(previous, current, points, o, {points[0], points[1], to_position(-90000, 40)});
  EXPECT_TRUE(guessed[2].status == TrackStatus::tracked || guessed[2].status == TrackStatus::outside);
}

TEST(TrackLk, Convergence) {
  const Image<std::uint8_t> previous = textured<std::uint8_t>({96, 64}, 0, 0);
  const Image<std::uint8_t> current = textured<std::uint8_t>({96, 64}, -2, 1);
  TrackOptions o = test::unchecked();
  o.levels = 0;
  o.iterations = 1;
  const std::vector<TrackPosition> points{to_position(48, 32)};
  auto found = follow(previous, current, points, o);
  EXPECT_EQ(found[0].status, TrackStatus::tracked);
  EXPECT_FALSE(found[0].converged);
  EXPECT_GT(found[0].residual, 0u);
  o.must_converge = true;
  found = follow(previous, current, points, o);
  EXPECT_EQ(found[0].status, TrackStatus::not_converged);
  EXPECT_EQ(found[0].position, points[0]);
  o.iterations = 30;
  EXPECT_EQ(follow(previous, current, points, o)[0].status, TrackStatus::tracked);
  // A large epsilon stops after the first step.
  o.iterations = 2;
  o.epsilon = 1;
  o.levels = 3;
  EXPECT_TRUE(follow(previous, current, points, o)[0].converged);
}

TEST(TrackLk, ResidualIsTheMeanDifference) {
  const Image<std::uint8_t> previous = textured<std::uint8_t>({96, 64}, 0, 0, 200);
  Image<std::uint8_t> current = previous.clone();
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 96; ++x) current(x, y) = static_cast<std::uint8_t>(current(x, y) + ((x + y) % 2 == 0 ? 6 : 0));
  TrackOptions o = test::unchecked();
  o.window = 16;
  o.levels = 0;
  o.iterations = 1;
  o.epsilon = 0;
  const std::vector<TrackPosition> points{to_position(48, 32)};
  const auto found = follow(previous, current, points, o);
  ASSERT_EQ(found[0].status, TrackStatus::tracked);
  // Half of the pixels differ by 6: 3 grey levels, were the point to stay; it moves by a little.
  EXPECT_NEAR(found[0].residual / 1024.0, 3, 0.5);
  o.max_residual = found[0].residual / 1024.0;
  EXPECT_EQ(follow(previous, current, points, o)[0].status, TrackStatus::tracked);
  o.max_residual = (found[0].residual - 1) / 1024.0;
  const auto lost = follow(previous, current, points, o);
  EXPECT_EQ(lost[0].status, TrackStatus::residual);
  EXPECT_EQ(lost[0].residual, found[0].residual);
  EXPECT_EQ(lost[0].position, points[0]);
}

TEST(TrackLk, TheWayBack) {
  // What lies around (60, 40) is covered by something else in the current frame.
  const Image<std::uint8_t> previous = textured<std::uint8_t>({120, 80}, 0, 0);
  Image<std::uint8_t> current = previous.clone();
  for (int y = 25; y < 55; ++y)
    for (int x = 45; x < 75; ++x)
      current(x, y) = static_cast<std::uint8_t>(255 * test::texture(1.7 * x + 500, 1.3 * y + 300));
  TrackOptions o = test::unchecked();
  o.window = 13;
  const std::vector<TrackPosition> points{to_position(60, 40), to_position(20, 20), to_position(100, 60)};
  o.forward_backward = 0.5;
  const auto found = follow(previous, current, points, o);
  EXPECT_NE(found[0].status, TrackStatus::tracked);
  EXPECT_EQ(found[0].position, points[0]);
  EXPECT_EQ(found[1].status, TrackStatus::tracked);
  EXPECT_EQ(found[2].status, TrackStatus::tracked);
  EXPECT_LT(way_back_to_pixels(found[1].way_back), 0.02);
  // Somewhere around there, the way there ends somewhere and the way back elsewhere.
  const auto around = raster({120, 80}, 3, 35);
  const auto checked = follow(previous, current, around, o);
  EXPECT_TRUE(std::any_of(checked.begin(), checked.end(),
                          [](const TrackedPoint& one) { return one.status == TrackStatus::forward_backward; }));
  // The way back is another search, from the current frame to the previous one.
  o.forward_backward = 0;
  const auto there = follow(previous, current, around, o);
  std::vector<TrackPosition> ends;
  for (const TrackedPoint& one : there) ends.push_back(one.position);
  const auto back = follow(current, previous, ends, o);
  for (std::size_t i = 0; i < around.size(); ++i) {
    EXPECT_EQ(there[i].way_back, 0u);
    if (there[i].status != TrackStatus::tracked) continue;
    const double x = back[i].position.x - around[i].x, y = back[i].position.y - around[i].y;
    const double square = back[i].status == TrackStatus::tracked ? std::min(x * x + y * y, 4294967295.0) : 4294967295.0;
    EXPECT_EQ(checked[i].way_back, square) << i;
    EXPECT_EQ(checked[i].status, square > 512 * 512 ? TrackStatus::forward_backward : TrackStatus::tracked) << i;
    EXPECT_EQ(checked[i].position, square > 512 * 512 ? around[i] : ends[i]) << i;
  }
}

/// The limit counts levels of 8 bits, whatever the frames have.
TEST(TrackLk, ResidualsOfDeepPixels) {
  Image<std::uint16_t> previous = textured<std::uint16_t>({96, 64}, 0, 0, 800), current = previous.clone();
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 96; ++x)
      current(x, y) = static_cast<std::uint16_t>(current(x, y) + ((x + y) % 2 == 0 ? 64 : 0));
  TrackOptions o = test::unchecked();
  o.depth = Depth::u16;
  o.max_value = 1023;
  o.window = 16;
  o.forward_backward = 0;
  const std::vector<TrackPosition> points{to_position(48, 32)};
  // Half of the pixels differ by 64 of 1023, as by 16 of 255: the residual is near 32, or 8 levels of 8 bits.
  for (const auto& [limit, status] : {std::pair(6.0, TrackStatus::residual), std::pair(9.0, TrackStatus::tracked)}) {
    o.max_residual = limit;
    PointFlow flow(Device("reference"), previous.size(), o);
    flow.push(previous);
    flow.push(current);
    std::vector<TrackedPoint> found(1);
    flow.track(points, found);
    EXPECT_EQ(found[0].status, status) << found[0].residual;
    EXPECT_NEAR(found[0].residual / 1024.0, 32, 5);
  }
}

TEST(TrackLk, GainOffset) {
  const Image<std::uint8_t> previous = textured<std::uint8_t>({120, 90}, 0, 0, 200);
  const Image<std::uint8_t> moved = textured<std::uint8_t>({120, 90}, -1.5, 0.5, 200);
  Image<std::uint8_t> current = moved.clone();
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 120; ++x) current(x, y) = static_cast<std::uint8_t>(moved(x, y) * 6 / 10 + 70);
  const auto points = raster({120, 90}, 11, 25);
  TrackOptions o = test::unchecked();
  o.gain_offset = true;
  const auto found = follow(previous, current, points, o);
  EXPECT_LT(worst_error(points, found, 1.5, -0.5), 0.08);
  for (const TrackedPoint& one : found) EXPECT_LT(one.residual, 1.5 * 1024);
  // Without it they go astray, and differ by what compensation does.
  o.gain_offset = false;
  const auto astray = follow(previous, current, points, o);
  double worst = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    worst = std::max(worst, std::abs(position_to_pixels(astray[i].position.x - points[i].x) - 1.5));
    if (astray[i].status == TrackStatus::tracked) {
      EXPECT_GT(astray[i].residual, 5 * 1024u);
    }
  }
  EXPECT_GT(worst, 0.2);
  // A target without any structure has no deviation to compare.
  const Image<std::uint8_t> flat(120, 90, 40);
  o.gain_offset = true;
  EXPECT_EQ(follow(previous, flat, points, o).size(), points.size());
}

TEST(TrackLk, DeepPixels) {
  const auto points = raster({120, 90}, 13, 22);
  for (const int largest : {255, 1023, 4095, 65535}) {
    TrackOptions o = test::unchecked();
    o.depth = Depth::u16;
    o.max_value = largest;
    const Image<std::uint16_t> previous = textured<std::uint16_t>({120, 90}, 0, 0, largest);
    const Image<std::uint16_t> current = textured<std::uint16_t>({120, 90}, -2.25, 1.5, largest);
    PointFlow flow(Device("reference"), {120, 90}, o);
    flow.push(previous);
    flow.push(current);
    std::vector<TrackedPoint> found(points.size());
    flow.track(points, found);
    EXPECT_LT(worst_error(points, found, 2.25, -1.5), 0.05) << largest;
    if (largest == 255) {  // words that hold bytes are bytes
      const auto bytes = follow(textured<std::uint8_t>({120, 90}, 0, 0).view(),
                                textured<std::uint8_t>({120, 90}, -2.25, 1.5).view(), points, test::unchecked());
      EXPECT_EQ(found, bytes);
    }
  }
}

TEST(TrackLk, StructureIsMeasuredPerPixel) {
  const Image<std::uint8_t> picture = textured<std::uint8_t>({80, 60}, 0, 0, 40);
  const std::vector<TrackPosition> points{to_position(40, 30)};
  for (const int window : {11, 31}) {
    TrackOptions o = test::unchecked();
    o.window = window;
    o.levels = 0;
    // The sums by hand: gradients 32 x the change per pixel.
    double xx = 0, xy = 0, yy = 0;
    for (int y = 30 - window / 2; y <= 30 + window / 2; ++y)
      for (int x = 40 - window / 2; x <= 40 + window / 2; ++x) {
        const auto smooth = [&](int dx, int dy, int sx, int sy) {
          return 3 * (picture(x + dx + sx, y + dy + sy) + picture(x + dx - sx, y + dy - sy)) +
                 10 * picture(x + dx, y + dy);
        };
        const double dx = smooth(1, 0, 0, 1) - smooth(-1, 0, 0, 1);
        const double dy = smooth(0, 1, 1, 0) - smooth(0, -1, 1, 0);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
      }
    const double smaller = (xx + yy - std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy)) / 2;
    const double per_pixel = smaller / (window * window) / 1048576;
    o.min_eigen = per_pixel * 0.9999;
    EXPECT_EQ(follow(picture, picture, points, o)[0].status, TrackStatus::tracked);
    o.min_eigen = per_pixel * 1.0001;
    EXPECT_EQ(follow(picture, picture, points, o)[0].status, TrackStatus::small_determinant);
  }
}

TEST(TrackLk, ASecondImplementationInFloatingPoint) {
  const Image<std::uint8_t> previous = textured<std::uint8_t>({140, 100}, 0, 0);
  Image<std::uint8_t> current(140, 100);
  for (int y = 0; y < 100; ++y)  // a motion that differs from place to place
    for (int x = 0; x < 140; ++x)
      current(x, y) =
          static_cast<std::uint8_t>(255 * test::texture(x - 2 - 0.03 * y + 0.0002 * x * x, y + 1.5 - 0.02 * x) + 0.5);
  std::vector<TrackPosition> points = raster({140, 100}, 7, 3);  // to the edge
  for (std::size_t i = 0; i < points.size(); ++i) points[i].x += static_cast<int>(i * 97 % 900);
  for (const int window : {9, 21, 32}) {
    TrackOptions o = test::unchecked();
    o.window = window;
    o.levels = 2;
    const auto found = follow(previous, current, points, o);
    std::vector<double> distances;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto other =
          test::float_lk(previous, current, o, position_to_pixels(points[i].x), position_to_pixels(points[i].y));
      if (!other || found[i].status != TrackStatus::tracked) continue;
      distances.push_back(std::hypot(position_to_pixels(found[i].position.x) - other->x,
                                     position_to_pixels(found[i].position.y) - other->y));
    }
    ASSERT_GT(distances.size(), points.size() * 9 / 10);
    std::sort(distances.begin(), distances.end());
    EXPECT_LT(distances[distances.size() / 2], 0.002) << window;
    EXPECT_LT(distances[distances.size() * 95 / 100], 0.02) << window;
  }
}

}  // namespace
}  // namespace vergence
