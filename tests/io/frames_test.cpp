// SPDX-License-Identifier: Apache-2.0
// Frames of pictures and numbered sequences; pairs of them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/bytes.hpp"
#include "io/file_support.hpp"
#include "io/sequence.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

void write_frame(const std::string& path, int value, int width = 4, int height = 2) {
  write_picture(path, Image<std::uint8_t>(width, height, static_cast<std::uint8_t>(value)).view());
}

// NAME and number, ".png".
std::string numbered(std::string name, int number) {
  name += std::to_string(number);
  name += ".png";
  return name;
}

// The first pixel of every frame.
std::vector<int> values(FrameSource& source) {
  std::vector<int> all;
  while (const auto frame = source.next()) all.push_back(frame->u8(0, 0));
  return all;
}

std::vector<int> values(const std::string& path, const FrameRange& range = {}) {
  FrameSource source(path, range);
  return values(source);
}

TEST(FrameRange, IsParsed) {
  const auto check = [](const char* text, std::int64_t first, std::int64_t last) {
    const FrameRange range = parse_frame_range(text);
    EXPECT_EQ(range.first, first) << text;
    EXPECT_EQ(range.last, last) << text;
  };
  check("3:7", 3, 7);
  check("3:", 3, -1);
  check(":7", -1, 7);
  check("5", 5, 5);
  check("0:0", 0, 0);
  for (const char* text :
       {"", ":", "a", "1:b", "7:3", "-1:3", "1:2:3", "1 :2", "99999999999999999999", "0:1000000000001"})
    EXPECT_ERROR(parse_frame_range(text), ErrorCode::invalid_argument, text);
}

TEST(SequenceName, IsParsed) {
  const auto name = io::parse_sequence("dir/left_%04d.png");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->path(7), "dir/left_0007.png");
  EXPECT_EQ(name->path(12345), "dir/left_12345.png");
  EXPECT_EQ(io::parse_sequence("a%d")->path(30), "a30");
  EXPECT_EQ(io::parse_sequence("a%4d")->path(30), "a  30");
  EXPECT_EQ(io::parse_sequence("100%%_%02d.png")->path(3), "100%_03.png");
  for (const char* path : {"a.png", "a%s.png", "a%04x.png", "a%4x.png", "a%d_%d.png", "%d/a.png", "a%", "a%0", "a%00d",
                           "a%099d.png", "a%99d.png"})
    EXPECT_FALSE(io::parse_sequence(path).has_value()) << path;
}

TEST(FrameSource, NumbersWrittenInAnotherWayAreToldOf) {
  const test::TemporaryDirectory directory;
  for (const char* name : {"a_008.png", "a_009.png", "a_10.png", "a_11.png", "a_x.png"})
    write_frame(directory / name, 9);
  const FrameSource source(directory / "a_%03d.png");
  EXPECT_EQ(source.count(), 2);
  ASSERT_EQ(source.notices().size(), 1u);
  EXPECT_EQ(source.notices()[0], "2 files are left out of " + (directory / "a_%03d.png") +
                                     ", such as a_10.png, where 010 would be read: write all numbers in one way");
  EXPECT_ERROR(FrameSource(directory / "a_%04d.png"), ErrorCode::not_found,
               "a_0008.png\" exists, but a_008.png: check how many digits there are");
  write_frame(directory / "b_1.png", 9);
  EXPECT_TRUE(FrameSource(directory / "b_%d.png").notices().empty());
}

TEST(FrameSource, TheLargestNumberOfAllIsNone) {
  const test::TemporaryDirectory directory;
  write_frame(directory / "a_9223372036854775807.png", 9);
  EXPECT_ERROR(FrameSource(directory / "a_%d.png"), ErrorCode::not_found, "no file such as");
  write_frame(directory / "a_9223372036854775806.png", 9);
  EXPECT_EQ(FrameSource(directory / "a_%d.png").count(), 1);
}

