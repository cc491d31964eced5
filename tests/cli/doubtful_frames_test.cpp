// SPDX-License-Identifier: Apache-2.0
// Video whose frames show less than they could: few levels, noise alone, a part that is missing, frames in turn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;
constexpr Size frame_size{160, 128};

/// The value of a pixel of a frame.
using Value = std::function<double(int frame, int x, int y)>;

double scene(int frame, int x, int y) { return inspect_test::texture(x - 2 * frame, y - frame); }

class DoubtfulFrames : public testing::Test {
 protected:
  template <class Pixel = std::uint8_t>
  void write(const Value& value, int frames = 8, Size size = frame_size) const {
    for (int i = 0; i < frames; ++i) {
      Image<Pixel> picture(size);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<Pixel>(value(i, x, y));
      write_picture(scratch.path(fmt::format("f_{}.png", i)), picture.view());
    }
  }
  /// One warning that holds these words, an error with --strict; or no warning.
  void expect(const Words& words, const Words& more = {}) const {
    for (const char* command : {"motion", "track"}) {
      if (!words.empty() && command[0] == 't') continue;
      Words run{command, "f_%d.png", "--preset", "fast", "--json"};
      run.insert(run.end(), more.begin(), more.end());
      const Result result = scratch.run(run);
      ASSERT_EQ(result.status, 0) << result.err;
      const Json warnings = Json::parse(result.out)["warnings"];
      std::string found;  // another line may tell that nothing was found
      for (const Json& line : warnings.elements())
        if (!words.empty() && holds(line.get<std::string>(), words[0])) found = line.get<std::string>();
      if (words.empty())
        EXPECT_EQ(warnings.size(), 0u) << result.err;
      else
        EXPECT_FALSE(found.empty()) << result.err;
      for (const std::string& word : words) EXPECT_TRUE(holds(found, word)) << word << " in " << result.err;
      run.push_back("--strict");
      EXPECT_EQ(scratch.run(run).status, words.empty() ? 0 : 1);
    }
  }
  const Scratch scratch;
};

TEST_F(DoubtfulFrames, HotPixels) {
  const auto is_hot = [](int x, int y) { return inspect_test::hash(x, y + 500) == 0; };  // one in 128
  write([&](int i, int x, int y) { return is_hot(x, y) ? 250 : scene(3 * i, x, y); });
  expect({"f_%d.png has single pixels that stand out at one place while what lies around them changes"});
}

TEST_F(DoubtfulFrames, OneThatIsCopiedOverAnother) {
  // A pan so fast that no two frames are alike.
  const auto pan = [](int i, int x, int y) { return static_cast<double>(inspect_test::texture(x - 14.0 * i, y)); };
  write([&](int i, int x, int y) { return pan(i == 10 ? 3 : i, x, y); }, 16);
  expect({"frames 3 and 10 of f_%d.png are the same, bit for bit, where all others move on"});
}

/// A dot that moves along its rows leaves the sums of their parts as they were.
TEST_F(DoubtfulFrames, NearlyEqualOnesAreNoCopies) {
  write(
      [&](int i, int x, int y) {
        const int dot = 6 + i;
        if (x >= 4 && x < 31 && y >= 40 && y < 80) return x >= dot && x < dot + 8 ? 230.0 : 40.0;
        return static_cast<double>(inspect_test::texture(x - 14.0 * (i == 10 ? 3 : i), y));
      },
      16);
  const Result run = scratch.run({"motion", "f_%d.png", "--preset", "fast"});
  EXPECT_EQ(run.err.find("are the same, bit for bit"), std::string::npos) << run.err;
}

