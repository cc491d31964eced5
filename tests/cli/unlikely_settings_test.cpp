// SPDX-License-Identifier: Apache-2.0
// Settings that can be and are hardly meant, rows that are scattered, noise, bars, headers of frames, and steps of the
// exposure that are no motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class UnlikelySettings : public testing::Test {
 protected:
  void SetUp() override {
    write_picture(scratch.path("left.pgm"), inspect_test::view(false).view());
    write_picture(scratch.path("right.pgm"), inspect_test::view(true).view());
  }
  /// What a pair's run says on standard error.
  std::string said(Words more, const std::string& right = "right.pgm") const {
    more.insert(more.begin(), {"stereo", "left.pgm", right, "--disparities", "32"});
    const Result result = scratch.run(more);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  }
  void expect(const Words& more, const Words& words) const {
    const std::string err = said(more);
    EXPECT_EQ(lines(err), words.empty() ? 0u : 1u) << err;
    for (const std::string& word : words) EXPECT_TRUE(holds(err, word)) << word << " in " << err;
  }
  Scratch scratch;
};

TEST_F(UnlikelySettings, ScalesOfColoursThatHoldNothing) {
  // Disparities are 6 and 12 px, depths at 240 px and 0.5 m 20 and 10 m.
  expect({"--color", "c.png", "--color-range", "200:300"},
         {"c.png is of one colour: disparities are", "px, and none lies within --color-range 200:300"});
  expect({"--color", "c.png", "--color-range", "0:32"}, {});
  expect({"--color", "c.png", "--color-range", "10:300"}, {});
  expect({"--color", "c.png", "--color-range", "0:1000"},
         {"c.png is of nearly one colour: disparities are", "less than a 64th of --color-range 0:1000", "as long"});
  const auto depth = [](const char* range) {
    return Words{"--depth-color", "z.png", "--focal", "240", "--baseline", "0.5", "--depth-range", range};
  };
  expect(depth("500:8000"),
         {"z.png is of one colour: depths are", "m, and none lies within --depth-range 500:8000", "in metres"});
  expect(depth("5:80"), {});
}

TEST_F(UnlikelySettings, WindowsAsLargeAsAFifthOfThePictures) {
  EXPECT_TRUE(
      holds(said({"--window", "61"}), "the window of 61x61 px is more than a fifth of the pictures of 240x180"));
  EXPECT_FALSE(holds(said({"--window", "31"}), "more than a fifth"));
  EXPECT_FALSE(holds(said({"--window", "35"}), "more than a fifth"));
  EXPECT_FALSE(holds(said({"--window", "43x1"}), "more than a fifth"));
  EXPECT_TRUE(holds(said({"--window", "1x43"}), "the window of 1x43 px is more than a fifth"));
}

TEST_F(UnlikelySettings, SpecklesAsLargeAsAFifthOfThePicture) {
  expect({"--speckle-size", "9000"}, {"--speckle-size 9000 is 20 % of the picture", "give a few hundred"});
  expect({"--speckle-size", "4000"}, {});
}

TEST_F(UnlikelySettings, ErrorsOfMatchesAsByChance) {
  const auto error = [](const char* px) {
    return Words{"--depth-deviation", "d.pfm", "--focal", "240", "--baseline", "0.5", "--match-error", px};
  };
  expect(error("25"), {"--match-error 25 px is no less than", "by chance, 9.24 px of 32 candidates"});
  expect(error("2"), {});
}

TEST_F(UnlikelySettings, PenaltiesThatSmoothNothing) {
  EXPECT_TRUE(holds(said({"--preset", "quality", "--p1", "1", "--p2", "2", "--p2-slope", "0"}),
                    "p1 1 and p2 2 are far below "));
  EXPECT_TRUE(holds(said({"--aggregate", "sgm", "--p1", "1", "--p2", "2"}), "p1 1 and p2 2 are far below 10 and 42"));
  EXPECT_FALSE(holds(said({"--preset", "quality"}), "far below"));
  EXPECT_FALSE(holds(said({"--preset", "quality", "--p1", "1"}), "far below"));
}

