// SPDX-License-Identifier: Apache-2.0
// Names of files: however they are written, no output overwrites an input or another output, and what is missing is
// found before the first file is written.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace vergence::cli_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A sequence of pairs sq/l_0.pgm, sq/r_0.pgm, ... with truth and mask, and an empty directory `out`.
class FileNames : public testing::Test {
 protected:
  static constexpr int frames = 3;

  void SetUp() override {
    fs::create_directory(scratch.path("sq"));
    fs::create_directory(scratch.path("out"));
    for (int i = 0; i < frames; ++i) {
      scratch.write(name("sq/l_", i, ".pgm"), left_pgm(40, 20, 3));
      scratch.write(name("sq/r_", i, ".pgm"), right_pgm(40, 20));
      scratch.write(name("sq/t_", i, ".pfm"), flat_pfm(40, 20, 3.0f));
      scratch.write(name("sq/m_", i, ".pgm"), pgm(40, 20, 255, [](int, int) { return 255; }));
    }
  }

  static std::string name(const char* stem, int frame, const char* end) { return stem + std::to_string(frame) + end; }

  Result stereo(const std::string& left, const std::string& right, const Words& more) const {
    Words arguments{"stereo", left, right, "--disparities", "16"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return scratch.run(arguments);
  }

  /// The run is refused with `status`, says `words`, and every file is what it was.
  void expect_refused(const std::string& left, const std::string& right, const Words& more, const Words& words,
                      int status = 2) const {
    const Words before = contents();
    const Result result = stereo(left, right, more);
    EXPECT_EQ(result.status, status) << more.back() << ": " << result.err;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    for (const std::string& word : words)
      EXPECT_NE(result.err.find(word), std::string::npos) << "no '" << word << "' in: " << result.err;
    EXPECT_EQ(contents(), before) << more.back();
  }

  void expect_accepted(const std::string& left, const std::string& right, const Words& more) const {
    const Result result = stereo(left, right, more);
    EXPECT_EQ(result.status, 0) << result.err;
  }

  Scratch scratch;

 private:
  /// Names and contents of all files.
  Words contents() const {
    Words all = scratch.listing();
    for (const auto& entry : fs::recursive_directory_iterator(scratch.path("sq")))
      if (entry.is_regular_file()) all.push_back(scratch.read("sq/" + entry.path().filename().string()));
    return all;
  }
};

const std::string left_sequence = "sq/l_%d.pgm";
const std::string right_sequence = "sq/r_%d.pgm";

TEST_F(FileNames, NoSpellingOfAnInputIsOverwritten) {
  for (const char* output : {"sq/l_%d.pgm", "./sq/l_%d.pgm", "sq/../sq/r_%d.pgm", "sq/l_%01d.pgm", "sq//l_%1d.pgm"})
    expect_refused(left_sequence, right_sequence, {"--gray", output}, {"--gray", output, "input", "sq/"});
  expect_refused(left_sequence, right_sequence, {"--gray", scratch.path("sq/l_%d.pgm")}, {"input"});
}

TEST_F(FileNames, OnePairHasNoNumber) {
  const Result result = stereo("sq/l_0.pgm", "sq/r_0.pgm", {"--gray", "out/g_%d.pgm", "-o", "out/x_%d_%02d.npy"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("warning: --gray 'out/g_%d.pgm' is written under this very name"), std::string::npos)
      << result.err;
  EXPECT_TRUE(scratch.has("out/g_%d.pgm"));
  EXPECT_TRUE(scratch.has("out/x_%d_%02d.npy"));
  EXPECT_FALSE(scratch.has("out/g_0.pgm"));
  expect_accepted("sq/l_0.pgm", "sq/r_0.pgm", {"-o", "out/y_%d.npy", "--validity", "out/y_0.npy"});
  expect_refused("sq/l_0.pgm", "sq/r_0.pgm", {"-o", "out/z_%d.npy", "--first", "1"}, {"--first", "single pictures"});
}

/// Outputs go where links lead, strict or not, and the links stay.
TEST_F(FileNames, TwoPercentSignsAreOneInNumberedNames) {
  fs::create_directory(scratch.path("50%"));
  for (int i = 0; i < frames; ++i)
    fs::copy(scratch.path(name("sq/l_", i, ".pgm")), scratch.path(name("50%/l%_", i, ".pgm")));
  const Result result = stereo("50%%/l%%_%d.pgm", "sq/r_%d.pgm", {"-o", "50%%/d%%_%d.npy", "--gray", "50%%/%%%dd.pgm"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (int i = 0; i < frames; ++i) {
    EXPECT_TRUE(fs::exists(scratch.path(name("50%/d%_", i, ".npy"))));
    EXPECT_TRUE(fs::exists(scratch.path(name("50%/%", i, "d.pgm"))));
  }
  EXPECT_EQ(scratch.run({"diff", "50%%/l%%_%d.pgm", "sq/l_%d.pgm"}).status, 0);
  const Result overwriting = stereo("50%%/l%%_%d.pgm", "sq/r_%d.pgm", {"--gray", "50%%/l%%_%d.pgm"});
  EXPECT_EQ(overwriting.status, 2);
  EXPECT_NE(overwriting.err.find("would overwrite the input"), std::string::npos) << overwriting.err;
  EXPECT_EQ(stereo("sq/l_%d.pgm", "sq/r_%d.pgm", {"-o", "d_%%d.npy"}).status, 2);  // no number
  const Result pair = stereo("sq/l_0.pgm", "sq/r_0.pgm", {"-o", "d_%%d.npy"});     // no numbers, no signs
  EXPECT_EQ(pair.err, "");
  EXPECT_TRUE(fs::exists(scratch.path("d_%%d.npy")));
}

TEST_F(FileNames, OutputsGoWhereLinksLead) {
  scratch.write("out/old.npy", "old");
  fs::create_symlink("old.npy", scratch.path("out/link.npy"));
  fs::create_symlink("../sq/new.npy", scratch.path("out/dangling.npy"));
  fs::create_symlink("dangling.npy", scratch.path("out/twice.npy"));
  expect_accepted("sq/l_0.pgm", "sq/r_0.pgm", {"-o", "out/plain.npy"});
  for (const bool strict : {false, true}) {
    for (const char* name : {"out/link.npy", "out/dangling.npy", "out/twice.npy"}) {
      Words more{"-o", name};
      if (strict) more.emplace_back("--strict");
      expect_accepted("sq/l_0.pgm", "sq/r_0.pgm", more);
      EXPECT_TRUE(fs::is_symlink(scratch.path(name))) << name;
      const std::string file = name == std::string("out/link.npy") ? "out/old.npy" : "sq/new.npy";
      EXPECT_FALSE(fs::is_symlink(scratch.path(file)));
      EXPECT_EQ(scratch.read(file), scratch.read("out/plain.npy")) << name;
      fs::remove(scratch.path(file));
    }
    scratch.write("out/old.npy", "old");
  }
  fs::create_symlink("circle.npy", scratch.path("out/circle.npy"));
  const Result circle = stereo("sq/l_0.pgm", "sq/r_0.pgm", {"-o", "out/circle.npy"});
  EXPECT_EQ(circle.status, 1);
  EXPECT_NE(circle.err.find("'out/circle.npy' cannot be written: its symbolic links lead in a circle"),
            std::string::npos)
      << circle.err;
  fs::remove(scratch.path("out/circle.npy"));
  fs::create_symlink("nowhere/x.npy", scratch.path("out/lost.npy"));
  expect_refused("sq/l_0.pgm", "sq/r_0.pgm", {"-o", "out/lost.npy"}, {"lost.npy", "no directory", "nowhere"}, 1);
}

/// The settings file of `motion` and the tables of `track` are written in other ways.
TEST_F(FileNames, LinksOfOtherCommands) {
  fs::create_symlink("a.csv", scratch.path("out/link.csv"));
  fs::create_symlink("b.json", scratch.path("out/link.json"));
  const Result result = scratch.run({"motion", "sq/l_%d.pgm", "--device", "reference", "--range", "2", "-o",
                                     "out/link.csv", "--save-settings", "out/link.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* name : {"out/link.csv", "out/link.json"}) EXPECT_TRUE(fs::is_symlink(scratch.path(name))) << name;
  EXPECT_FALSE(fs::is_symlink(scratch.path("out/a.csv")));
  EXPECT_TRUE(scratch.has("out/b.json"));
}

TEST_F(FileNames, TruthMaskAndLinksAreInputsToo) {
  const Words scored{"--truth", "sq/t_%d.pfm", "--mask", "sq/m_%d.pgm"};
  const auto with = [&scored](Words more) {
    more.insert(more.begin(), scored.begin(), scored.end());
    return more;
  };
  expect_refused(left_sequence, right_sequence, with({"-o", "./sq/t_%01d.pfm"}), {"--output", "sq/t_", "input"});
  expect_refused(left_sequence, right_sequence, with({"--validity", "sq/./m_%d.pgm"}), {"--validity", "input"});
  fs::create_directory_symlink(scratch.path("sq"), scratch.path("link"));
  expect_refused(left_sequence, right_sequence, {"--gray", "link/l_%d.pgm"}, {"--gray", "input"});
  fs::create_symlink(scratch.path("sq/l_1.pgm"), scratch.path("out/g_1.pgm"));
  expect_refused(left_sequence, right_sequence, {"--gray", "out/g_%d.pgm"}, {"--gray", "sq/l_1.pgm"});
}

TEST_F(FileNames, FramesThatAreNotWrittenDoNotCount) {
  expect_accepted(left_sequence, right_sequence, {"--frames", "0:1", "--gray", "out/g_%d.pgm"});
  // Frame 2 is not matched, so its picture would not be overwritten either.
  fs::create_symlink(scratch.path("sq/l_2.pgm"), scratch.path("out/h_2.pgm"));
  expect_accepted(left_sequence, right_sequence, {"--frames", "0:1", "--gray", "out/h_%d.pgm"});
  expect_refused(left_sequence, right_sequence, {"--frames", "1:2", "--gray", "out/h_%d.pgm"}, {"sq/l_2.pgm"});
}

TEST_F(FileNames, NoSpellingLetsTwoOutputsShareAFile) {
  expect_refused("sq/l_0.pgm", "sq/r_0.pgm", {"-o", "out/x.npy", "--validity", "./out/x.npy"},
                 {"--output", "--validity", "x.npy"});
  for (const char* other : {"out/x_%d.npy", "./out/x_%d.npy", "out/x_%01d.npy", "out/../out/x_%d.npy"})
    expect_refused(left_sequence, right_sequence, {"-o", "out/x_%d.npy", "--validity", other},
                   {"--output", "--validity", "x_0.npy"});
  expect_refused("sq/l_0.pgm", "sq/r_0.pgm", {"-o", "out/x.npy", "--save-settings", "out/./x.npy"},
                 {"--output", "--save-settings"});
}

TEST_F(FileNames, DifferentFilesAreAccepted) {
  expect_accepted(left_sequence, right_sequence, {"-o", "out/x_%d.npy", "--validity", "out/x_%02d.npy"});
  EXPECT_TRUE(scratch.has("out/x_2.npy"));
  EXPECT_TRUE(scratch.has("out/x_02.npy"));
  // Again, over the files of the first run.
  expect_accepted(left_sequence, right_sequence, {"-o", "out/x_%d.npy", "--validity", "out/x_%02d.npy"});
}

TEST_F(FileNames, OneNumberIsAllowedAndNotInADirectory) {
  expect_refused(left_sequence, right_sequence, {"-o", "out/d_%d_%d.pfm"}, {"--output", "d_%d_%d.pfm", "one %d"});
  expect_refused(left_sequence, right_sequence, {"-o", "out_%d/d.pfm"}, {"--output", "directory"});
}

TEST_F(FileNames, GapsAreFoundBeforeTheFirstFrame) {
  fs::remove(scratch.path("sq/r_1.pgm"));
  expect_refused(left_sequence, right_sequence, {"-o", "out/d_%d.pfm"}, {"sq/r_1.pgm", "lacks this file"}, 1);
  expect_accepted(left_sequence, right_sequence, {"--frames", "2:2"});
}

TEST_F(FileNames, MissingTruthIsFoundBeforeTheFirstFrame) {
  fs::remove(scratch.path("sq/t_2.pfm"));
  expect_refused(left_sequence, right_sequence, {"--truth", "sq/t_%d.pfm", "-o", "out/d_%d.pfm"},
                 {"truth", "sq/t_2.pfm", "frame 2"}, 1);
  expect_accepted(left_sequence, right_sequence, {"--truth", "sq/t_%d.pfm", "--frames", "0:1"});
}

}  // namespace
}  // namespace vergence::cli_test