/// Whose frames come again, as a loop does, and forwards and backwards.
TEST_F(DoubtfulFrames, LoopsAreNoCopies) {
  const auto pan = [](int i, int x, int y) { return static_cast<double>(inspect_test::texture(x - 14.0 * i, y)); };
  write([&](int i, int x, int y) { return pan(i < 8 ? i : 15 - i, x, y); }, 16);
  const Result back = scratch.run({"track", "f_%d.png", "--preset", "fast"});
  EXPECT_EQ(back.err.find("are the same, bit for bit"), std::string::npos) << back.err;
  write([&](int i, int x, int y) { return pan(i % 8, x, y); }, 16);
  const Result loop = scratch.run({"track", "f_%d.png", "--preset", "fast"});
  EXPECT_EQ(loop.err.find("are the same, bit for bit"), std::string::npos) << loop.err;
}

TEST_F(DoubtfulFrames, PixelsInAnotherOrderFromAFrameOn) {
  write([](int i, int x, int y) { return scene(i, x, i < 3 ? y : y / 8 * 8 + 7 - y % 8); });
  expect({"rows of frame 3 of f_%d.png stand in another order than they were taken: each 8 of them are in reverse"});
}

TEST_F(DoubtfulFrames, GoodOnes) {
  write(scene);
  expect({});
  write([](int i, int x, int y) { return scene(i, x, y) * 0.2; });  // dark, but not too dark
  expect({});
  write<std::uint16_t>([](int i, int x, int y) { return 257 * scene(i, x, y); });
  expect({});
  write<std::uint16_t>([](int i, int x, int y) { return 40 * scene(i, x, y); });  // 14 of 16 bits
  expect({});
}

TEST_F(DoubtfulFrames, FewLevels) {
  write<std::uint16_t>([](int i, int x, int y) { return 15 * scene(i, x, y); });
  expect({"f_%d.png uses 12 of its 16 bits: no pixel that was looked at is above", "give --max-value 4095"});
  expect({}, {"--max-value", "4095"});
  write<std::uint16_t>([](int i, int x, int y) { return 4 * scene(i, x, y); });
  expect({"uses 10 of its 16 bits", "give --max-value 1023"});
  write([](int i, int x, int y) { return scene(i, x, y) / 16; });
  expect({"of its 256 grey levels", "lutyuv=y=val*2"});
}

TEST_F(DoubtfulFrames, NoiseAlone) {
  std::mt19937 random(7);
  const auto noise = [&random](double deviation) {
    double sum = 0;  // of twelve: nearly a normal distribution
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() % 1024) / 1024 - 0.5;
    return sum * deviation;
  };
  for (const double deviation : {2.0, 5.0}) {
    write([&](int, int, int) { return std::clamp(40 + noise(deviation), 0.0, 255.0); });
    expect({"f_%d.png shows nothing but noise", "covers the lens"});
  }
  write([&](int i, int x, int y) { return std::clamp(scene(i, x, y) * 0.5 + 40 + noise(5), 0.0, 255.0); });
  expect({});
}

TEST_F(DoubtfulFrames, APartThatIsMissing) {
  const auto clip = [](int bad, int first) {
    return [bad, first](int i, int x, int y) { return i == bad && y >= first ? 128 : scene(i, x, y); };
  };
  write(clip(4, 64));
  expect({"frame 4 of f_%d.png lacks a part: about rows 68 .. 124", "leave it out by --frames"});
  write(clip(3, 96));
  expect({"frame 3 of f_%d.png lacks a part"});
  write([](int i, int x, int y) { return y >= 96 ? 16 : scene(i, x, y); });  // bars
  expect({});
  write([](int i, int x, int y) { return i >= 4 && y >= 96 ? 16 : scene(i, x, y); });  // that appear
  expect({"dark bars at the edges of f_%d.png change (left 0 .. 0 px, top 0 .. 0, right 0 .. 0, bottom 0 .. 32)"});
}

