// SPDX-License-Identifier: Apache-2.0
// Point clouds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "vergence/io.hpp"

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

TEST(Ply, HoldsThePointsOfKnownDepth) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(write_ply(directory / "a.ply", depths().view(), camera()), 2);
  const std::string bytes = test::read_bytes(directory / "a.ply");
  const std::size_t end = bytes.find("end_header\n") + 11;
  EXPECT_NE(bytes.find("element vertex 2\n"), std::string::npos);
  EXPECT_EQ(bytes.find("property uchar"), std::string::npos);
  EXPECT_EQ(floats(bytes.substr(end)), (std::vector<float>{-0.05f, 0, 5, 0, 0.02f, 2}));
}

TEST(Ply, HoldsColours) {
  const test::TemporaryDirectory directory;
  Image<Rgb> colours(2, 2, Rgb{1, 2, 3});
  colours(1, 1) = {7, 8, 9};
  write_ply(directory / "a.ply", depths().view(), camera(), colours);
  const std::string bytes = test::read_bytes(directory / "a.ply");
  const std::string data = bytes.substr(bytes.find("end_header\n") + 11);
  ASSERT_EQ(data.size(), 2u * 15u);
  EXPECT_EQ(data.substr(12, 3), "\1\2\3");
  EXPECT_EQ(data.substr(27, 3), "\7\10\11");
}

TEST(Ply, RefusesBadArguments) {
  const test::TemporaryDirectory directory;
  const Image<Rgb> colours(3, 2, Rgb{});
  EXPECT_ERROR(write_ply(directory / "a.ply", depths().view(), camera(), colours), ErrorCode::invalid_argument, "3x2");
  EXPECT_ERROR(write_ply(directory / "a.ply", depths().view(), Calibration{}), ErrorCode::invalid_argument,
               "focal length");
  EXPECT_ERROR(write_ply(directory / "a.ply", {}, camera()), ErrorCode::invalid_argument, "empty");
  EXPECT_TRUE(directory.entries().empty());
}

}  // namespace
}  // namespace vergence
