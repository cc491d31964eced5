// SPDX-License-Identifier: Apache-2.0
// Maps, masks and limits that make scores meaningless, and masks and points that are none: one line each, with the
// cure.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

constexpr float none = std::numeric_limits<float>::infinity();
constexpr int width = 60, height = 40;
constexpr auto over = std::filesystem::copy_options::overwrite_existing;

float truth_at(int x, int y) { return 20.0f + 0.1f * static_cast<float>(x) + 0.25f * static_cast<float>(y % 3); }

/// A good map whose pixels of every tenth column are `mark`.
void write_marked(const std::string& path, float mark) {
  Image<float> map(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) map(x, y) = x % 10 == 4 ? mark : truth_at(x, y) + 0.1f;
  write_pfm(path, map.view());
}

class DoubtfulScores : public testing::Test {
 protected:
  DoubtfulScores() {
    Image<float> truth(width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) truth(x, y) = truth_at(x, y);
    write_pfm(scratch.path("truth.pfm"), truth.view());
    write_marked(scratch.path("map.pfm"), none);
  }
  std::string warned(const std::vector<std::string>& more, const std::string& map = "map.pfm") const {
    std::vector<std::string> arguments{"eval", map, "truth.pfm"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_LE(lines(result.err), 1u) << result.err;
    return result.err;
  }
  Scratch scratch;
};

/// As of dx, right x less left x.
TEST_F(DoubtfulScores, TheOppositeSign) {
  for (const float sign : {-1.0f, 1.0f}) {
    Image<float> map(width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) map(x, y) = sign * (truth_at(x, y) + (sign > 0 ? 100.0f : 0.1f));
    write_pfm(scratch.path("other.pfm"), map.view());
    const std::string said = warned({}, "other.pfm");
    EXPECT_EQ(said.find("check the signs: disparities are the left x less the right one") != std::string::npos,
              sign < 0)
        << said;
  }
}

TEST_F(DoubtfulScores, NumbersInPlaceOfNoDisparity) {
  EXPECT_EQ(warned({}), "");
  for (const float mark : {-1.0f, 0.0f, -16.0f, 1000.0f}) {
    write_marked(scratch.path("marked.pfm"), mark);
    EXPECT_NE(
        warned({}, "marked.pfm")
            .find(fmt::format("disparity map marked.pfm is {} px at 10.0 % of the pixels, and wrong there, as where "
                              "that means that there is none: mark these by +infinity in .pfm",
                              mark)),
        std::string::npos)
        << mark;
  }
  // At most pixels, too.
  Image<float> sparse(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) sparse(x, y) = x % 10 < 5 ? truth_at(x, y) : -1.0f;
  write_pfm(scratch.path("sparse.pfm"), sparse.view());
  EXPECT_NE(warned({}, "sparse.pfm").find("disparity map sparse.pfm is -1 px at 50.0 % of the pixels"),
            std::string::npos);
  write_marked(scratch.path("marked.pfm"), 15.5f);  // a wrong disparity among others, and the lowest
  EXPECT_NE(warned({}, "marked.pfm"), "");
  write_marked(scratch.path("marked.pfm"), 22.0f);  // in the midst of them
  EXPECT_EQ(warned({}, "marked.pfm"), "");
}

TEST_F(DoubtfulScores, TruthsWhoseNumbersAreNoDisparities) {
  const auto said = [this](auto change) {
    Image<float> truth(width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) truth(x, y) = change(x, truth_at(x, y));
    write_pfm(scratch.path("odd.pfm"), truth.view());
    const Result result = scratch.run({"eval", "map.pfm", "odd.pfm"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    return result.err;
  };
  EXPECT_NE(
      said([](int x, float d) { return x < 9 ? 255.0f : d; }).find("truth odd.pfm is 255 px at 14.8 % of the pixels"),
      std::string::npos);
  EXPECT_NE(said([](int, float d) { return std::min(d, 21.8f); }).find("truth odd.pfm seems to be cut off"),
            std::string::npos);
  EXPECT_NE(said([](int, float d) { return d < 24 ? d : d - 24; }).find("truth odd.pfm seems to begin again at 0"),
            std::string::npos);
  EXPECT_NE(
      said([](int x, float) { return static_cast<float>(x * 37 % 64); }).find("truth odd.pfm seems to be a picture"),
      std::string::npos);
}

/// Frames of which the last one has another truth are looked at when their scores stand out.
TEST_F(DoubtfulScores, OfALaterFrameAreTold) {
  Image<float> other(width, height);
  const auto told = [&](const auto& value) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) other(x, y) = value(x, y);
    for (int i = 0; i < 3; ++i) {
      std::filesystem::copy_file(scratch.path("map.pfm"), scratch.path(fmt::format("m_{}.pfm", i)), over);
      std::filesystem::copy_file(scratch.path("truth.pfm"), scratch.path(fmt::format("t_{}.pfm", i)), over);
    }
    write_pfm(scratch.path("t_2.pfm"), other.view());
    const Result result = scratch.run({"eval", "m_%d.pfm", "t_%d.pfm"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_LE(lines(result.err), 1u) << result.err;
    return result.err;
  };
  EXPECT_EQ(told(truth_at), "");
  const std::string scaled = told([](int x, int y) { return 16 * truth_at(x, y); });
  EXPECT_NE(scaled.find("truth t_2.pfm"), std::string::npos) << scaled;
  EXPECT_NE(scaled.find("--truth-scale"), std::string::npos) << scaled;
  const std::string odd =
      told([](int x, int y) { return truth_at(x, y) + static_cast<float>((x * 7 + y * 13) % 5 + 3); });
  EXPECT_NE(odd.find("t_2.pfm"), std::string::npos) << odd;
}

/// The same of `stereo`, which says of a frame that is looked at anyway what is wrong once.
TEST(DoubtfulTruth, OfALaterFrameIsTold) {
  const Scratch scratch;
  const Image<std::uint8_t> left = inspect_test::view(false), right = inspect_test::view(true);
  const auto write_truth = [&](int frame, float times) {
    Image<float> truth(inspect_test::scene_size);
    for (int y = 0; y < truth.height(); ++y)
      for (int x = 0; x < truth.width(); ++x)
        truth(x, y) = times * static_cast<float>(x >= 70 && x < 190 && y >= 30 && y < 150 ? inspect_test::square
                                                                                          : inspect_test::wall);
    write_pfm(scratch.path(fmt::format("t_{}.pfm", frame)), truth.view());
  };
  for (int i = 0; i < 4; ++i) {
    write_picture(scratch.path(fmt::format("l_{}.png", i)), left.view());
    write_picture(scratch.path(fmt::format("r_{}.png", i)), right.view());
    write_truth(i, 1);
  }
  const auto said = [&] {
    const Result result = scratch.run({"stereo", "l_%d.png", "r_%d.png", "--disparities", "16", "--truth", "t_%d.pfm"});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  };
  const std::string good = said();
  EXPECT_EQ(good.find("truth"), std::string::npos) << good;
  for (const int frame : {2, 3}) {  // looked at anyway, and not
    write_truth(frame, 16);
    const std::string told = said();
    EXPECT_NE(told.find(fmt::format("truth t_{}.pfm", frame)), std::string::npos) << told;
    EXPECT_EQ(lines(told), lines(good) + 1) << told;
    write_truth(frame, 1);
  }
}

TEST_F(DoubtfulScores, TruthBeyondTheLargestDisparity) {
  EXPECT_EQ(warned({"--max-disparity", "26"}), "");
  EXPECT_NE(warned({"--max-disparity", "21"})
                .find("of the truth are above --max-disparity 21, to which the map is "
                      "clipped, and cannot be met: give 27 or more"),
            std::string::npos);
}

TEST_F(DoubtfulScores, MasksThatAreNone) {
  const auto write_mask = [this](const char* name, auto value) { scratch.write(name, pgm(width, height, 255, value)); };
  write_mask("mask.pgm", [](int x, int) { return x < 9 ? 0 : x < 20 ? 128 : 255; });
  EXPECT_EQ(warned({"--mask", "mask.pgm"}), "");
  write_mask("levels.pgm", [](int x, int) { return x < 9 ? 0 : x < 20 ? 64 : x < 30 ? 128 : 255; });
  EXPECT_NE(warned({"--mask", "levels.pgm"}).find("mask levels.pgm has 4 grey levels"), std::string::npos);
  write_mask("photograph.pgm", [](int x, int y) { return (x * 5 + y) % 256; });
  EXPECT_NE(warned({"--mask", "photograph.pgm"})
                .find("mask photograph.pgm has 256 grey levels, as photographs and masks of another size have: "
                      "it must be 255 where a pixel is visible"),
            std::string::npos);
  scratch.write("mask.jpg", jpeg());
  const Result compressed = scratch.run({"eval", "map.pfm", "truth.pfm", "--mask", "mask.jpg"});
  EXPECT_EQ(compressed.status, 1);
  EXPECT_NE(compressed.err.find("mask mask.jpg is a JPEG, whose compression"), std::string::npos) << compressed.err;
  write_mask("ones.pgm", [](int x, int) { return x < 9 ? 0 : 1; });
  const Result refused = scratch.run({"eval", "map.pfm", "truth.pfm", "--mask", "ones.pgm"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("mask ones.pgm has no pixel of value 255, its largest is 1"), std::string::npos);
}

/// White, with a shape in the transparency alone.
TEST_F(DoubtfulScores, MasksInTheTransparency) {
  scratch.write("alpha.png", png(width, height, 0, 0, 4, true));
  const Result refused = scratch.run({"eval", "map.pfm", "truth.pfm", "--mask", "alpha.png"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("mask alpha.png is drawn in its transparency, which is not read"), std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("`ffmpeg -i alpha.png -vf alphaextract mask.png`"), std::string::npos) << refused.err;
}

TEST_F(DoubtfulScores, MasksThatChooseAll) {
  scratch.write("all.pgm", pgm(width, height, 255, [](int, int) { return 255; }));
  EXPECT_NE(warned({"--mask", "all.pgm"}).find("mask all.pgm is 255 everywhere, and chooses all pixels"),
            std::string::npos);
}

/// Depth whose numbers lie among the disparities, and meet them at two fifths of the pixels.
TEST_F(DoubtfulScores, DepthAmongTheDisparities) {
  Image<float> near(width, height), depth(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      near(x, y) = x % 5 < 2 ? 20 + 0.1f * static_cast<float>(y % 3) : 14 + 0.25f * static_cast<float>(x);
      depth(x, y) = 400 / near(x, y);
    }
  write_pfm(scratch.path("near.pfm"), near.view());
  write_pfm(scratch.path("depth.pfm"), depth.view());
  EXPECT_EQ(scratch.run({"eval", "near.pfm", "near.pfm"}).err, "");
  const Result result = scratch.run({"eval", "near.pfm", "depth.pfm"});
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_NE(result.err.find("truth depth.pfm or the map is depth, not disparity"), std::string::npos) << result.err;
}

TEST(DoubtfulTruth, APairThatIsWrongComesFirst) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "240x180", "--seed", "5"}).status, 0);
  // Of the other unit, and given with exchanged pictures: the second is told once the first is mended.
  Image<float> truth = read_disparity(scratch.path("scene/disparity.pfm"));
  for (int y = 0; y < truth.height(); ++y)
    for (int x = 0; x < truth.width(); ++x) truth(x, y) = 16 * truth(x, y);
  write_pfm(scratch.path("scaled.pfm"), truth.view());
  const auto said = [&](const char* left, const char* right) {
    return scratch.run({"stereo", left, right, "--disparities", "64", "--truth", "scaled.pfm"}).err;
  };
  const std::string exchanged = said("scene/right.png", "scene/left.png"),
                    good = said("scene/left.png", "scene/right.png");
  EXPECT_EQ(lines(exchanged), 1u) << exchanged;
  EXPECT_NE(exchanged.find("seem to be exchanged"), std::string::npos) << exchanged;
  EXPECT_EQ(lines(good), 1u) << good;
  EXPECT_NE(good.find("another unit"), std::string::npos) << good;
}

TEST(DoubtfulTruth, MovedBesideTheMap) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "200x150", "--seed", "5"}).status, 0);
  const Image<float> truth = read_float_map(scratch.path("scene/disparity.pfm"));
  Image<float> moved(truth.size(), none);
  for (int y = 7; y < moved.height(); ++y)
    for (int x = 0; x + 6 < moved.width(); ++x) moved(x, y) = truth(x + 6, y - 7);
  write_pfm(scratch.path("moved.pfm"), moved.view());
  const std::vector<std::string> words{"stereo", "scene/left.png", "scene/right.png", "--disparities",
                                       "64",     "--truth",        "moved.pfm"};
  const Result result = scratch.run(words);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_NE(result.err.find("truth moved.pfm seems to lie beside the map: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("px to the right and 7 px up: check that truth"), std::string::npos) << result.err;
}

TEST(DoubtfulMasks, InvertedOnesAndThoseOfTheOtherPicture) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "200x150", "--seed", "5"}).status, 0);
  const GreyPicture mask = read_grey(scratch.path("scene/mask.png"));
  Image<std::uint8_t> inverse(mask.u8.size());
  for (int y = 0; y < inverse.height(); ++y)
    for (int x = 0; x < inverse.width(); ++x) inverse(x, y) = static_cast<std::uint8_t>(255 - mask.u8(x, y));
  write_picture(scratch.path("inverse.png"), inverse.view());
  const std::vector<std::string> eval{"eval", "scene/disparity.pfm", "scene/disparity.pfm", "--mask"};
  const std::vector<std::string> stereo{"stereo", "scene/left.png", "scene/right.png",     "--disparities",
                                        "64",     "--truth",        "scene/disparity.pfm", "--mask"};
  for (std::vector<std::string> words : {eval, stereo}) {
    words.push_back("scene/mask.png");
    const Result good = scratch.run(words);
    EXPECT_EQ(good.status, 0);
    EXPECT_EQ(good.err, "");
    words.back() = "scene/mask_right.png";
    const Result other = scratch.run(words);
    EXPECT_EQ(lines(other.err), 1u) << other.err;
    EXPECT_NE(other.err.find("mask scene/mask_right.png seems to be the other picture's"), std::string::npos)
        << other.err;
    words.back() = "inverse.png";
    const Result bad = scratch.run(words);
    EXPECT_EQ(bad.status, 0);
    EXPECT_EQ(lines(bad.err), 1u) << bad.err;
    EXPECT_NE(bad.err.find("mask inverse.png seems to be inverted"), std::string::npos) << bad.err;
    words.push_back("--strict");
    EXPECT_EQ(scratch.run(words).status, 1);
  }
}