/// Of which fewer rows are looked at.
TEST_F(DoubtfulFrames, APartOfHighFramesThatIsMissing) {
  const auto clip = [](int bad) {
    return [bad](int i, int x, int y) { return i == bad && y >= 256 ? 128 : scene(i, x, y); };
  };
  write(clip(4), 6, {96, 528});
  expect({"frame 4 of f_%d.png lacks a part: about rows 264 .. 520"});
  write(clip(-1), 6, {96, 528});
  expect({});
}

TEST_F(DoubtfulFrames, FramesInTurn) {
  write([](int i, int x, int y) { return inspect_test::texture(x - 0.25 * i, y) * (i % 2 == 0 ? 1.0 : 0.6); });
  expect({"the frames of f_%d.png take turns", "two exposures"});
  write([](int i, int x, int y) { return inspect_test::texture(x + (i % 2) * 24 - 0.25 * i, y); });  // left and right
  expect({"the frames of f_%d.png take turns"});
  const auto move_on = [](int i, int x, int y) {
    return inspect_test::texture(x / 4.0 - 0.5 * i, y / 4.0 + i % 2 * 1.5);
  };
  write(move_on, 12);
  expect({"the frames of f_%d.png take turns"});
  write([](int i, int x, int y) { return scene(i * i / 3, x, y); });  // faster and faster
  EXPECT_FALSE(holds(scratch.run({"track", "f_%d.png"}).err, "take turns"));
}

TEST_F(DoubtfulFrames, Fades) {
  write([](int i, int x, int y) { return scene(i, x, y) * (i < 3 ? 1 : 1 - 0.18 * (i - 2)); });
  expect({"frames 2 .. 7 of f_%d.png become darker or brighter as a whole, as in a fade"});
  write([](int i, int x, int y) { return scene(i, x, y) * (i < 3 ? 1 : i == 3 ? 0.8 : 0.6); });  // a lamp
  expect({"frame 3 of f_%d.png is 25 grey levels darker as a whole than the one before"});
  EXPECT_EQ(scratch.run({"track", "f_%d.png"}).err, "") << "whose points follow it";
  // Another part of the scene comes into view, and is darker.
  write([](int i, int x, int y) { return scene(8 * i, x, y) * (x > 160 - 16 * i ? 0.5 : 1); });
  EXPECT_EQ(scratch.run({"motion", "f_%d.png", "--range", "24"}).err.find("as a whole"), std::string::npos);
}

TEST_F(DoubtfulFrames, AllTheSameAndTheLastOnesAlike) {
  write([](int, int x, int y) { return scene(0, x, y); });
  expect({"the 8 frames of f_%d.png are one and the same picture, in which nothing moves"});
  write([](int i, int x, int y) { return scene(std::min(i, 3), x, y); });
  expect({"the last 4 frames of f_%d.png repeat frame 3, behind frames that move"});
  write([](int i, int x, int y) { return scene(std::min(i, 5), x, y); });  // two may be a rounded rate
  expect({});
  write([](int i, int x, int y) { return scene(i < 2 ? 0 : 7, x, y); });  // slides
  EXPECT_EQ(scratch.run({"motion", "f_%d.png", "--preset", "fast"}).err, "");
  const Result track = scratch.run({"track", "f_%d.png"});
  EXPECT_EQ(lines(track.err), 1u) << track.err;
  EXPECT_TRUE(holds(track.err, "frame 2 of f_%d.png shows another scene than the one before, or the same from"));
}

