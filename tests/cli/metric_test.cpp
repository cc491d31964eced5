// SPDX-License-Identifier: Apache-2.0
// Outputs in metres: limits, steps, deviations, clouds.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class Metric : public testing::Test {
 protected:
  void SetUp() override { make_files(scratch); }

  /// The good pair; 15 px at most, of 30 px m: depths are 2 m and more.
  Result run(const Words& more, int status = 0) const {
    Words words{"stereo", "left.pgm", "right.pgm", "--disparities", "16", "--focal", "100", "--baseline", "0.3"};
    words.insert(words.end(), more.begin(), more.end());
    Result result = scratch.run(words);
    EXPECT_EQ(result.status, status) << result.err;
    return result;
  }
  Image<float> map(const std::string& name) const { return read_float_map(scratch.path(name)); }

  Scratch scratch;
};

TEST_F(Metric, LimitsMakeDepthsUnknown) {
  run({"--depth", "all.pfm"});
  run({"--depth", "some.pfm", "--near", "3", "--far", "10", "--cloud", "some.pcd"});
  const Image<float> all = map("all.pfm"), some = map("some.pfm");
  int known = 0, unknown = 0;
  for (int y = 0; y < all.height(); ++y)
    for (int x = 0; x < all.width(); ++x) {
      const bool within = all(x, y) >= 3 && all(x, y) <= 10;
      ASSERT_EQ(std::isfinite(some(x, y)), within) << all(x, y);
      known += within ? 1 : 0;
      unknown += std::isfinite(all(x, y)) && !within ? 1 : 0;
    }
  EXPECT_GT(known, 0);
  EXPECT_GT(unknown, 0);
  EXPECT_NE(scratch.read("some.pcd").find("POINTS " + std::to_string(known) + "\n"), std::string::npos);
}

TEST_F(Metric, OutputsThatHoldNothingAreTold) {
  for (const Words& output : {Words{"--depth", "z.pfm"}, {"--depth-color", "z.png"}, {"--depth-deviation", "z.npy"}}) {
    Words words = output;
    words.insert(words.end(), {"--near", "500", "--far", "9000"});
    const std::string said = run(words).err;
    EXPECT_NE(said.find(output[1] + " has no depths: depths are "), std::string::npos) << said;
    EXPECT_NE(said.find("none lies within --near 500 and --far 9000, which are in m"), std::string::npos) << said;
  }
  EXPECT_NE(run({"--cloud", "c.ply", "--far", "0.01"}).err.find("c.ply has no points: depths are "), std::string::npos);
}

TEST_F(Metric, DisparitiesOf0AreDoubted) {
  // One picture twice, but for brightness.
  scratch.write("brighter.pgm",
                pgm(64, 48, 255, [](int x, int y) { return 20 + (x * 37 + y * 91 + x * y * 7) % 120; }));
  scratch.write("darker.pgm", pgm(64, 48, 255, [](int x, int y) { return (x * 37 + y * 91 + x * y * 7) % 120; }));
  const Words words{"stereo", "brighter.pgm", "darker.pgm", "--disparities", "16", "--preset", "quality"};
  const std::string said = scratch.run(words).err;
  EXPECT_NE(
      said.find(" % of the disparities are 0 px: all that is seen is infinitely far, or both pictures are of one"),
      std::string::npos)
      << said;
}

TEST_F(Metric, CalibrationsOfAnotherSizeAreTold) {
  scratch.write("calib.txt",
                "cam0=[100 0 9.5; 0 100 4.5; 0 0 1]\ncam1=[100 0 9.5; 0 100 4.5; 0 0 1]\ndoffs=0\nbaseline=300\n");
  const std::string said = scratch
                               .run({"stereo", "left.pgm", "right.pgm", "--disparities", "16", "--depth", "z.pfm",
                                     "--calibration", "calib.txt"})
                               .err;
  EXPECT_NE(said.find("is the middle of pictures of 20x10, and these have 40x20"), std::string::npos) << said;
}

TEST_F(Metric, DeviationGrowsWithTheSquareOfDepth) {
  run({"--depth", "z.pfm", "--depth-deviation", "usual.pfm"});
  run({"--depth-deviation", "s.pfm", "--match-error", "0.5"});
  const Image<float> depth = map("z.pfm"), usual = map("usual.pfm"), twice = map("s.pfm");
  int known = 0;
  for (int y = 0; y < depth.height(); ++y)
    for (int x = 0; x < depth.width(); ++x) {
      ASSERT_EQ(std::isfinite(usual(x, y)), std::isfinite(depth(x, y)));
      if (!std::isfinite(depth(x, y))) continue;
      ++known;
      EXPECT_FLOAT_EQ(usual(x, y), depth(x, y) * depth(x, y) * 0.25f / 30);
      EXPECT_FLOAT_EQ(twice(x, y), 2 * usual(x, y));
    }
  EXPECT_GT(known, 100);
}

TEST_F(Metric, StepsFollowTheScale) {
  run({"--depth", "z.pfm"});
  const std::string said = run({"--depth", "z.png", "--depth-steps", "5000"}).err;
  const Image<float> metres = map("z.pfm");
  const GreyPicture steps = read_grey(scratch.path("z.png"));
  for (int y = 0; y < metres.height(); ++y)
    for (int x = 0; x < metres.width(); ++x) {
      const double wanted = std::isfinite(metres(x, y)) ? std::floor(5000.0 * metres(x, y) + 0.5) : 0;
      ASSERT_EQ(steps.u16(x, y), std::min(wanted, 65535.0)) << metres(x, y);
    }
  EXPECT_NE(said.find("1 .. 65535 steps of 1/5000 m"), std::string::npos) << said;  // 30 m are 150000 of them
}

TEST_F(Metric, CloudsMayBeOrganisedAndHaveNormals) {
  run({"--cloud", "c.pcd", "--cloud-organised", "--cloud-normals"});
  const std::string cloud = scratch.read("c.pcd");
  EXPECT_NE(cloud.find("FIELDS x y z normal_x normal_y normal_z rgb\n"), std::string::npos);
  EXPECT_NE(cloud.find("WIDTH 40\nHEIGHT 20\n"), std::string::npos);
}

TEST_F(Metric, RefusesWhatMeansNothing) {
  const auto refused = [&](const Words& words, const std::string& part) {
    const Result result = run(words, 2);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  refused({"--depth", "z.pfm", "--near", "5", "--far", "5"}, "the far limit must be the larger one");
  refused({"--depth", "z.pfm", "--near", "-1"}, "--near is '-1'");
  refused({"--depth", "z.pfm", "--far", "nan"}, "--far is 'nan'");
  refused({"--depth", "z.png", "--depth-steps", "0"}, "--depth-steps is '0'");
  refused({"--depth", "z.pfm", "--depth-steps", "5000"}, "--depth-steps needs --depth NAME.png");
  refused({"--depth", "z.pfm", "--match-error", "1"}, "--match-error needs --depth-deviation FILE");
  refused({"--depth-deviation", "s.pfm", "--match-error", "0"}, "--match-error is '0'");
  refused({"--depth", "z.pfm", "--cloud-organised"}, "--cloud-organised needs --cloud FILE");
  refused({"--cloud", "c.xyz"}, ".ply .pcd");
  EXPECT_EQ(run({"--depth-deviation", "s.png"}, 2).out, "");
}

}  // namespace
}  // namespace vergence::cli_test
