// SPDX-License-Identifier: Apache-2.0
// Impossible input is warned of in one line with its cure, and refused with --strict.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class Warnings : public testing::Test {
 protected:
  void SetUp() override {
    write_picture(scratch.path("left.pgm"), inspect_test::view(false).view());
    write_picture(scratch.path("right.pgm"), inspect_test::view(true).view());
    write_picture(scratch.path("low.pgm"), inspect_test::view(true, 0, 6).view());
    write_picture(scratch.path("black.pgm"), Image<std::uint8_t>(inspect_test::scene_size, 3).view());
  }
  /// One warning that holds the words, on stderr and in the report; with --strict an error, and no file.
  void expect_warning(const Words& arguments, const Words& words) const {
    const auto with = [&](Words more) {
      more.insert(more.begin(), arguments.begin(), arguments.end());
      return more;
    };
    const Result result = scratch.run(with({"--json"}));
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_EQ(result.err.rfind("vergence: warning: ", 0), 0u) << result.err;
    const Json warnings = Json::parse(result.out)["warnings"];
    ASSERT_EQ(warnings.size(), 1u);
    for (const std::string& word : words) {
      EXPECT_NE(result.err.find(word), std::string::npos) << word << " in " << result.err;
      EXPECT_NE(warnings[0].get<std::string>().find(word), std::string::npos) << word << " in " << warnings[0];
    }
    const std::vector<std::string> before = scratch.listing();
    const Result strict = scratch.run(with({"--strict"}));
    EXPECT_EQ(strict.status, 1);
    EXPECT_EQ(strict.out, "");
    EXPECT_EQ(lines(strict.err), 1u) << strict.err;
    EXPECT_NE(strict.err.find(words.front()), std::string::npos) << strict.err;
    EXPECT_EQ(scratch.listing(), before);
  }
  void expect_stereo(const std::string& left, const std::string& right, Words more, const Words& words) const {
    more.insert(more.begin(), {"stereo", left, right});
    expect_warning(more, words);
    const Words with_file{"stereo", left, right, "--strict", "-o", "map.pfm", "--color", "map.png"};
    EXPECT_EQ(lines(scratch.run(with_file).err), 1u);
  }

  Scratch scratch;
};

TEST_F(Warnings, GoodInputHasNone) {
  const Words good{"stereo", "left.pgm", "right.pgm", "--disparities", "32", "--strict", "-o", "map.pfm"};
  const Result result = scratch.run(good);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(scratch.has("map.pfm"));
  EXPECT_FALSE(scratch.has("map.partial.pfm"));
}

TEST_F(Warnings, BytesThatAreExchanged) {
  const auto write = [this](const std::string& name, bool right, bool exchanged) {
    const Image<std::uint8_t> picture = inspect_test::view(right);
    scratch.write(name, pgm(picture.width(), picture.height(), 65535, [&](int x, int y) {
                    const unsigned value = picture(x, y) * 256u + 2u * static_cast<unsigned>(inspect_test::hash(x, y));
                    return exchanged ? (value << 8 & 0xFF00u) | value >> 8 : value;
                  }));
  };
  for (const bool exchanged : {false, true}) {
    write(exchanged ? "l_1.pgm" : "l_0.pgm", false, exchanged);
    write(exchanged ? "r_1.pgm" : "r_0.pgm", true, exchanged);
    for (const int frame : {0, 1})
      write((exchanged ? "x_" : "g_") + std::to_string(frame) + ".pgm", frame == 1, exchanged);
  }
  expect_warning({"stereo", "l_1.pgm", "r_1.pgm", "--disparities", "32", "-o", "d.pfm"},
                 {"left picture l_1.pgm seems to have the bytes of its 16-bit pixels exchanged", "other byte order"});
  expect_warning({"motion", "x_%d.pgm"}, {"frame 0 of x_%d.pgm seems to have the bytes", "other byte order"});
  EXPECT_EQ(scratch.run({"stereo", "l_0.pgm", "r_0.pgm", "--disparities", "32"}).err, "");
  EXPECT_EQ(scratch.run({"motion", "g_%d.pgm"}).err, "");
}

