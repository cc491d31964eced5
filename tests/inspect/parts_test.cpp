// SPDX-License-Identifier: Apache-2.0
// Pairs that are wrong in parts: rows that part at the corners, every second row, and covered places.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::look;
using inspect_test::Picture;
using inspect_test::view;

/// Each pixel from where `source` says.
template <class Source>
Picture warped(const Picture& picture, Source source) {
  Picture result(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const double dx = x - picture.width() / 2.0;
      const double dy = y - picture.height() / 2.0;
      const double factor = source(dx, dy);
      const double sx = std::clamp(picture.width() / 2.0 + dx * factor, 0.0, picture.width() - 1.001);
      const double sy = std::clamp(picture.height() / 2.0 + dy * factor, 0.0, picture.height() - 1.001);
      const int i = static_cast<int>(sx);
      const int j = static_cast<int>(sy);
      const double a = sx - i;
      const double b = sy - j;
      result(x, y) =
          static_cast<std::uint8_t>(std::lround((1 - a) * ((1 - b) * picture(i, j) + b * picture(i, j + 1)) +
                                                a * ((1 - b) * picture(i + 1, j) + b * picture(i + 1, j + 1))));
    }
  return result;
}

TEST(InspectParts, RowsThatPartAtTheCornersAreTold) {
  const Picture left = view(false), right = view(true);
  for (const double share : {0.015, 0.02, -0.015, -0.02}) {
    const PairFindings found = look(left, warped(right, [share](double x, double) { return 1 + share * x / 120; }));
    ASSERT_TRUE(found.problem == PairProblem::row_offset) << share;
    // Where rows are fetched from further down, what they show lies higher.
    EXPECT_NEAR(found.row_twist, -16 * share * 90, 10) << share;
    EXPECT_LT(std::abs(found.row_tilt) / 2 + std::abs(found.row_shift), 12) << "this is not what told it";
  }
  EXPECT_TRUE(look(left, warped(right, [](double x, double) { return 1 + 0.003 * x / 120; })).problem ==
              PairProblem::none);
}

TEST(InspectParts, LensesThatBendLinesAreTold) {
  const Picture left = view(false), right = view(true);
  for (const double bend : {0.06, -0.06}) {
    const auto lens = [bend](double x, double y) { return 1 + bend * (x * x + y * y) / (240.0 * 240.0); };
    EXPECT_TRUE(look(left, warped(right, lens)).problem == PairProblem::row_offset) << bend;
  }
}

/// Every second row moved to the right.
Picture combed(const Picture& picture, int shift, int first) {
  Picture result = picture.clone();
  for (int y = first; y < picture.height(); y += 2)
    for (int x = 0; x < picture.width(); ++x) result(x, y) = picture(std::clamp(x - shift, 0, picture.width() - 1), y);
  return result;
}

Picture with_exchanged_rows(const Picture& picture, int first) {
  Picture result = picture.clone();
  for (int y = first; y + 1 < picture.height(); y += 2) {
    std::copy_n(picture.row(y), picture.width(), result.row(y + 1));
    std::copy_n(picture.row(y + 1), picture.width(), result.row(y));
  }
  return result;
}

TEST(InspectParts, DisplacedRowsAreTold) {
  const Picture left = view(false), right = view(true);
  for (const int shift : {3, 5, 8, -3, -8})
    for (const int first : {0, 1})
      for (const StereoView reference : {StereoView::left, StereoView::right}) {
        const PairFindings in_right = look(left, combed(right, shift, first), reference);
        ASSERT_TRUE(in_right.problem == PairProblem::interlaced) << shift << ' ' << first;
        EXPECT_NEAR(in_right.field_shift, std::abs(shift), 1);
        EXPECT_TRUE(in_right.in_right) << shift << ' ' << first;
        const PairFindings in_left = look(combed(left, shift, first), right, reference);
        ASSERT_TRUE(in_left.problem == PairProblem::interlaced) << shift << ' ' << first;
        EXPECT_FALSE(in_left.in_right) << shift << ' ' << first;
      }
  EXPECT_TRUE(look(combed(left, 4, 0), combed(right, 4, 0)).problem == PairProblem::none) << "both alike";
}

