// SPDX-License-Identifier: Apache-2.0
// Pairs whose cameras, files or overlays are at fault: one line each, with the cure.
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

using Picture = Image<std::uint8_t>;

class FaultyPairs : public testing::Test {
 protected:
  /// What `stereo` says of the scene, once both pictures are changed so.
  std::string said_of(const std::function<void(Picture&, bool right)>& change, bool strict = false,
                      const std::vector<std::string>& more = {}) {
    for (const bool right : {false, true}) {
      Picture picture = inspect_test::view(right);
      change(picture, right);
      scratch.write(right ? "right.pgm" : "left.pgm",
                    pgm(picture.width(), picture.height(), 255, [&](int x, int y) { return int{picture(x, y)}; }));
    }
    return said_of_pair(scratch, strict, more);
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

TEST_F(FaultyPairs, BuffersOfNv12AsGreyPictures) {
  const auto add_chroma = [](Picture& picture, bool right) {
    for (int y = picture.height() * 2 / 3; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const int at = inspect_test::texture(x / 2 * 2 + (right ? 6 : 0), 2 * y) / 4;
        picture(x, y) = static_cast<std::uint8_t>(x % 2 == 0 ? 96 + at : 160 - at);
      }
  };
  const std::string said = said_of(add_chroma);
  EXPECT_NE(
      said.find("left picture left.pgm shows the planes of 4:2:0 below the picture, in its lowest third, as where "
                "a buffer of NV12"),
      std::string::npos)
      << said;
  EXPECT_NE(said.find("crop=240:120:0:0"), std::string::npos) << said;
  said_of(add_chroma, true);
}

TEST_F(FaultyPairs, APartInLargePixels) {
  const auto spoil = [](bool in_left) {
    return [in_left](Picture& picture, bool right) {
      for (int y = 60; y < 120 && (in_left || right); ++y)
        for (int x = 60; x < 160; ++x) picture(x, y) = picture(60 + (x - 60) / 10 * 10, 60 + (y - 60) / 10 * 10);
    };
  };
  const std::string said = said_of(spoil(true));
  EXPECT_NE(said.find("a part of both pictures is in large pixels"), std::string::npos) << said;
  EXPECT_NE(said.find("disparities there are those of the squares"), std::string::npos) << said;
  const std::string of_one = said_of(spoil(false));
  EXPECT_NE(of_one.find("a part of right picture right.pgm is in large pixels"), std::string::npos) << of_one;
  said_of(spoil(true), true);
}

/// Slopes with little texture: what differs by a few levels matches elsewhere on the slope.
TEST_F(FaultyPairs, BrightnessThatDiffersByLittle) {
  const auto slopes = [](double gain) {
    return [gain](Picture& picture, bool right) {
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
          const int at = x + (right ? 6 : 0);
          const double value = 130 + 70 * std::sin(at / 30.0) + inspect_test::hash(at, y) / 20.0;
          picture(x, y) = static_cast<std::uint8_t>(std::lround(right ? gain * value : value));
        }
    };
  };
  EXPECT_EQ(said_of(slopes(1)), "");
  const std::string said = said_of(slopes(0.98));
  EXPECT_NE(said.find("the map is wrong at many places"), std::string::npos) << said;
  EXPECT_NE(said.find("give --preset quality, or --cost census-9x7"), std::string::npos) << said;
  said_of(slopes(0.98), true);
  EXPECT_EQ(said_of(slopes(0.98), false, {"--preset", "quality"}), "");
}

TEST_F(FaultyPairs, RowsThatWereLost) {
  const auto lose = [](Picture& picture, bool right) {
    for (int y = 20; y < picture.height() && right; y += 25)
      std::fill_n(picture.row(y), picture.width(), std::uint8_t{0});
  };
  const std::string said = said_of(lose);
  EXPECT_NE(said.find("right picture right.pgm has 7 rows of one grey level amid others, such as row 20"),
            std::string::npos)
      << said;
  said_of(lose, true);
}

TEST_F(FaultyPairs, ViewsInEverySecondColumn) {
  const auto mix = [](Picture& picture, bool right) {
    const Picture other = inspect_test::view(!right);
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 1; x < picture.width(); x += 2) picture(x, y) = other(x, y);
  };
  const std::string said = said_of(mix);
  EXPECT_NE(said.find("both pictures' columns are those of two pictures in turn"), std::string::npos) << said;
  said_of(mix, true);
}

