// SPDX-License-Identifier: Apache-2.0
// Video of which something stays in place, is noise, or stands at another place than it was.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

constexpr Size still_size{240, 180};
using StillValue = std::function<int(int frame, int x, int y)>;

int pan(int frame, int x, int y) { return inspect_test::texture(x - 2 * frame, y - frame); }
int grain(int frame, int x, int y) { return inspect_test::hash(x + 1000 * frame, y); }

class DoubtfulStill : public testing::Test {
 protected:
  void write(const StillValue& value, int frames = 9) const {
    for (int i = 0; i < frames; ++i) {
      Image<std::uint8_t> picture(still_size);
      for (int y = 0; y < still_size.height; ++y)
        for (int x = 0; x < still_size.width; ++x)
          picture(x, y) = static_cast<std::uint8_t>(std::clamp(value(i, x, y), 0, 255));
      write_picture(scratch.path(fmt::format("f_{}.png", i)), picture.view());
    }
  }
  std::vector<std::string> warnings(const char* command) const {
    const Result result = scratch.run({command, "f_%d.png", "--preset", "fast", "--json"});
    EXPECT_EQ(result.status, 0) << result.err;
    std::vector<std::string> lines;
    const Json report = Json::parse(result.out);
    for (const Json& line : report["warnings"].elements()) lines.push_back(line.get<std::string>());
    return lines;
  }
  void expect(const std::string& words, const char* command = "motion") const {
    const std::vector<std::string> lines = warnings(command);
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return holds(line, words); }))
        << words << " in " << fmt::format("{}", fmt::join(lines, "\n"));
    EXPECT_EQ(scratch.run({command, "f_%d.png", "--preset", "fast", "--strict"}).status, 1);
  }
  const Scratch scratch;
};

TEST_F(DoubtfulStill, NothingIsSaidOfAScene) {
  write(pan);
  EXPECT_EQ(warnings("motion"), std::vector<std::string>{});
  EXPECT_EQ(warnings("track"), std::vector<std::string>{});
}

TEST_F(DoubtfulStill, APatternOfColumns) {
  write([](int frame, int x, int y) { return pan(frame, x, y) + inspect_test::hash(x, 7) % 21 - 10; });
  expect("has a pattern that stays in place where the scene moves");
}

TEST_F(DoubtfulStill, APartThatHung) {
  write([](int frame, int x, int y) { return pan(x < 96 ? std::min(frame, 3) : frame, x, y); });
  expect("stands still, bit for bit, while all around it moves: 96x176 px from (0, 0) on");
}

/// What stands still before a scene that moves, whatever it is; once that is all that the scene does, too.
TEST_F(DoubtfulStill, WhatStandsBeforeTheScene) {
  const char* const words = "something stands still in f_%d.png while the scene moves";
  const auto scene = [](int frame, int x, int y) { return pan(4 * frame, x, y); };
  const auto is_spot = [](int x, int y) { return x % 48 < 12 && y % 40 < 12; };
  write([&](int frame, int x, int y) { return is_spot(x, y) ? 30 : scene(frame, x, y); });
  expect(words);
  expect(words, "track");
  const auto shade = [](int x, int y) { return 1 - 0.7 * ((x - 120) * (x - 120) + (y - 90) * (y - 90)) / 22500.0; };
  write([&](int frame, int x, int y) { return static_cast<int>(scene(frame, x, y) * shade(x, y)); });
  expect(words);
  write([&](int frame, int x, int y) { return scene(frame, x, y) + static_cast<int>(25 * std::sin((x + y) / 4.0)); });
  expect(words);
  write([&](int frame, int x, int y) { return scene(0, x, y) + grain(frame, x, y) / 16; });  // all stands
  EXPECT_EQ(warnings("motion"), std::vector<std::string>{});
  write([&](int frame, int x, int y) {  // the camera follows something
    return x > 90 && x < 150 && y > 60 && y < 120 ? pan(0, x + 300, y) + grain(frame, x, y) / 64 : scene(frame, x, y);
  });
  EXPECT_EQ(warnings("motion"), std::vector<std::string>{});
}