TEST(InspectParts, ExchangedRowsAreTold) {
  const Picture left = view(false), right = view(true);
  for (const int first : {0, 1}) {
    const PairFindings found = look(left, with_exchanged_rows(right, first));
    ASSERT_TRUE(found.problem == PairProblem::interlaced) << first;
    EXPECT_EQ(found.field_shift, 0);
    EXPECT_TRUE(found.in_right);
  }
}

enum class Fill { flat, noise, row };

Picture covered(const Picture& picture, const Rect& part, Fill fill, unsigned seed) {
  Picture result = picture.clone();
  std::mt19937 random(seed);
  for (int y = part.y; y < part.y + part.height; ++y)
    for (int x = part.x; x < part.x + part.width; ++x)
      result(x, y) = fill == Fill::flat    ? std::uint8_t{90}
                     : fill == Fill::noise ? static_cast<std::uint8_t>(random() & 255)
                                           : picture(x, part.y);
  return result;
}

TEST(InspectParts, CoveredPartsAreTold) {
  const Picture left = view(false), right = view(true);
  for (const Rect& part : {Rect{60, 40, 120, 100}, Rect{0, 120, 240, 60}, Rect{0, 0, 240, 70}})
    for (const Fill fill : {Fill::flat, Fill::noise, Fill::row})
      for (unsigned seed = 1; seed < 4; ++seed) {
        SCOPED_TRACE(testing::Message() << part.x << ',' << part.y << " fill " << static_cast<int>(fill) << " seed "
                                        << seed);
        if (fill == Fill::row && part.x > 0) continue;  // told in larger pictures alone
        for (const bool in_right : {false, true}) {
          const PairFindings found =
              in_right ? look(left, covered(right, part, fill, seed)) : look(covered(left, part, fill, seed), right);
          ASSERT_TRUE(found.problem == PairProblem::covered) << in_right;
          EXPECT_NEAR(found.part.y + found.part.height / 2, part.y + part.height / 2, 20);
          EXPECT_NEAR(found.part.height, part.height, 40);
          EXPECT_GE(found.rest_percent, 70);
        }
      }
}

/// Something near hides a strip of the wall that is as wide as their disparities differ.
TEST(InspectParts, HiddenStripsAreNoCover) {
  constexpr int of_wall = 4, of_box = 52;
  Picture left(320, 240), right(320, 240);
  for (int y = 0; y < left.height(); ++y)
    for (int x = 0; x < left.width(); ++x) {
      const auto is_box = [y](int at) { return at >= 166 && at < 230 && y >= 30 && y < 230; };
      left(x, y) = static_cast<std::uint8_t>(inspect_test::texture(is_box(x) ? x + 1000 : x, y));
      right(x, y) =
          static_cast<std::uint8_t>(inspect_test::texture(is_box(x + of_box) ? x + of_box + 1000 : x + of_wall, y));
    }
  const PairFindings found = look(left, right, StereoView::left, 80);
  EXPECT_TRUE(found.problem != PairProblem::covered) << found.part.x << ' ' << found.part.width;
}

TEST(InspectParts, RowsComeBeforeCovers) {
  const Picture left = view(false);
  for (const double rows : {1.0, 3.0})
    EXPECT_TRUE(look(left, view(true, 2, rows)).problem == PairProblem::not_rectified) << rows;
}

TEST(InspectParts, FlatPartsOfBothAreNoCover) {
  const Rect part{40, 40, 140, 100};
  EXPECT_TRUE(look(covered(view(false), part, Fill::flat, 1), covered(view(true), part, Fill::flat, 1)).problem ==
              PairProblem::none);
}

}  // namespace
}  // namespace vergence
