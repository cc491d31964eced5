// SPDX-License-Identifier: Apache-2.0
// Doubtful input is told of wherever it comes from, in one line, in --json too; damaged pictures are refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/printed_json.hpp"
#include "cli/track_clip.hpp"
#include "inspect/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// ------------------------------------------------------------------------------------------------ damaged pictures

TEST(DoubtfulPictures, APngRowWithoutAFilterIsDamaged) {
  const Scratch scratch;
  scratch.write("good.png", png(40, 20));
  scratch.write("bad.png", png(40, 20, 3, 9));  // all checksums are right
  for (const Words& words : {Words{"diff", "good.png", "bad.png"},
                             {"stereo", "good.png", "bad.png", "--disparities", "16", "-o", "d.pfm"},
                             {"stereo", "bad.png", "good.png", "--disparities", "16", "-o", "d.pfm"}})
    expect_refused(scratch, {"", words, 1, {"bad.png", "the PNG file is damaged (row 3 has the filter 9"}});
}

/// A BMP of 24 bits and 3x2 pixels whose rows begin at the top (height < 0) or at the bottom.
std::string bmp(bool top_first) {
  std::string file = "BM";
  const auto number = [&file](std::int64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) file.push_back(static_cast<char>(value >> 8 * i & 255));
  };
  number(54 + 24, 4);
  number(0, 4);
  number(54, 4);
  number(40, 4);
  number(3, 4);
  number(top_first ? -2 : 2, 4);
  number(1, 2);
  number(24, 2);
  for (const int value : {0, 24, 0, 0, 0, 0}) number(value, 4);
  for (int i = 0; i < 2; ++i) {
    const int row = top_first ? i : 1 - i;
    for (int x = 0; x < 3; ++x) file += std::string(3, static_cast<char>(10 * row + x + 1));
    number(0, 3);  // up to a multiple of four
  }
  return file;
}

TEST(DoubtfulPictures, ABmpMayBeginAtTheTop) {
  const Scratch scratch;
  scratch.write("p.pgm", pgm(3, 2, 255, [](int x, int y) { return 10 * y + x + 1; }));
  for (const bool top_first : {false, true}) {
    scratch.write("b.bmp", bmp(top_first));
    const GreyPicture grey = read_grey(scratch.path("b.bmp")), wanted = read_grey(scratch.path("p.pgm"));
    ASSERT_EQ(grey.size(), wanted.size());
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x) EXPECT_EQ(grey.u8(x, y), wanted.u8(x, y)) << top_first << ' ' << x << ' ' << y;
  }
  scratch.write("cut.bmp", bmp(true).substr(0, 60));
  expect_refused(scratch, {"", {"diff", "cut.bmp", "p.pgm"}, 1, {"cut.bmp", "the BMP file is truncated"}});
}

// ------------------------------------------------------------------------------------------------------------ alpha

TEST(DoubtfulPictures, WarningsAreInEveryReport) {
  const Scratch scratch;
  for (const char* name : {"a_0.png", "a_1.png", "b_0.png", "b_1.png"}) scratch.write(name, png(5, 4, 0, 0, 4));
  const Json one = Json::parse(scratch.run({"diff", "a_0.png", "b_0.png", "--json"}).out);
  ASSERT_EQ(one["warnings"].size(), 1u);
  EXPECT_TRUE(holds(one["warnings"][0].get<std::string>(), "a_0.png and b_0.png have an alpha channel"));
  const Result many = scratch.run({"diff", "a_%d.png", "b_%d.png", "--json", "--frames", "0:7"});
  EXPECT_EQ(many.status, 0);
  EXPECT_EQ(lines(many.err), 2u) << many.err;  // alpha once, and the frames that are not there
  EXPECT_EQ(Json::parse(many.out)["warnings"].size(), 2u);
  scratch.write("p.pgm", left_pgm(5, 4, 0));
  EXPECT_EQ(Json::parse(scratch.run({"diff", "p.pgm", "p.pgm", "--json"}).out)["warnings"], Json::array());
  EXPECT_EQ(Json::parse(scratch.run({"verify", "--cases", "1", "--json"}).out)["warnings"], Json::array());
}

// ------------------------------------------------------------------------------------------------------------ pairs