TEST(FrameSource, NamesThatAreNoPatternAreToldOf) {
  for (const char* name : {"a%i.png", "a%s.png", "a%5.3d.png", "a%d/b.png", "50%_%d.png", "a%d_%d.png"})
    EXPECT_ERROR(FrameSource(std::string("none/") + name), ErrorCode::not_found,
                 "and no numbered ones: these have one %d, %4d or %04d in the file's name, and no other % than %%");
  for (const char* name : {"none/a*.png", "none/a_####.png"})
    EXPECT_ERROR(FrameSource(std::string(name)), ErrorCode::not_found,
                 "numbered files are named with %d, such as left_%04d.png");
}

TEST(FrameSource, AJpegBehindAJpegIsVideo) {
  const test::TemporaryDirectory directory;
  const auto jpeg = [](int level) {
    return test::encode_picture(AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, 16, 16, [level](AVFrame& frame, int) {
      for (int plane = 0; plane < 3; ++plane)
        std::memset(frame.data[plane], plane == 0 ? level : 128,
                    static_cast<std::size_t>(frame.linesize[plane]) * (plane == 0 ? 16 : 8));
    });
  };
  test::write_bytes(directory / "a.mjpeg", jpeg(40) + jpeg(80) + jpeg(120));
  FrameSource source(directory / "a.mjpeg");
  EXPECT_TRUE(source.is_stream());
  for (const int level : {40, 80, 120}) EXPECT_EQ(source.next()->u8(3, 3), level);
  EXPECT_FALSE(source.next());
  // A camera that stores several pictures behind each other says so, and means the first one.
  std::string several = jpeg(40);
  several.insert(2, std::string("\xFF\xE2\0\x06MPF\0", 8));
  test::write_bytes(directory / "b.jpg", several + jpeg(80));
  EXPECT_FALSE(FrameSource(directory / "b.jpg").is_stream());
  const auto small = test::encode_picture(AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, 8, 8, [](AVFrame& frame, int) {
    for (int plane = 0; plane < 3; ++plane)
      std::memset(frame.data[plane], 128, static_cast<std::size_t>(frame.linesize[plane]) * (plane == 0 ? 8 : 4));
  });
  test::write_bytes(directory / "preview.jpg", jpeg(40) + small);
  EXPECT_FALSE(FrameSource(directory / "preview.jpg").is_stream());
  // What only holds one, such as a document, is none.
  test::write_bytes(directory / "c.bin", "a document with " + jpeg(40) + jpeg(40) + jpeg(40) + jpeg(40));
  EXPECT_ERROR(FrameSource(directory / "c.bin"), ErrorCode::bad_data, "not a picture or video");
}

TEST(FrameSource, OtherKindsOfFilesAreNamed) {
  const test::TemporaryDirectory directory;
  const std::pair<std::string, const char*> files[] = {
      {"%PDF-1.4", "it is a PDF, which is not read here"},
      {"PK\3\4", "it is a ZIP archive"},
      {"#ROSBAG V2.0\n", "it is a ROS bag, which is not read here: take its pictures out, as PNG"},
      {"\x89MCAP0\r\n", "it is an MCAP file of ROS 2"},
      {std::string("SQLite format 3\0", 16), "it is a data base of SQLite"},
      {"\x1F\x8B\x08", "it is packed by gzip, which is not read here: unpack it"},
      {"version https://git-lfs.github.com/spec/v1\n", "`git lfs pull`"},
      {"<html><body>404", "it is a web page"},
  };
  for (const auto& [start, text] : files) {
    test::write_bytes(directory / "a", start + std::string(100, '\0'));
    EXPECT_ERROR(FrameSource(directory / "a"), ErrorCode::unsupported, text);
    EXPECT_ERROR(read_grey(directory / "a"), ErrorCode::unsupported, text);
  }
}

TEST(FrameSource, APictureIsOneFrame) {
  const test::TemporaryDirectory directory;
  write_frame(directory / "a.png", 9);
  FrameSource source(directory / "a.png");
  EXPECT_FALSE(source.is_stream());
  EXPECT_EQ(source.count(), 1);
  EXPECT_EQ(values(source), std::vector<int>{9});
  EXPECT_FALSE(source.next().has_value());
  EXPECT_ERROR(FrameSource(directory / "a.png", {.first = 1}), ErrorCode::invalid_argument,
               "frame 1 is beyond its end");
}

