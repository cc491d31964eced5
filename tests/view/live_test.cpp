// SPDX-License-Identifier: Apache-2.0
// Live sources of the page: the newest frame, motion and tracks of frames that come, refusals.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "io/pipe_end.hpp"
#include "server.hpp"

namespace vergence::view_test {
namespace {

using nlohmann::json;

constexpr int live_width = 64, live_height = 48;

/// Writes frames of a texture that moves into a named pipe until nobody reads or it is destroyed. Before frame `pause`
/// it waits for go_on().
class Camera {
 public:
  explicit Camera(const std::string& path, int columns = live_width, int pause = -1) {
    mkfifo(path.c_str(), 0600);
    thread_ = std::thread([this, path, columns, pause] {
      const test::PipeEnd end(path);
      const std::string size = " W" + std::to_string(columns) + " H" + std::to_string(live_height);
      bool read = end.put("YUV4MPEG2" + size + " F25:1 Ip A1:1 Cmono\n");
      for (int i = 0; read && !stop_; ++i) {
        while (i == pause && paused_ && !stop_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::string frame = "FRAME\n";
        for (int y = 0; y < live_height; ++y)
          for (int x = 0; x < columns; ++x)
            frame.push_back(static_cast<char>(cli_test::texture(x + 2 * (i % 50) + 500, y + i % 50 + 500)));
        read = end.put(frame);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    });
  }
  Camera(const Camera&) = delete;
  Camera& operator=(const Camera&) = delete;
  ~Camera() {
    stop_ = true;
    thread_.join();
  }
  void go_on() { paused_ = false; }

 private:
  std::atomic<bool> stop_ = false, paused_ = true;
  std::thread thread_;
};

class ViewLive : public ViewTest {};

/// The number of the newest frame, once it is `least` or more.
int newest(const Server& server, int least = 4) {
  int frame = -1;
  for (int i = 0; i < 120 && frame < least; ++i)
    frame = server.get("/api/live?after=" + std::to_string(least - 1)).json()["frame"];
  return frame;
}

/// Looks at the newest frame, as the page of that name does: it is kept from now on. Where it is gone already, at the
/// next one.
int look(const Server& server, const std::string& page, int least = 4) {
  for (int i = 0; i < 20; ++i) {
    const int frame = newest(server, least);
    if (server.get("/api/pictures?frame=" + std::to_string(frame) + "&client=" + page).status == 200) return frame;
  }
  throw std::runtime_error("no frame was there long enough to be looked at");
}

Answer of_newest(const Server& server, const std::string& path) {
  return server.post(path, {{"frame", look(server, "page")}});
}

TEST_F(ViewLive, ShowsWhatComes) {
  const Camera camera(scratch.path("pipe"));
  const Server server(scratch, {"pipe", "--stream"});
  const json scene = server.get("/api/scene").json();
  EXPECT_EQ(scene["live"], true);
  EXPECT_EQ(scene["pair"], false);
  EXPECT_EQ(scene["size"], (json{{"width", live_width}, {"height", live_height}}));
  const json first = server.get("/api/live?after=-1").json();
  const json later = server.get("/api/live?after=" + std::to_string(first["frame"].get<int>() + 2)).json();
  EXPECT_GT(later["frame"], first["frame"]);
  EXPECT_EQ(later["end"], "frames");
  EXPECT_EQ(later["failure"], "");
  const Answer field = of_newest(server, "/api/motion");
  ASSERT_EQ(field.status, 200) << field.body;
  EXPECT_EQ(field.packet()["command"], "");
  const Answer tracks = of_newest(server, "/api/track");
  ASSERT_EQ(tracks.status, 200) << tracks.body;
  EXPECT_GT(tracks.packet()["frames"], 1) << "frames before that are there are followed, too";
  EXPECT_EQ(server.post("/api/motion", {{"frame", 1'000'000}}).json()["error"]["field"], "frame");
}

TEST_F(ViewLive, WhatAPageLooksAtIsKept) {
  const Camera camera(scratch.path("pipe"));
  const Server server(scratch, {"pipe", "--stream"});
  const int frame = look(server, "page", 30);
  const std::string hash = server.post("/api/motion", {{"frame", frame}}).packet()["hash"];
  newest(server, frame + 40);
  const json other{{"frame", frame}, {"settings", {{"block", 4}, {"range", 3}}}};
  EXPECT_EQ(server.get("/api/pictures?frame=0&client=page").status, 422) << "what is gone is not looked at";
  EXPECT_EQ(server.post("/api/motion", other).status, 200) << "settings can be tried on it";
  EXPECT_EQ(server.post("/api/motion", {{"frame", frame}}).packet()["hash"], hash);
  const json tracks = server.post("/api/track", {{"frame", frame}, {"client", "page"}, {"serial", 1}}).packet();
  EXPECT_GT(tracks["frames"], 1) << "tracks have frames to begin with";
  // Once it looks elsewhere, the frame is gone.
  look(server, "page", frame + 41);
  EXPECT_EQ(server.post("/api/motion", {{"frame", frame}}).json()["error"]["field"], "frame");
}

TEST_F(ViewLive, PagesHaveTracksOfTheirOwn) {
  const Camera camera(scratch.path("pipe"));
  const Server server(scratch, {"pipe", "--stream"});
  const int early = look(server, "one");
  const auto ask_tracks = [&](const std::string& client, int frame, int serial) {
    return server.post("/api/track", {{"frame", frame}, {"client", client}, {"serial", serial}}).packet();
  };
  const json first = ask_tracks("one", early, 1);
  const int late = look(server, "two", early + 5);
  ask_tracks("two", late, 1);
  const json again = ask_tracks("one", early, 2);
  EXPECT_EQ(again["frames"], 0) << "the other page did not move them";
  EXPECT_EQ(again["hash"], first["hash"]);
  EXPECT_EQ(ask_tracks("two", late, 2)["frames"], 0);
}

TEST_F(ViewLive, TheFirstFrameHasNoMotionHoweverManyCome) {
  Camera camera(scratch.path("pipe"), live_width, 6);
  const Server server(scratch, {"pipe", "--stream"});
  ASSERT_EQ(server.get("/api/pictures?frame=0&client=page").status, 200);
  camera.go_on();
  ASSERT_GE(newest(server, 40), 40) << "frame 0 is kept for the page alone";
  const Answer refused = server.post("/api/motion", {{"frame", 0}});
  EXPECT_EQ(refused.status, 422);
  EXPECT_TRUE(cli_test::holds(refused.body, "frame 0 is the first one")) << refused.body.substr(0, 200);
  EXPECT_EQ(server.get("/api/pictures?frame=-1").status, 422);
}

/// A request that a newer one ends while it waits for the device leaves nothing that is taken for tracks.
TEST_F(ViewLive, TracksBeginAnewBehindARequestThatWasEnded) {
  const Camera camera(scratch.path("pipe"), 1024);
  const Server server(scratch, {"pipe", "--stream"});
  const int early = look(server, "page");
  const auto soon = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  const auto ask_tracks = [&](int frame, int serial) {
    return server.post("/api/track",
                       {{"device", "reference"}, {"frame", frame}, {"client", "page"}, {"serial", serial}});
  };
  const json slow{{"search", "full"}, {"range", live_height}};
  std::thread holder([&] {  // of the device
    EXPECT_EQ(server.post("/api/motion", {{"device", "reference"}, {"frame", early}, {"settings", slow}}).status, 200);
  });
  soon();
  std::thread ended([&] { ask_tracks(early, 1); });
  soon();
  EXPECT_EQ(ask_tracks(1'000'000, 2).status, 422);
  ended.join();
  holder.join();
  const Answer tracks = ask_tracks(look(server, "page", early + 30), 3);
  ASSERT_EQ(tracks.status, 200) << tracks.body;
  EXPECT_LE(tracks.packet()["frames"], 24) << "no more than are kept";
}

TEST_F(ViewLive, LargeFramesAreFewerInMemory) {
  constexpr int columns = 4096, rows = 2048;  // with colours 32 MiB: eight of them are 256 MiB
  mkfifo(scratch.path("pipe").c_str(), 0600);
  std::thread writer([&] {
    const test::PipeEnd end(scratch.path("pipe"));
    const std::string frame = "FRAME\n" + std::string(std::size_t{columns} * rows, 'x');
    bool read = end.put("YUV4MPEG2 W4096 H2048 F25:1 Ip A1:1 Cmono\n");
    while (read) {
      read = end.put(frame);
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
    }
  });
  {
    const Server server(scratch, {"pipe", "--stream"});
    newest(server, 9);
    EXPECT_LE(server.get("/api/scene").json()["frames"], 8);
  }
  writer.join();
}

TEST_F(ViewLive, SecretsOfAddressesAreNotTold) {
  const std::string address = "rtsp://user:geheim@127.0.0.1:1/stream?token=geheim";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"view", "--no-open", address, "--stream"},
                                                {"stereo", address, "--stream", "--layout", "side-by-side"},
                                                {"motion", address, "--stream"},
                                                {"track", address, "--stream"},
                                                {"track", address}}) {
    const cli_test::Result result = scratch.run(words);
    EXPECT_NE(result.status, 0);
    EXPECT_EQ(result.err.find("geheim"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("rtsp://***@127.0.0.1:1/stream?***"), std::string::npos) << result.err;
  }
}

TEST_F(ViewLive, BothViewsInOneAreMatched) {
  const Camera camera(scratch.path("pipe"), 2 * live_width);
  const Server server(scratch, {"pipe", "--stream", "--layout", "side-by-side", "--disparities", "16"});
  EXPECT_EQ(server.get("/api/scene").json()["pair"], true);
  const Answer maps = of_newest(server, "/api/stereo");
  ASSERT_EQ(maps.status, 200) << maps.body;
  EXPECT_EQ(maps.array("disparity").size(), 2U * live_width * live_height);
}

TEST_F(ViewLive, WrongCommandLinesAreRefused) {
  const auto refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.begin(), {"view", "--no-open"});
    const cli_test::Result result = scratch.run(words);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  refused({"--stream"}, "--stream is for a live source");
  refused({"-", "right.png", "--stream"}, "RIGHT is for files");
  refused({"-", "--stream", "--frames", "0:3"}, "--frames is for files");
  refused({"left.png", "--timeout", "3"}, "--timeout is for live input");
  const Server server(scratch, pictures());
  EXPECT_EQ(server.get("/api/live").status, 404);
}

}  // namespace
}  // namespace vergence::view_test
