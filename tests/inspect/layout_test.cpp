// SPDX-License-Identifier: Apache-2.0
// Pixels that do not lie where they belong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/expect_error.hpp"
#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"
#include "vergence/inspect_layout.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;

template <class PixelAt>
Picture made(Size size, PixelAt pixel) {
  Picture picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<std::uint8_t>(pixel(x, y));
  return picture;
}

Image<std::uint16_t> as_words(const Picture& picture) {
  Image<std::uint16_t> wide(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) wide(x, y) = static_cast<std::uint16_t>(picture(x, y) * 257);
  return wide;
}

// --- planes ---

/// Three planes of one scene in other contrasts, one behind the other, read as pixels of three bytes, and made grey.
Picture planes_as_pixels(Size size) {
  const auto byte = [size](int at) {
    const int plane = at / (size.width * size.height), place = at % (size.width * size.height);
    return (4 + plane) * inspect_test::texture(place % size.width, place / size.width) / 6;
  };
  return made(size, [&](int x, int y) {
    const int first = 3 * (y * size.width + x);
    return (byte(first) + byte(first + 1) + byte(first + 2)) / 3;
  });
}

TEST(InspectPlanes, TellsThreePicturesInEachRow) {
  for (const Size size : {Size{240, 180}, {241, 180}, {242, 181}}) {
    const PlaneFindings found = inspect_planes(planes_as_pixels(size).view());
    EXPECT_TRUE(found.in_rows) << size.width;
    EXPECT_EQ(found.stacked, size.height % 3 == 0) << size.height;
  }
  EXPECT_TRUE(inspect_planes(as_words(planes_as_pixels({240, 180})).view()).in_rows);
}

TEST(InspectPlanes, TellsThreePicturesAboveEachOther) {
  const PlaneFindings found = inspect_planes(
      made({160, 270}, [](int x, int y) { return (3 + y / 90) * inspect_test::texture(x, y % 90) / 5; }).view());
  EXPECT_TRUE(found.stacked);
  EXPECT_FALSE(found.in_rows);
}

TEST(InspectPlanes, OthersAreNone) {
  const auto is_none = [](const Picture& picture) {
    const PlaneFindings found = inspect_planes(picture.view());
    return !found.in_rows && !found.stacked;
  };
  EXPECT_TRUE(is_none(inspect_test::view(false)));
  EXPECT_TRUE(is_none(Picture(240, 180, 9)));
  EXPECT_TRUE(is_none(made({90, 180}, [](int x, int y) { return inspect_test::texture(x % 30, y); }))) << "too narrow";
  for (const int period : {8, 10, 16, 20, 40})
    EXPECT_TRUE(is_none(made({240, 180}, [=](int x, int y) { return inspect_test::texture(x % period, y % period); })))
        << "a pattern of " << period;
  EXPECT_TRUE(is_none(made({240, 180}, [](int x, int y) { return (x / 20 + y / 20) % 2 * 200; }))) << "a chessboard";
}

// --- columns ---

/// A slanted wall: its disparity goes from 4 to 16 px, from row to row.
Picture slanted(bool right, int column = 0, int shift = 0) {
  return made({240, 180}, [=](int x, int y) {
    const double at = x - (column > 0 && x >= column ? shift : 0);
    return inspect_test::texture(at + (right ? 4 + y / 15.0 : 0), y);
  });
}

TEST(InspectMovedColumns, TellsColumnShiftAndPicture) {
  for (const int column : {60, 121, 190})
    for (const int shift : {-9, -4, 3, 8}) {
      MovedColumns found = inspect_moved_columns(slanted(false).view(), slanted(true, column, shift).view());
      EXPECT_EQ(found.column, column) << shift;
      EXPECT_NEAR(found.shift, shift, 1) << column;
      EXPECT_TRUE(found.in_right);
      found = inspect_moved_columns(slanted(false, column, shift).view(), slanted(true).view());
      EXPECT_EQ(found.column, column) << shift;
      EXPECT_NEAR(found.shift, shift, 1) << column;
      EXPECT_FALSE(found.in_right);
    }
  EXPECT_EQ(inspect_moved_columns(as_words(slanted(false)).view(), as_words(slanted(true, 90, 6)).view()).column, 90);
}