TEST_F(UnlikelySettings, PicturesThatAreDark) {
  for (const bool right : {false, true}) {
    Image<std::uint8_t> picture = inspect_test::view(right);
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) picture(x, y) = static_cast<std::uint8_t>(picture(x, y) / 24);
    write_picture(scratch.path(right ? "right.pgm" : "left.pgm"), picture.view());
  }
  const std::string err = said({"--texture", "250"});
  EXPECT_TRUE(holds(err, "were measured") && holds(err, "both are dark, no pixel is above 7 of 255")) << err;
}

/// Rows that are off by more than points are searched for are matched by chance.
TEST_F(UnlikelySettings, RowsThatAreScattered) {
  for (const int rows : {16, 24, -20}) {
    write_picture(scratch.path("off.pgm"), inspect_test::view(true, 0, rows).view());
    const std::string err = said({"-o", "d.pfm"}, "off.pgm");
    EXPECT_TRUE(holds(err, "not rectified") || holds(err, "hardly agree")) << rows << ": " << err;
    EXPECT_FALSE(holds(err, "colours")) << rows << ": " << err;
  }
}

TEST_F(UnlikelySettings, ALambdaThatLetsNothingMove) {
  for (int i = 0; i < 2; ++i) {
    Image<std::uint8_t> frame(96, 64);
    for (int y = 0; y < frame.height(); ++y)
      for (int x = 0; x < frame.width(); ++x)
        frame(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x - 3 * i, y));
    write_picture(scratch.path("f_" + std::to_string(i) + ".pgm"), frame.view());
  }
  const auto err = [this](const char* lambda, const char* cost, const char* block = "16") {
    const Result result =
        scratch.run({"motion", "f_%d.pgm", "--lambda", lambda, "--cost", cost, "--block", block, "-o", "v.csv"});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  };
  // A grey level of 256 pixels, of 64, and of 16, times 65536; the square of 16 of 64.
  EXPECT_EQ(err("16777216", "sad"), "");
  EXPECT_TRUE(holds(err("16777217", "sad"), "lambda 16777217 is far too large")) << err("16777217", "sad");
  EXPECT_EQ(err("4194304", "sad", "8"), "");
  EXPECT_TRUE(holds(err("4194305", "sad", "8"), "as much as 1 grey levels of each pixel of a block and more"));
  EXPECT_TRUE(holds(err("1310720", "sad", "4"), "give less than 1048576, such as 131072"));
  EXPECT_EQ(err("1073741824", "ssd", "8"), "");
  EXPECT_TRUE(holds(err("1073741825", "ssd", "8"), "16 grey levels of each pixel"));
  EXPECT_TRUE(holds(err("2147483647", "ssd", "8"), "give less than 1073741824, such as 16777216"));
}

TEST_F(UnlikelySettings, WindowsThatAreTooSmallForOneLevel) {
  for (int i = 0; i < 2; ++i) {
    Image<std::uint8_t> frame(96, 64);
    for (int y = 0; y < frame.height(); ++y)
      for (int x = 0; x < frame.width(); ++x) frame(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x - i, y));
    write_picture(scratch.path("f_" + std::to_string(i) + ".pgm"), frame.view());
  }
  const auto err = [this](const char* window, const char* levels, const char* limit) {
    return scratch
        .run({"track", "f_%d.pgm", "--window", window, "--levels", levels, "--max-residual", limit,
              "--forward-backward", "0", "-o", "t.csv"})
        .err;
  };
  EXPECT_TRUE(holds(err("5", "0", "0"), "windows of 5x5 px, on the frames alone and without a limit"))
      << err("5", "0", "0");
  EXPECT_EQ(err("5", "0", "20"), "");
  EXPECT_EQ(err("5", "2", "0"), "");
  EXPECT_EQ(err("9", "0", "0"), "");
}