TEST(FrameSource, APipeIsReadOnce) {
  const test::TemporaryDirectory directory;
  write_frame(directory / "a.png", 9);
  const std::string pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ifstream from(directory / "a.png", std::ios::binary);
    std::ofstream(pipe, std::ios::binary) << from.rdbuf();
  });
  FrameSource source(pipe);
  writer.join();
  EXPECT_FALSE(source.is_stream());
  EXPECT_EQ(values(source), std::vector<int>{9});
}

TEST(FrameSource, ASequenceStartsAtItsLowestNumber) {
  const test::TemporaryDirectory directory;
  for (int i = 3; i <= 12; ++i) write_frame(directory / numbered("f_", i), 10 * i);
  write_frame(directory / "f_04.png", 1);  // not what %d writes
  write_frame(directory / "f_x.png", 1);
  write_frame(directory / "g_1.png", 1);
  const std::string path = directory / "f_%d.png";
  EXPECT_EQ(values(path), (std::vector<int>{30, 40, 50, 60, 70, 80, 90, 100, 110, 120}));
  EXPECT_EQ(values(path, {5, 7}), (std::vector<int>{50, 60, 70}));
  EXPECT_EQ(values(path, {-1, 4}), (std::vector<int>{30, 40}));
  EXPECT_EQ(values(path, {12, 99}), (std::vector<int>{120}));
  FrameSource source(path, {5, 7});
  EXPECT_TRUE(source.is_stream());
  EXPECT_TRUE(source.is_sequence());
  EXPECT_EQ(source.count(), 3);
  EXPECT_EQ(source.number(), 5);
  source.next();
  EXPECT_EQ(source.number(), 6);
  EXPECT_ERROR(FrameSource(path, {13, 14}), ErrorCode::invalid_argument,
               "frame 13 is not among its files: their numbers are 3 .. 12");
  EXPECT_ERROR(FrameSource(path, {-1, 2}), ErrorCode::invalid_argument,
               "frame 2 is not among its files: their numbers are 3 .. 12");
  EXPECT_ERROR(FrameSource(path, {2, 4}), ErrorCode::not_found, "f_2.png");
  EXPECT_ERROR(FrameSource(directory / "h_%d.png"), ErrorCode::not_found, "h_0.png");
}

TEST(FrameSource, NumbersMayBeFilledWithBlanks) {
  const test::TemporaryDirectory directory;
  for (const int i : {9, 10, 11})
    write_frame(directory / (i < 10 ? "f   9.png" : "f  " + std::to_string(i) + ".png"), i);
  write_frame(directory / "f12.png", 12);  // not what %4d writes
  write_frame(directory / "f0013.png", 13);
  EXPECT_EQ(values(directory / "f%4d.png"), (std::vector<int>{9, 10, 11}));
}

TEST(FrameSource, APipeThatNeverEndsIsRefused) {
  const test::TemporaryDirectory directory;
  const std::string pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::signal(SIGPIPE, SIG_IGN);
  std::thread writer([&] {
    std::ofstream to(pipe, std::ios::binary);
    const std::string block(1 << 16, 'y');
    while (to.write(block.data(), 1 << 16)) {
    }
  });
  EXPECT_ERROR(io::ByteReader(pipe, 1 << 20), ErrorCode::unsupported, "more than 1 MiB");
  writer.join();
}

TEST(FrameSource, AGapIsAnErrorOnlyInsideTheRange) {
  const test::TemporaryDirectory directory;
  for (const int i : {0, 1, 3, 4}) write_frame(directory / numbered("f", i), i);
  const std::string path = directory / "f%d.png";
  EXPECT_EQ(values(path, {0, 1}), (std::vector<int>{0, 1}));
  EXPECT_EQ(values(path, {3, 4}), (std::vector<int>{3, 4}));
  EXPECT_ERROR(FrameSource{path}, ErrorCode::not_found, "f2.png");  // found when it is opened
  EXPECT_ERROR((FrameSource{path, {1, 3}}), ErrorCode::not_found, "f2.png");
}