TEST(DoubtfulPairs, MosaicsOfColourFilters) {
  const Scratch scratch;
  const auto write = [&](const char* name, bool right) {
    const Image<std::uint8_t> scene = inspect_test::view(right);
    scratch.write(name, pgm(scene.width(), scene.height(), 255,
                            [&](int x, int y) { return scene(x, y) * ((x + y) % 2 == 1 ? 10 : 6) / 10; }));
  };
  write("m_0.pgm", false);
  write("m_1.pgm", true);
  for (const Words& words : {Words{"stereo", "m_0.pgm", "m_1.pgm", "--disparities", "32", "-o", "d.pfm"},
                             {"motion", "m_%d.pgm", "-o", "f_%d.flo"},
                             {"track", "m_%d.pgm", "-o", "t.csv"}}) {
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << words[0] << result.err;
    EXPECT_EQ(lines(result.err), 1u) << words[0] << result.err;
    EXPECT_TRUE(holds(result.err, "looks like a mosaic of colour filters (Bayer)")) << words[0] << result.err;
  }
}

/// Four upper bytes and one of lower bits in turn.
TEST(DoubtfulPairs, PackedSamples) {
  const Scratch scratch;
  const auto write = [&](const char* name, bool right) {
    const Image<std::uint8_t> scene = inspect_test::view(right);
    scratch.write(name, pgm(scene.width(), scene.height(), 255, [&](int x, int y) {
                    return x % 5 == 4 ? 2 * inspect_test::hash(x, right ? y + 1000 : y) : scene(x / 5 * 4 + x % 5, y);
                  }));
  };
  write("p_0.pgm", false);
  write("p_1.pgm", true);
  for (const Words& words : {Words{"stereo", "p_0.pgm", "p_1.pgm", "--disparities", "32", "-o", "d.pfm"},
                             {"motion", "p_%d.pgm", "-o", "f_%d.flo"}}) {
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << words[0] << result.err;
    EXPECT_TRUE(holds(result.err,
                      "packed samples of 10 bits (4 px in 5 bytes) that were taken for grey pixels: each "
                      "fifth column, from column 4 on"))
        << words[0] << result.err;
  }
}

TEST(DoubtfulPairs, ViewsThatHoldAPartOfEachOther) {
  const Scratch scratch;
  const Image<std::uint8_t> left = inspect_test::view(false), right = inspect_test::view(true);
  const auto write = [&](const char* name, const Image<std::uint8_t>& most, const Image<std::uint8_t>& some) {
    scratch.write(name, pgm(left.width(), left.height(), 255,
                            [&](int x, int y) { return (7 * most(x, y) + 3 * some(x, y) + 5) / 10; }));
  };
  write("left.pgm", left, right);
  write("right.pgm", right, left);
  const Words words{"stereo", "left.pgm", "right.pgm", "--disparities", "32", "-o", "d.pfm"};
  for (const Words& more : {Words{}, {"--preset", "quality"}}) {
    const Result result = scratch.run(with(words, more));
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_TRUE(holds(result.err, "left and right hold a part of each other: at ")) << result.err;
    EXPECT_TRUE(holds(result.err, "many points match twice, once at 0 px: check what mixes them")) << result.err;
  }
  EXPECT_EQ(scratch.run(with(words, {"--strict"})).status, 1);
}

// -------------------------------------------------------------------------------------------------------- raw video

/// Frames of grey, as bytes.
std::string raw_frames(int count) {
  const Image<std::uint8_t> picture = inspect_test::view(false);
  std::string bytes;
  for (int frame = 0; frame < count; ++frame)
    for (int y = 0; y < picture.height(); ++y)
      bytes.append(reinterpret_cast<const char*>(picture.row(y)), static_cast<std::size_t>(picture.width()));
  return bytes;
}