TEST_F(FaultyPairs, PrincipalPointsFarApart) {
  const auto with = [this](const char* doffs) {
    return said_of([](Picture&, bool) {}, false,
                   {"--focal", "240", "--baseline", "0.1", "--doffs", doffs, "--depth", "depth.pfm"});
  };
  EXPECT_EQ(with("60"), "");
  EXPECT_NE(with("180").find("doffs is 180 px, and the pictures are 240 px wide"), std::string::npos);
}

TEST_F(FaultyPairs, BlocksOfCompression) {
  const std::string said = said_of([](Picture& picture, bool) {
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const int middle = picture(x / 8 * 8 + 4, std::min(y / 8 * 8 + 4, picture.height() - 1));
        picture(x, y) =
            static_cast<std::uint8_t>(x % 8 == 4 || y % 8 == 4 ? middle : middle + (picture(x, y) - middle) / 5);
      }
  });
  EXPECT_NE(said.find("both pictures show the blocks of strong compression: steps between blocks of 8x8 px are"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("save them with less of it, as JPEG of quality 75"), std::string::npos) << said;
}

/// That leaves squares of one level, as decoders do that lose some.
TEST_F(FaultyPairs, BlocksOfCompressionThatSeemToBeLost) {
  const std::string said = said_of([](Picture& picture, bool right) {
    Picture as_it_was(picture.size());
    for (int y = 0; y < picture.height(); ++y) std::copy_n(picture.row(y), picture.width(), as_it_was.row(y));
    for (int y = 0; !right && y < picture.height() / 16 * 16; ++y)
      for (int x = 0; x < picture.width() / 16 * 16; ++x) {
        const int side = (x / 16 + 2 * (y / 16)) % 5 == 0 ? 16 : 8;
        const int middle = as_it_was(x / side * side + 4, y / side * side + 4);
        picture(x, y) = static_cast<std::uint8_t>(side == 16 ? middle : middle + (as_it_was(x, y) - middle) / 5);
      }
  });
  EXPECT_NE(said.find("was compressed strongly: steps between blocks of 8x8 px are"), std::string::npos) << said;
}