/// Of frames that have nothing to do with each other.
TEST_F(UnlikelySettings, FieldsThatAreAllCuts) {
  const auto write = [this](bool follow) {
    for (int i = 0; i < 6; ++i) {
      Image<std::uint8_t> frame(160, 128);
      for (int y = 0; y < frame.height(); ++y)
        for (int x = 0; x < frame.width(); ++x)
          frame(x, y) = static_cast<std::uint8_t>(
              inspect_test::texture(1.5 * x + (follow ? 3 * i : 917 * i), 1.5 * y + (follow ? 0 : 331 * i)));
      write_picture(scratch.path("c_" + std::to_string(i) + ".pgm"), frame.view());
    }
    return scratch.run({"motion", "c_%d.pgm", "--range", "4", "-o", "v_%d.csv"}).err;
  };
  EXPECT_EQ(write(true), "");
  const std::string said = write(false);
  EXPECT_TRUE(holds(said, "of 5 fields are taken for scene cuts")) << said;
}

/// Frames of a pan that goes farther than the search does.
TEST_F(UnlikelySettings, SearchesThatMissWhatMovesFar) {
  for (int i = 0; i < 6; ++i) {
    Image<std::uint8_t> frame(240, 160);
    for (int y = 0; y < frame.height(); ++y)
      for (int x = 0; x < frame.width(); ++x)
        frame(x, y) = static_cast<std::uint8_t>(inspect_test::texture(1.5 * (x + 14 * i), 1.5 * (y + 3 * i)));
    write_picture(scratch.path("p_" + std::to_string(i) + ".pgm"), frame.view());
  }
  const auto err = [this](Words more) {
    more.insert(more.begin(), {"motion", "p_%d.pgm", "-o", "v_%d.csv"});
    return scratch.run(more).err;
  };
  const std::string said = err({"--search", "diamond"});
  EXPECT_TRUE(holds(said, "search diamond misses what moves far: of ") && holds(said, "give --search tz")) << said;
  EXPECT_EQ(err({"--search", "full"}), "");
  const std::string far = err({"--reference-distance", "2", "--range", "8"});
  EXPECT_TRUE(holds(far, "frames that are 2 apart (--reference-distance)") || holds(far, "the range")) << far;
}

TEST_F(UnlikelySettings, NoiseInBothPictures) {
  const auto write = [this](double levels) {
    std::mt19937 random(7);
    for (const bool right : {false, true}) {
      Image<std::uint8_t> picture = inspect_test::view(right);
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
          double sum = 0;  // of twelve, less its mean: nearly normal, with a deviation of 1
          for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) / 4294967296.0 - 0.5;
          picture(x, y) = static_cast<std::uint8_t>(std::clamp(picture(x, y) + levels * sum, 0.0, 255.0));
        }
      write_picture(scratch.path(right ? "right.pgm" : "left.pgm"), picture.view());
    }
  };
  write(24);
  EXPECT_TRUE(holds(said({"--uniqueness", "5"}), "both pictures are noisy, by 2")) << said({"--uniqueness", "5"});
  EXPECT_FALSE(holds(said({"--preset", "fast"}), "noisy"));  // where all pixels are measured
  write(6);
  EXPECT_FALSE(holds(said({"--uniqueness", "85"}), "noisy"));  // where less than half are
}

/// A bar is not told because a tenth of it is measured, but because that is a part of the map.
TEST_F(UnlikelySettings, FramesAroundBothPictures) {
  const auto framed = [this](int side) {
    for (const bool right : {false, true}) {
      Image<std::uint8_t> picture = inspect_test::view(right);
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
          if (std::min({x, y, picture.width() - 1 - x, picture.height() - 1 - y}) < side) picture(x, y) = 255;
      write_picture(scratch.path(right ? "right.pgm" : "left.pgm"), picture.view());
    }
    return said({});
  };
  EXPECT_TRUE(holds(framed(15), "bars of one grey level lie at the edges of both pictures")) << framed(15);
  EXPECT_EQ(framed(0), "");
}

