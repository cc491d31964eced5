// SPDX-License-Identifier: Apache-2.0
// Video whose motion is not what it seems: ranges that are too small, frames that come again, two fields in one frame,
// samples of fewer bits, rounded tracks, files that are left out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "cli/track_clip.hpp"
#include "inspect/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

constexpr Size size{240, 180};

/// A scene that has moved by so many pixels to the right and down.
Image<std::uint8_t> moved(double right, double down) {
  Image<std::uint8_t> picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      picture(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x - right, y - down));
  return picture;
}

class DoubtfulMotion : public testing::Test {
 protected:
  void write(int number, const Image<std::uint8_t>& picture) const {
    write_picture(scratch.path("f_" + std::to_string(number) + ".pgm"), picture.view());
  }
  /// One warning that holds these words, an error with --strict; or no warning.
  void expect(const Words& run, const Words& words) const {
    Words report = run;
    report.push_back("--json");
    const Result result = scratch.run(report);
    ASSERT_EQ(result.status, 0) << result.err;
    const Json warnings = Json::parse(result.out)["warnings"];
    ASSERT_EQ(warnings.size(), words.empty() ? 0u : 1u) << result.err;
    for (const std::string& word : words)
      EXPECT_TRUE(holds(warnings[0].get<std::string>(), word)) << word << " in " << result.err;
    Words strict = run;
    strict.insert(strict.end(), {"--strict", "-o", "strict.npy"});
    EXPECT_EQ(scratch.run(strict).status, words.empty() ? 0 : 1);
    std::remove(scratch.path("strict.npy").c_str());
    std::remove(scratch.path("strict.npy.partial").c_str());
  }
  const Scratch scratch;
};

TEST_F(DoubtfulMotion, ARangeThatIsTooSmall) {
  for (int i = 0; i < 4; ++i) write(i, moved(11 * i, -7 * i));
  const Words run{"motion", "f_%d.pgm", "--range"};
  const auto with = [&run](const char* range) {
    Words words = run;
    words.emplace_back(range);
    return words;
  };
  // The vector is (-11, 7).
  expect(with("4"), {"the range 4 is too small", "% of the vectors of frame 1 lie at its edge",
                     "up to 11 px to the side and 7 px up or down: give --range 16,8"});
  expect(with("16,4"), {"the range 16,4 is too small", "give --range 16,8"});
  expect(with("-8:16"), {"too small"});
  expect(with("16"), {});
  expect(with("-16:0"), {"too small"});
  expect(with("12,8"), {});
  expect(with("11,7"), {});
}

TEST_F(DoubtfulMotion, ARangeThatIsTooSmallForAFewThings) {
  for (int i = 0; i < 3; ++i) {  // one of 80x48 px moves by (11, -7) before a scene that stands still
    Image<std::uint8_t> frame = moved(0, 0);
    const Image<std::uint8_t> thing = moved(11 * i + 500, -7 * i + 300);
    for (int y = 0; y < 48; ++y)
      std::copy_n(thing.row(80 - 7 * i + y) + 60 + 11 * i, 80, frame.row(80 - 7 * i + y) + 60 + 11 * i);
    write(i, frame);
  }
  const auto with = [](const char* range) { return Words{"motion", "f_%d.pgm", "--range", range}; };
  expect(with("8"), {"the range 8 is too small", "blocks of these were found beyond it", "give --range 16,8"});
  expect(with("12,8"), {});
  expect(with("16"), {});
}

TEST_F(DoubtfulMotion, ASceneCutIsNoRangeThatIsTooSmall) {
  for (int i = 0; i < 4; ++i) write(i, moved(1000 * i, 700 * i));
  expect({"motion", "f_%d.pgm", "--range", "4"}, {});
  expect({"motion", "f_%d.pgm", "--range", "16", "--search", "diamond"}, {});
}

TEST_F(DoubtfulMotion, FramesThatComeAgain) {
  const auto clip = [this](const std::vector<int>& times) {
    for (std::size_t i = 0; i < times.size(); ++i) write(static_cast<int>(i), moved(3 * times[i], 0));
    return "0:" + std::to_string(times.size() - 1);
  };
  const auto run = [](const char* command, const std::string& frames) {
    return Words{command, "f_%d.pgm", "--frames", frames};
  };
  for (const char* command : {"motion", "track"}) {
    SCOPED_TRACE(command);
    // A camera that hangs; a rate raised from 4 to 5; one doubled; and good ones.
    expect(run(command, clip({0, 1, 2, 2, 2, 2, 2, 3, 4})),
           {"4 of the 9 frames of f_%d.pgm repeat the frame before", "such as frames 3 .. 6", "--frames"});
    expect(run(command, clip({0, 1, 2, 3, 3, 4, 5, 6, 7, 7, 8, 9})), {"2 of the 12 frames", "such as frame 4"});
    expect(run(command, clip({0, 0, 1, 1, 2, 2, 3, 3})), {"2 of the 8 frames"});
    expect(run(command, clip({0, 1, 2, 3, 4, 5})), {});
    // A scene that stands still before it moves, and after it.
    expect(run(command, clip({0, 0, 0, 1, 2, 3, 3, 3})), {});
  }
}