TEST_F(DoubtfulStill, WavesThatRun) {
  write([](int frame, int x, int y) {
    return pan(4 * frame, x, y) + static_cast<int>(25 * std::sin((x + y) / 2.0 + 1.3 * frame));
  });
  expect("a regular pattern lies all over frame 0 of f_%d.png, with a period of 13 px along rows");
}

TEST_F(DoubtfulStill, RowsThatWrap) {
  write([](int frame, int x, int y) { return pan(frame, frame < 4 ? x : (x + 70) % still_size.width, y); });
  expect("from frame 4 on, rows of f_%d.png begin amid the frame, at column 170");
}

/// One frame alone: of several, their seams tell.
TEST_F(DoubtfulStill, AFrameThatRolls) {
  write([](int frame, int x, int y) { return pan(frame, x, frame == 8 ? (y + 40) % still_size.height : y); });
  expect(
      "frame 8 of f_%d.png lies 39 px higher than the one before, and what left it comes in again at the other edge");
}

TEST_F(DoubtfulStill, APartThatIsMissing) {
  write([](int frame, int x, int y) {
    return frame == 4 && x >= 64 && x < 160 && y >= 48 && y < 112 ? 16 : pan(frame, x, y);
  });
  expect("a part of frame 4 of f_%d.png has one grey level, as in neither frame beside it: 96x64 px from (64, 48) on");
}

TEST_F(DoubtfulStill, APartThatHungInALaterFrame) {
  write([](int frame, int x, int y) { return pan(5 * (frame == 6 && x < 96 ? 5 : frame), x, y); });
  expect("a part of frame 6 of f_%d.png stands still, bit for bit");
}

TEST_F(DoubtfulStill, PlanesInPlaceOfPixels) {
  write([](int frame, int x, int y) {
    return pan(frame, x % (still_size.width / 3) * 3, 3 * y % still_size.height + x / (still_size.width / 3));
  });
  expect("shows colour planes in place of pixels");
}

TEST_F(DoubtfulStill, NoiseOfRows) {
  write([](int frame, int x, int y) { return pan(frame, x, y) + grain(frame, 7, y) / 4 - 16; });
  expect("has noise of whole rows, which change by ");
}

TEST_F(DoubtfulStill, BarsThatRoll) {
  write([](int frame, int x, int y) {
    return static_cast<int>(pan(frame, x, y) * (1 + 0.15 * std::sin(y / 20.0 + 2 * frame)));
  });
  expect("bars of light and dark roll through the frames of f_%d.png");
}

TEST_F(DoubtfulStill, BlocksOfCompression) {
  write([](int frame, int x, int y) { return (3 * pan(frame, x / 8 * 8 + 4, y / 8 * 8 + 4) + pan(frame, x, y)) / 4; });
  expect("f_%d.png was compressed strongly: steps between blocks of 8x8 px are ");
}

TEST_F(DoubtfulStill, NoiseAloneOfAnyStrength) {
  write([](int frame, int x, int y) { return 2 * grain(frame, x, y); });
  expect("shows nothing but noise: neighbouring pixels are as unlike as any two are, and no frame");
  write([](int frame, int x, int y) { return 2 * grain(0, x - 3 * frame + 100, y); });  // dots that move
  EXPECT_EQ(warnings("motion"), std::vector<std::string>{});
}

TEST_F(DoubtfulStill, FramesThatComeAgain) {
  write([](int frame, int x, int y) { return pan(frame % 4 == 3 ? frame + 2 : frame, x, y); }, 12);
  expect("frame 5 of f_%d.png is the same as frame 3, and what lies between is not (2 such frames were seen)");
  write([](int frame, int x, int y) { return pan(frame < 6 ? frame : 12 - frame, x, y); }, 12);  // and back
  EXPECT_EQ(warnings("motion"), std::vector<std::string>{});
}

