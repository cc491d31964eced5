// SPDX-License-Identifier: Apache-2.0
// Pairs whose pixels do not lie where they belong, or in light that changes along them: one line each, with the cure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/said_of_pair.hpp"
#include "inspect/scene.hpp"

namespace vergence::cli_test {
namespace {

using View = std::function<int(int x, int y, bool right)>;

class PixelsElsewhere : public testing::Test {
 protected:
  std::string said_of(const View& view, bool strict = false, const std::vector<std::string>& more = {}) {
    for (const bool right : {false, true})
      scratch.write(right ? "right.pgm" : "left.pgm",
                    pgm(320, 200, 255, [&](int x, int y) { return std::clamp(view(x, y, right), 0, 255); }));
    return said_of_pair(scratch, strict, more);
  }
  void expect(const View& view, const std::string& words, const std::vector<std::string>& more = {}) {
    const std::string said = said_of(view, false, more);
    EXPECT_NE(said.find(words), std::string::npos) << said;
    said_of(view, true, more);
  }
  Scratch scratch;
};

/// A slanted wall: disparities of 6 to 19 px.
int wall(double x, int y, bool right) { return inspect_test::texture(x + (right ? 6 + y / 15.0 : 0), y); }

TEST_F(PixelsElsewhere, AsTheyShouldBe) { EXPECT_EQ(said_of(wall), ""); }

TEST_F(PixelsElsewhere, ColumnsThatWereLost) {
  expect([](int x, int y, bool right) { return wall(right && x >= 170 ? x + 6 : x, y, right); },
         "right picture right.pgm is moved along its rows from column 170 on: what is there lies 6 px to the left of");
}

TEST_F(PixelsElsewhere, BytesOfWordsInReverseOrder) {
  const auto moved = [](int x) { return x / 4 * 4 + 3 - x % 4; };
  expect([&](int x, int y, bool right) { return wall(moved(x), y, right); },
         "columns of both pictures stand in another order than they were taken: each 4 of them are in reverse order, "
         "as bytes of words of 32 bits are");
  expect([&](int x, int y, bool right) { return wall(right ? moved(x) : x, y, right); },
         "columns of right picture right.pgm stand in another order");
}

TEST_F(PixelsElsewhere, LevelsThatNoCameraGives) {
  expect([](int x, int y, bool right) { return wall(x, y, right) | (right ? 16 : 0); },
         "bit 4 of all pixels of right picture right.pgm is 1, and those above and below it vary");
  expect([](int x, int y, bool right) { return 4 * wall(x, y, right) & 255; }, "grey levels of both pictures wrap");
  expect([](int x, int y, bool right) { return (wall(x, y, right) - (x > 0 ? wall(x - 1, y, right) : 0)) & 255; },
         "pixels of both pictures are the differences of neighbours along rows, modulo 256");
  const auto noisy = [](int x, int y, bool right, int by) {
    return wall(x, y, right) + (right ? inspect_test::hash(0, y) % by - by / 2 : 0);
  };
  expect([&](int x, int y, bool right) { return noisy(x, y, right, 24); },
         "rows of right picture right.pgm are brighter or darker than those beside them, each as a whole, by ");
  EXPECT_EQ(said_of([&](int x, int y, bool right) { return noisy(x, y, right, 4); }), "");
}

TEST_F(PixelsElsewhere, MuchThatIsOverExposed) {
  const auto lit = [](int by) { return [by](int x, int y, bool right) { return wall(x, y, right) + by; }; };
  expect(lit(130), "% of the pixels have the largest value in both pictures, as where they are over-exposed",
         {"--preset", "quality"});
  EXPECT_EQ(said_of(lit(60), false, {"--preset", "quality"}), "");
}

TEST_F(PixelsElsewhere, BytesThatAreNoPixels) {
  const View words = [](int x, int y, bool right) {
    return x % 2 == 1 ? wall(x / 2, y, right) / 4 : inspect_test::hash(x, y + (right ? 999 : 0)) * 2;
  };
  expect(words, "pixels of both pictures seem to be the bytes of 16-bit or floating-point words, stored as grey");
  const View chroma = [](int x, int y, bool right) {
    return x % 2 == 0 ? wall(x / 2, y, right) + 50 : 80 + x % 4 * 12 + wall(x / 4 * 2, y, right) / 16;
  };
  expect(chroma, "pixels of both pictures seem to be luma and chroma in turn (YUYV, UYVY), stored as grey levels");
}

TEST_F(PixelsElsewhere, RegularPatterns) {
  // Hum, and a mesh of pitch 12 before both lenses.
  expect([](int x, int y, bool right) { return wall(x, y, right) + static_cast<int>(30 * std::sin(y / 3.0 + right)); },
         "with a period of 19 px along columns: waves of interference or hum, a mesh or a fence before the lens");
  expect([](int x, int y, bool right) { return x % 12 < 2 || y % 12 < 2 ? 30 : wall(x, y, right); },
         "a regular pattern lies all over left picture left.pgm, with a period of 12 px along rows: waves of");
}

TEST_F(PixelsElsewhere, ANearThingBeyondTheRange) {
  // A tenth of the picture, at 44 px before a wall at 6 to 19 px.
  const View view = [](int x, int y, bool right) {
    const int near = x + (right ? 44 : 0);
    return near >= 150 && near < 230 && y >= 60 && y < 140 ? inspect_test::texture(near + 900, y) : wall(x, y, right);
  };
  expect(view, "the disparities 0 .. 31 are too few");
}

TEST_F(PixelsElsewhere, ColourPlanes) {
  const auto byte = [](int at, bool right) { return wall(at % 320, at / 320 % 200, right) * (6 - at / 64000) / 6; };
  expect(
      [&](int x, int y, bool right) {
        const int first = 3 * (y * 320 + x);
        return (byte(first, right) + byte(first + 1, right) + byte(first + 2, right)) / 3;
      },
      "left picture left.pgm shows colour planes in place of pixels: each of its rows holds three that are alike");
}

TEST_F(PixelsElsewhere, ARoundLens) {
  const View view = [](int x, int y, bool right) {
    return (x - 160) * (x - 160) + (y - 100) * (y - 100) > 98 * 98 ? 2 : wall(x, y, right);
  };
  expect(view, "both pictures have corners of one grey level, 53 % of their area, as of a round lens");
  const std::string said = said_of(view);
  const std::size_t at = said.find("--roi ");
  ASSERT_NE(at, std::string::npos) << said;
  const std::string roi = said.substr(at + 6, said.find('\n') - at - 6);
  EXPECT_EQ(said_of(view, false, {"--roi", roi}), "") << roi;
}

TEST_F(PixelsElsewhere, MotionAlongRows) {
  expect(
      [](int x, int y, bool right) {
        int sum = 0;
        for (int i = 0; i < 21; ++i) sum += wall(x + i, y, right);
        return sum / 21;
      },
      "both pictures are smeared along their rows, over about 21 px");
}

TEST_F(PixelsElsewhere, SaltAndPepperInOne) {
  expect(
      [](int x, int y, bool right) {
        const int place = inspect_test::hash(x + 5000, y) % 50;
        return right && place == 3 ? 0 : right && place == 7 ? 255 : wall(x, y, right);
      },
      "right picture right.pgm has single black and white pixels amid others (salt and pepper)");
}

TEST_F(PixelsElsewhere, AnEchoInOne) {
  expect(
      [](int x, int y, bool right) {
        return right ? (10 * wall(x, y, true) + 3 * wall(x - 14, y, true)) / 13 : wall(x, y, false);
      },
      "right picture right.pgm holds itself once more, fainter, 14 px along its rows");
}

TEST_F(PixelsElsewhere, RowsThatSwing) {
  expect([](int x, int y, bool right) { return wall(x + (right ? 4 * std::sin(y * 0.05) : 0), y, right); },
         "disparities go up and down from row to row");
}

TEST_F(PixelsElsewhere, LightThatChangesAlongOne) {
  expect([](int x, int y, bool right) { return wall(x, y, right) * 2 / 3 + (right ? x / 4 : 0); },
         "left and right differ in brightness");
}

}  // namespace
}  // namespace vergence::cli_test
