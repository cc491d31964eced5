// SPDX-License-Identifier: Apache-2.0
// Frames of a sequence that cannot be matched are told of wherever they stand; maps of hardly a pixel, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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

/// A frame: a good pair, or what is wrong with it.
enum class Kind { good, exchanged, left_flat, right_flat, equal };

class StreamWarnings : public testing::Test {
 protected:
  /// The warnings of a sequence of these frames.
  std::vector<std::string> warnings_of(const std::vector<Kind>& frames, const std::string& preset) const {
    const Image<std::uint8_t> left = inspect_test::view(false);
    const Image<std::uint8_t> right = inspect_test::view(true);
    const Image<std::uint8_t> flat(left.size(), 3);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const Kind kind = frames[i];
      const bool exchanged = kind == Kind::exchanged;
      write_picture(scratch.path("l_" + std::to_string(i) + ".pgm"), (kind == Kind::left_flat ? flat
                                                                      : exchanged             ? right
                                                                                              : left)
                                                                         .view());
      write_picture(scratch.path("r_" + std::to_string(i) + ".pgm"), (kind == Kind::right_flat           ? flat
                                                                      : exchanged || kind == Kind::equal ? left
                                                                                                         : right)
                                                                         .view());
    }
    const Words run{"stereo",        "l_%d.pgm", "r_%d.pgm",
                    "--disparities", "32",       "--preset",
                    preset,          "--frames", "0:" + std::to_string(frames.size() - 1)};
    Words strict = run;
    strict.insert(strict.end(), {"--strict", "-o", "map_%d.pfm"});
    Words report = run;
    report.push_back("--json");
    const Result result = scratch.run(report);
    EXPECT_EQ(result.status, 0) << result.err;
    const Json warnings = Json::parse(result.out)["warnings"];
    EXPECT_EQ(scratch.run(strict).status, warnings.empty() ? 0 : 1);
    std::vector<std::string> texts;
    for (const Json& warning : warnings.elements()) texts.push_back(warning.get<std::string>());
    return texts;
  }
  void expect_told(const std::vector<Kind>& frames, const Words& starts) const {
    for (const char* preset : {"fast", "default", "quality-window"}) {
      SCOPED_TRACE(preset);
      const std::vector<std::string> told = warnings_of(frames, preset);
      ASSERT_EQ(told.size(), starts.size()) << testing::PrintToString(told);
      for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i].rfind(starts[i], 0), 0u) << told[i];
    }
  }
  static std::vector<Kind> good(std::size_t frames) { return std::vector<Kind>(frames, Kind::good); }

  Scratch scratch;
};

TEST_F(StreamWarnings, GoodOnesHaveNone) { expect_told(good(20), {}); }

TEST_F(StreamWarnings, OneFrameIsEnough) {
  const std::pair<Kind, std::string> kinds[] = {{Kind::exchanged, "left and right seem to be exchanged"},
                                                {Kind::left_flat, "left picture l_%d.pgm is black"},
                                                {Kind::right_flat, "right picture r_%d.pgm is black"},
                                                {Kind::equal, "left and right are the same picture"}};
  for (const auto& [kind, words] : kinds)
    for (const std::size_t frame : {1u, 11u}) {
      SCOPED_TRACE(words);
      std::vector<Kind> frames = good(12);
      frames[frame] = kind;
      expect_told(frames, {"frame " + std::to_string(frame) + ": " + words});
    }
}

TEST_F(StreamWarnings, AHalfIsToldOnce) {
  std::vector<Kind> frames = good(24);
  for (std::size_t i = 12; i < frames.size(); ++i) frames[i] = Kind::exchanged;
  expect_told(frames, {"frame 12: left and right seem to be exchanged"});
}

TEST_F(StreamWarnings, OneCauseHidesNoOther) {
  expect_told({Kind::right_flat, Kind::exchanged, Kind::exchanged, Kind::equal, Kind::left_flat},
              {"right picture r_%d.pgm is black", "frame 1: left and right seem to be exchanged",
               "frame 3: left and right are the same picture", "frame 4: left picture l_%d.pgm is black"});
}

