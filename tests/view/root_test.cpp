// SPDX-License-Identifier: Apache-2.0
// --root: what the page may open and save, and each way out of the folder.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "server.hpp"

namespace vergence::view_test {
namespace {

namespace fs = std::filesystem;
using cli_test::holds;
using nlohmann::json;

/// data/ is the root; outside/ and secret.txt lie beside it.
class ViewRootTest : public ViewTest {
 protected:
  void make_root() const {
    for (const char* folder : {"data", "data/a", "data/a/deep", "outside"}) fs::create_directory(scratch.path(folder));
    for (const std::string place : {"data/a/", "outside/"}) {
      scratch.write(place + "left.pgm", cli_test::left_pgm(80, 40, 5));
      scratch.write(place + "right.pgm", cli_test::right_pgm(80, 40));
      scratch.write(place + "truth.pfm", cli_test::flat_pfm(80, 40, 5));
    }
    for (int i = 0; i < 3; ++i) {
      const auto pixel = [i](int x, int y) { return cli_test::texture(x + 2 * i + 500, y + 500); };
      scratch.write("data/f_" + std::to_string(i) + ".pgm", cli_test::pgm(64, 48, 255, pixel));
    }
    scratch.write("secret.txt", "secret");
    scratch.write("data/.hidden.pgm", cli_test::left_pgm(80, 40, 5));
    link("../outside", "data/out");
    link("../outside/left.pgm", "data/a/link.pgm");
    link("a", "data/inner");
    link("../../outside/left.pgm", "data/a/g_1.pgm");
    scratch.write("data/a/g_0.pgm", cli_test::left_pgm(80, 40, 5));
    mkfifo(scratch.path("data/pipe.pgm").c_str(), 0600);
  }
  void link(const std::string& to, const std::string& name) const { fs::create_symlink(to, scratch.path(name)); }
};

Answer save(const Server& server, const std::string& path, const std::string& content) {
  return ask(server.port(), "POST /api/save?path=" + path + " HTTP/1.1\r\n" + server.headers() +
                                "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content);
}

/// Names that lead out of the root, or to what is nobody's business.
const std::vector<std::string>& ways_out() {
  static const std::vector<std::string> names{"../outside/left.pgm",
                                              "a/../../outside/left.pgm",
                                              "a/../a/left.pgm",
                                              "./a/left.pgm",
                                              "/etc/passwd",
                                              "//etc/passwd",
                                              "a//left.pgm",
                                              "a/left.pgm/",
                                              "out/left.pgm",
                                              "inner/left.pgm",
                                              "a/link.pgm",
                                              ".hidden.pgm",
                                              "a/deep/../../../secret.txt",
                                              "..",
                                              ".",
                                              "/",
                                              std::string("a/left.pgm\0/x", 12),
                                              "a/left\n.pgm",
                                              "proc/self/fd/0",
                                              "pipe.pgm",
                                              std::string(300, 'x') + ".pgm",
                                              "a"};
  return names;
}

TEST_F(ViewRootTest, NothingIsOpenedWithoutIt) {
  make_root();
  const Server server(scratch, pictures());
  EXPECT_EQ(server.get("/api/scene").json()["root"], false);
  for (const Answer& answer :
       {server.get("/api/files"), server.get("/api/files?folder=data"),
        server.post("/api/open", {{"left", "left.pgm"}, {"right", "right.pgm"}}), save(server, "new.json", "{}")}) {
    EXPECT_EQ(answer.status, 422);
    EXPECT_TRUE(holds(answer.body, "--root")) << answer.body;
  }
  EXPECT_EQ(save(server, "new.json", std::string(70'000, ' ')).status, 413);
}

TEST_F(ViewRootTest, FoldersAreListedWithoutLinksAndHiddenFiles) {
  make_root();
  const Server server(scratch, pictures({"--root", "data"}));
  EXPECT_EQ(server.get("/api/scene").json()["root"], true);
  const auto names = [&](const std::string& folder) {
    std::vector<std::string> found;
    const json listed = server.get("/api/files?folder=" + folder).json();
    for (const json& entry : listed["entries"]) found.push_back(entry["name"]);
    return found;
  };
  EXPECT_EQ(names(""), (std::vector<std::string>{"a", "f_0.pgm", "f_1.pgm", "f_2.pgm"}));
  EXPECT_EQ(names("a"), (std::vector<std::string>{"deep", "g_0.pgm", "left.pgm", "right.pgm", "truth.pfm"}));
  EXPECT_EQ(names("a/deep"), std::vector<std::string>{});
  for (const std::string folder :
       {"..", "a/..", "/", "/etc", "out", "inner", "a/", "%2e%2e", "..%2foutside", "nothing"})
    EXPECT_EQ(server.get("/api/files?folder=" + folder).status, 422) << folder;
}

TEST_F(ViewRootTest, APairIsOpenedAndShownAsTheProgramFindsIt) {
  make_root();
  const Server server(scratch, pictures({"--root", "data"}));
  const json asked{{"left", "a/left.pgm"}, {"right", "a/right.pgm"}, {"truth", "a/truth.pfm"}};
  const Answer opened = server.post("/api/open", asked);
  ASSERT_EQ(opened.status, 200) << opened.body;
  const std::string query = "?scene=" + opened.json()["scene"].get<std::string>();
  const json scene = server.get("/api/scene" + query).json();
  EXPECT_EQ(scene["name"], "data/a/left.pgm, data/a/right.pgm");
  EXPECT_EQ(scene["truth"], true);
  EXPECT_EQ(server.get("/api/scene").json()["name"], "left.pgm, right.pgm") << "the first one stays";
  const json body{{"settings", {{"disparities", 16}, {"window", 5}}}, {"report", true}};
  const json told = server.post("/api/stereo" + query, body).packet();
  EXPECT_TRUE(holds(told["command"].get<std::string>(),
                    "vergence stereo data/a/left.pgm data/a/right.pgm --truth data/a/truth.pfm --window 5x5"))
      << told["command"];
  const cli_test::Result own = scratch.run({"stereo", "data/a/left.pgm", "data/a/right.pgm", "--truth",
                                            "data/a/truth.pfm", "--disparities", "16", "--window", "5", "--json"});
  EXPECT_EQ(told["hash"], json::parse(own.out)["hash"]);
  EXPECT_EQ(told["scores"], json::parse(own.out)["scores"]);
  EXPECT_EQ(server.get("/api/scene?scene=99").status, 410);
}

TEST_F(ViewRootTest, NamesMayHoldBlanksAndDots) {
  make_root();
  fs::create_directory(scratch.path("data/a b"));
  scratch.write("data/a b/c..d %.pgm", cli_test::left_pgm(80, 40, 5));
  const Server server(scratch, pictures({"--root", "data"}));
  const Answer opened = server.post("/api/open", {{"left", "a b/c..d %.pgm"}, {"right", "a/right.pgm"}});
  EXPECT_EQ(opened.status, 200) << opened.body;
}

TEST_F(ViewRootTest, TheLastScenesStayOpen) {
  make_root();
  const Server server(scratch, pictures({"--root", "data"}));
  std::vector<std::string> names;
  for (int i = 0; i < 6; ++i) names.push_back(server.post("/api/open", {{"left", "f_%d.pgm"}}).json()["scene"]);
  EXPECT_EQ(server.get("/api/scene?scene=" + names.front()).status, 410);
  EXPECT_EQ(server.get("/api/scene?scene=" + names.back()).status, 200);
}

TEST_F(ViewRootTest, ASequenceIsOpened) {
  make_root();
  const Server server(scratch, pictures({"--root", "data/"}));
  const Answer opened = server.post("/api/open", {{"left", "f_%d.pgm"}});
  ASSERT_EQ(opened.status, 200) << opened.body;
  const std::string query = "?scene=" + opened.json()["scene"].get<std::string>();
  const json field = server.post("/api/motion" + query, {{"frame", 2}}).packet();
  EXPECT_TRUE(holds(field["command"].get<std::string>(), "vergence motion data/f_%d.pgm --frames 1:2"))
      << field["command"];
  EXPECT_EQ(server.post("/api/track" + query, {{"frame", 2}}).status, 200);
}

TEST_F(ViewRootTest, AVideoIsOpened) {
  make_root();
  std::string video = "YUV4MPEG2 W64 H48 F25:1 Ip A1:1 Cmono\n";
  for (int i = 0; i < 3; ++i) video += "FRAME\n" + std::string(std::size_t{64} * 48, static_cast<char>(i));
  scratch.write("data/a/clip.y4m", video);
  const Server server(scratch, pictures({"--root", "data"}));
  const Answer opened = server.post("/api/open", {{"left", "a/clip.y4m"}, {"frames", "0:2"}});
  ASSERT_EQ(opened.status, 200) << opened.body;
  const std::string query = "&scene=" + opened.json()["scene"].get<std::string>();
  EXPECT_EQ(server.get("/api/pictures?frame=2" + query).array("left"), std::string(std::size_t{64} * 48 * 3, 2));
  // A video that does not say how many frames it has is doubted, by the name that the user knows.
  const json doubted = server.post("/api/open", {{"left", "a/clip.y4m"}}).json();
  ASSERT_EQ(doubted["warnings"].size(), 2U) << doubted;
  EXPECT_TRUE(doubted["warnings"][0].get<std::string>().starts_with("data/a/clip.y4m does not tell")) << doubted;
  EXPECT_EQ(server.get("/api/scene?scene=" + doubted["scene"].get<std::string>()).json()["warnings"],
            doubted["warnings"]);
  // So are its frames, which are looked at as those of `track`.
  ASSERT_EQ(opened.json()["warnings"].size(), 1U) << opened.body;
  EXPECT_TRUE(opened.json()["warnings"][0].get<std::string>().starts_with("frame 0 of data/a/clip.y4m is black"))
      << opened.body;
  EXPECT_EQ(opened.json()["warnings"][0], doubted["warnings"][1]);
  // It is exchanged for a link after it was opened: going back reads the file again.
  scratch.write("outside/clip.y4m", video);
  fs::remove(scratch.path("data/a/clip.y4m"));
  link("../../outside/clip.y4m", "data/a/clip.y4m");
  const Answer linked = server.get("/api/pictures?frame=0" + query);
  EXPECT_EQ(linked.status, 500) << linked.body;
  EXPECT_TRUE(holds(linked.body, "data/a/clip.y4m")) << linked.body;
}

TEST_F(ViewRootTest, NoNameLeadsOut) {
  make_root();
  const Server server(scratch, pictures({"--root", "data"}));
  for (const std::string& name : ways_out()) {
    const json as_left{{"left", name}, {"right", "a/right.pgm"}};
    for (const json& body : {as_left, json{{"left", "a/left.pgm"}, {"right", name}},
                             json{{"left", "a/left.pgm"}, {"right", "a/right.pgm"}, {"truth", name}},
                             json{{"left", "a/left.pgm"}, {"right", "a/right.pgm"}, {"calibration", name}},
                             json{{"left", "f_%d.pgm"}, {"flow", name}}}) {
      const Answer answer = server.post("/api/open", body);
      EXPECT_EQ(answer.status, 422) << body << answer.body;
      EXPECT_FALSE(holds(answer.body, "/proc/")) << answer.body;
    }
  }
  // Numbered files, of which one is a link.
  const Answer opened = server.post("/api/open", {{"left", "a/g_%d.pgm"}});
  ASSERT_EQ(opened.status, 200) << opened.body;
  const std::string query = "&scene=" + opened.json()["scene"].get<std::string>();
  EXPECT_EQ(server.get("/api/pictures?frame=0" + query).status, 200);
  const Answer linked = server.get("/api/pictures?frame=1" + query);
  EXPECT_EQ(linked.status, 500);
  EXPECT_TRUE(holds(linked.body, "data/a/g_1.pgm") && holds(linked.body, "symbolic link")) << linked.body;
}

/// Files are exchanged for links all the time: what is read is the file or nothing, never what the link leads to.
TEST_F(ViewRootTest, ExchangedFilesAreNotFollowed) {
  make_root();
  scratch.write("outside/wide.pgm", cli_test::left_pgm(96, 40, 5));
  const Server server(scratch, pictures({"--root", "data"}));
  std::atomic<bool> stop = false;
  std::thread exchanger([&] {
    const std::string name = scratch.path("data/a/left.pgm");
    const std::string kept = scratch.path("data/a/kept.pgm"), other = scratch.path("data/a/other.pgm");
    fs::copy_file(name, kept);
    while (!stop) {
      std::error_code ignored;
      fs::create_symlink("../../outside/wide.pgm", other, ignored);
      fs::rename(other, name, ignored);
      fs::copy_file(kept, other, ignored);
      fs::rename(other, name, ignored);
    }
  });
  for (int i = 0; i < 200; ++i) {
    const Answer answer = server.post("/api/open", {{"left", "a/left.pgm"}, {"right", "a/right.pgm"}});
    EXPECT_FALSE(holds(answer.body, "96x40")) << answer.body;  // left and right of other sizes: the link was followed
  }
  stop = true;
  exchanger.join();
}

TEST_F(ViewRootTest, NewFilesAreSaved) {
  make_root();
  const Server server(scratch, pictures({"--root", "data"}));
  const std::string settings = "{\"settings\": {}}\n",
                    png = std::string("\x89PNG\r\n\x1a\n") + std::string(200'000, 'x');
  EXPECT_EQ(save(server, "a/settings.json", settings).status, 200);
  EXPECT_EQ(scratch.read("data/a/settings.json"), settings);
  EXPECT_EQ(save(server, "map.png", png).status, 200);
  EXPECT_EQ(scratch.read("data/map.png"), png);
  const Answer again = save(server, "map.png", png.substr(0, 100));
  EXPECT_EQ(again.status, 422);
  EXPECT_EQ(again.json()["error"]["field"], "taken") << again.body;
  EXPECT_TRUE(holds(again.body, "files are not replaced")) << again.body;
  EXPECT_EQ(scratch.read("data/map.png"), png);
}

TEST_F(ViewRootTest, NothingIsSavedElsewhere) {
  make_root();
  const Server server(scratch, pictures({"--root", "data"}));
  const std::vector<std::string> before = scratch.listing();
  for (const std::string path : {"../new.json", "%2e%2e/new.json", "..%2fnew.json", "/tmp/new.json", "out/new.json",
                                 "inner/new.json", "nothing/new.json", ".new.json", "a/.new.json", "new.json/", "", "a",
                                 "new.sh", "new", "new.json.sh", "new.png"})
    EXPECT_EQ(save(server, path, "{}").status, 422) << path;
  EXPECT_EQ(save(server, "new.json", "#!/bin/sh").status, 422);
  EXPECT_EQ(save(server, "new.ply", "{}").status, 422);
  EXPECT_EQ(ask(server.port(),
                "POST /api/save?path=new.json HTTP/1.1\r\n" + server.headers() + "Content-Length: 99999999999\r\n\r\n")
                .status,
            413);
  EXPECT_EQ(scratch.listing(), before);
}

TEST_F(ViewRootTest, WrongRootsAreRefused) {
  make_root();
  for (const std::string folder : {"nothing", "secret.txt", ""}) {
    const cli_test::Result result = scratch.run({"view", "--no-open", "--root", folder});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_TRUE(holds(result.err, "--root")) << result.err;
  }
}

}  // namespace
}  // namespace vergence::view_test
