// SPDX-License-Identifier: Apache-2.0
// What other runs write or have left, what links lead to and what standard input reads is never overwritten.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/program.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;
namespace fs = std::filesystem;

class Leftovers : public testing::Test {
 protected:
  void SetUp() override {
    make_files(scratch);
    ASSERT_EQ(scratch.run({"synth", "s", "--size", "64x48", "--frame-count", "3"}).status, 0);
  }
  void refused(const Words& arguments, int status, std::string_view why, const RunOptions& options = {}) const {
    const auto before = scratch.listing();
    const Result result = scratch.run(arguments, options);
    EXPECT_EQ(result.status, status) << result.out << result.err;
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
    EXPECT_EQ(scratch.listing(), before) << "something was written";
  }
  const Scratch scratch;
};

TEST_F(Leftovers, APartialFileOfAnotherRunStays) {
  const std::string frames = "s/left_%04d.png";
  for (const Words& run : {Words{"motion", frames, "-o", "out"}, Words{"motion", frames, "--overlay", "out"},
                           Words{"motion", frames, "--compensated", "out"}, Words{"track", frames, "-o", "out"},
                           Words{"track", frames, "--overlay", "out"},
                           Words{"stereo", frames, "s/right_%04d.png", "--disparities", "16", "--color", "out"}}) {
    const bool video = run[run.size() - 2] != "-o";
    const std::string name = video ? "o.y4m" : "o.csv";
    Words arguments = run;
    arguments.back() = name;
    scratch.write(name + ".partial", "precious");
    refused(arguments, 1, name + ".partial exists: another run writes it, or has left it");
    EXPECT_EQ(scratch.read(name + ".partial"), "precious");
    fs::remove(scratch.path(name + ".partial"));
    // A link or a pipe of that name is no way out either.
    fs::create_symlink("victim.txt", scratch.path(name + ".partial"));
    refused(arguments, 1, "exists");
    fs::remove(scratch.path(name + ".partial"));
    ASSERT_EQ(mkfifo(scratch.path(name + ".partial").c_str(), 0600), 0);
    refused(arguments, 1, "exists");
    fs::remove(scratch.path(name + ".partial"));
  }
}

/// A full disk that holds no frame leaves nothing that the next run would have to wait for.
TEST_F(Leftovers, AVideoWithoutAFrameDoesNotStay) {
  for (const std::string name : {"o.mp4", "o.y4m"}) {
    RunOptions options;
    options.file_limit = 1000;
    refused({"motion", "s/left_%04d.png", "--overlay", name, "--overlay-zoom", "4"}, 1, "File too large", options);
    EXPECT_EQ(scratch.run({"motion", "s/left_%04d.png", "--overlay", name}).status, 0) << name;
    fs::remove(scratch.path(name));
  }
}

TEST_F(Leftovers, AnInputWithTheNameOfAPartialFileStays) {
  ASSERT_EQ(scratch.run({"motion", "s/left_%04d.png", "--compensated", "c.y4m"}).status, 0);
  fs::rename(scratch.path("c.y4m"), scratch.path("o.y4m.partial"));
  refused({"motion", "o.y4m.partial", "--compensated", "o.y4m"}, 1, "o.y4m.partial exists");
}

TEST_F(Leftovers, StandardInputIsNotOverwritten) {
  ASSERT_EQ(scratch.run({"track", "s/left_%04d.png", "--overlay", "v.y4m"}).status, 0);
  RunOptions options;
  options.in_path = "v.y4m";
  refused({"motion", "-", "--compensated", "v.y4m"}, 2, "would overwrite the input 'standard input'", options);
}