TEST_F(StreamWarnings, ACameraThatHangs) {
  const auto write = [this](const std::string& name, Image<std::uint8_t> view, int changed) {
    view(changed, 0) ^= 255;
    write_picture(scratch.path(name), view.view());
  };
  const auto warnings = [this] {
    return scratch.run({"stereo", "l_%d.pgm", "r_%d.pgm", "--disparities", "32", "--frames", "0:4"}).err;
  };
  for (const int hangs : {0, 1}) {
    for (int i = 0; i < 5; ++i) {
      write("l_" + std::to_string(i) + ".pgm", inspect_test::view(false), hangs == 0 ? 1 : 1 + i);
      write("r_" + std::to_string(i) + ".pgm", inspect_test::view(true), hangs == 1 ? 1 : 1 + i);
    }
    const std::string said = warnings();
    EXPECT_EQ(lines(said), 1u) << said;
    EXPECT_NE(said.find(std::string("frame 3: the ") + (hangs == 0 ? "left" : "right") +
                        " picture has been the same for 4 frames"),
              std::string::npos)
        << said;
  }
  for (int i = 0; i < 5; ++i) write("l_" + std::to_string(i) + ".pgm", inspect_test::view(false), 1 + i / 2);
  for (int i = 0; i < 5; ++i) write("r_" + std::to_string(i) + ".pgm", inspect_test::view(true), 1 + (i + 1) / 2);
  EXPECT_EQ(warnings(), "");  // each frame twice, not at the same time
}

TEST_F(StreamWarnings, HardlyAPixelMeasured) {
  Image<std::uint8_t> left(200, 150);
  Image<std::uint8_t> right(200, 150);
  for (int y = 0; y < 150; ++y)
    for (int x = 0; x < 200; ++x) {
      left(x, y) = static_cast<std::uint8_t>(2 * inspect_test::hash(x, y));
      right(x, y) = static_cast<std::uint8_t>(2 * inspect_test::hash(x + 999, y + 999));
    }
  write_picture(scratch.path("a.pgm"), left.view());
  write_picture(scratch.path("b.pgm"), right.view());
  write_picture(scratch.path("l.pgm"), inspect_test::view(false).view());
  write_picture(scratch.path("r.pgm"), inspect_test::view(true).view());
  const auto run = [this](Words arguments) {
    arguments.insert(arguments.begin(), "stereo");
    return scratch.run(arguments).err;
  };
  const std::string noise = run({"a.pgm", "b.pgm", "--preset", "quality"});
  EXPECT_EQ(lines(noise), 1u) << noise;
  for (const Words& cause : {Words{"--texture", "60000"}, {"--speckle-size", "42000"}}) {
    const std::string said = run({"l.pgm", "r.pgm", "--disparities", "32", cause[0], cause[1]});
    EXPECT_EQ(lines(said), 1u) << said;
    EXPECT_NE(said.find(" % of the pixels were measured"), std::string::npos) << said;
    EXPECT_NE(said.find(cause[0] + " " + cause[1]), std::string::npos) << said;
  }
}

TEST_F(StreamWarnings, EightBitsInSixteenAreNotBlack) {
  const auto deep = [](const Image<std::uint8_t>& picture) {
    Image<std::uint16_t> result(picture.size());
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) result(x, y) = picture(x, y);
    return result;
  };
  write_picture(scratch.path("l.png"), deep(inspect_test::view(false)).view());
  write_picture(scratch.path("r.png"), deep(inspect_test::view(true)).view());
  const Words run{"stereo", "l.png", "r.png", "--disparities", "32"};
  const std::string said = scratch.run(run).err;
  EXPECT_EQ(lines(said), 1u) << said;
  EXPECT_NE(said.find("left picture l.png uses 8 of its 16 bits"), std::string::npos) << said;
  Words cured = run;
  cured.insert(cured.end(), {"--max-value", "255", "--strict"});
  EXPECT_EQ(scratch.run(cured).err, "");
}

TEST_F(StreamWarnings, BarsOfALaterFrameHaveItsNumber) {
  for (int frame = 0; frame < 2; ++frame)
    for (const bool right : {false, true}) {
      Image<std::uint8_t> picture = inspect_test::view(right);
      for (int y = 0; frame == 1 && y < picture.height(); ++y)
        if (y < 24 || y >= picture.height() - 24) std::fill_n(picture.row(y), picture.width(), std::uint8_t{16});
      write_picture(scratch.path(fmt::format("{}_{}.pgm", right ? 'r' : 'l', frame)), picture.view());
    }
  const std::string said =
      scratch.run({"stereo", "l_%d.pgm", "r_%d.pgm", "--disparities", "32", "--preset", "quality"}).err;
  EXPECT_NE(said.find("warning: frame 1: bars of one grey level"), std::string::npos) << said;
}

}  // namespace
}  // namespace vergence::cli_test