/// White pages with the views, a line around these, and a label.
TEST_F(UnlikelySettings, ViewsInFigures) {
  constexpr Rect view{50, 30, 240, 180};
  const auto write_figures = [&](bool with_label, int page) {
    for (const bool right : {false, true}) {
      const Image<std::uint8_t> scene = inspect_test::view(right);
      Image<std::uint8_t> picture(Size{320, 240}, static_cast<std::uint8_t>(page));
      for (int y = 0; y < view.height; ++y) std::copy_n(scene.row(y), view.width, picture.row(view.y + y) + view.x);
      for (int i = 0; with_label && i < 60; ++i) picture(20 + i % 6, 100 + i / 6) = static_cast<std::uint8_t>(i * 37);
      write_picture(scratch.path(right ? "right.pgm" : "left.pgm"), picture.view());
    }
  };
  const std::string figures = "both pictures are figures or pages, which show the views in 240x180 px from (50, 30) on";
  write_figures(true, 255);
  EXPECT_TRUE(holds(said({}), figures)) << said({});
  EXPECT_TRUE(holds(said({}), "or --roi 53,33,234,174")) << said({});
  EXPECT_EQ(said({"--roi", "53,33,234,174"}), "");
  write_figures(false, 255);
  EXPECT_FALSE(holds(said({}), "figures")) << "bars alone: " << said({});
  write_figures(true, 0);
  EXPECT_FALSE(holds(said({}), "figures")) << "what has no source in a rectified pair: " << said({});
}

TEST_F(UnlikelySettings, HeadersBeforeEachFrame) {
  for (const int header : {0, 512}) {
    std::string bytes;
    for (int i = 0; i < 45; ++i) {  // whose headers are as long as one frame
      bytes.append(static_cast<std::size_t>(header), '\0');
      for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 192; ++x) bytes += static_cast<char>(inspect_test::texture(x - i, y));
    }
    scratch.write("v.gray", bytes);
    const Result result =
        scratch.run({"motion", "v.gray", "--format", "gray", "--size", "192x120", "--frames", "0:6", "-o", "v.csv"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(holds(result.err, "its frames would be alike if they had 23552 bytes, not 23040"), header > 0)
        << result.err;
  }
}

/// An exposure that is adjusted in steps moves nothing, and frames between the steps are no repetitions.
TEST_F(UnlikelySettings, StepsOfTheExposure) {
  for (int i = 0; i < 20; ++i) {
    Image<std::uint8_t> frame(240, 180);
    for (int y = 0; y < frame.height(); ++y)
      for (int x = 0; x < frame.width(); ++x)
        frame(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x - 0.05 * i, y) / 2 + 25 * (i / 5));
    write_picture(scratch.path("f_" + std::to_string(100 + i) + ".pgm"), frame.view());
  }
  for (const char* const command : {"motion", "track"}) {
    const Result result = scratch.run({command, "f_%d.pgm", "-o", "out.csv"});
    EXPECT_EQ(result.status, 0);
    EXPECT_FALSE(holds(result.err, "repeat")) << result.err;
  }
  // Three steps, and then a scene that stands still: no camera hung behind frames that moved.
  for (int i = 0; i < 8; ++i) {
    Image<std::uint8_t> frame(240, 180);
    for (int y = 0; y < frame.height(); ++y)
      for (int x = 0; x < frame.width(); ++x)
        frame(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x, y) / 2 + 25 * std::min(i, 3));
    write_picture(scratch.path("s_" + std::to_string(i) + ".pgm"), frame.view());
  }
  const Result still = scratch.run({"track", "s_%d.pgm", "-o", "out.csv"});
  EXPECT_EQ(still.status, 0);
  EXPECT_FALSE(holds(still.err, "hung")) << still.err;
}

}  // namespace
}  // namespace vergence::cli_test