TEST_F(DoubtfulMotion, FramesThatAreEnlargedWithoutInterpolation) {
  for (const int block : {2, 8}) {
    SCOPED_TRACE(block);
    for (int i = 0; i < 3; ++i) {
      const Image<std::uint8_t> small = moved(2 * i, 0);
      Image<std::uint8_t> frame(size);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) frame(x, y) = small(x / block, y / block);
      write(i, frame);
    }
    const std::string side = std::to_string(block) + "x" + std::to_string(block);
    for (const char* command : {"motion", "track"})
      expect({command, "f_%d.pgm"}, {"frame 0 of f_%d.pgm is enlarged", side, block == 2 ? "120x90" : "30x22"});
  }
}

TEST_F(DoubtfulMotion, TwoFieldsInOneFrame) {
  for (int i = 0; i < 3; ++i) {
    Image<std::uint8_t> frame = moved(8 * i, 0);
    const Image<std::uint8_t> later = moved(8 * i + 4, 0);
    for (int y = 1; y < size.height; y += 2) std::copy_n(later.row(y), size.width, frame.row(y));
    write(i, frame);
  }
  for (const char* command : {"motion", "track"})
    expect({command, "f_%d.pgm"}, {"frame 0 of f_%d.pgm is interlaced", "deinterlace"});
}

TEST_F(DoubtfulMotion, SamplesOfFewerBits) {
  const auto clip = [this](int factor) {
    std::string bytes;
    for (int i = 0; i < 3; ++i) {
      const Image<std::uint8_t> frame = moved(2 * i, i);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          const int word = factor * frame(x, y);
          bytes.push_back(static_cast<char>(word & 255));
          bytes.push_back(static_cast<char>(word >> 8));
        }
    }
    scratch.write("clip.raw", bytes);
  };
  const auto run = [](const char* command, const char* format) {
    return Words{command, "clip.raw", "--size", "240x180", "--format", format};
  };
  for (const char* command : {"motion", "track"}) {
    SCOPED_TRACE(command);
    clip(4);
    expect(run(command, "gray12le"), {"no pixel above", "of 4095 in its 3 frames, as samples of 10 bits", "--format"});
    expect(run(command, "gray10le"), {});
    clip(1);
    expect(run(command, "gray10le"), {"of 1023 in its 3 frames, as samples of 8 bits"});
    clip(16);
    expect(run(command, "gray12le"), {});
  }
}

/// As a spreadsheet writes them.
std::string rounded(const std::string& csv, int decimals) {
  std::string text;
  std::size_t at = csv.find('\n') + 1;
  text = csv.substr(0, at);
  while (at < csv.size()) {
    const std::size_t end = csv.find('\n', at);
    std::vector<std::string> cells{""};
    for (const char c : csv.substr(at, end - at))
      if (c == ',')
        cells.emplace_back();
      else
        cells.back().push_back(c);
    for (const std::size_t column : {2u, 3u}) {
      char number[64];
      std::snprintf(number, sizeof(number), "%.*f", decimals, std::stod(cells[column]));
      cells[column] = number;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + cells[i];
    text += "\n";
    at = end + 1;
  }
  return text;
}

TEST(DoubtfulTracks, PositionsThatWereRounded) {
  const Scratch scratch;
  for (int i = 0; i < 6; ++i)
    write_picture(scratch.path("f_" + std::to_string(i) + ".pgm"), moved(1.3 * i, 0.6 * i).view());
  ASSERT_EQ(scratch.run(track("f_%d.pgm", {"--frames", "0:2", "-o", "t.csv"})).status, 0);
  const auto resume = [&](const char* file) { return scratch.run(track("f_%d.pgm", {"--resume", file})); };
  EXPECT_EQ(resume("t.csv").err, "");
  for (const int decimals : {0, 1, 2, 3, 6}) {
    scratch.write("r.csv", rounded(scratch.read("t.csv"), decimals));
    const Result result = resume("r.csv");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(holds(result.err, "another program has rounded them")) << decimals << result.err;
    EXPECT_TRUE(holds(result.err, decimals == 0 ? "all positions are whole pixels" : "no whole 1/1024 px"))
        << result.err;
  }
  scratch.write("r.csv", rounded(scratch.read("t.csv"), 10));
  EXPECT_EQ(resume("r.csv").err, "");
}

TEST(DoubtfulSequence, FilesThatAreLeftOutAreToldOfWhereTheRunFails) {
  const Scratch scratch;
  const auto write = [&scratch](const char* name) { write_picture(scratch.path(name), moved(0, 0).view()); };
  write("a_001.pgm");
  write("a_2.pgm");
  write("a_3.pgm");
  const auto said = [&scratch](const Words& run, int status) {
    const Result result = scratch.run(run);
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    return result.err;
  };
  const std::string left_out = "; 2 files are left out of a_%03d.pgm, such as a_2.pgm, where 002 would be read: write";
  EXPECT_TRUE(holds(said({"motion", "a_%03d.pgm"}, 1), left_out));
  EXPECT_TRUE(holds(said({"track", "a_%03d.pgm", "--frames", "2:3"}, 2), left_out));
  write("a_004.pgm");
  EXPECT_TRUE(holds(said({"motion", "a_%03d.pgm"}, 1), "a_002.pgm\": the sequence lacks this file"));
  EXPECT_TRUE(holds(said({"motion", "a_%03d.pgm"}, 1), left_out));
}

}  // namespace
}  // namespace vergence::cli_test
