// SPDX-License-Identifier: Apache-2.0
// Video of which something stays in place, is noise, or stands at another place than it was.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
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

TEST_F(DoubtfulStill, RowsThatWrap) {
  write([](int frame, int x, int y) { return pan(frame, frame < 4 ? x : (x + 70) % still_size.width, y); });
  expect("from frame 4 on, rows of f_%d.png begin amid the frame, at column 170");
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

}  // namespace
}  // namespace vergence::cli_test