TEST(FrameSource, NamesTheFilesThatItReads) {
  const test::TemporaryDirectory directory;
  for (int i = 3; i <= 6; ++i) write_frame(directory / numbered("f_", i), i);
  const auto file = [&directory](int number) { return directory / numbered("f_", number); };
  const std::string path = directory / "f_%d.png";
  EXPECT_EQ(FrameSource(path, {4, 5}).files(), (std::vector<std::string>{file(4), file(5)}));
  EXPECT_EQ(FrameSource(path, {6, -1}).files(), (std::vector<std::string>{file(6)}));
  EXPECT_EQ(FrameSource(file(3)).files(), (std::vector<std::string>{file(3)}));
  EXPECT_EQ(StereoSource(path, path, {4, 4}).files(), (std::vector<std::string>{file(4), file(4)}));
  // A single picture is frame 0.
  EXPECT_ERROR(StereoSource(path, file(3)), ErrorCode::invalid_argument, "frame 3 is beyond its end: it has 1 frame");
}

TEST(FrameSource, AFileOfThatVeryNameIsNoPattern) {
  const test::TemporaryDirectory directory;
  write_frame(directory / "f%d.png", 5);
  write_frame(directory / "f1.png", 6);
  EXPECT_EQ(values(directory / "f%d.png"), std::vector<int>{5});
}

TEST(FrameSource, AllFramesMustBeAlike) {
  const test::TemporaryDirectory directory;
  write_frame(directory / "f0.png", 1);
  write_frame(directory / "f1.png", 1, 5, 2);
  EXPECT_ERROR(values(directory / "f%d.png"), ErrorCode::bad_data, "5x2");
  write_picture(directory / "f1.png", Image<std::uint16_t>(4, 2, std::uint16_t{1}).view());
  EXPECT_ERROR(values(directory / "f%d.png"), ErrorCode::bad_data, "16-bit");
  test::write_bytes(directory / "f1.png", "no picture");
  EXPECT_ERROR(values(directory / "f%d.png"), ErrorCode::bad_data, "f1.png");
}

TEST(FrameSource, RefusesWhatIsNoSource) {
  const test::TemporaryDirectory directory;
  EXPECT_ERROR(FrameSource(directory / "none.png"), ErrorCode::not_found, "none.png");
  test::write_bytes(directory / "a.txt", "A text is neither a picture nor a video.\nIt must not become ANSI art.\n");
  EXPECT_ERROR(FrameSource(directory / "a.txt"), ErrorCode::bad_data,
               "not a picture or video that can be read: give PNG");
  test::write_bytes(directory / "list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n");
  EXPECT_ERROR(FrameSource(directory / "list.m3u8"), ErrorCode::unsupported, "files of the kind hls");
  EXPECT_ERROR(FrameSource(directory / ""), ErrorCode::io, "directory");
  write_frame(directory / "a.png", 1);
  EXPECT_ERROR(FrameSource(directory / "a.png", {3, 2}), ErrorCode::invalid_argument, "no range");
}

TEST(StereoSource, PairsPicturesAndRefusesDifferentOnes) {
  const test::TemporaryDirectory directory;
  write_frame(directory / "l.png", 1);
  write_frame(directory / "r.png", 2);
  write_frame(directory / "wide.png", 2, 6, 2);
  write_picture(directory / "deep.png", Image<std::uint16_t>(4, 2, std::uint16_t{1}).view());
  StereoSource source(directory / "l.png", directory / "r.png");
  const auto frame = source.next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->left.u8(3, 1), 1);
  EXPECT_EQ(frame->right.u8(3, 1), 2);
  EXPECT_FALSE(source.next().has_value());
  EXPECT_EQ(source.warning(), "");
  StereoSource wide(directory / "l.png", directory / "wide.png");
  EXPECT_ERROR(wide.next(), ErrorCode::bad_data, "4x2");
  StereoSource deep(directory / "l.png", directory / "deep.png");
  EXPECT_ERROR(deep.next(), ErrorCode::bad_data, "16-bit");
  EXPECT_ERROR(StereoSource(directory / "l.png", directory / "none.png"), ErrorCode::not_found, "none.png");
}