TEST_F(Leftovers, LinksThatLeadToNothingAreFollowed) {
  fs::create_symlink("a.pfm", scratch.path("b.pfm"));
  refused({"stereo", "left.pgm", "right.pgm", "--disparities", "16", "-o", "a.pfm", "--cost-map", "b.pfm"}, 2,
          "would both write");
  fs::create_symlink("a_0.png", scratch.path("b_0.png"));
  refused(
      {"stereo", "s/left_%04d.png", "s/right_%04d.png", "--disparities", "16", "-o", "a_%d.png", "--other", "b_%d.png"},
      2, "would both write");
  // Alone it is written through, and stays a link.
  ASSERT_EQ(scratch.run({"stereo", "left.pgm", "right.pgm", "--disparities", "16", "-o", "b.pfm"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(scratch.path("b.pfm")));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(scratch.path("a.pfm"))));
  fs::create_directory(scratch.path("elsewhere"));
  fs::create_symlink("elsewhere/t.csv", scratch.path("t.csv"));
  ASSERT_EQ(scratch.run({"track", "s/left_%04d.png", "-o", "t.csv"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(scratch.path("t.csv")));
  EXPECT_TRUE(scratch.has("elsewhere/t.csv"));
  fs::create_symlink("loop.pfm", scratch.path("loop.pfm"));
  const Result loop = scratch.run({"stereo", "left.pgm", "right.pgm", "--disparities", "16", "-o", "loop.pfm"});
  EXPECT_EQ(loop.status, 1);
  EXPECT_NE(loop.err.find("loop.pfm"), std::string::npos) << loop.err;
}

/// Where one output fails, those that were finished before it do not stand either.
TEST_F(Leftovers, OutputsOfAFrameStandTogether) {
  const auto refused_at = [this](const Words& arguments, long limit, std::string_view file) {
    RunOptions options;
    options.file_limit = limit;
    refused(arguments, 1, file, options);
  };
  const Words maps{"stereo", "left.pgm", "right.pgm", "--disparities", "16", "-o", "d.npy", "--cost-map", "c.npy"};
  refused_at(maps, 2500, "c.npy");  // 2 and 4 bytes per pixel, of 800
  Words with_settings = maps;
  with_settings.insert(with_settings.end(), {"--validity", "v.npy", "--save-settings", "s.json"});
  refused_at(with_settings, 2500, "c.npy");
  Words strict = maps;
  strict.push_back("--strict");
  refused_at(strict, 2500, "c.npy");
  refused_at({"stereo", "s/left_%04d.png", "s/right_%04d.png", "--disparities", "16", "-o", "d_%d.npy", "--cost-map",
              "c_%d.npy"},
             8000, "c_0.npy");
  refused_at({"synth", "s", "--size", "64x48"}, 4000, "disparity.pfm");
  // A warning under --strict comes when the maps have been written.
  scratch.write("dark.pgm", pgm(40, 20, 255, [](int, int) { return 0; }));
  refused({"stereo", "dark.pgm", "dark.pgm", "--disparities", "16", "-o", "d.npy", "--strict"}, 1, "--strict");
  ASSERT_EQ(scratch.run(with_settings).status, 0);
  for (const char* name : {"d.npy", "c.npy", "v.npy", "s.json"}) EXPECT_TRUE(scratch.has(name)) << name;
}

/// The program waits for a reader, in open() or write(): one signal ends it all the same, and what it wrote is named.
TEST_F(Leftovers, ASignalEndsAWriteThatNobodyReads) {
  for (const bool stalled : {false, true}) {
    for (const std::string pipe : {"p.y4m", "p.csv"}) {
      SCOPED_TRACE(pipe + (stalled ? ", a reader that does not read" : ", no reader"));
      ASSERT_EQ(mkfifo(scratch.path(pipe).c_str(), 0600), 0);
      const int reader = stalled ? ::open(scratch.path(pipe).c_str(), O_RDWR | O_NONBLOCK) : -1;
      while (stalled && ::write(reader, "full", 4) > 0) {
      }
      RunOptions options;
      options.signal = SIGTERM;
      options.signal_after = ".partial";
      const Words first = {"motion", "s/left_%04d.png", "--compensated", "grown.y4m"};
      Words arguments = first;
      arguments.insert(arguments.end(), {pipe == "p.y4m" ? "--overlay" : "-o", pipe});
      const auto start = std::chrono::steady_clock::now();
      const Result result = scratch.run(arguments, options);
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
      EXPECT_EQ(result.status, 143) << result.err;
      EXPECT_NE(result.err.find("grown.y4m.partial holds what was finished"), std::string::npos) << result.err;
      EXPECT_FALSE(scratch.has("grown.y4m"));
      if (reader >= 0) ::close(reader);
      fs::remove(scratch.path("grown.y4m.partial"));
      fs::remove(scratch.path(pipe));
    }
  }
}

TEST_F(Leftovers, OutputsOfALongerRunAreTold) {
  const Words runs[] = {{"stereo", "s/left_%04d.png", "s/right_%04d.png", "-o", "m_%d.pfm"},
                        {"motion", "s/left_%04d.png", "--range", "8", "-o", "m_%d.npy"}};
  for (const Words& run : runs) {
    const std::string ending = run.back().substr(4);
    EXPECT_EQ(scratch.run(run).err.find("longer run"), std::string::npos);
    for (const char* number : {"3", "4"}) scratch.write("m_" + std::string(number) + ending, "old");
    const Result result = scratch.run(run);
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.err.find("2 files beyond this run's last one, m_2" + ending + ", such as m_3" + ending +
                              ", are left of a longer run"),
              std::string::npos)
        << result.err;
    // Another part of the same video may have been done before.
    Words part = run;
    part.insert(part.end(), {"--frames", "0:2"});
    EXPECT_EQ(scratch.run(part).err.find("longer run"), std::string::npos);
  }
}

}  // namespace
}  // namespace vergence::cli_test