/// What a pipe gives is looked at as what a file holds.
TEST(DoubtfulRawVideo, FromAPipe) {
  const Scratch scratch;
  scratch.write("clip.yuv", raw_frames(6));
  ASSERT_EQ(mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  std::signal(SIGPIPE, SIG_IGN);
  const auto run = [&](const std::string& command, bool fifo, const Words& more) {
    std::thread writer([&] {
      if (!fifo) return;
      const int file = ::open(scratch.path("pipe").c_str(), O_WRONLY | O_CLOEXEC);
      const std::string bytes = raw_frames(6);
      for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t wrote = ::write(file, bytes.data() + done, bytes.size() - done);
        if (wrote <= 0) break;
        done += static_cast<std::size_t>(wrote);
      }
      ::close(file);
    });
    RunOptions options;
    if (!fifo) options.in_path = "clip.yuv";
    const Result result =
        scratch.run(with({command, fifo ? "pipe" : "-", "--size", "240x180", "--json"}, more), options);
    writer.join();
    return result;
  };
  for (const std::string command : {"motion", "track"})
    for (const bool fifo : {false, true}) {
      SCOPED_TRACE(command + (fifo ? " of a FIFO" : " of standard input"));
      const Result good = run(command, fifo, {"--format", "gray", "--strict"});
      EXPECT_EQ(good.status, 0) << good.err;
      EXPECT_EQ(good.err, "");
      for (const auto& [format, why] :
           {std::pair{"yuv420p", "43200 bytes, not 64800"}, {"yuyv422", "like the next one"}}) {
        const Result bad = run(command, fifo, {"--format", format});
        EXPECT_EQ(bad.status, 0) << bad.err;
        const Json warnings = Json::parse(bad.out)["warnings"];
        ASSERT_EQ(warnings.size(), 1u) << bad.out;
        const auto line = warnings[0].get<std::string>();
        EXPECT_TRUE(holds(line, std::string(" does not look like ") + format + " video of 240x180")) << line;
        EXPECT_TRUE(holds(line, why)) << line;
        EXPECT_EQ(line.rfind(fifo ? "pipe does" : "standard input does", 0), 0u) << line;
        const Result strict = run(command, fifo, {"--format", format, "--strict", "-o", "out.csv"});
        EXPECT_EQ(strict.status, 1);
        EXPECT_TRUE(holds(strict.err, why)) << strict.err;
        EXPECT_FALSE(scratch.has("out.csv"));
        fs::remove(scratch.path("out.csv.partial"));
      }
    }
}

TEST(DoubtfulPictures, HeadersWithWidthAndHeightExchanged) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "240x180", "--seed", "3"}).status, 0);
  for (const std::string side : {"left", "right"}) {
    const GreyPicture picture = read_grey(scratch.path("scene/" + side + ".png"));
    std::string bytes;
    for (int y = 0; y < picture.height(); ++y)
      bytes.append(reinterpret_cast<const char*>(picture.u8.row(y)), static_cast<std::size_t>(picture.width()));
    scratch.write(side + "_good.pgm", "P5\n240 180\n255\n" + bytes);
    scratch.write(side + "_bad.pgm", "P5\n180 240\n255\n" + bytes);
  }
  EXPECT_EQ(scratch.run({"stereo", "left_good.pgm", "right_good.pgm", "--disparities", "48"}).err, "");
  const Result bad = scratch.run({"stereo", "left_bad.pgm", "right_bad.pgm", "--disparities", "48"});
  EXPECT_EQ(bad.status, 0);
  EXPECT_TRUE(holds(bad.err,
                    "left picture left_bad.pgm does not look like a picture of 180x240: its rows would be alike if "
                    "they were 240 px long; check width and height in its header"))
      << bad.err;
  // A PNG of other rows than its header says cannot be read: this picture is what somebody drew.
  for (const std::string side : {"left", "right"})
    write_picture(scratch.path(side + "_drawn.png"), read_grey(scratch.path(side + "_bad.pgm")).u8.view());
  const Result drawn = scratch.run({"stereo", "left_drawn.png", "right_drawn.png", "--disparities", "48"});
  EXPECT_EQ(drawn.status, 0);
  EXPECT_FALSE(holds(drawn.err, "in its header")) << drawn.err;
}

TEST(DoubtfulRawVideo, ColoursPixelByPixelThatAreGrey) {
  const Scratch scratch;
  const std::string grey = raw_frames(4);
  std::string colours;
  for (const char value : grey) colours.append(3, value);
  scratch.write("clip.raw", colours);
  for (const std::string command : {"motion", "track"})
    for (const std::string format : {"gray", "yuv420p", "yuv422p", "yuv444p", "nv12"}) {
      SCOPED_TRACE(format);
      const Words words{command, "clip.raw", "--size", "240x180", "--format", format};
      const Result doubtful = scratch.run(words);
      EXPECT_EQ(doubtful.status, 0) << doubtful.err;
      EXPECT_TRUE(holds(doubtful.err, "clip.raw does not look like " + format + " video of 240x180: ")) << doubtful.err;
      EXPECT_TRUE(holds(doubtful.err, "every 3 bytes")) << doubtful.err;
      EXPECT_TRUE(holds(doubtful.err, "convert it")) << doubtful.err;
      EXPECT_EQ(scratch.run(with(words, {"--strict"})).status, 1);
    }
}