TEST(DoubtfulPoints, MasksAndSharesThatAreNone) {
  const Scratch scratch;
  std::string clip = "YUV4MPEG2 W96 H80 F25:1 Cmono\n";
  for (int frame = 0; frame < 3; ++frame) {
    clip += "FRAME\n";
    for (int i = 0; i < 96 * 80; ++i) clip.push_back(static_cast<char>(texture(i % 96 + frame, i / 96)));
  }
  scratch.write("clip.y4m", clip);
  const auto said = [&](const std::string& option, const std::string& file) {
    const Result result = scratch.run({"track", "clip.y4m", option, file});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  };
  scratch.write("mask.pgm", pgm(96, 80, 255, [](int x, int) { return x / 10; }));
  EXPECT_EQ(said("--points-mask", "mask.pgm"), "");
  scratch.write("photograph.pgm", pgm(96, 80, 255, [](int x, int y) { return (x + y) % 200; }));
  EXPECT_NE(said("--points-mask", "photograph.pgm").find("mask photograph.pgm has 175 grey levels"), std::string::npos);
  scratch.write("shares.txt", "0.5 0.5\n0.25 0.75\n");
  EXPECT_NE(said("--points-file", "shares.txt")
                .find("all 2 points of shares.txt lie within 0 .. 1, in the frames' first pixel: they look like shares "
                      "of width and height, and px are wanted, x 0 .. 95 and y 0 .. 79"),
            std::string::npos);
  scratch.write("exchanged.txt", "70 90\n60 20\n");
  EXPECT_NE(
      said("--points-file", "exchanged.txt")
          .find("1 of the 2 points of exchanged.txt lie outside the frames, where x is 0 .. 95 and y 0 .. 79, and "
                "are lost at once (the first: 70, 90): with x and y exchanged, all lie inside"),
      std::string::npos);
  scratch.write("outside.txt", "90 90\n60 20\n");
  EXPECT_EQ(said("--points-file", "outside.txt").find("exchanged"), std::string::npos);
  scratch.write("one.txt", "0.5 0.5\n");
  EXPECT_EQ(said("--points-file", "one.txt"), "");
}

