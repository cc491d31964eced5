// SPDX-License-Identifier: Apache-2.0
// The rotation that points tell, from points that were made with one; and rigs that are mended by it.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/expect_error.hpp"
#include "rectify/turned_camera.hpp"
#include "vergence/rig_check.hpp"

namespace vergence::test {
namespace {

constexpr Size grid_size{640, 480};
constexpr double focal = 500, center_x = 330, center_y = 230;
const RigCheckCamera camera{grid_size, focal, center_x, center_y};

/// A grid of points at several distances, seen by a right camera that is turned, with another focal length.
std::vector<PairPoint> points_of(const Angles& angles, double scale = 1, int columns = 14, int rows = 10) {
  const Matrix3x3 turn = turn_by(angles);
  std::vector<PairPoint> points;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double x = (i + 0.5) * grid_size.width / columns, y = (j + 0.5) * grid_size.height / rows;
      const double d = 5 + (7 * i + 3 * j) % 40;
      const auto [u, v] = seen_at(turn, (x - d - center_x) / focal, (y - center_y) / focal);
      points.push_back({x, y, focal * scale * u + center_x, focal * scale * v + center_y});
    }
  return points;
}

TEST(RigPoints, TellTheRotationTheyWereMadeWith) {
  const Angles angles{0.004, -0.02, 0.01};
  const RigFindings found = check_rig_points(points_of(angles), camera);
  EXPECT_EQ(found.points, 140);
  ASSERT_TRUE(found.known);
  EXPECT_TRUE(found.off);
  EXPECT_NEAR(found.pitch, angles.pitch, 2e-4);  // a vector and three turns differ in the second order
  EXPECT_NEAR(found.yaw, angles.yaw, 2e-4);
  EXPECT_NEAR(found.roll, angles.roll, 2e-4);
  EXPECT_EQ(found.scale, 1);
  EXPECT_LT(found.rest, 0.01);
  EXPECT_EQ(found.cells, (std::uint64_t{1} << 48) - 1);
}

TEST(RigPoints, TellAnotherFocalLength) {
  const RigFindings found = check_rig_points(points_of({0, 0, 0.005}, 1.01), camera);
  ASSERT_TRUE(found.known);
  EXPECT_NEAR(found.scale, 1.01, 1e-4);
  EXPECT_NEAR(found.roll, 0.005, 1e-4);
  EXPECT_LT(found.rest, 0.01);
}

/// A camera that looks up by 2 px sees everything 2 px lower; from the middle row on a little more.
TEST(RigPoints, MeasureOffsets) {
  const RigFindings found = check_rig_points(points_of({-2 / focal, 0, 0}), camera);
  EXPECT_NEAR(found.median, 2.08, 0.05);
  EXPECT_NEAR(found.offset, 2.13, 0.05);  // 2 (1 + v^2), with v up to 0.46
  EXPECT_EQ(found.yaw, 0);
  EXPECT_LT(found.error, 0.02);
}

TEST(RigPoints, OfARectifiedPairAreNotOff) {
  const RigFindings found = check_rig_points(points_of({}), camera);
  ASSERT_TRUE(found.known);
  EXPECT_FALSE(found.off);
  EXPECT_EQ(found.median, 0);
  EXPECT_NEAR(found.offset, 0, 1e-12);
  EXPECT_EQ(found.negative_percent, 0);
}

TEST(RigPoints, OfExchangedPicturesHaveNegativeDisparities) {
  std::vector<PairPoint> points = points_of({});
  for (PairPoint& point : points) point = {point.right_x, point.right_y, point.left_x, point.left_y};
  EXPECT_EQ(check_rig_points(points, camera).negative_percent, 100);
}

/// Three of ten matches are wrong by up to 20 px.
TEST(RigPoints, StandWrongMatches) {
  constexpr std::uint32_t seed = 5;
  std::mt19937 random(seed);
  std::vector<PairPoint> points = points_of({0.002, 0.01, -0.004});
  for (std::size_t i = 0; i < points.size(); ++i)
    if (i % 10 < 3) points[i].right_y += static_cast<int>(random() % 41) - 20;
  const RigFindings found = check_rig_points(points, camera);
  ASSERT_TRUE(found.known) << "seed " << seed;
  EXPECT_NEAR(found.pitch, 0.002, 1e-4);
  EXPECT_NEAR(found.roll, -0.004, 2e-4);
}

/// Without a focal length rolls and rows are the same, and pitch is one in widths.
TEST(RigPoints, NeedNoFocalLength) {
  const RigFindings found = check_rig_points(points_of({0.004, 0, 0.01}), {grid_size});
  ASSERT_TRUE(found.known);
  EXPECT_NEAR(found.roll, 0.01, 2e-4);
  EXPECT_NEAR(found.pitch * grid_size.width, 0.004 * focal, 0.2);
}

TEST(RigPoints, AreTooFewOrAtOdds) {
  std::vector<PairPoint> few = points_of({0.01, 0, 0});
  few.resize(39);
  const RigFindings found = check_rig_points(few, camera);
  EXPECT_FALSE(found.known);
  EXPECT_FALSE(found.off);
  EXPECT_NEAR(found.median, -5, 1);
  EXPECT_EQ(found.pitch, 0);
  EXPECT_EQ(check_rig_points({}, camera), RigFindings{});
  std::vector<PairPoint> chance = points_of({});
  std::mt19937 random(7);
  for (PairPoint& point : chance) point.right_y += static_cast<int>(random() % 101) - 50;
  EXPECT_FALSE(check_rig_points(chance, camera).known);
  std::vector<PairPoint> same(100, PairPoint{100, 100, 90, 102});  // one place tells a shift, and nothing else
  EXPECT_FALSE(check_rig_points(same, camera).known);
}

TEST(RigPoints, AreChecked) {
  EXPECT_ERROR(check_rig_points({}, {}), ErrorCode::invalid_argument, "size is 0x0");
  EXPECT_ERROR(check_rig_points({}, {grid_size, -1}), ErrorCode::invalid_argument, "focal length is -1");
  std::vector<PairPoint> points = points_of({});
  points[3].left_y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_ERROR(check_rig_points(points, camera), ErrorCode::invalid_argument, "not finite");
}

TEST(RigChange, IsWhatRowsHaveMoved) {
  const RigFindings before = check_rig_points(points_of({0, 0, 0.002}), camera);
  const RigFindings now = check_rig_points(points_of({-1 / focal, 0, 0.002}), camera);
  EXPECT_NEAR(row_change(before, now, camera), 1.06, 0.05);  // 1 + v^2
  EXPECT_EQ(row_change(before, before, camera), 0);
  EXPECT_EQ(row_change(before, {}, camera), 0);
}

}  // namespace
}  // namespace vergence::test
