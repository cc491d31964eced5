// SPDX-License-Identifier: Apache-2.0
// Point clouds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "vergence/cloud.hpp"

namespace vergence {
namespace {

Calibration camera() {
  Calibration calibration;
  calibration.focal_px = 100;
  calibration.center_x = 1;
  calibration.center_y = 0;
  return calibration;
}

Image<float> depths() {
  Image<float> metres(2, 2, std::numeric_limits<float>::infinity());
  metres(0, 0) = 5;
  metres(1, 1) = 2;
  metres(0, 1) = -1;
  return metres;
}

std::vector<float> floats(const std::string& bytes) {
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), values.size() * 4);
  return values;
}

TEST(Cloud, HoldsThePointsOfKnownDepth) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(write_cloud(directory / "a.ply", depths().view(), camera()), 2);
  const std::string bytes = test::read_bytes(directory / "a.ply");
  const std::size_t end = bytes.find("end_header\n") + 11;
  EXPECT_NE(bytes.find("element vertex 2\n"), std::string::npos);
  EXPECT_EQ(bytes.find("property uchar"), std::string::npos);
  EXPECT_EQ(floats(bytes.substr(end)), (std::vector<float>{-0.05f, 0, 5, 0, 0.02f, 2}));
}

TEST(Cloud, HoldsColours) {
  const test::TemporaryDirectory directory;
  Image<Rgb> colours(2, 2, Rgb{1, 2, 3});
  colours(1, 1) = {7, 8, 9};
  write_cloud(directory / "a.ply", depths().view(), camera(), {.colours = colours});
  const std::string bytes = test::read_bytes(directory / "a.ply");
  const std::string data = bytes.substr(bytes.find("end_header\n") + 11);
  ASSERT_EQ(data.size(), 2u * 15u);
  EXPECT_EQ(data.substr(12, 3), "\1\2\3");
  EXPECT_EQ(data.substr(27, 3), "\7\10\11");
}

TEST(Cloud, TakesTheFocalLengthOfRows) {
  const test::TemporaryDirectory directory;
  Calibration calibration = camera();
  calibration.focal_y_px = 50;
  write_cloud(directory / "a.ply", depths().view(), calibration);
  const std::string bytes = test::read_bytes(directory / "a.ply");
  EXPECT_EQ(floats(bytes.substr(bytes.find("end_header\n") + 11)), (std::vector<float>{-0.05f, 0, 5, 0, 0.04f, 2}));
}

TEST(Cloud, OrganisedHoldsAPointForEveryPixel) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(write_cloud(directory / "a.ply", depths().view(), camera(), {.organised = true}), 2);
  const std::string bytes = test::read_bytes(directory / "a.ply");
  EXPECT_NE(bytes.find("obj_info num_cols 2\nobj_info num_rows 2\nelement vertex 4\n"), std::string::npos);
  const std::vector<float> values = floats(bytes.substr(bytes.find("end_header\n") + 11));
  ASSERT_EQ(values.size(), 12u);
  EXPECT_EQ(values[2], 5);
  for (std::size_t i = 3; i < 9; ++i) EXPECT_TRUE(std::isnan(values[i])) << i;
  EXPECT_EQ(values[11], 2);
}

TEST(Cloud, PcdTellsItsFields) {
  const test::TemporaryDirectory directory;
  const Image<Rgb> colours(2, 2, Rgb{1, 2, 3});
  EXPECT_EQ(write_cloud(directory / "a.pcd", depths().view(), camera(), {.colours = colours}), 2);
  const std::string bytes = test::read_bytes(directory / "a.pcd");
  EXPECT_NE(bytes.find("VERSION 0.7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\nWIDTH 2\nHEIGHT 1\n"
                       "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA binary\n"),
            std::string::npos);
  const std::string data = bytes.substr(bytes.find("DATA binary\n") + 12);
  ASSERT_EQ(data.size(), 2u * 16u);
  EXPECT_EQ(floats(data)[2], 5);
  EXPECT_EQ(data.substr(12, 4), std::string("\3\2\1\0", 4));  // 0x010203, the lowest byte first
}