TEST_F(DoubtfulStill, PaddedColumns) {
  write([](int frame, int x, int y) { return pan(frame, std::min(x, 219), y); });
  expect(
      "lines at the edges of f_%d.png repeat the outermost one, as padding does (left 0, top 0, right 20, bottom 0 "
      "px)");
}

/// Which is far from all others, and tells nothing of their order.
TEST_F(DoubtfulStill, AFrameThatIsDark) {
  write([](int frame, int x, int y) { return pan(frame, x, y) / (frame % 3 == 2 ? 4 : 1); });
  const std::vector<std::string> lines = warnings("motion");
  ASSERT_EQ(lines.size(), 1u) << fmt::format("{}", fmt::join(lines, "\n"));
  EXPECT_TRUE(holds(lines.front(), "grey levels darker as a whole than the one before")) << lines.front();
}

TEST_F(DoubtfulStill, AFrameThatBelongsElsewhere) {
  write(
      [](int frame, int x, int y) {
        return inspect_test::texture(x - (frame == 2 ? 6 : frame < 2 ? frame : frame - 1), y);
      },
      7);
  expect("frame 2 of f_%d.png is unlike both frames beside it, and like frame 6: it seems to belong there");
}

TEST_F(DoubtfulStill, AFrameThatIsFlipped) {
  write([](int frame, int x, int y) { return pan(frame, x, frame == 3 ? still_size.height - 1 - y : y); }, 12);
  expect("frame 3 of f_%d.png is upside down");
  write([](int frame, int x, int y) { return pan(frame, frame < 5 ? x : still_size.width - 1 - x, y); }, 12);
  expect("frame 5 of f_%d.png is mirrored", "track");
}

TEST_F(DoubtfulStill, NoiseOverAllAndInAPart) {
  write([](int frame, int x, int y) { return pan(frame, x, y) + grain(frame, x, y) - 64; });
  expect("is noisy, by");
  write([](int frame, int x, int y) { return x < 192 ? pan(frame, x, y) : 2 * grain(frame, x, y); });
  expect("about columns 192 .. 239 of f_%d.png show noise alone");
}

TEST_F(DoubtfulStill, FewGreyLevels) {
  write([](int frame, int x, int y) { return pan(frame, x, y) / 48 * 48; });
  expect("grey levels of 256, and the edges between them");
}

TEST_F(DoubtfulStill, PlanesOfColourReadAsGrey) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    for (int y = 0; y < still_size.height; ++y)
      for (int x = 0; x < still_size.width; ++x)
        bytes += static_cast<char>(inspect_test::texture((x - 2 * i) / 4.0, y / 4.0));
    for (int plane = 0; plane < 2; ++plane)
      for (int y = 0; y < still_size.height / 2; ++y)
        for (int x = 0; x < still_size.width / 2; ++x)
          bytes += static_cast<char>(inspect_test::texture((x - i) / 4.0 + 500 * plane, y / 4.0));
  }
  scratch.write("clip.yuv", bytes);
  const auto run = [&](const char* size, const char* format) {
    return scratch.run({"motion", "clip.yuv", "--size", size, "--format", format, "--preset", "fast"});
  };
  const Result grey = run("240x270", "gray");
  EXPECT_TRUE(holds(grey.err, "give --size 240x180 --format yuv420p")) << grey.err;
  EXPECT_EQ(run("240x180", "yuv420p").err, "");
}

TEST_F(DoubtfulStill, PointsThatHoldOnToLetters) {
  write([](int frame, int x, int y) {
    return x / 30 % 3 == 0 && y / 30 % 3 == 0 ? 255 * ((x / 6 + y / 6) % 2) : pan(frame, x, y);
  });
  expect("stand still while most move by a pixel and more", "track");
}