TEST_F(FaultyPairs, APatternOfColumns) {
  const std::string said = said_of([](Picture& picture, bool right) {
    for (int y = 0; right && y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        picture(x, y) = static_cast<std::uint8_t>(picture(x, y) + inspect_test::hash(x, 77) / 4 - 16);
  });
  EXPECT_NE(said.find("the right picture has a pattern of columns that the left one has not"), std::string::npos)
      << said;
  EXPECT_NE(said.find("subtract the mean of pictures of an even wall"), std::string::npos) << said;
}

TEST_F(FaultyPairs, ALostBit) {
  const auto change = [](auto pixel) {
    return [pixel](Picture& picture, bool right) {
      for (int y = 0; right && y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) picture(x, y) = static_cast<std::uint8_t>(pixel(picture(x, y)));
    };
  };
  const std::string said = said_of(change([](int pixel) { return pixel & 127; }));
  EXPECT_NE(said.find("right picture right.pgm has lost the upper bit of its pixels: none is above 127"),
            std::string::npos)
      << said;
  EXPECT_EQ(said_of(change([](int pixel) { return pixel / 2; })).find("upper bit"), std::string::npos) << "dark";
}

TEST_F(FaultyPairs, RowsThatJitter) {
  const std::string said = said_of([](Picture& picture, bool right) {
    for (int y = 0; right && y < picture.height(); ++y) {
      std::uint8_t* const row = picture.row(y);
      std::rotate(row, row + inspect_test::hash(y, 5) % 7, row + picture.width());
    }
  });
  EXPECT_NE(said.find("rows of one picture lie beside their neighbours, each by another number of px"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("capture them through a time base corrector"), std::string::npos) << said;
}

TEST_F(FaultyPairs, EnlargedInBlocks) {
  const auto enlarge = [](Picture& picture, int side) {
    for (int y = picture.height() - 1; y >= 0; --y)
      for (int x = picture.width() - 1; x >= 0; --x) picture(x, y) = picture(x / side, y / side);
  };
  std::string said = said_of([&](Picture& picture, bool) { enlarge(picture, 2); });
  EXPECT_NE(said.find("left picture left.pgm and right picture right.pgm are enlarged without interpolation: they are "
                      "made of blocks of 2x2 px that are alike"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("give both as before, in 120x90 px"), std::string::npos) << said;
  said = said_of([&](Picture& picture, bool right) { enlarge(picture, right ? 3 : 1); }, true);
  EXPECT_NE(said.find("right picture right.pgm is enlarged without interpolation: it is made of blocks of 3x3 px "
                      "that are alike, and the other one is not"),
            std::string::npos)
      << said;
}

TEST_F(FaultyPairs, AreasWithoutTexture) {
  const auto sky = [](Picture& picture, bool) {
    for (int y = 0; y < 64; ++y) std::fill_n(picture.row(y), picture.width(), std::uint8_t{200});
    picture(0, 0) = 190;  // no bar
  };
  EXPECT_EQ(said_of(sky), "") << "windows find nothing there";
  const std::string said = said_of(sky, false, {"--preset", "quality"});
  EXPECT_NE(said.find("an area without texture gets the disparities of what surrounds it: 3"), std::string::npos)
      << said;
  EXPECT_NE(said.find("carried there by semi-global matching: give --texture 10"), std::string::npos) << said;
  EXPECT_EQ(said_of(sky, false, {"--preset", "quality", "--texture", "10"}), "");
}

TEST_F(FaultyPairs, Letterboxes) {
  const auto bars = [](Picture& picture, bool) {
    for (int y = 0; y < picture.height(); ++y)
      if (y < 24 || y >= 160) std::fill_n(picture.row(y), picture.width(), std::uint8_t{16});
  };
  // Windows find nothing there but at the inner edges: 2 rows of 184, then 8.
  EXPECT_EQ(said_of(bars, false, {"--window", "3"}), "");
  for (const char* const preset : {"default", "quality", "fast"}) {
    const std::string said = said_of(bars, false, {"--preset", preset});
    EXPECT_NE(said.find("bars of one grey level lie at the edges of both pictures"), std::string::npos) << said;
    EXPECT_NE(said.find("crop the pictures, or give --roi 0,24,240,136"), std::string::npos) << said;
    EXPECT_EQ(said_of(bars, false, {"--preset", preset, "--roi", "0,24,240,136"}), "");
  }
}

TEST_F(FaultyPairs, BothBlurred) {
  const std::string said = said_of([](Picture& picture, bool) {
    for (int turn = 0; turn < 3; ++turn)
      for (const bool along : {false, true}) {
        const Picture from = picture.clone();
        for (int y = 0; y < picture.height(); ++y)
          for (int x = 0; x < picture.width(); ++x) {
            int sum = 0;
            for (int d = -5; d <= 5; ++d)
              sum += from(std::clamp(x + (along ? d : 0), 0, picture.width() - 1),
                          std::clamp(y + (along ? 0 : d), 0, picture.height() - 1));
            picture(x, y) = static_cast<std::uint8_t>((sum + 5) / 11);
          }
      }
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        picture(x, y) = static_cast<std::uint8_t>(std::clamp(4 * (picture(x, y) - 128) + 128, 0, 255));
  });
  EXPECT_NE(said.find("both pictures are blurred: steps over four pixels are 3."), std::string::npos) << said;
}

TEST_F(FaultyPairs, TurnedBothAlike) {
  const std::string by_180 = said_of([](Picture& picture, bool) {
    const Picture from = picture.clone();
    for (int y = 0; y < picture.height(); ++y)
      std::reverse_copy(from.row(y), from.row(y) + from.width(), picture.row(picture.height() - 1 - y));
  });
  EXPECT_NE(by_180.find("left and right seem to be exchanged"), std::string::npos) << by_180;
  EXPECT_NE(by_180.find("or turn both by 180 degrees where they are upside down"), std::string::npos) << by_180;
  const std::string by_90 = said_of([](Picture& picture, bool) {
    const Picture from = picture.clone();
    picture = Picture(Size{from.height(), from.width()});
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) picture(x, y) = from(from.width() - 1 - y, x);
  });
  EXPECT_NE(by_90.find("the pair is not rectified"), std::string::npos) << by_90;
  EXPECT_NE(by_90.find("or turn both by 90 degrees where the cameras lie above each other in them"), std::string::npos)
      << by_90;
}

TEST_F(FaultyPairs, TextureThatRepeats) {
  const std::string said = said_of([](Picture& picture, bool right) {
    for (int y = 60; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        picture(x, y) = static_cast<std::uint8_t>(60 + inspect_test::hash((x + (right ? 7 : 0)) % 8, y / 3));
  });
  EXPECT_NE(said.find("texture repeats within the range: "), std::string::npos) << said;
  EXPECT_NE(said.find("sample points match as well 8 px away in the median"), std::string::npos) << said;
  EXPECT_NE(said.find("or --preset quality, and --uniqueness to leave out"), std::string::npos) << said;
}

}  // namespace
}  // namespace vergence::cli_test
