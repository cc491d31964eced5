// SPDX-License-Identifier: Apache-2.0
// The reference hole filling on maps worked out by hand.
#include <gtest/gtest.h>

#include <optional>

#include "reference/postfilter/stages.hpp"
#include "support/maps.hpp"

namespace vergence::test {
namespace {

constexpr int fill_no = -16;

struct Settings {
  StereoFill fill = StereoFill::none;
  int window = 3;
  int min_disparity = 0;
  std::optional<Rect> roi{};
};

template <class T = std::int16_t>
Values filled(const Settings& settings, int width, const std::vector<int>& values) {
  const Image<T> in = map_of<T>(width, values);
  Image<T> out(in.size());
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = 1;
  options.min_disparity = settings.min_disparity;
  options.fill = settings.fill;
  options.fill_window = settings.window;
  options.roi = settings.roi;
  reference::fill<T>(make_stereo_plan(in.size(), options), in, out);
  return values_of(out);
}

TEST(FillNone, Copies) {
  EXPECT_EQ(filled({StereoFill::none}, 3, {fill_no, 5, fill_no}), (Values{fill_no, 5, fill_no}));
}

TEST(FillBackground, TakesTheSmallerOfBothSides) {
  EXPECT_EQ(filled({StereoFill::background}, 5, {64, fill_no, fill_no, 32, fill_no}), (Values{64, 32, 32, 32, 32}));
  EXPECT_EQ(filled({StereoFill::background}, 5, {fill_no, 32, fill_no, fill_no, 64}), (Values{32, 32, 32, 32, 64}));
}

TEST(FillBackground, EmptyRowsCopyTheNearestFilledRow) {
  // Rows: empty, A, empty, empty, B, empty. Row 2 is nearer to A, row 3 to B.
  EXPECT_EQ(filled({StereoFill::background}, 3,
                   {fill_no, fill_no, fill_no, 48, fill_no, 16, fill_no, fill_no, fill_no, fill_no, fill_no, fill_no,
                    fill_no, 80, fill_no, fill_no, fill_no, fill_no}),
            (Values{48, 16, 16, 48, 16, 16, 48, 16, 16, 80, 80, 80, 80, 80, 80, 80, 80, 80}));
}

TEST(FillBackground, EmptyRowsInTheMiddleCopyTheUpperOne) {
  EXPECT_EQ(filled({StereoFill::background}, 1, {16, fill_no, 80}), (Values{16, 16, 80}));
}

TEST(FillBackground, EmptyMapsStayEmpty) {
  EXPECT_EQ(filled({StereoFill::background}, 2, {fill_no, fill_no, fill_no, fill_no}),
            (Values{fill_no, fill_no, fill_no, fill_no}));
}

TEST(FillBackground, NegativeDisparitiesAreSmaller) {
  EXPECT_EQ(filled({StereoFill::background, 3, -9}, 3, {-16, -160, 0}), (Values{-16, -16, 0}));
}

TEST(FillNearest, SquaredDistanceThenRasterOrder) {
  // The centre of a 3x3 map: the upper neighbour goes before the left one, that before the right one.
  EXPECT_EQ(filled({StereoFill::nearest}, 3, {fill_no, 1, fill_no, 2, fill_no, 3, fill_no, 4, fill_no})[4], 1);
  EXPECT_EQ(filled({StereoFill::nearest}, 3, {fill_no, fill_no, fill_no, 2, fill_no, 3, fill_no, 4, fill_no})[4], 2);
  EXPECT_EQ(filled({StereoFill::nearest}, 3, {fill_no, fill_no, fill_no, fill_no, fill_no, 3, fill_no, 4, fill_no})[4],
            3);
  EXPECT_EQ(filled({StereoFill::nearest}, 3, {9, fill_no, fill_no, fill_no, fill_no, fill_no, fill_no, 4, fill_no})[4],
            4);
}

TEST(FillNearest, DiagonalBeatsTwoSteps) {
  // From the first pixel: (1, 1) at 2, (2, 0) at 4.
  EXPECT_EQ(filled({StereoFill::nearest}, 3, {fill_no, fill_no, 7, fill_no, 5, fill_no})[0], 5);
}

TEST(FillNearest, FarAwayAndEmpty) {
  EXPECT_EQ(filled({StereoFill::nearest}, 5, {fill_no, fill_no, fill_no, fill_no, 6}), (Values{6, 6, 6, 6, 6}));
  EXPECT_EQ(filled({StereoFill::nearest}, 2, {fill_no, fill_no}), (Values{fill_no, fill_no}));
}

TEST(FillNearest, ReadsTheUnfilledMap) {
  // Pixel 2 is 2 from the 5 and 3 from the 7: a filled neighbour must not count.
  EXPECT_EQ(filled({StereoFill::nearest}, 6, {5, fill_no, fill_no, fill_no, fill_no, 7}), (Values{5, 5, 5, 7, 7, 7}));
}

TEST(FillMean, RoundsTheMeanOfValidPixels) {
  // 3x3 about the centre: 1 and 2 -> 1.5 -> 2.
  EXPECT_EQ(filled({StereoFill::mean}, 3, {1, fill_no, fill_no, fill_no, fill_no, fill_no, fill_no, fill_no, 2})[4], 2);
  EXPECT_EQ(filled({StereoFill::mean, 3, -5}, 3, {-1, -96, -96, -96, -96, -96, -96, -96, -2})[4], -1);
  EXPECT_EQ(filled({StereoFill::mean}, 3, {1, 1, fill_no, fill_no, fill_no, fill_no, fill_no, fill_no, 2})[4], 1);
}

TEST(FillMean, WithoutValidPixelsStaysInvalid) {
  EXPECT_EQ(filled({StereoFill::mean}, 5, {8, fill_no, fill_no, fill_no, 4}), (Values{8, 8, fill_no, 4, 4}));
  EXPECT_EQ(filled({StereoFill::mean, 5}, 5, {8, fill_no, fill_no, fill_no, 4}), (Values{8, 8, 6, 4, 4}));
}

TEST(FillMeanAll, DividesByTheWholeWindow) {
  // 3x3 has the divisor 8, at the edge too; what is invalid or outside counts 0.
  EXPECT_EQ(filled({StereoFill::mean_all}, 3, {8, 8, 8, 8, fill_no, 8, 8, 8, 7})[4], 7);  // 63 / 8
  EXPECT_EQ(filled({StereoFill::mean_all}, 3, {fill_no, 16, fill_no})[0], 2);
  EXPECT_EQ(filled({StereoFill::mean_all, 11}, 2, {fill_no, 240})[0], 2);
}

TEST(FillMeanAll, FillsEverything) {
  EXPECT_EQ(filled({StereoFill::mean_all}, 2, {fill_no, fill_no}), (Values{0, 0}));
  EXPECT_EQ(filled({StereoFill::mean_all, 3, -5}, 2, {-96, -9}), (Values{-2, -9}));  // -9 / 8 rounds down
}

TEST(Fill, ExampleOfTheDocumentation) {
  const std::vector<int> row{64, fill_no, fill_no, 32, fill_no};
  EXPECT_EQ(filled({StereoFill::background}, 5, row), (Values{64, 32, 32, 32, 32}));
  EXPECT_EQ(filled({StereoFill::nearest}, 5, row), (Values{64, 64, 32, 32, 32}));
  EXPECT_EQ(filled({StereoFill::mean, 3}, 5, row), (Values{64, 64, 32, 32, 32}));
  EXPECT_EQ(filled({StereoFill::mean, 5}, 5, row), (Values{64, 48, 48, 32, 32}));
  EXPECT_EQ(filled({StereoFill::mean_all, 3}, 5, row), (Values{64, 8, 4, 32, 4}));
}

TEST(Fill, WritesNothingOutsideTheRegion) {
  for (const StereoFill fill : {StereoFill::background, StereoFill::nearest, StereoFill::mean, StereoFill::mean_all}) {
    const Values out = filled({fill, 3, 0, Rect{1, 0, 2, 1}}, 4, {fill_no, 24, fill_no, fill_no});
    EXPECT_EQ(out[0], fill_no);
    EXPECT_EQ(out[1], 24);
    EXPECT_NE(out[2], fill_no);
    EXPECT_EQ(out[3], fill_no);
    // The rows above and below the region too.
    const Values rows = filled({fill, 3, 0, Rect{0, 1, 2, 1}}, 2, {fill_no, fill_no, 24, fill_no, fill_no, fill_no});
    EXPECT_EQ((Values{rows[0], rows[1], rows[4], rows[5]}), (Values{fill_no, fill_no, fill_no, fill_no}));
    EXPECT_NE(rows[3], fill_no);
  }
}

TEST(Fill, KeepsValidPixels) {
  for (const StereoFill fill : {StereoFill::background, StereoFill::nearest, StereoFill::mean, StereoFill::mean_all})
    EXPECT_EQ(filled({fill}, 3, {1, 200, 3, 4, 5, 600}), (Values{1, 200, 3, 4, 5, 600}));
}

TEST(Fill, WideMaps) {
  EXPECT_EQ(filled<std::int32_t>({StereoFill::mean, 3}, 3, {100000, fill_no, 100001})[1], 100001);
  EXPECT_EQ(filled<std::int32_t>({StereoFill::background, 3}, 3, {100000, fill_no, 100001})[1], 100000);
}

}  // namespace
}  // namespace vergence::test