/// Points that are followed across it are found by chance.
TEST_F(DoubtfulStill, ACut) {
  write([](int frame, int x, int y) { return pan(frame, frame < 5 ? x : x + 5000, y); });
  expect("frame 5 of f_%d.png shows another scene than the one before", "track");
  EXPECT_EQ(warnings("motion"), std::vector<std::string>{});  // whose report tells cuts
}

TEST_F(DoubtfulStill, AnExposureThatJumps) {
  write([](int frame, int x, int y) { return pan(frame, x, y) * (frame < 4 ? 10 : 15) / 10; });
  expect("frame 4 of f_%d.png is 1.47 times as bright as the one before", "track");
  write([](int frame, int x, int y) { return pan(frame, x, y) * (20 + frame) / 20; });  // dusk
  EXPECT_EQ(warnings("track").size(), 1u);                                              // which is told as such
}

TEST_F(DoubtfulStill, Telecine) {
  write(
      [](int frame, int x, int y) {
        constexpr int times[] = {0, 1, 1, 2, 3}, times_of_odd[] = {0, 1, 2, 3, 3};
        return pan(frame / 5 * 4 + (y % 2 == 0 ? times : times_of_odd)[frame % 5], x, y);
      },
      15);
  expect("was made of film by repeating fields (telecine, 3:2 pulldown): in 6 of its 15 frames, such as 2");
}

TEST_F(DoubtfulStill, EnlargementByNoWholeFactor) {
  write([](int frame, int x, int y) { return pan(frame, x * 2 / 3, y * 2 / 3); });
  expect("is enlarged without interpolation, about 1.49 times: 33 % of its columns and 33 % of its rows repeat");
}

/// Along both axes, between the middles of squares of so many px.
int enlarged_pan(int frame, int x, int y, int factor, bool cubic) {
  const auto weights = [=](int at) {
    const double from = (at - (factor - 1) / 2.0) / factor, t = from - std::floor(from), u = 1 - t;
    const std::array straight{0.0, u, t, 0.0};
    const std::array bent{-0.5 * t * u * u, 1 - 2.5 * t * t + 1.5 * t * t * t, 1 - 2.5 * u * u + 1.5 * u * u * u,
                          -0.5 * u * t * t};
    return std::pair{static_cast<int>(std::floor(from)), cubic ? bent : straight};
  };
  const auto [left, across] = weights(x);
  const auto [top, down] = weights(y);
  double sum = 0;
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t i = 0; i < 4; ++i)
      sum +=
          across[i] * down[j] * pan(frame, factor * (left + static_cast<int>(i)), factor * (top + static_cast<int>(j)));
  return static_cast<int>(std::lround(sum));
}

TEST_F(DoubtfulStill, EnlargementWithInterpolation) {
  write([](int frame, int x, int y) { return enlarged_pan(3 * frame, x, y, 4, false); }, 3);
  expect("is enlarged 4 times with interpolation: its slopes bend every 4 px");
  write([](int frame, int x, int y) { return enlarged_pan(3 * frame, x, y, 8, true); }, 3);
  expect("is enlarged 8 times with interpolation");
  write(
      [](int frame, int x, int y) {  // soft, by as much
        int sum = 0;
        for (int i = -4; i <= 4; ++i)
          for (int j = -4; j <= 4; ++j) sum += pan(3 * frame, 2 * (x + i), 2 * (y + j));
        return sum / 81;
      },
      3);
  EXPECT_EQ(warnings("motion"), std::vector<std::string>{});
}

TEST_F(DoubtfulStill, APartInLargePixels) {
  write([](int frame, int x, int y) {
    const bool inside = x >= 60 && x < 156 && y >= 36 && y < 108;
    return inside ? pan(4 * frame, x / 12 * 12, y / 12 * 12) : pan(4 * frame, x, y);
  });
  expect("a part of the frames of f_%d.png is in large pixels");
}

TEST_F(DoubtfulStill, BlocksOfH264) {
  write([](int frame, int x, int y) {
    return 60 + inspect_test::hash(x / 4 - frame, y / 4) + inspect_test::hash(x, y + 500 * frame) % 3;
  });
  expect("is made of blocks of 4x4 px that are alike: it was compressed strongly, as H.264 does it");
}

