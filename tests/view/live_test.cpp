// SPDX-License-Identifier: Apache-2.0
// Live sources of the page: the newest frame, motion and tracks of frames that come, refusals.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "io/pipe_end.hpp"
#include "server.hpp"

namespace vergence::view_test {
namespace {

using nlohmann::json;

constexpr int live_width = 64, live_height = 48;

/// Writes frames of a texture that moves into a named pipe until nobody reads or it is destroyed.
class Camera {
 public:
  explicit Camera(const std::string& path, int columns = live_width) {
    mkfifo(path.c_str(), 0600);
    thread_ = std::thread([this, path, columns] {
      const test::PipeEnd end(path);
      const std::string size = " W" + std::to_string(columns) + " H" + std::to_string(live_height);
      bool read = end.put("YUV4MPEG2" + size + " F25:1 Ip A1:1 Cmono\n");
      for (int i = 0; read && !stop_; ++i) {
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

 private:
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

class ViewLive : public ViewTest {};

/// Frames are gone after half a second: on a loaded machine a request may come too late, and is sent again.
Answer of_newest(const Server& server, const std::string& path) {
  Answer answer;
  for (int i = 0; i < 50 && answer.status != 200; ++i) {
    const json live = server.get("/api/live?after=3").json();
    answer = server.post(path, {{"frame", live["frame"]}});
  }
  return answer;
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
  EXPECT_EQ(tracks.packet()["frames"], 1);
  EXPECT_EQ(server.post("/api/motion", {{"frame", 1'000'000}}).json()["error"]["field"], "frame");
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