TEST_F(Warnings, BytesThatAreExchangedBesideAConstantOne) {
  for (const bool right : {false, true}) {
    const Image<std::uint8_t> picture = inspect_test::view(right);
    scratch.write(right ? "r.pgm" : "l.pgm",
                  pgm(picture.width(), picture.height(), 65535, [&](int x, int y) { return 4u << 8 | picture(x, y); }));
  }
  expect_warning({"stereo", "l.pgm", "r.pgm", "--disparities", "32", "-o", "d.pfm"},
                 {"left picture l.pgm uses 11 of its 16 bits", "--max-value 2047",
                  "if the bytes of its pixels are exchanged (all upper ones are 4)"});
}

TEST_F(Warnings, PicturesOfWhichAPartShowsNothing) {
  for (const bool right : {false, true})
    for (const Rect& grey : {Rect{0, 0, 120, 180}, Rect{120, 0, 120, 180}, Rect{0, 100, 240, 80}}) {
      Image<std::uint8_t> picture = inspect_test::view(right);
      for (int y = grey.y; y < grey.y + grey.height; ++y)
        std::fill_n(picture.row(y) + grey.x, grey.width, std::uint8_t{128});
      write_picture(scratch.path("part.pgm"), picture.view());
      const Words words{(right ? "right" : "left") + std::string(" picture part.pgm shows nothing in "),
                        "% of its area, where the other one does"};
      expect_stereo(right ? "left.pgm" : "part.pgm", right ? "part.pgm" : "right.pgm",
                    {"--disparities", "32", "--cost", "census-9x7"}, words);
    }
}

TEST_F(Warnings, ThreeViewsSideBySide) {
  const Image<std::uint8_t> views[] = {inspect_test::view(false), inspect_test::view(true), inspect_test::view(true)};
  Image<std::uint8_t> all(3 * 240, 180);
  for (int i = 0; i < 3; ++i)
    for (int y = 0; y < 180; ++y) std::copy_n(views[i].row(y), 240, all.row(y) + std::ptrdiff_t{i} * 240);
  write_picture(scratch.path("all.pgm"), all.view());
  expect_warning({"stereo", "all.pgm", "--layout", "side-by-side", "--disparities", "32"},
                 {"the picture seems to hold 3 views side by side, not two", "cut out two of them first"});
}

TEST_F(Warnings, RawRowsThatAreTwo) {
  const Image<std::uint8_t> picture = inspect_test::view(false);
  std::string bytes;
  for (int frame = 0; frame < 2; ++frame)
    for (int y = 0; y < picture.height(); ++y) bytes.append(picture.row(y), picture.row(y) + picture.width());
  scratch.write("v.gray", bytes);
  const auto read_as = [&](const char* size) {
    return scratch.run({"track", "v.gray", "--size", size, "--format", "gray", "--points", "10"}).err;
  };
  EXPECT_EQ(read_as("240x180"), "");
  EXPECT_NE(read_as("480x90").find("its rows would be alike if they were 240 px long"), std::string::npos)
      << read_as("480x90");
}