TEST(InspectMovedColumns, OthersAreWhole) {
  EXPECT_EQ(inspect_moved_columns(slanted(false).view(), slanted(true).view()).column, 0);
  EXPECT_EQ(inspect_moved_columns(inspect_test::view(false).view(), inspect_test::view(true).view()).column, 0);
  // A wall that ends at one column, before another one: an edge of depth.
  const auto corner = [](bool right) {
    return made({240, 180}, [=](int x, int y) {
      const bool before = x < 130 - (right ? 16 : 0) && y < 140;
      return inspect_test::texture(before ? x + (right ? 16 : 0) : 900 + x + (right ? 6 : 0), y);
    });
  };
  EXPECT_EQ(inspect_moved_columns(corner(false).view(), corner(true).view()).column, 0);
  EXPECT_EQ(inspect_moved_columns(slanted(false, 90, 6).view(), slanted(true, 90, 6).view()).column, 0) << "both";
  EXPECT_EQ(inspect_moved_columns(Picture(240, 180, 7).view(), Picture(240, 180, 7).view()).column, 0);
  EXPECT_EQ(inspect_moved_columns(Picture(100, 180, 7).view(), Picture(100, 180, 7).view()).column, 0);
  EXPECT_ERROR(inspect_moved_columns(Picture(240, 180, 7).view(), Picture(241, 180, 7).view()),
               ErrorCode::invalid_argument, "left is 240x180 and right 241x180");
}

// --- surround ---

Picture rounded(bool right, int radius, int level = 0, int middle = 120) {
  const Picture scene = inspect_test::view(right);
  return made(scene.size(), [&](int x, int y) {
    const int dx = x - middle, dy = y - 90;
    return dx * dx + dy * dy > radius * radius ? level : int{scene(x, y)};
  });
}

TEST(InspectSurround, TellsItsShareAndWhatItLeaves) {
  for (const int radius : {70, 88, 110, 130})
    for (const int level : {0, 17}) {
      const SurroundFindings found =
          inspect_surround(rounded(false, radius, level).view(), rounded(true, radius, level).view());
      EXPECT_GE(found.percent, 2) << radius;
      const Rect& inner = found.inner;
      for (const int x : {inner.x, inner.x + inner.width - 1})
        for (const int y : {inner.y, inner.y + inner.height - 1})
          EXPECT_LE((x - 120) * (x - 120) + (y - 90) * (y - 90), radius * radius) << radius;
      EXPECT_GE(inner.width * inner.height, radius * radius) << radius;
    }
  EXPECT_GT(inspect_surround(as_words(rounded(false, 88)).view(), as_words(rounded(true, 88)).view()).percent, 0);
}

TEST(InspectSurround, OthersHaveNone) {
  const auto percent = [](const Picture& left, const Picture& right) {
    return inspect_surround(left.view(), right.view()).percent;
  };
  EXPECT_EQ(percent(inspect_test::view(false), inspect_test::view(true)), 0);
  EXPECT_EQ(percent(rounded(false, 88), inspect_test::view(true)), 0) << "one alone";
  EXPECT_EQ(percent(rounded(false, 88), rounded(true, 88, 0, 110)), 0) << "a hole in the scene";
  EXPECT_EQ(percent(Picture(240, 180, 0), Picture(240, 180, 0)), 0) << "flat";
  const auto framed = [](bool right) {
    const Picture scene = inspect_test::view(right);
    return made(scene.size(), [&](int x, int y) {
      return std::min(std::min(x, 239 - x), std::min(y, 179 - y)) < 20 ? 0 : int{scene(x, y)};
    });
  };
  EXPECT_EQ(percent(framed(false), framed(true)), 0) << "bars";
  EXPECT_ERROR(inspect_surround(Picture(240, 180, 7).view(), Picture(241, 180, 7).view()), ErrorCode::invalid_argument,
               "left is 240x180 and right 241x180");
}