TEST_F(DoubtfulFrames, FramesInAnotherOrder) {
  const auto in_order = [](const std::vector<int>& order) {
    return [order](int i, int x, int y) { return scene(order[static_cast<std::size_t>(i)], x, y); };
  };
  write(in_order({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), 12);
  expect({});
  write(in_order({0, 1, 2, 3, 5, 4, 6, 7, 8, 9, 10, 11}), 12);
  expect({"the frames of f_%d.png seem to be in another order", "the order 0 1 2 3 5 4 6 7 8 9 10 11"});
  write(in_order({0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 11, 10}), 12);
  expect({"seem to be in the order in which video is decoded", "in the order 0 2 3 1 5 6 4 8 9 7 11 10"});
  write(in_order({4, 0, 7, 2, 6, 1, 3, 5, 11, 9, 8, 10}), 12);
  expect({"seem to be in another order"});
}

TEST_F(DoubtfulFrames, ACameraThatShakesHasAnOrder) {
  write(
      [&](int i, int x, int y) {
        const auto at = [i](unsigned of) {
          return static_cast<int>(std::mt19937(of + static_cast<unsigned>(i) * 2)() % 9);
        };
        return inspect_test::texture(x - at(1), y - at(100));
      },
      12);
  EXPECT_EQ(scratch.run({"motion", "f_%d.png", "--preset", "fast"}).err.find("another order"), std::string::npos);
}

TEST_F(DoubtfulFrames, EachDozenIsOfOneTime) {
  write([](int frame, int x, int y) { return inspect_test::texture(x - 2 * (frame % 50), y); }, 205);
  const Result result = scratch.run({"motion", "f_%d.png", "--preset", "fast"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err.find("another order"), std::string::npos) << result.err;
}

TEST_F(DoubtfulFrames, SoftShadesThatMoveAreNoCrossFade) {
  write([](int frame, int x, int y) { return 128 + 60 * std::sin((x - 2 * frame) * 0.0628) + 0.2 * y; }, 20);
  const Result result = scratch.run({"motion", "f_%d.png", "--preset", "fast"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err.find("cross-fade"), std::string::npos) << result.err;
}

TEST_F(DoubtfulFrames, LightThatChangesAllOfASudden) {
  write([](int i, int x, int y) { return 20 + 0.8 * scene(i, x, y) + (i < 5 ? 0 : 12); });
  expect({"frame 5 of f_%d.png is 12 grey levels brighter as a whole than the one before"});
}

TEST_F(DoubtfulFrames, AFocusThatIsLost) {
  const auto sharp = [](int i, int x, int y) { return inspect_test::texture(4 * (x - i), 4 * y); };
  write([&](int i, int x, int y) {
    if (i < 5) return 1.0 * sharp(i, x, y);
    double sum = 0;
    for (int k = -3; k <= 3; ++k) sum += sharp(i, x + k, y);
    return sum / 7;
  });
  expect({"frame 5 of f_%d.png is blurred beside the one before"});
}

TEST_F(DoubtfulFrames, SaltAndPepper) {
  write([](int i, int x, int y) {
    const int place = (x * 7919 + y * 104729 + i * 31) % 50;
    return place == 3 ? 0 : place == 7 ? 255 : 20 + 0.8 * scene(i, x, y);
  });
  expect({"f_%d.png has single black and white pixels amid others (salt and pepper)"});
}

/// As PNG, whose header is right.
TEST_F(DoubtfulFrames, RowsOfAnotherLength) {
  write([](int i, int x, int y) {
    const int at = y * frame_size.width + x;
    return scene(i, at % 176, at / 176);
  });
  expect({"does not look like a picture of 160x128: its rows would be alike if they were 176 px long", "(stride)"});
}

TEST_F(DoubtfulFrames, CrossFades) {
  const auto other = [](int x, int y) { return inspect_test::texture(2 * y + 400, x + 300); };
  write(
      [&](int i, int x, int y) {
        const double part = std::clamp((i - 2) / 8.0, 0.0, 1.0);
        return (1 - part) * scene(0, x, y) + part * other(x, y);
      },
      12);
  expect({"frames 3 .. 9 of f_%d.png are blended from one scene into another"});
  write([&](int i, int x, int y) { return i < 6 ? scene(i, x, y) : other(x - 2 * i, y); }, 12);  // a cut
  EXPECT_EQ(scratch.run({"motion", "f_%d.png", "--preset", "fast"}).err.find("blended"), std::string::npos);
}

}  // namespace
}  // namespace vergence::cli_test