TEST_F(Warnings, PenaltiesThatAreAlike) {
  const auto sgm = [](const Words& more) {
    Words words{"--disparities", "32", "--aggregate", "sgm", "--window", "1x1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  Words alike = sgm({"--p1", "200"});
  alike.insert(alike.begin(), {"stereo", "left.pgm", "right.pgm"});
  expect_warning(alike, {"p1 is 200, not below the p2 that", "so p2 is 201", "give --p2 as well, such as "});
  for (const Words& good : {Words{}, Words{"--p1", "12"}, Words{"--p1", "60", "--p2", "61"}, Words{"--p2", "300"}}) {
    Words run{"stereo", "left.pgm", "right.pgm"};
    const Words more = sgm(good);
    run.insert(run.end(), more.begin(), more.end());
    EXPECT_EQ(scratch.run(run).err, "");
  }
}

TEST_F(Warnings, PenaltiesThatAreFarTooLarge) {
  const auto run = [](const Words& more) {
    Words words{"stereo", "left.pgm", "right.pgm", "--disparities", "32", "--aggregate", "sgm"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  // Those of StereoSGBM's documentation for blocks of 5x5.
  expect_warning(run({"--p1", "200", "--p2", "800"}),
                 {"p1 200 and p2 800 are far above 10 and 42", "cost sad with window 1x1", "leave --p1 and --p2 out"});
  expect_warning(run({"--cost", "census-9x7", "--p2", "700"}), {"p2 700", "cost census-9x7"});
  for (const Words& good : {Words{"--p1", "80", "--p2", "336"}, Words{"--cost", "ssd", "--p1", "800", "--p2", "3200"},
                            Words{"--cost", "census-9x7", "--p1", "160", "--p2", "656"}})
    EXPECT_EQ(scratch.run(run(good)).err, "");
}

TEST_F(Warnings, PairsThatCannotBeMatched) {
  const Words range{"--disparities", "32"};
  expect_stereo("left.pgm", "low.pgm", range, {"not rectified", "6 .. 6 px lower", "rectify it"});
  expect_stereo("right.pgm", "left.pgm", range, {"exchanged", "-12 .. -6 px", "exchange them"});
  expect_stereo("left.pgm", "left.pgm", range, {"the same picture", "two cameras"});
  expect_stereo("left.pgm", "black.pgm", range, {"right picture black.pgm is black", "3 .. 3 of 255"});
  expect_warning({"stereo", "left.pgm", "right.pgm", "--disparities", "9"},
                 {"0 .. 8 are too few", "6 .. 12 px", "--min-disparity 4 --disparities 16"});
  expect_warning({"stereo", "left.pgm", "right.pgm", "--disparities", "32", "--min-disparity", "9"},
                 {"min-disparity 9 is too large", "--min-disparity 4"});
}

TEST_F(Warnings, RowsAndBrightnessThatDifferALittle) {
  write_picture(scratch.path("one.pgm"), inspect_test::view(true, 0, 1).view());
  Image<std::uint8_t> dim = inspect_test::view(true);
  for (int y = 0; y < dim.height(); ++y)
    for (int x = 0; x < dim.width(); ++x) dim(x, y) = static_cast<std::uint8_t>(dim(x, y) * 8 / 10);
  write_picture(scratch.path("dim.pgm"), dim.view());
  expect_stereo("left.pgm", "one.pgm", {"--disparities", "32"}, {"rows of left and right", "1.0 px lower", "rectify"});
  expect_stereo("left.pgm", "dim.pgm", {"--disparities", "32"}, {"0.80 times", "cost sad", "--cost census-9x7"});
  for (const Words& cure : {Words{"--cost", "census-9x7"}, {"--prefilter", "xsobel"}, {"--preset", "quality"}}) {
    Words run{"stereo", "left.pgm", "dim.pgm", "--disparities", "32", "--strict"};
    run.insert(run.end(), cure.begin(), cure.end());
    EXPECT_EQ(scratch.run(run).err, "");
  }
}

TEST_F(Warnings, TheCureOfARangeIsOne) {
  const Result result =
      scratch.run({"stereo", "left.pgm", "right.pgm", "--min-disparity", "4", "--disparities", "16", "--strict"});
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(Warnings, ScalesThatCannotBe) {
  const auto depth = [](Words more) {
    more.insert(more.begin(), {"stereo", "left.pgm", "right.pgm", "--disparities", "32", "--depth", "depth.pfm"});
    return more;
  };
  // With the depth map there already, --strict must leave it as it was.
  expect_warning(depth({"--focal", "100", "--baseline", "120"}), {"the baseline is 120 m", "check its unit"});
  expect_warning(depth({"--focal", "100", "--baseline", "0.0001"}), {"the baseline is 0.0001 m"});
  scratch.write("y.txt", "cam0=[400 0 120; 0 700 90; 0 0 1]\nbaseline=100\n");
  expect_warning(depth({"--calibration", "y.txt"}), {"focal lengths in x and y are 400 and 700 px"});
  scratch.write("lr.txt", "cam0=[400 0 120; 0 400 90; 0 0 1]\ncam1=[900 0 120; 0 900 90; 0 0 1]\nbaseline=100\n");
  expect_warning(depth({"--calibration", "lr.txt"}), {"left and right are 400 and 900 px"});
  expect_warning(depth({"--focal", "4.2", "--baseline", "0.1"}), {"the focal length is 4.2 px", "mm * 240"});
  expect_warning(depth({"--focal", "5000", "--baseline", "0.1"}), {"the focal length is 5000 px", "21 times"});
}

TEST_F(Warnings, CalibrationsThatContradictThemselves) {
  const auto run = [this](const std::string& left, const std::string& right, const std::string& rest) {
    scratch.write("c.txt", "cam0=[" + left + "; 0 0 1]\ncam1=[" + right + "; 0 0 1]\nbaseline=100\n" + rest);
    return Words{"stereo",        "left.pgm", "right.pgm", "--disparities", "32",
                 "--calibration", "c.txt",    "--depth",   "d.pfm"};
  };
  const std::string good = "400 0 120; 0 400 90";
  for (const char* reference : {"left", "right"}) {
    Words right = run(good, "400 0 127; 0 400 90", "doffs=7\n");
    right.insert(right.end(), {"--reference", reference, "--strict"});
    EXPECT_EQ(scratch.run(right).err, "");
  }
  expect_warning(run(good, "401 0 120; 0 401 90", ""), {"left and right are 400 and 401 px"});
  expect_warning(run(good, good, "doffs=31\n"), {"doffs is 31 px", "120 and 120 px", "which makes 0"});
  expect_warning(run(good, "400 0 150; 0 400 90", ""), {"doffs is 0 px", "120 and 150 px", "which makes 30"});
  expect_warning(run(good, "400 0 120; 0 400 99", ""), {"rows 90 and 99", "rectified"});
  const std::string outside = "400 0 1200; 0 400 90";
  expect_warning(run(outside, outside, ""), {"the principal point (1200, 90) lies outside", "240x180"});
  const std::string corner = "400 0 0; 0 400 0", high = "400 0 120; 0 400 20";
  expect_warning(run(corner, corner, ""), {"the principal point (0, 0) lies near the edge", "(119.5, 89.5)"});
  expect_warning(run(high, high, ""), {"the principal point (120, 20) lies near the edge"});
  Words cropped = run("400 0 60; 0 400 130", "400 0 75; 0 400 130", "doffs=15\n");
  cropped.insert(cropped.end(), {"--roi", "0,0,100,60", "--strict"});
  EXPECT_EQ(scratch.run(cropped).err, "");
}

// Truth outside the region is no truth of this map.
TEST_F(Warnings, ScoresOfARegionAreThoseOfItsPixels) {
  Image<float> truth(inspect_test::scene_size, static_cast<float>(inspect_test::wall));
  for (int y = 30; y < 150; ++y)
    for (int x = 70; x < 190; ++x) truth(x, y) = inspect_test::square;
  write_pfm(scratch.path("truth.pfm"), truth.view());
  const Result result = scratch.run({"stereo", "left.pgm", "right.pgm", "--disparities", "32", "--truth", "truth.pfm",
                                     "--roi", "100,60,40,50", "--strict", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json all = Json::parse(result.out)["scores"]["all"];
  EXPECT_EQ(all["pixels"], 2000);
  EXPECT_LT(all["invalid"].get<double>(), 5);
}

TEST_F(Warnings, EachCauseOnceInAnyFrame) {
  for (int frame = 0; frame <= 101; ++frame) {
    const std::string number = std::to_string(frame);
    const bool black = frame == 50 || frame == 100;
    Image<std::uint8_t> picture(80, 60);
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 80; ++x)
        picture(x, y) = black ? std::uint8_t{9} : static_cast<std::uint8_t>(inspect_test::texture(x, y));
    write_picture(scratch.path("f_" + number + ".pgm"), picture.view());
  }
  const Result motion = scratch.run({"motion", "f_%d.pgm", "--range", "4", "--json"});
  ASSERT_EQ(motion.status, 0) << motion.err;
  const Json warnings = Json::parse(motion.out)["warnings"];
  ASSERT_EQ(warnings.size(), 1u) << motion.err;
  EXPECT_NE(warnings[0].get<std::string>().find("frame 50 of f_%d.pgm is black"), std::string::npos) << warnings[0];
  const std::vector<std::string> before = scratch.listing();
  const Result strict = scratch.run({"motion", "f_%d.pgm", "--range", "4", "--strict", "-o", "v_%d.csv"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_EQ(scratch.listing(), before) << "nothing stands under its name, and nothing else is left";
  EXPECT_EQ(scratch.run({"motion", "f_%d.pgm", "--frames", "0:3", "--range", "4", "--strict", "-o", "v_%d.csv"}).status,
            0);
  EXPECT_TRUE(scratch.has("v_1.csv"));
}

TEST_F(Warnings, RawVideoOfAnotherWidth) {
  const Image<std::uint8_t> picture = inspect_test::view(false);
  std::string bytes;
  for (int frame = 0; frame < 4; ++frame)
    for (int y = 0; y < picture.height(); ++y)
      bytes.append(reinterpret_cast<const char*>(picture.row(y)), static_cast<std::size_t>(picture.width()));
  scratch.write("clip.yuv", bytes);
  const auto run = [&](const std::string& command, const std::string& size) {
    return scratch.run({command, "clip.yuv", "--size", size, "--format", "gray", "--json"});
  };
  for (const char* command : {"motion", "track"}) {
    EXPECT_EQ(run(command, "240x180").err, "") << command;
    const Result wrong = run(command, "216x200");  // as many bytes
    EXPECT_EQ(wrong.status, 0);
    EXPECT_NE(wrong.err.find("does not look like a picture of 216x200"), std::string::npos) << wrong.err;
    EXPECT_NE(wrong.err.find("240 px long"), std::string::npos) << wrong.err;
    EXPECT_EQ(Json::parse(wrong.out)["warnings"].size(), 1u);
  }
}

TEST_F(Warnings, RawVideoOfAnotherFormat) {
  const Image<std::uint8_t> picture = inspect_test::view(false);
  std::string bytes;
  for (int frame = 0; frame < 6; ++frame)
    for (int y = 0; y < picture.height(); ++y)
      bytes.append(reinterpret_cast<const char*>(picture.row(y)), static_cast<std::size_t>(picture.width()));
  scratch.write("clip.yuv", bytes);
  for (const char* command : {"motion", "track"}) {
    EXPECT_EQ(scratch.run({command, "clip.yuv", "--size", "240x180", "--format", "gray", "--strict"}).status, 0);
    expect_warning({command, "clip.yuv", "--size", "240x180"},
                   {"clip.yuv does not look like yuv420p video of 240x180", "43200 bytes, not 64800", "--format"});
    expect_warning({command, "clip.yuv", "--size", "240x180", "--format", "yuyv422"},
                   {"each byte is like the next one"});
  }
}

TEST_F(Warnings, TruthOfAnotherMap) {
  Image<float> map(inspect_test::scene_size);
  Image<float> other(inspect_test::scene_size);
  Image<float> scaled(inspect_test::scene_size);
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      map(x, y) = x / 30 % 2 == 0 ? 20.0f : 5.0f;
      other(x, y) = (x + 20) / 30 % 2 == 0 ? 20.0f : 5.0f;
      scaled(x, y) = 16 * map(x, y);
    }
  write_pfm(scratch.path("map.pfm"), map.view());
  write_pfm(scratch.path("other.pfm"), other.view());
  write_pfm(scratch.path("scaled.pfm"), scaled.view());
  EXPECT_EQ(scratch.run({"eval", "map.pfm", "map.pfm", "--strict"}).status, 0);
  expect_warning({"eval", "map.pfm", "other.pfm"}, {"the other picture's", "own picture"});
  expect_warning({"eval", "map.pfm", "scaled.pfm"}, {"another unit", "--truth-scale 16"});
  EXPECT_EQ(scratch.run({"eval", "map.pfm", "scaled.pfm", "--truth-scale", "16", "--strict"}).status, 0);
}

TEST_F(Warnings, TruthThatIsTurnedOrAbsurd) {
  Image<float> map(inspect_test::scene_size), down(inspect_test::scene_size), absurd(inspect_test::scene_size);
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      map(x, y) = 1 + static_cast<float>(y) / 4;
      down(x, map.height() - 1 - y) = map(x, y);
      absurd(x, y) = 1e30f;
    }
  write_pfm(scratch.path("map.pfm"), map.view());
  write_pfm(scratch.path("down.pfm"), down.view());
  write_pfm(scratch.path("absurd.pfm"), absurd.view());
  expect_warning({"eval", "map.pfm", "down.pfm"}, {"upside down", "order of its rows"});
  for (const Words& files : {Words{"absurd.pfm", "map.pfm"}, Words{"map.pfm", "absurd.pfm"}}) {
    const Result result = scratch.run({"eval", files[0], files[1]});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("absurd.pfm: values up to 1e+30 px are no disparities"), std::string::npos) << result.err;
  }
}

TEST_F(Warnings, OffsetThatLeavesNoDepth) {
  const auto run = [](const char* option, const char* file, const char* offset) {
    return Words{"stereo",     "left.pgm", "right.pgm", "--disparities", "32",   "--focal", "100",
                 "--baseline", "0.1",      "--doffs",   offset,          option, file};
  };
  const std::pair<const char*, const char*> outputs[] = {
      {"--depth", "d.pfm"}, {"--depth-color", "c.png"}, {"--cloud", "c.ply"}};
  for (const auto& [option, file] : outputs) {
    expect_warning(run(option, file, "-100"),
                   {std::string(file) + ": 100 % of the measured pixels have no depth", "check --doffs"});
    EXPECT_EQ(scratch.run(run(option, file, "0")).err, "");
  }
}

TEST_F(Warnings, VideosOfDifferentRates) {
  const auto clip = [&](const char* name, const char* rate, const char* source) {
    const Image<std::uint8_t> picture = inspect_test::view(std::string(source) == "right");
    std::string bytes = "YUV4MPEG2 W" + std::to_string(picture.width()) + " H" + std::to_string(picture.height()) +
                        " F" + rate + " Cmono\n";
    for (int frame = 0; frame < 2; ++frame) {
      bytes += "FRAME\n";
      for (int y = 0; y < picture.height(); ++y)
        bytes.append(reinterpret_cast<const char*>(picture.row(y)), static_cast<std::size_t>(picture.width()));
    }
    scratch.write(name, bytes);
  };
  clip("l.y4m", "10:1", "left");
  clip("r.y4m", "25:1", "right");
  clip("r10.y4m", "10:1", "right");
  expect_warning({"stereo", "l.y4m", "r.y4m", "--disparities", "32"},
                 {"left has 10 frames per second and right 25", "paired by their numbers"});
  EXPECT_EQ(scratch.run({"stereo", "l.y4m", "r10.y4m", "--disparities", "32"}).err, "");
}

}  // namespace
}  // namespace vergence::cli_test