// --- smear ---

Picture smeared(int length, bool along = true) {
  return made({320, 180}, [=](int x, int y) {
    int sum = 0;
    for (int i = 0; i < length; ++i) sum += inspect_test::hash(along ? x + i : x, along ? y : y + i);
    return (sum + length / 2) / length;
  });
}

TEST(InspectSmear, TellsTheLength) {
  for (const int length : {13, 21, 31, 45}) EXPECT_NEAR(inspect_smear(smeared(length).view()), length, 2) << length;
  EXPECT_NEAR(inspect_smear(as_words(smeared(21)).view()), 21, 2);
}

TEST(InspectSmear, OthersAreSharp) {
  EXPECT_EQ(inspect_smear(inspect_test::view(false).view()), 0);
  EXPECT_EQ(inspect_smear(smeared(1).view()), 0);
  EXPECT_EQ(inspect_smear(smeared(21, false).view()), 0) << "along columns";
  EXPECT_EQ(inspect_smear(made({320, 180}, [](int x, int y) { return inspect_test::texture(x / 8.0, y); }).view()), 0)
      << "stripes";
  EXPECT_EQ(inspect_smear(made({320, 180}, [](int x, int y) { return 90 + (x / 16 % 2) * 20 + y % 16; }).view()), 0)
      << "a pattern";
  EXPECT_EQ(inspect_smear(Picture(320, 180, 8).view()), 0);
  EXPECT_EQ(inspect_smear(Picture(100, 180, 8).view()), 0);
}

// --- bytes ---

/// Two frames of bytes, of `width` each row, given as grey.
RawVideoFindings look_at_bytes(const std::vector<std::uint8_t>& frame, Size size) {
  std::vector<std::uint8_t> bytes = frame;
  bytes.insert(bytes.end(), frame.begin(), frame.end());
  return inspect_raw_video(bytes, {size, std::ssize(frame), 1, 1});
}

/// Samples of 10 or 12 bits, packed: the upper eight bits of four or two, and then the lower ones of all.
std::vector<std::uint8_t> packed_samples(Size size, int bits, bool noisy) {
  std::vector<std::uint8_t> bytes;
  const int group = bits == 10 ? 4 : 2;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; x += group) {
      int lower = 0;
      for (int i = 0; i < group; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(inspect_test::texture(x + i, y)));
        lower |= (noisy ? inspect_test::hash(x + i, y + 999) & ((1 << (bits - 8)) - 1) : 0) << (bits - 8) * i;
      }
      bytes.push_back(static_cast<std::uint8_t>(lower));
    }
  return bytes;
}

TEST(InspectRawVideo, PackedSamplesReadAsGreyAreTold) {
  for (const int bits : {10, 12})
    for (const bool noisy : {true, false}) {
      if (bits == 12 && !noisy) continue;
      const Size size{bits == 10 ? 200 : 240, 120};
      const RawVideoFindings found = look_at_bytes(packed_samples({160, 120}, bits, noisy), size);
      EXPECT_EQ(found.problem, RawVideoProblem::packed_bits) << bits;
      EXPECT_EQ(found.step, bits);
    }
}

TEST(InspectRawVideo, TilesReadAsGreyAreTold) {
  for (const int side : {8, 16, 32, 64}) {
    const Size size{256, 128};
    std::vector<std::uint8_t> bytes;
    for (int top = 0; top < size.height; top += side)
      for (int left = 0; left < size.width; left += side)
        for (int y = top; y < top + side; ++y)
          for (int x = left; x < left + side; ++x)
            bytes.push_back(static_cast<std::uint8_t>(inspect_test::texture(x, y)));
    const RawVideoFindings found = look_at_bytes(bytes, size);
    EXPECT_EQ(found.problem, RawVideoProblem::tiles) << side;
    EXPECT_EQ(found.step, side);
  }
}

// --- orders of pixels ---

