// SPDX-License-Identifier: Apache-2.0
// Settings that leave no pixel a disparity are told of, with their cure, however few pixels are asked for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class EmptyMap : public testing::Test {
 protected:
  void SetUp() override {
    write_picture(scratch.path("left.pgm"), inspect_test::view(false).view());
    write_picture(scratch.path("right.pgm"), inspect_test::view(true).view());
  }
  Result run(const Words& more) const {
    Words words{"stereo", "left.pgm", "right.pgm", "--disparities", "32", "-o", "d.pfm"};
    words.insert(words.end(), more.begin(), more.end());
    Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
  }
  void expect_told(const Words& more, const Words& words) const {
    const Result result = run(more);
    EXPECT_NE(result.out.find("measured 0.00 %"), std::string::npos) << result.out;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    for (const std::string& word : words) EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
  }
  void expect_measured(const Words& more) const {
    const Result result = run(more);
    EXPECT_EQ(result.out.find("measured 0.00 %"), std::string::npos) << result.out;
    EXPECT_EQ(result.err, "");
  }

  Scratch scratch;
};

TEST_F(EmptyMap, WindowsThatMustBeWhole) {
  const Words whole{"no pixel can get a disparity", "roi lies within the border", "15 columns and 15 rows",
                    "window 31x31", "--border partial"};
  expect_told({"--border", "invalid", "--window", "31x31", "--roi", "0,0,15,100"}, whole);
  expect_told(
      {"--border", "invalid", "--window", "31x31", "--roi", "0,0,15,100", "--outside", "clamp", "--left-right", "-1"},
      whole);
  expect_measured({"--window", "31x31", "--roi", "50,50,15,100"});
}

TEST_F(EmptyMap, RegionsThatAreSpeckles) {
  const Words window{"--border", "invalid", "--window", "31x31", "--roi", "0,0,45,25", "--speckle-size", "300"};
  expect_told(window, {"no pixel can get a disparity", "with border invalid and window 31x31 only 28 x 10 pixels",
                       "--speckle-size 300", "--border partial", "or a larger --roi"});
  expect_told({"--roi", "100,80,10,10"}, {"10 x 10 pixels can have one", "--speckle-size 100 removes", "larger --roi"});
  expect_told({"--speckle-size", "100000"},
              {"238 x 180 pixels can have one", "--speckle-size 100000", "give --speckle"});
  expect_measured({"--roi", "100,80,10,10", "--speckle-size", "0"});
  expect_measured({"--roi", "100,80,10,11"});
}

TEST_F(EmptyMap, FewPixelsOfWhichNoneIsMeasured) {
  expect_told({"--roi", "100,80,20,20", "--texture", "2147483647"},
              {"0 % of the pixels were measured", "--texture 2147483647"});
}

}  // namespace
}  // namespace vergence::cli_test