// ------------------------------------------------------------------------------------------------------------- names

TEST(DoubtfulNames, StayInOneLine) {
  const Scratch scratch;
  const std::string evil = "a\nvergence: all is well\x1b[31m\x7f\xc2\x9b.";
  const std::string shown = "a\\x0avergence: all is well\\x1b[31m\\x7f\\xc2\\x9b.";
  make_track_clip(scratch, 4);
  scratch.write("l.pgm", left_pgm(40, 20, 3));
  scratch.write("r.pgm", right_pgm(40, 20));
  fs::rename(scratch.path("clip.y4m"), scratch.path(evil + "y4m"));
  // Errors.
  for (const Words& words : {Words{"diff", evil + "png", "l.pgm"},
                             {"track", evil + "mp4"},
                             {"track", evil + "y4m", "-o", evil + "/t.csv"},
                             {"stereo", "l.pgm", "r.pgm", "--disparities", "16", "-o", evil + "txt"},
                             {"stereo", "l.pgm", "r.pgm", evil},
                             {evil}}) {
    const Result result = scratch.run(words);
    EXPECT_NE(result.status, 0);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_TRUE(holds(result.err, shown)) << result.err;
  }
  // Summaries: a line for each file that was written, and as many lines as with a plain name.
  const Result plain = scratch.run(track("f_%04d.pgm", {"-o", "t.csv"}));
  const Result named = scratch.run(track(evil + "y4m", {"-o", evil + "csv"}));
  ASSERT_EQ(named.status, 0) << named.err;
  EXPECT_EQ(lines(named.out), lines(plain.out));
  EXPECT_TRUE(holds(named.out, "wrote      " + shown + "csv (tracks)\n")) << named.out;
  // Warnings, and reports, in which JSON has escapes of its own.
  scratch.write(evil + "txt", "500 500\n20 20\n");
  const Result warned = scratch.run(track(evil + "y4m", {"--points-file", evil + "txt", "--json"}));
  ASSERT_EQ(warned.status, 0) << warned.err;
  EXPECT_EQ(lines(warned.err), 1u) << warned.err;
  EXPECT_TRUE(holds(warned.err, shown)) << warned.err;
  EXPECT_EQ(warned.out.find_first_of("\x1b\x7f\x9b"), std::string::npos) << warned.out;
  EXPECT_TRUE(holds(Json::parse(warned.out)["warnings"][0].get<std::string>(), evil + "txt"));
}

/// What turns the direction of writing shows an ending that is another; what nobody sees makes two names look alike.
TEST(DoubtfulNames, DoNotTurnOrHide) {
  const Scratch scratch;
  const std::pair<std::string, std::string> controls[] = {
      {"\xe2\x80\x8b", "200b"}, {"\xe2\x80\x8f", "200f"}, {"\xe2\x80\xaa", "202a"},    {"\xe2\x80\xae", "202e"},
      {"\xe2\x81\xa6", "2066"}, {"\xe2\x81\xa9", "2069"}, {"\xef\xbb\xbf", "feff"},    {"\xd8\x9c", "061c"},
      {"\xe2\x80\xa8", "2028"}, {"\xc2\xad", "00ad"},     {"\xf3\xa0\x81\x81", "db40"}};
  make_track_clip(scratch, 4);
  for (const auto& [control, code] : controls) {
    SCOPED_TRACE(code);
    std::string shown;
    for (const char byte : control) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    const Result refused = scratch.run({"diff", "a" + control + "gnp.pgm", "b.pgm"});
    EXPECT_NE(refused.status, 0);
    EXPECT_TRUE(holds(refused.err, "a" + shown + "gnp.pgm")) << refused.err;
    EXPECT_FALSE(holds(refused.err, control)) << refused.err;
    const std::string file = "t" + control + "u.csv";
    const Result named = scratch.run(track("f_%04d.pgm", {"-o", file}));
    EXPECT_TRUE(holds(named.out, "wrote      t" + shown + "u.csv (tracks)\n")) << named.out;
    const Result json = scratch.run(track("f_%04d.pgm", {"-o", file, "--json"}));
    EXPECT_FALSE(holds(json.out, control)) << json.out;
    EXPECT_TRUE(holds(json.out, "\\u" + code)) << json.out;
    EXPECT_EQ(Json::parse(json.out)["outputs"]["tracks"].get<std::string>(), file);
    fs::remove(scratch.path(file));
  }
  // Letters of any language are shown as they are.
  for (const char* word : {"\xc3\xa9t\xc3\xa9", "\xd7\xa9\xd7\x9c", "\xe6\x97\xa5\xe6\x9c\xac", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(holds(scratch.run({"diff", std::string(word) + ".pgm", "b.pgm"}).err, word));
}

TEST(DoubtfulNames, OfFilesThatAnEndedRunLeaves) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "s", "--size", "64x48", "--frame-count", "3"}).status, 0);
  ASSERT_EQ(mkfifo(scratch.path("p.csv").c_str(), 0600), 0);
  RunOptions options;
  options.signal = SIGTERM;
  options.signal_after = ".partial";
  const Result result = scratch.run({"motion", "s/left_%04d.png", "--compensated", "a\nb.y4m", "-o", "p.csv"}, options);
  EXPECT_EQ(result.status, 143);
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_TRUE(holds(result.err, "a\\x0ab.y4m.partial holds what was finished: rename it to ")) << result.err;
}