TEST(Cloud, OrganisedPcdHasRows) {
  const test::TemporaryDirectory directory;
  write_cloud(directory / "a.pcd", Image<float>(3, 2, 1.0f).view(), camera(), {.organised = true, .normals = true});
  const std::string bytes = test::read_bytes(directory / "a.pcd");
  EXPECT_NE(bytes.find("FIELDS x y z normal_x normal_y normal_z\n"), std::string::npos);
  EXPECT_NE(bytes.find("WIDTH 3\nHEIGHT 2\n"), std::string::npos);
  EXPECT_NE(bytes.find("POINTS 6\n"), std::string::npos);
}

/// The normal of each pixel's point, from an organised cloud.
std::vector<float> normals_of(const Image<float>& metres) {
  const test::TemporaryDirectory directory;
  write_cloud(directory / "a.ply", metres.view(), camera(), {.organised = true, .normals = true});
  const std::string bytes = test::read_bytes(directory / "a.ply");
  const std::vector<float> values = floats(bytes.substr(bytes.find("end_header\n") + 11));
  std::vector<float> normals;
  for (std::size_t i = 0; i + 6 <= values.size(); i += 6)
    normals.insert(normals.end(), values.begin() + static_cast<std::ptrdiff_t>(i) + 3,
                   values.begin() + static_cast<std::ptrdiff_t>(i) + 6);
  return normals;
}

TEST(Cloud, NormalsPointTowardsTheCamera) {
  const std::vector<float> wall = normals_of(Image<float>(3, 3, 2.0f));
  for (std::size_t i = 0; i < wall.size(); i += 3) {
    EXPECT_EQ(wall[i], 0);
    EXPECT_EQ(wall[i + 1], 0);
    EXPECT_EQ(wall[i + 2], -1);
  }
  // z = 2 + x of points: a plane whose normal is (1, 0, -1) / sqrt(2). x = (column - 1) z / 100, so z = 2 / (1 -
  // (column - 1) / 100).
  Image<float> slanted(3, 3);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) slanted(x, y) = static_cast<float>(2 / (1 - (x - 1) / 100.0));
  const std::vector<float> plane = normals_of(slanted);
  EXPECT_NEAR(plane[12], std::sqrt(0.5), 1e-4);
  EXPECT_NEAR(plane[13], 0, 1e-6);
  EXPECT_NEAR(plane[14], -std::sqrt(0.5), 1e-4);
}

TEST(Cloud, NormalsEndAtEdges) {
  Image<float> metres(3, 1, 2.0f);
  EXPECT_TRUE(std::isnan(normals_of(metres)[0]));  // one row: no neighbour above or below
  Image<float> step(2, 2, 2.0f);
  step(1, 0) = step(1, 1) = 3;  // half again as far: another surface
  for (const float value : normals_of(step)) EXPECT_TRUE(std::isnan(value));
}

TEST(Cloud, RefusesBadArguments) {
  const test::TemporaryDirectory directory;
  const Image<Rgb> colours(3, 2, Rgb{});
  EXPECT_ERROR(write_cloud(directory / "a.ply", depths().view(), camera(), {.colours = colours}),
               ErrorCode::invalid_argument, "3x2");
  EXPECT_ERROR(write_cloud(directory / "a.ply", depths().view(), Calibration{}), ErrorCode::invalid_argument,
               "focal length");
  EXPECT_ERROR(write_cloud(directory / "a.ply", {}, camera()), ErrorCode::invalid_argument, "empty");
  EXPECT_ERROR(write_cloud(directory / "a.xyz", depths().view(), camera()), ErrorCode::unsupported, ".ply or .pcd");
  EXPECT_TRUE(directory.entries().empty());
}

}  // namespace
}  // namespace vergence