TEST_F(DoubtfulStill, LevelsThatWrap) {
  write([](int frame, int x, int y) { return 2 * pan(frame, x, y) % 256; });
  expect("grey levels of f_%d.png wrap");
}

TEST_F(DoubtfulStill, NearlyAllWhite) {
  write([](int frame, int x, int y) { return (pan(frame, x, y) - 64) * 16; });
  expect("of the pixels of f_%d.png have the largest value");
}

TEST_F(DoubtfulStill, HalvesThatAreMirrored) {
  write([](int frame, int x, int y) { return pan(frame, std::min(x, still_size.width - 1 - x), y); });
  expect("the right half of the frames of f_%d.png is the mirror image of the left one");
  write([](int frame, int x, int y) { return pan(frame, x, y % (still_size.height / 2)); });
  expect("the lower half of the frames of f_%d.png is the upper one once more");
}

TEST_F(DoubtfulStill, PlanesBesideEachOther) {
  write([](int frame, int x, int y) {
    return (6 * pan(frame, x, y) + 3 * pan(frame, x - 12, y) + pan(frame, x + 12, y)) / 10;
  });
  expect("what f_%d.png shows comes again 12 px to the right, in all of the picture");
}

TEST_F(DoubtfulStill, DarkBarsThatMove) {
  write([](int frame, int x, int y) { return x < 3 + 2 * (frame % 4) || y >= 170 ? 0 : pan(frame, x, y); });
  expect("dark bars at the edges of f_%d.png change (left 3 .. 9 px, top 0 .. 0, right 0 .. 0, bottom 10 .. 10)");
  write([](int frame, int x, int y) { return y < 20 || y >= 160 ? 0 : pan(frame, x, y); });  // a letterbox
  EXPECT_EQ(warnings("track"), std::vector<std::string>{});
}

TEST_F(DoubtfulStill, AFocusThatHunts) {
  write([](int frame, int x, int y) {
    const int side = frame / 2 % 2 == 0 ? 0 : 3;
    int sum = 0;
    for (int i = -side; i <= side; ++i)
      sum += pan(frame, x + i, y) + inspect_test::hash(x + i - 2 * frame, y - frame) / 8;
    return sum / (2 * side + 1);
  });
  expect("the sharpness of f_%d.png falls and rises 4 times");
}

TEST_F(DoubtfulStill, FramesThatHoldThoseBefore) {
  const auto mixed = [](int percent) {
    return [percent](int frame, int x, int y) {
      double value = pan(0, x, y);
      for (int i = 1; i <= frame; ++i) value = (percent * value + (100 - percent) * pan(i, x, y)) / 100;
      return static_cast<int>(value);
    };
  };
  for (const int percent : {50, 75}) {
    write(mixed(percent));
    expect("frames of f_%d.png hold a part of those before them");
  }
}

TEST_F(DoubtfulStill, TheOrderOfDecoding) {
  write(
      [](int frame, int x, int y) {
        constexpr int later[] = {2, 0, 1};
        return frame == 0 ? pan(0, x, y) : pan((frame - 1) / 3 * 3 + 1 + later[(frame - 1) % 3], x, y);
      },
      13);
  expect(
      "seem to be in the order in which video is decoded, not in that in which they were taken: each would follow the "
      "one before by a smaller step in the order 0 2 3 1 5 6 4");
}

TEST_F(DoubtfulStill, NamesSortedAsText) {
  write(
      [](int frame, int x, int y) {
        constexpr int order[] = {1, 10, 11, 12, 13, 2, 3, 4, 5, 6, 7, 8, 9};
        return pan(order[frame], x, y);
      },
      13);
  expect(
      "seem to be those of names that were sorted as text (10 behind 1, not behind 9): frame 6 would follow frame 5");
}

}  // namespace
}  // namespace vergence::cli_test