TEST(DoubtfulTruth, AMapInAnotherUnitIsNamed) {
  const Scratch scratch;
  Image<float> truth(120, 90), sixteenths(120, 90), quarters(120, 90);
  for (int y = 0; y < truth.height(); ++y)
    for (int x = 0; x < truth.width(); ++x) {
      truth(x, y) = static_cast<float>(4 + x / 10 + y / 30);
      sixteenths(x, y) = 16 * truth(x, y);
      quarters(x, y) = truth(x, y) / 4;
    }
  write_pfm(scratch.path("truth.pfm"), truth.view());
  write_pfm(scratch.path("16.pfm"), sixteenths.view());
  write_pfm(scratch.path("4.pfm"), quarters.view());
  const auto said = [&scratch](const std::vector<std::string>& words) {
    const Result result = scratch.run(words);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    return result.err;
  };
  const std::string map = said({"eval", "16.pfm", "truth.pfm"});
  EXPECT_NE(map.find("the map has another unit than truth truth.pfm"), std::string::npos) << map;
  EXPECT_NE(map.find("16-bit maps of OpenCV, divide it by 16 or so; where the truth is at fault, give --truth-scale "
                     "0.0625"),
            std::string::npos)
      << map;
  const std::string either = said({"eval", "4.pfm", "truth.pfm"});
  EXPECT_NE(either.find("give --truth-scale 4 or so, or, where the map is at fault, multiply it by 4"),
            std::string::npos)
      << either;
  const std::string scale = said({"eval", "truth.pfm", "truth.pfm", "--truth-scale", "4"});
  EXPECT_NE(scale.find("give --truth-scale 1 or so"), std::string::npos) << scale;
}

TEST(DoubtfulMasks, MirroredOnes) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "200x150", "--seed", "5"}).status, 0);
  const GreyPicture mask = read_grey(scratch.path("scene/mask.png"));
  Image<std::uint8_t> mirrored(mask.u8.size());
  for (int y = 0; y < mirrored.height(); ++y)
    for (int x = 0; x < mirrored.width(); ++x) mirrored(x, y) = mask.u8(mirrored.width() - 1 - x, y);
  write_picture(scratch.path("mirrored.png"), mirrored.view());
  const Result result = scratch.run({"eval", "scene/disparity.pfm", "scene/disparity.pfm", "--mask", "mirrored.png"});
  EXPECT_NE(result.err.find("mask mirrored.png seems to be mirrored"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace vergence::cli_test
