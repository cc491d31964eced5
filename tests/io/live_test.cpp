// SPDX-License-Identifier: Apache-2.0
// Live sources from named pipes: the latest frame wins, the others are counted, and nothing waits for ever.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/file_support.hpp"
#include "io/pipe_end.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

constexpr int width = 64, height = 48;
/// Nothing here takes so long, on a loaded machine neither.
constexpr double patience_s = 60;

std::string y4m_head(int columns = width) {
  return "YUV4MPEG2 W" + std::to_string(columns) + " H" + std::to_string(height) + " F25:1 Ip A1:1 Cmono\n";
}
/// All pixels have the frame's number.
std::string y4m_frame(int number, int columns = width) {
  return "FRAME\n" + std::string(static_cast<std::size_t>(columns) * height, static_cast<char>(number));
}

/// A named pipe and its writing end.
class Pipe {
 public:
  Pipe() : path(directory_ / "pipe") { EXPECT_EQ(mkfifo(path.c_str(), 0600), 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close(); }
  /// Holds it open, so that an end of writing is not the end of the pipe.
  void open() { end_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC); }
  void close() {
    if (end_ >= 0) ::close(end_);
    end_ = -1;
  }
  void write(const std::string& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t count = ::write(end_, bytes.data() + at, bytes.size() - at);
      ASSERT_GT(count, 0);
      at += static_cast<std::size_t>(count);
    }
  }

 private:
  test::TemporaryDirectory directory_;
  int end_ = -1;

 public:
  const std::string path;
};

/// Opens the pipe as a program would, writes, and leaves.
void write_all(const std::string& path, const std::string& bytes) { test::PipeEnd(path).put(bytes); }

FrameSourceOptions live(double silence_s = patience_s, const std::atomic<bool>* stop = nullptr) {
  FrameSourceOptions options;
  options.live = LiveOptions{silence_s, 5, stop};
  return options;
}

/// Waits until the source has dropped so many frames.
void await_dropped(const FrameSource& source, std::int64_t frames) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
  while (source.live()->dropped < frames && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(source.live()->dropped, frames);
}

TEST(Live, FramesThatAreTakenAtOnceAreAllThere) {
  Pipe pipe;
  pipe.open();
  pipe.write(y4m_head() + y4m_frame(1));
  FrameSource source(pipe.path, {}, live());
  EXPECT_TRUE(source.is_stream());
  EXPECT_EQ(source.rate(), 25);
  EXPECT_EQ(source.next()->u8(5, 5), 1);
  for (int number = 2; number < 6; ++number) {
    pipe.write(y4m_frame(number));
    EXPECT_EQ(source.next()->u8(5, 5), number);
  }
  pipe.close();
  EXPECT_FALSE(source.next().has_value());
  const LiveReport report = source.live().value();
  EXPECT_EQ(report.given, 5);
  EXPECT_EQ(report.dropped, 0);
  EXPECT_EQ(report.end, LiveEnd::source);
  EXPECT_TRUE(source.notices().empty());
}

TEST(Live, TheLatestFrameWinsAndTheOthersAreCounted) {
  Pipe pipe;
  pipe.open();
  pipe.write(y4m_head() + y4m_frame(1));
  FrameSource source(pipe.path, {}, live());
  for (int number = 2; number < 7; ++number) pipe.write(y4m_frame(number));
  await_dropped(source, 4);
  EXPECT_EQ(source.next()->u8(0, 0), 1);  // read when it was opened
  EXPECT_EQ(source.next()->u8(0, 0), 6);
  pipe.close();
  EXPECT_FALSE(source.next().has_value());
  EXPECT_EQ(source.live()->given, 2);
}

TEST(Live, TheLastFrameOfAPipeThatIsClosedIsStillGiven) {
  Pipe pipe;
  pipe.open();
  pipe.write(y4m_head() + y4m_frame(1));
  FrameSource source(pipe.path, {}, live());
  pipe.write(y4m_frame(2) + y4m_frame(3));
  pipe.close();
  await_dropped(source, 1);
  EXPECT_EQ(source.next()->u8(0, 0), 1);
  EXPECT_EQ(source.next()->u8(0, 0), 3);
  EXPECT_FALSE(source.next().has_value());
}

TEST(Live, ItStopsWhileItWaits) {
  Pipe pipe;
  pipe.open();
  pipe.write(y4m_head() + y4m_frame(1));
  std::atomic<bool> stop = false;
  FrameSource source(pipe.path, {}, live(patience_s, &stop));
  EXPECT_TRUE(source.next().has_value());
  std::thread later([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop = true;
  });
  EXPECT_FALSE(source.next().has_value());
  EXPECT_EQ(source.live()->end, LiveEnd::stopped);
  later.join();
}

TEST(Live, ASilentPipeIsLostAndSaysSo) {
  Pipe pipe;
  pipe.open();
  pipe.write(y4m_head() + y4m_frame(1));
  FrameSource source(pipe.path, {}, live(0.5));
  EXPECT_TRUE(source.next().has_value());
  EXPECT_FALSE(source.next().has_value());
  EXPECT_EQ(source.live()->end, LiveEnd::lost);
  ASSERT_EQ(source.notices().size(), 1u);
  EXPECT_NE(source.notices()[0].find("lost for good after 1 frame: it was silent for 0.5 s"), std::string::npos)
      << source.notices()[0];
}