TEST(InspectRearranged, TellsGroupsInReverseOrderAndThoseThatChangedPlaces) {
  for (const int size : {2, 4, 8, 16, 32})
    for (const bool rows : {false, true})
      for (const bool reversed : {false, true}) {
        if (!reversed && size == 32) continue;  // too few of them
        const auto moved = [=](int at) {
          return reversed ? at / size * size + size - 1 - at % size : (at / size ^ 1) * size + at % size;
        };
        const Picture picture = made(
            {256, 256}, [&](int x, int y) { return inspect_test::texture(rows ? x : moved(x), rows ? moved(y) : y); });
        const Rearranged found = inspect_rearranged(picture.view());
        EXPECT_EQ(found.order, reversed ? PixelOrder::reversed : PixelOrder::exchanged) << size << rows;
        EXPECT_EQ(found.size, size);
        EXPECT_EQ(found.rows, rows);
        EXPECT_EQ(inspect_rearranged(as_words(picture).view()).size, size);
      }
}

TEST(InspectRearranged, TellsHalvesThatAreMirrored) {
  const auto order_of = [](auto moved) {
    return inspect_rearranged(made({200, 160}, [&](int x, int y) { return inspect_test::texture(moved(x), y); }).view())
        .order;
  };
  EXPECT_EQ(order_of([](int x) { return x < 100 ? 99 - x : x; }), PixelOrder::mirrored_first);
  EXPECT_EQ(order_of([](int x) { return x < 100 ? x : 299 - x; }), PixelOrder::mirrored_second);
  EXPECT_EQ(order_of([](int x) { return x < 100 ? 99 - x : 299 - x; }), PixelOrder::mirrored_halves);
  EXPECT_EQ(order_of([](int x) { return x % 100; }), PixelOrder::as_taken) << "the same half twice";
}

TEST(InspectRearranged, TellsRowsThatComeAgain) {
  const auto found_in = [](int rows, int first, int last) {
    const Picture picture =
        made({200, 160}, [=](int x, int y) { return inspect_test::texture(x, y >= first && y < last ? y - rows : y); });
    const Rearranged found = inspect_rearranged(picture.view());
    EXPECT_EQ(inspect_rearranged(as_words(picture).view()).order, found.order) << rows << first;
    return found;
  };
  for (const int last : {76, 100, 140}) {
    const Rearranged found = found_in(40, 60, last);
    EXPECT_EQ(found.order, PixelOrder::repeated) << last;
    // Rows from 100 on stand there alone, and a few show nothing.
    EXPECT_GE(found.size, last == 76 ? 16 : 32) << last;
    EXPECT_LE(found.size, std::min(last, 100) - 60) << last;
    EXPECT_TRUE(found.rows);
  }
  EXPECT_EQ(found_in(40, 60, 75).order, PixelOrder::as_taken) << "15 rows";
  EXPECT_EQ(
      inspect_rearranged(made({200, 160}, [](int x, int y) { return inspect_test::texture(x, y % 40); }).view()).order,
      PixelOrder::as_taken)
      << "a pattern that repeats all the way";
}

TEST(InspectRearranged, OthersAreAsTaken) {
  const auto is_as_taken = [](const Picture& picture) {
    return inspect_rearranged(picture.view()).order == PixelOrder::as_taken;
  };
  EXPECT_TRUE(is_as_taken(inspect_test::view(false)));
  EXPECT_TRUE(is_as_taken(Picture(240, 180, 9)));
  EXPECT_TRUE(is_as_taken(made({240, 180}, [](int x, int y) { return inspect_test::hash(x, y); }))) << "noise";
  for (const int period : {3, 7, 15, 31})
    EXPECT_TRUE(is_as_taken(made({240, 180}, [=](int x, int) { return x % period * 240 / period; }))) << period;
  for (const int block : {8, 16})
    EXPECT_TRUE(is_as_taken(made({240, 180},
                                 [=](int x, int y) {
                                   return inspect_test::texture(x, y) / 8 +
                                          inspect_test::texture(x / block * block, y / block * block);
                                 })))
        << "blocks of " << block;
}

}  // namespace
}  // namespace vergence
