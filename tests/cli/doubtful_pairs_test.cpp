// SPDX-License-Identifier: Apache-2.0
// Pairs whose cameras, files or overlays are at fault: one line each, with the cure.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "inspect/scene.hpp"

namespace vergence::cli_test {
namespace {

using Picture = Image<std::uint8_t>;

class FaultyPairs : public testing::Test {
 protected:
  /// What `stereo` says of the scene, once both pictures are changed so.
  std::string said_of(const std::function<void(Picture&, bool right)>& change, bool strict = false) {
    for (const bool right : {false, true}) {
      Picture picture = inspect_test::view(right);
      change(picture, right);
      scratch.write(right ? "right.pgm" : "left.pgm",
                    pgm(picture.width(), picture.height(), 255, [&](int x, int y) { return int{picture(x, y)}; }));
    }
    std::vector<std::string> words{"stereo", "left.pgm", "right.pgm", "--disparities", "32", "-o", "d.pfm"};
    if (strict) words.emplace_back("--strict");
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, strict ? 1 : 0) << result.err;
    EXPECT_LE(lines(result.err), 1u) << result.err;
    return result.err;
  }
  Scratch scratch;
};

TEST_F(FaultyPairs, SomethingPaintedOverBoth) {
  const auto paint = [](Picture& picture, bool) {
    for (int y = 16; y < 40; ++y)
      for (int x = 160; x < 208; ++x) picture(x, y) = (x / 2 + y / 3) % 2 == 0 ? 20 : 235;
  };
  EXPECT_EQ(said_of([](Picture&, bool) {}), "");
  const std::string said = said_of(paint);
  EXPECT_NE(said.find("something is painted over both pictures"), std::string::npos) << said;
  EXPECT_NE(said.find("in 48x24 px from (160, 16) on, 100 % of the blocks of 8x8 px are the same"), std::string::npos)
      << said;
  EXPECT_NE(said.find("or leave it out with --roi"), std::string::npos) << said;
  said_of(paint, true);
}

}  // namespace
}  // namespace vergence::cli_test