TEST(Live, WhatNeverGivesAFrameIsAnError) {
  const Pipe quiet;
  EXPECT_ERROR(FrameSource(quiet.path, {}, live(0.1)), ErrorCode::io, "nothing came within 0.1 s");
  Pipe head;
  head.open();
  head.write(y4m_head());
  EXPECT_ERROR(FrameSource(head.path, {}, live(0.5)), ErrorCode::io, "it gave no frame: it was silent for 0.5 s");
  const Pipe other;
  std::thread writer([&other] { write_all(other.path, std::string(10'000, 'x')); });
  EXPECT_ERROR(FrameSource(other.path, {}, live()), ErrorCode::bad_data, "it is not a video that can be read live");
  writer.join();
  const Pipe empty;
  std::thread closer([&empty] { write_all(empty.path, ""); });
  EXPECT_ERROR(FrameSource(empty.path, {}, live()), ErrorCode::bad_data, "it is empty or closed");
  closer.join();
}

TEST(Live, WhatIsNotLiveIsRefused) {
  const test::TemporaryDirectory directory;
  std::ofstream(directory / "clip.y4m") << y4m_head() << y4m_frame(1);
  EXPECT_ERROR(FrameSource(directory / "clip.y4m", {}, live()), ErrorCode::invalid_argument, "it is no live source");
  EXPECT_ERROR(FrameSource("http://127.0.0.1/a", {}, live()), ErrorCode::unsupported, "live sources are udp://");
  FrameSourceOptions raw = live();
  raw.raw = RawVideo{{width, height}, "gray"};
  EXPECT_ERROR(FrameSource("-", {}, raw), ErrorCode::invalid_argument, "raw video cannot be read live");
}

TEST(Live, SecretsOfAddressesAreNotShown) {
  EXPECT_EQ(shown_source("rtsp://camera/stream"), "rtsp://camera/stream");
  EXPECT_EQ(shown_source("rtsp://me:secret@camera:554/stream"), "rtsp://***@camera:554/stream");
  EXPECT_EQ(shown_source("rtsp://me:se/cr@t@camera/stream"), "rtsp://***@camera/stream");
  EXPECT_EQ(shown_source("rtsp://camera/stream?user=me&password=secret"), "rtsp://camera/stream?***");
  // Which part of these is the password, nobody can tell.
  for (const std::string source : {"rtsp://me:se?cr@t@camera/stream", "rtsp://me:s@e?cr@t@camera/stream",
                                   "rtsp://camera/stream?user=me&password=s@cret"})
    EXPECT_EQ(shown_source(source), "rtsp://***");
  EXPECT_EQ(shown_source("udp://@239.0.0.1:5000"), "udp://@239.0.0.1:5000");  // nobody's name
  for (const std::string file : {"a@b.png", "folder/a://b@c", "clip.mp4?x", ""}) EXPECT_EQ(shown_source(file), file);
  EXPECT_ERROR(FrameSource("rtsp://me:secret@127.0.0.1:1/x", {}, live(2)), ErrorCode::io, "rtsp://***@127.0.0.1:1/x");
}

TEST(Live, ARangeEndsIt) {
  Pipe pipe;
  pipe.open();
  pipe.write(y4m_head() + y4m_frame(1));
  FrameSource source(pipe.path, {0, 1}, live());
  EXPECT_TRUE(source.next().has_value());
  pipe.write(y4m_frame(2));
  EXPECT_TRUE(source.next().has_value());
  EXPECT_FALSE(source.next().has_value());
  EXPECT_EQ(source.live()->end, LiveEnd::open);
}

TEST(Live, OneSourceHoldsBothPicturesOfAPair) {
  Pipe pipe;
  pipe.open();
  pipe.write(y4m_head(2 * width) + y4m_frame(7, 2 * width));
  StereoSource source(pipe.path, StereoLayout::side_by_side, {}, live());
  const StereoFrame frame = source.next().value();
  EXPECT_EQ(frame.left.size(), (Size{width, height}));
  EXPECT_EQ(frame.right.u8(3, 3), 7);
  EXPECT_TRUE(source.files().empty());
  EXPECT_EQ(source.live()->given, 1);
}

/// A packet that got lost: the frames that refer to what was in it are left out, up to the next keyframe.
TEST(Live, DamagedFramesAreLeftOutUpToTheNextKeyframe) {
  const test::TemporaryDirectory directory;
  constexpr int frames = 40, between_keys = 10;
  const std::string video = directory / "video.ts";
  if (!test::write_video(video, AV_CODEC_ID_MPEG2VIDEO, AV_PIX_FMT_YUV420P, 320, 240, frames, test::fill_texture,
                         "g=" + std::to_string(between_keys)))
    GTEST_SKIP() << "this FFmpeg has no encoder of MPEG-2";
  std::ifstream file(video, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  constexpr std::size_t packet = 188;
  bytes.erase(bytes.size() / packet / 2 * packet, packet);
  const Pipe pipe;
  std::thread writer([&] { write_all(pipe.path, bytes); });
  FrameSource source(pipe.path, {}, live());
  while (source.next()) {
  }
  writer.join();
  const LiveReport report = source.live().value();
  EXPECT_GE(report.damaged, 1);
  EXPECT_LE(report.damaged, between_keys);
  EXPECT_GE(report.given + report.dropped + report.damaged, frames - 1);
  EXPECT_EQ(source.notices().size(), 1u);
  EXPECT_NE(source.missing().find("came damaged"), std::string::npos) << source.missing();
}

}  // namespace
}  // namespace vergence