TEST(StereoSource, PairsAreOfOneNumber) {
  const test::TemporaryDirectory directory;
  for (int i = 1; i <= 3; ++i) write_frame(directory / numbered("l", i), i);
  for (int i = 2; i <= 4; ++i) write_frame(directory / numbered("r", i), 10 * i);
  for (int i = 1; i <= 4; ++i) write_frame(directory / numbered("a", i), 100 + i);
  const std::string left = directory / "l%d.png", right = directory / "r%d.png", all = directory / "a%d.png";
  EXPECT_ERROR(StereoSource(left, right), ErrorCode::not_found, "r1.png");
  EXPECT_ERROR(StereoSource(right, left), ErrorCode::not_found, "r1.png");
  EXPECT_ERROR(StereoSource(left, right, {2, -1}), ErrorCode::not_found, "r4.png\" has no partner: the left sequence");
  EXPECT_ERROR(StereoSource(all, left), ErrorCode::not_found, "a4.png\" has no partner: the right sequence");
  StereoSource source(left, right, {2, 3});
  EXPECT_EQ(source.number(), 2);
  for (int i = 2; i <= 3; ++i) {
    const auto frame = source.next();
    ASSERT_TRUE(frame.has_value());
    EXPECT_EQ(frame->index, i);
    EXPECT_EQ(frame->left.u8(0, 0), i);
    EXPECT_EQ(frame->right.u8(0, 0), 10 * i);
  }
  EXPECT_FALSE(source.next().has_value());
}

TEST(StereoSource, UnequalLengthsEndWithAWarning) {
  const test::TemporaryDirectory directory;
  for (int i = 0; i < 5; ++i) write_frame(directory / numbered("l", i), i);
  for (int i = 0; i < 3; ++i) write_frame(directory / numbered("r", i), i);
  write_frame(directory / "one.png", 0);
  const auto run = [&](const char* left, const char* right, const FrameRange& range) {
    StereoSource source(directory / left, directory / right, range);
    std::int64_t index = source.number();
    const std::int64_t first = index;
    while (const auto frame = source.next()) EXPECT_EQ(frame->index, index++);
    std::string text = std::to_string(index - first);
    text += ": ";
    text += source.warning();
    return text;
  };
  EXPECT_EQ(run("l%d.png", "l%d.png", {}), "5: ");
  EXPECT_EQ(run("l%d.png", "r%d.png", {0, 2}), "3: ");
  EXPECT_NE(run("l%d.png", "one.png", {}).find("1: the right stream ended after 1 frame"), std::string::npos);
  EXPECT_NE(run("one.png", "l%d.png", {}).find("1: the left stream ended after 1 frame"), std::string::npos);
  EXPECT_NE(run("l%d.png", "l%d.png", {1, 9}).find("4: frames 1:9 were asked for"), std::string::npos);
  EXPECT_EQ(StereoSource(directory / "l%d.png", directory / "r%d.png", {0, 2}).count(), 3);
}

TEST(StereoSource, SplitsSharedFrames) {
  const test::TemporaryDirectory directory;
  Image<std::uint8_t> both(6, 4);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) both(x, y) = static_cast<std::uint8_t>(10 * y + x);
  write_picture(directory / "a.png", both);
  const auto beside = StereoSource(directory / "a.png", StereoLayout::side_by_side).next();
  EXPECT_EQ(beside->left.size(), (Size{3, 4}));
  EXPECT_EQ(beside->left.u8(2, 3), 32);
  EXPECT_EQ(beside->right.u8(0, 3), 33);
  const auto above = StereoSource(directory / "a.png", StereoLayout::top_bottom).next();
  EXPECT_EQ(above->right.size(), (Size{6, 2}));
  EXPECT_EQ(above->left.u8(5, 1), 15);
  EXPECT_EQ(above->right.u8(5, 1), 35);
  write_picture(directory / "odd.png", Image<std::uint16_t>(5, 3, std::uint16_t{9}).view());
  EXPECT_ERROR(StereoSource(directory / "odd.png", StereoLayout::side_by_side).next(), ErrorCode::bad_data,
               "width must be even");
  EXPECT_ERROR(StereoSource(directory / "odd.png", StereoLayout::top_bottom).next(), ErrorCode::bad_data,
               "height must be even");
}

}  // namespace
}  // namespace vergence
