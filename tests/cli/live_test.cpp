// SPDX-License-Identifier: Apache-2.0
// `--stream`: pipes and UDP as live input of stereo, motion and track.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "cli/motion_clip.hpp"
#include "cli/printed_json.hpp"
#include "io/pipe_end.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

constexpr int frames = 12;

std::string named_pipe(const Scratch& scratch) {
  const std::string path = scratch.path("pipe");
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  return path;
}

/// Writes bytes into a named pipe, again and again where `for_ever`, until nobody reads.
class Writer {
 public:
  Writer(const std::string& path, const std::string& head, const std::string& rest, bool for_ever)
      : thread_([=] {
          const test::PipeEnd end(path);
          bool read = end.put(head);
          do {
            read = read && end.put(rest);
          } while (read && for_ever);
        }) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { thread_.join(); }

 private:
  std::thread thread_;
};

/// A program of others that sends; it ends with the object.
class Sender {
 public:
  explicit Sender(Words words) {
    child_ = fork();
    if (child_ != 0) return;
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    dup2(open("/dev/null", O_RDWR), STDIN_FILENO);
    execvp(pointers[0], pointers.data());
    _exit(127);
  }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;
  ~Sender() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_ = -1;
};

bool has_ffmpeg() { return std::system("ffmpeg -v quiet -version > /dev/null 2>&1") == 0; }

std::string free_port() {
  const int one = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  EXPECT_EQ(bind(one, reinterpret_cast<const sockaddr*>(&address), length), 0);
  EXPECT_EQ(getsockname(one, reinterpret_cast<sockaddr*>(&address), &length), 0);
  close(one);
  return std::to_string(ntohs(address.sin_port));
}

std::string head_of(const std::string& y4m) { return y4m.substr(0, y4m.find('\n') + 1); }
std::string rest_of(const std::string& y4m) { return y4m.substr(y4m.find('\n') + 1); }

TEST(LiveInput, APipeIsReadAndTheReportSaysHow) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const std::string clip = scratch.read("clip.y4m");
  for (const char* command : {"motion", "track"}) {
    std::remove(scratch.path("pipe").c_str());
    const Writer writer(named_pipe(scratch), head_of(clip), rest_of(clip), true);
    const Result result = scratch.run({command, "pipe", "--stream", "--frames", ":4", "--json", "-o", "out.csv"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json report = Json::parse(result.out);
    EXPECT_EQ(report["frames"], 5);
    EXPECT_EQ(report["live"]["given"], 5);
    EXPECT_EQ(report["live"]["end"], "frames");
    EXPECT_TRUE(scratch.has("out.csv"));
    std::remove(scratch.path("out.csv").c_str());
  }
}

TEST(LiveInput, CtrlCFinishesTheOutputsAndReports) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const std::string clip = scratch.read("clip.y4m");
  const Writer writer(named_pipe(scratch), head_of(clip), rest_of(clip), true);
  RunOptions options;
  options.signal = SIGINT;
  options.signal_after = "overlay.y4m.partial";
  const Result result =
      scratch.run({"motion", "pipe", "--stream", "--json", "-o", "v.csv", "--overlay", "overlay.y4m"}, options);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["live"]["end"], "signal");
  EXPECT_TRUE(scratch.has("v.csv"));
  EXPECT_TRUE(scratch.has("overlay.y4m"));
  EXPECT_FALSE(scratch.has("v.csv.partial"));
}