// ------------------------------------------------------------------------------------------------------------- JSON

TEST(DoubtfulJson, AKeyThatIsThereTwiceIsRefusedWithItsLines) {
  const Scratch scratch;
  scratch.write("l.pgm", left_pgm(40, 20, 3));
  const auto refused = [&](const std::string& text, const std::string& why) {
    scratch.write("s.json", text);
    expect_refused(scratch,
                   {"", {"stereo", "l.pgm", "l.pgm", "--settings", "s.json"}, 1, {"settings file s.json " + why}});
  };
  refused("{\n \"settings\": {\n  \"window\": 9,\n\n  \"window\": 11\n }\n}\n",
          "has the key \"window\" twice in one object, in lines 3 and 5");
  refused("{\"settings\": {}, \"settings\": {}}", "has the key \"settings\" twice in one object, in lines 1 and 1");
  refused("\xEF\xBB\xBF{\n\"a\": {\"b\": [1,\n2,\n3]},\n\"b\":\n0, \"a\"\n: 1}",
          "has the key \"a\" twice in one object, in lines 2 and 6");
  refused("{\n\"settings\":\n{ \"window\": 1e999 } }", "holds a number that is out of range, line 3, at \"window\"");
  refused("{\n\"settings\":\n{ \"window\" 9 } }", "is not JSON, line 3");
}

// ------------------------------------------------------------------------------------------------------------- help

/// The example of a settings file that help shows is one, and partial files are spoken of wherever they are written.
TEST(DoubtfulFiles, HelpShowsWhatTheyAre) {
  const Scratch scratch;
  make_track_clip(scratch, 3);
  scratch.write("l.pgm", left_pgm(40, 20, 3));
  scratch.write("r.pgm", right_pgm(40, 20));
  for (const Words& run : {Words{"stereo", "l.pgm", "r.pgm", "--disparities", "16"},
                           {"motion", "clip.y4m", "--range", "4"},
                           {"track", "clip.y4m"}}) {
    const std::string help = scratch.run({run[0], "--help-all"}).out;
    const std::size_t at = help.find("{\"settings\": {");
    ASSERT_NE(at, std::string::npos) << help;
    scratch.write("s.json", help.substr(at, help.find('\n', at) - at));
    EXPECT_EQ(scratch.run(with(run, {"--settings", "s.json"})).status, 0) << run[0];
    EXPECT_TRUE(holds(help, "NAME.partial stays")) << help;
  }
  const std::string program = scratch.run({"help", "--all"}).out;
  EXPECT_TRUE(holds(program, "Settings files:\n") && holds(program, "Partial files:\n")) << program;
  ASSERT_EQ(scratch.run({"help", "--manual", "share"}).status, 0);
  for (const char* page : {"vergence", "vergence-track"})
    EXPECT_TRUE(holds(scratch.read(std::string("share/man/man1/") + page + ".1"), ".SH \"PARTIAL FILES\"\n")) << page;
}

}  // namespace
}  // namespace vergence::cli_test
