// SPDX-License-Identifier: Apache-2.0
// Numbered truths that are not those of their maps: one line, with the cure.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

constexpr Size truth_size{240, 180};

/// Boxes before a wall; these and the picture move to the left by 6 px a frame.
Image<float> boxes(unsigned seed, int frame) {
  std::mt19937 random(seed);
  const auto below = [&random](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  Image<float> truth(truth_size, 6);
  for (int box = 0; box < 24; ++box) {
    const int left = below(truth_size.width + 60) - 6 * frame, top = below(truth_size.height - 20);
    const int right = std::min(truth_size.width, left + 20 + below(40));
    const int bottom = std::min(truth_size.height, top + 20 + below(40));
    const float disparity = static_cast<float>(6 + below(5));
    for (int y = top; y < bottom; ++y)
      for (int x = std::max(left, 0); x < right; ++x) truth(x, y) = disparity;
  }
  return truth;
}

class DoubtfulTruths : public testing::Test {
 protected:
  static constexpr int frames = 8;
  DoubtfulTruths() {
    std::mt19937 random(1);
    for (int i = 0; i < frames; ++i) {
      Image<float> map = boxes(1, i);
      for (int y = 0; y < map.height(); ++y)
        for (int x = 0; x < map.width(); ++x)
          if (random() % 12 == 0) map(x, y) = static_cast<float>(random() % 16);
      write_pfm(scratch.path(fmt::format("m_{}.pfm", i)), map.view());
      write_truth(i, 1, i);
    }
  }
  void write_truth(int number, unsigned seed, int frame) const {
    write_pfm(scratch.path(fmt::format("t_{}.pfm", number)), boxes(seed, frame).view());
  }
  std::string said() const {
    const Result result = scratch.run({"eval", "m_%d.pfm", "t_%d.pfm"});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  }
  const Scratch scratch;
};

/// Most of which fits by chance.
TEST_F(DoubtfulTruths, OfAnotherSceneFromAFrameOn) {
  EXPECT_EQ(said(), "");
  for (int i = 5; i < frames; ++i) write_truth(i, 2, i);
  const std::string line = said();
  EXPECT_EQ(lines(line), 1u) << line;
  EXPECT_TRUE(holds(line, "frame 5: ")) << line;
  EXPECT_TRUE(holds(line, "of the truth's edges of depth, in the first frame ")) << line;
}

TEST_F(DoubtfulTruths, InReverseOrderOrOfOtherNumbers) {
  for (int i = 0; i < frames; ++i) write_truth(i, 1, frames - 1 - i);
  const std::string reversed = said();
  EXPECT_EQ(lines(reversed), 1u) << reversed;
  EXPECT_TRUE(holds(reversed, "truth t_0.pfm seems to be another frame's: ")) << reversed;
  EXPECT_TRUE(holds(reversed, "with t_7.pfm: check the order and the numbers of the truths, which may be in reverse"))
      << reversed;
  for (int i = 0; i < frames; ++i) write_truth(i, 1, i - 3);
  const std::string later = said();
  EXPECT_EQ(lines(later), 1u) << later;
  EXPECT_TRUE(holds(later, "truth t_0.pfm seems to be another frame's: ")) << later;
  EXPECT_TRUE(holds(later, "with t_3.pfm: check the order and the numbers of the truths\n")) << later;
}

/// A map that becomes worse has the edges of its truth all the same.
TEST_F(DoubtfulTruths, AWorseMapIsNone) {
  std::mt19937 random(7);
  for (int i = 5; i < frames; ++i) {
    Image<float> map = boxes(1, i);
    for (int y = 0; y < map.height(); ++y)
      for (int x = 0; x < map.width(); ++x)
        if (random() % 4 == 0) map(x, y) = static_cast<float>(random() % 16);
    write_pfm(scratch.path(fmt::format("m_{}.pfm", i)), map.view());
  }
  EXPECT_EQ(said(), "");
}

}  // namespace
}  // namespace vergence::cli_test