TEST(LiveInput, UdpIsReadAndALostSourceEndsTheRunWithAWarning) {
  if (!has_ffmpeg()) GTEST_SKIP() << "there is no ffmpeg";
  const Scratch scratch;
  make_clip(scratch, frames);
  const std::string address = "udp://127.0.0.1:" + free_port();
  const Words send{"ffmpeg",
                   "-v",
                   "error",
                   "-re",
                   "-stream_loop",
                   "40",
                   "-i",
                   scratch.path("clip.y4m"),
                   "-vf",
                   "scale=160:104",
                   "-c:v",
                   "mpeg2video",
                   "-g",
                   "5",
                   "-f",
                   "mpegts",
                   address + "?pkt_size=1316"};
  {
    const Sender sender(send);
    const Result some = scratch.run({"track", address, "--stream", "--timeout", "60", "--frames", ":9", "--json"});
    ASSERT_EQ(some.status, 0) << some.err;
    const Json report = Json::parse(some.out);
    EXPECT_EQ(report["frames"], 10);
    EXPECT_EQ(report["live"]["given"], 10);
    EXPECT_EQ(report["live"]["end"], "frames");
  }
  Words short_send = send;
  short_send[5] = "1";
  const Sender sender(short_send);
  const Result result =
      scratch.run({"motion", address, "--stream", "--timeout", "3", "--reconnects", "0", "-o", "v.csv", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["live"]["end"], "lost");
  EXPECT_NE(result.err.find("was lost for good after"), std::string::npos) << result.err;
  EXPECT_TRUE(scratch.has("v.csv"));
}

TEST(LiveInput, StereoTakesASideBySideSource) {
  const Scratch scratch;
  constexpr int width = 64, height = 32;
  const std::string both = pgm(2 * width, height, 255, [](int x, int y) {
    return x < width ? texture(x - 4 + 1000, y) : texture(x - width + 1000, y);
  });
  const std::string pixels = both.substr(both.size() - 2 * width * height);
  const std::string head = "YUV4MPEG2 W128 H32 F25:1 Ip A1:1 Cmono\n";
  scratch.write("both.y4m", head + "FRAME\n" + pixels);
  const Words rest{"--layout", "side-by-side", "--disparities", "16", "--json"};
  const auto run = [&](Words words, const RunOptions& options = {}) {
    words.insert(words.end(), rest.begin(), rest.end());
    const Result result = scratch.run(words, options);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  };
  const Json file = run({"stereo", "both.y4m"});
  RunOptions options;
  options.in_path = scratch.path("both.y4m");
  EXPECT_EQ(run({"stereo", "-"}, options)["hash"], file["hash"]);
  const Writer writer(named_pipe(scratch), head, "FRAME\n" + pixels, false);
  const Json live = run({"stereo", "pipe", "--stream"});
  EXPECT_EQ(live["hash"], file["hash"]);
  EXPECT_EQ(live["live"]["given"], 1);
}

TEST(LiveInput, WhatIsNotAskedForOrNotLiveIsRefused) {
  const Scratch scratch;
  make_clip(scratch, 2);
  const std::vector<std::string> before = scratch.listing();
  const auto refused = [&](const Words& words, int status, const char* part) {
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_EQ(result.err.find("secret"), std::string::npos) << result.err;
  };
  refused({"motion", "rtsp://me:secret@127.0.0.1/live.yuv", "--stream"}, 2,
          "is raw video, which does not say its size");
  refused({"motion", "rtsp://me:secret@127.0.0.1/live", "--stream", "--size", "4x4"}, 2, "does not read raw video");
  refused({"motion", "udp://127.0.0.1:9"}, 1, "--stream of stereo, motion and track enables it");
  refused({"motion", "clip.y4m", "--stream"}, 2, "it is no live source");
  refused({"track", "http://127.0.0.1/a", "--stream"}, 1, "live sources are udp://HOST:PORT");
  refused({"track", "udp://[::1]:5000", "--stream"}, 1, "give an IPv4 address in digits");
  refused({"track", "udp://camera.example:5000", "--stream"}, 1, "give an IPv4 address in digits");
  refused({"motion", "clip.y4m", "--timeout", "3"}, 2, "--timeout is for live input");
  refused({"stereo", "l.pgm", "r.pgm", "--reconnects", "3"}, 2, "--reconnects is for live input");
  refused({"motion", "-", "--stream", "--size", "4x4"}, 2, "--stream does not read raw video");
  refused({"motion", "-", "--stream", "--timeout", "0.01"}, 2, "0.1 .. 3600");
  refused({"stereo", "l.pgm", "r.pgm", "--stream"}, 2, "--layout side-by-side");
  refused({"track", "-", "--stream", "--resume", "t.csv"}, 2, "--resume goes on within the video");
  refused({"motion", "udp://127.0.0.1:" + free_port(), "--stream", "--timeout", "0.2"}, 1, "nothing came within 0.2 s");
  EXPECT_EQ(scratch.listing(), before);
}

}  // namespace
}  // namespace vergence::cli_test
