// SPDX-License-Identifier: Apache-2.0
// `vergence track --resume`: two halves give the file of one run. What cannot be gone on with is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <csignal>
#include <filesystem>

#include "cli/bad_input.hpp"
#include "cli/printed_json.hpp"
#include "cli/track_clip.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

constexpr const char* head = "frame,id,x,y,status,residual,age\n";

void make_track_files(const Scratch& scratch) {
  make_track_clip(scratch, 4);
  const auto file = [&scratch](const char* name, const std::string& rows) { scratch.write(name, head + rows); };
  file("good.csv", "0,0,10,20,tracked,0,0\n1,0,12,19,tracked,0,1\n");
  file("late.csv", "7,0,10,20,tracked,0,0\n");
  file("end.csv", "3,0,10,20,tracked,0,0\n");
  file("wide.csv", "1,5,200.5,20,tracked,0,0\n");
  file("nan.csv", "1,0,nan,20,tracked,0,0\n");
  file("far.csv", "1,0,2e9,20,tracked,0,0\n");
  file("twice.csv", "1,3,10,20,tracked,0,0\n1,3,40,20,tracked,0,0\n");
  file("age.csv", "1,3,10,20,tracked,0,-1\n");
  file("half_age.csv", "1,3,10,20,tracked,0,0.5\n");
  file("old.csv", "1,3,10,20,tracked,0,2\n");
  file("jump.csv", "0,3,10,20,tracked,0,0\n1,3,10,20,tracked,0,1\n2,3,10,20,tracked,0,9\n");
  file("still.csv", "0,3,10,20,tracked,0,0\n1,3,10,20,tracked,0,0\n");
  file("lost_age.csv", "0,3,10,20,tracked,0,0\n0,4,10,20,tracked,0,0\n1,3,10,20,residual,9,1\n1,4,10,20,tracked,0,1\n");
  file("born_old.csv", "0,3,10,20,tracked,0,0\n1,3,10,20,tracked,0,1\n1,4,10,20,tracked,0,1\n");
  file("risen.csv", "0,3,10,20,tracked,0,0\n1,3,10,20,residual,9,0\n2,3,10,20,tracked,0,0\n");
  file("reused.csv", "0,3,10,20,tracked,0,0\n1,3,10,20,tracked,0,1\n1,2,10,20,tracked,0,0\n");
  file("strayed.csv", "0,3,10,20,tracked,0,0\n1,3,10,400,tracked,0,1\n2,3,10,20,tracked,0,2\n");
  file("strayed_left.csv", "0,3,10,20,tracked,0,0\n1,3,-0.5,20,tracked,0,1\n2,3,10,20,tracked,0,2\n");
  // A file may begin anywhere; a point that was given may lie outside, and is lost then; a frame may have no track.
  file("middle.csv",
       "1,7,10,20,tracked,0,1\n1,8,500,20,tracked,0,0\n2,7,10,20,tracked,0,2\n2,8,500,20,outside,0,0\n"
       "2,9,60,20,too-close,0,0\n");
  file("huge_age.csv", "1,3,10,20,tracked,0,1e12\n");
  file("residual.csv", "1,3,10,20,tracked,-2,1\n");
  file("lost.csv", "1,3,10,20,residual,30,1\n");
  file("none.csv", "");
  scratch.write("columns.csv", "frame,id,x,y,status\n1,0,10,20,tracked\n");
  scratch.write("empty.csv", "");
  scratch.write("size.json", R"({"size": {"width": 64, "height": 48},
    "columns": ["frame","id","x","y","status","residual","age"], "tracks": [[1, 0, 10, 20, "tracked", 0, 0]]})");
  scratch.write("status.json", R"({"size": {"width": 96, "height": 72},
    "columns": ["frame","id","x","y","status","residual","age"], "tracks": [[1, 0, 10, 20, "found", 0, 0]]})");
  // Deeper than the stack would bear.
  scratch.write("nested.json",
                R"({"columns": ["frame","id","x","y","status","residual","age"], "tracks": [[1, 0, 10, 20, )" +
                    std::string(100000, '[') + std::string(100000, ']') + ", 0, 0]]}");
  std::filesystem::create_directory(scratch.path("folder.csv"));
  scratch.write("points.txt", "10 20\n");
  scratch.write("outside.txt", "40 30\n500 20\n");
}

/// The built-in scene, and every kind of file in between.
TEST(TrackResume, TwoHalvesAreOneRun) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "160x120", "--frame-count", "9", "--samples", "1"}).status, 0);
  for (const Words& settings :
       {Words{"--window", "11", "--min-distance", "6"}, Words{"--preset", "strict", "--window", "9"},
        Words{"--preset", "fast", "--guess", "velocity", "--refill", "100", "--min-separation", "4"}}) {
    const Words base = with({"track", "scene/left_%04d.png"}, settings);
    const auto run = [&](const Words& more) {
      const Result result = scratch.run(with(with(base, more), {"--json"}));
      EXPECT_EQ(result.status, 0) << result.err;
      return Json::parse(result.out);
    };
    const Json one = run({"-o", "whole.csv"});
    const Json first = run({"--frames", ":3", "-o", "a.csv"});
    EXPECT_TRUE(first["resumed"].is_null());
    const Json second = run({"--resume", "a.csv", "-o", "b.csv"});
    EXPECT_EQ(scratch.read("b.csv"), scratch.read("whole.csv"));
    EXPECT_EQ(second["hash"], one["hash"]);
    EXPECT_EQ(second["frames"], 5);
    EXPECT_EQ(second["resumed"]["frame"], 3);
    EXPECT_EQ(second["resumed"]["tracks"], first["alive"]);
    EXPECT_EQ(second["alive"], one["alive"]);
    for (const auto& [reason, count] : one["lost"].items())
      EXPECT_EQ(count.get<int>(), first["lost"][reason].get<int>() + second["lost"][reason].get<int>()) << reason;
    // Frame by frame, from file to file, on other devices.
    run({"--resume", "a.csv", "--frames", "4:4", "-o", "c.json", "--device", "reference"});
    run({"--resume", "c.json", "--frames", ":5", "-o", "d.npy", "--map", "prepare=reference,update=cpu"});
    const Json last = run({"--resume", "d.npy", "-o", "e.csv", "--map", "prepare=cpu,update=cpu"});
    EXPECT_EQ(scratch.read("e.csv"), scratch.read("whole.csv"));
    EXPECT_EQ(last["hash"], one["hash"]);
  }
}

TEST(TrackResume, WholeTracksHaveNothingToGoOnWith) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv"})).status, 0);
  const auto before = scratch.listing();
  for (const Words& more : {Words{}, Words{"--map", "prepare=cpu,update=cpu"}}) {
    Words words = track("clip.y4m", {"--resume", "t.csv", "-o", "u.csv"});
    words.insert(words.end(), more.begin(), more.end());
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(
        result.err,
        "vergence: clip.y4m ends with frame 3, as the tracks of t.csv do: these are whole, and there is nothing to "
        "go on with; resume them once there are more frames\n");
    EXPECT_EQ(scratch.listing(), before);
  }
}

/// Lines that are missing at the end or in the middle: the tracks of these lines would be lost without a word.
TEST(TrackResume, ACutFileIsRefused) {
  const Scratch scratch;
  make_track_clip(scratch, 6);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"--frames", ":3", "-o", "t.csv"})).status, 0);
  const std::string text = scratch.read("t.csv");
  const auto refused = [&](const std::string& file, const char* why) {
    scratch.write("cut.csv", file);
    const auto before = scratch.listing();
    const Result result = scratch.run(track("clip.y4m", {"--resume", "cut.csv", "-o", "u.csv"}));
    EXPECT_EQ(result.status, 1) << result.out << result.err;
    EXPECT_NE(result.err.find("tracks cut.csv, frame "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
    EXPECT_EQ(scratch.listing(), before);
  };
  const std::size_t third = text.find("\n3,") + 1;
  refused(text.substr(0, text.find('\n', third) + 1), "which frame 2 has, has no line");
  const std::size_t second = text.find("\n2,") + 1;
  refused(text.substr(0, second) + text.substr(text.find('\n', second) + 1), "which frame 1 has, has no line");
  refused(text.substr(0, second) + text.substr(third), "which frame 1 has, has no line");
  scratch.write("short.csv", text.substr(0, third));
  EXPECT_EQ(scratch.run(track("clip.y4m", {"--resume", "short.csv", "-o", "u.csv"})).status, 0);
}

/// A .json tells the settings under which it was written; those of another run are said, with the way back.
TEST(TrackResume, OtherSettingsAreSaid) {
  const Scratch scratch;
  make_track_clip(scratch, 6);
  for (const char* name : {"t.json", "t.csv"})
    ASSERT_EQ(scratch.run(track("clip.y4m", {"--frames", ":2", "-o", name, "--gain-offset"})).status, 0);
  const Words same{"--gain-offset", "--strict", "-o", "u.json"};
  EXPECT_EQ(scratch.run(track("clip.y4m", with({"--resume", "t.json"}, same))).err, "");
  const Words other{"track", "clip.y4m", "--resume", "t.json",         "--window",
                    "9",     "--points", "25",       "--min-distance", "8"};
  const Result result = scratch.run(with(other, {"--json"}));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  const Json warnings = Json::parse(result.out)["warnings"];
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(
      warnings[0],
      "tracks t.json were written with window 11, gain-offset on, and this run has window 9, gain-offset off: to go "
      "on as they began, give --window 11 --gain-offset on");
  const Result cured = scratch.run(with(other, {"--strict"}));
  EXPECT_EQ(cured.status, 1);
  EXPECT_TRUE(holds(cured.err, "window 11")) << cured.err;
  EXPECT_EQ(scratch.run({"track", "clip.y4m", "--resume", "t.json", "--settings", "t.json", "--strict"}).err, "");
  // A .csv holds none, but the last step shows that it was made otherwise.
  EXPECT_TRUE(holds(scratch.run(track("clip.y4m", {"--resume", "t.csv", "--strict"})).err, "under other settings"));
}

/// What an error or a signal leaves is worth going on with, and that is said.
TEST(TrackResume, AnErrorNamesTheWayOn) {
  const Scratch scratch;
  make_track_clip(scratch, 6);
  ASSERT_EQ(scratch.run(track("f_%04d.pgm", {"-o", "whole.csv"})).status, 0);
  const std::string frame = scratch.read("f_0004.pgm");
  for (const std::string kind : {".csv", ".json", ".npy"}) {
    SCOPED_TRACE(kind);
    write_picture(scratch.path("f_0004.pgm"), Image<std::uint8_t>(track_size.width, track_size.height - 1, 7).view());
    const Result broken = scratch.run(track("f_%04d.pgm", {"-o", "t" + kind}));
    EXPECT_EQ(broken.status, 1);
    EXPECT_EQ(lines(broken.err), 1u) << broken.err;
    EXPECT_TRUE(
        holds(broken.err, "all frames must have the same form; t" + kind + ".partial holds the tracks up to frame 3"))
        << broken.err;
    EXPECT_TRUE(holds(broken.err, "rename it to a name that ends in " + kind + ", and --resume goes on with it"));
    scratch.write("f_0004.pgm", frame);
    std::filesystem::rename(scratch.path("t" + kind + ".partial"), scratch.path("part" + kind));
    const Result on = scratch.run(track("f_%04d.pgm", {"--resume", "part" + kind, "-o", "on.csv", "--strict"}));
    EXPECT_EQ(on.status, 0) << on.err;
    EXPECT_EQ(scratch.read("on.csv"), scratch.read("whole.csv"));
    // Where the numbers differ from those of the frames, there is no such way.
    write_picture(scratch.path("f_0004.pgm"), Image<std::uint8_t>(track_size.width, track_size.height - 1, 7).view());
    EXPECT_FALSE(holds(scratch.run(track("f_%04d.pgm", {"-o", "t" + kind, "--first", "9"})).err, "--resume"));
    std::filesystem::remove(scratch.path("t" + kind + ".partial"));
    scratch.write("f_0004.pgm", frame);
  }
}

TEST(TrackResume, ASignalNamesTheWayOn) {
  const Scratch scratch;
  make_track_clip(scratch, 6);
  for (const std::string name : {"t.csv", "t.json"}) {
    ASSERT_EQ(mkfifo(scratch.path("o.y4m").c_str(), 0600), 0);  // nobody reads it: the run waits
    RunOptions options;
    options.signal = SIGTERM;
    options.signal_after = ".partial";
    const Result result = scratch.run(track("clip.y4m", {"-o", name, "--overlay", "o.y4m"}), options);
    EXPECT_EQ(result.status, 143) << result.err;
    EXPECT_TRUE(holds(result.err, name + ".partial holds what was finished: rename it to ")) << result.err;
    EXPECT_TRUE(holds(result.err, ", or to another name to go on with it by --resume, or delete it")) << result.err;
    std::filesystem::remove(scratch.path("o.y4m"));
    const std::string left = scratch.read(name + ".partial");
    std::filesystem::remove(scratch.path(name + ".partial"));  // the next signal waits for its own
    if (name == "t.json") {
      EXPECT_TRUE(left.empty() || Json::accept(left)) << left;
    }
  }
}

/// A track that was lost in the file's last frame was the newest one: its id is not given again.
TEST(TrackResume, IdsAreNotGivenAgain) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  scratch.write(
      "t.csv",
      "frame,id,x,y,status,residual,age\n"
      "0,4,30.0000000000,30.0000000000,tracked,0.0000,0\n0,9,50.0000000000,30.0000000000,tracked,0.0000,0\n"
      "1,4,32.0000000000,29.0000000000,tracked,0.0000,1\n1,9,50.0000000000,30.0000000000,residual,33.0000,0\n");
  const Result result = scratch.run(track("clip.y4m", {"--resume", "t.csv", "-o", "u.csv", "--frames", ":2"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string text = scratch.read("u.csv");
  EXPECT_EQ(text.rfind(scratch.read("t.csv"), 0), 0u) << text;
  EXPECT_NE(text.find("\n2,4,34.0"), std::string::npos) << text;
  EXPECT_NE(text.find("\n2,10,"), std::string::npos) << text;
  EXPECT_EQ(text.find("\n2,9,"), std::string::npos) << text;
}

/// What `vergence track` may write is gone on with.
TEST(TrackResume, FilesMayBeginInTheMiddle) {
  const Scratch scratch;
  make_track_files(scratch);
  const Result result = scratch.run(track("clip.y4m", {"--resume", "middle.csv", "-o", "u.csv"}));
  EXPECT_EQ(result.status, 0) << result.err;
  ASSERT_EQ(scratch.run(track("clip.y4m", {"--points-file", "outside.txt", "--frames", ":2", "-o", "t.csv"})).status,
            0);
  const Result on = scratch.run(track("clip.y4m", {"--resume", "t.csv", "-o", "v.csv"}));
  EXPECT_EQ(on.status, 0) << on.err;
}

TEST(TrackResume, AnOverlayShowsTheNewFrames) {
  const Scratch scratch;
  make_track_clip(scratch, 5);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"--frames", ":1", "-o", "t.csv"})).status, 0);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"--resume", "t.csv", "--overlay", "o.y4m"})).status, 0);
  FrameSource source(scratch.path("o.y4m"));
  int count = 0;
  while (source.next()) ++count;
  EXPECT_EQ(count, 3);
}

/// Of a file of tracks --points-file takes the points of the last frame.
TEST(TrackResume, PointsOfAFileOfTracks) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"--frames", ":2", "-o", "t.csv"})).status, 0);
  std::string points;
  const std::string text = scratch.read("t.csv");
  for (std::size_t at = text.find("\n2,") + 1; at < text.size(); at = text.find('\n', at) + 1) {
    double x = 0, y = 0;
    char status[40] = "";
    ASSERT_EQ(std::sscanf(text.c_str() + at, "2,%*d,%lf,%lf,%39[^,]", &x, &y, status), 3);
    if (std::string(status) == "tracked") points += fmt::format("{:.10f} {:.10f}\n", x, y);
  }
  scratch.write("points.txt", points);
  scratch.write("marked.csv", "\xEF\xBB\xBF" + text);  // as some editors begin UTF-8
  scratch.write("marked.txt", "\xEF\xBB\xBF+" + points);
  for (const char* file : {"t.csv", "points.txt", "marked.csv", "marked.txt"})
    ASSERT_EQ(
        scratch.run({"track", "clip.y4m", "--frames", "2:3", "--points-file", file, "-o", std::string(file) + ".csv"})
            .status,
        0);
  for (const char* file : {"points.txt.csv", "marked.csv.csv", "marked.txt.csv"})
    EXPECT_EQ(scratch.read("t.csv.csv"), scratch.read(file)) << file;
}

class BadResume : public testing::TestWithParam<BadCase> {};
TEST_P(BadResume, IsRefusedAndLeavesNothing) {
  const Scratch scratch;
  make_track_files(scratch);
  expect_refused(scratch, GetParam());
}

Words resume(const char* file, const Words& more = {}) {
  return with(track("clip.y4m", {"--resume", file, "-o", "out.csv"}), more);
}

const std::vector<BadCase> resume_cases{
    {"missing", resume("no.csv"), 1, {"no.csv do not exist"}},
    {"directory", resume("folder.csv"), 1, {"folder.csv is a directory"}},
    {"ending", resume("points.txt"), 2, {"points.txt", ".csv .json .npy"}},
    {"device", resume("/dev/null"), 2, {"--resume is /dev/null, which is no regular file"}},
    {"empty", resume("empty.csv"), 1, {"empty.csv is empty"}},
    {"no_rows", resume("none.csv"), 1, {"none.csv holds no track"}},
    {"columns", resume("columns.csv"), 1, {"columns.csv has no column 'residual'"}},
    {"nan", resume("nan.csv"), 1, {"nan.csv, line 2: x is nan"}},
    {"far", resume("far.csv"), 1, {"far.csv, frame 1: track 0: position is 2000000000,20 px"}},
    {"twice", resume("twice.csv"), 1, {"twice.csv, line 3: track 3 is there twice in frame 1"}},
    {"age", resume("age.csv"), 1, {"age.csv, line 2: age is -1"}},
    {"half_age", resume("half_age.csv"), 1, {"half_age.csv, line 2: age is 0.5"}},
    {"huge_age", resume("huge_age.csv"), 1, {"huge_age.csv, line 2: age is 1000000000000", "up to 2147483647"}},
    {"old", resume("old.csv"), 1, {"old.csv, line 2: track 3 has the age 2 in frame 1", "take one as -o wrote it"}},
    {"jump",
     resume("jump.csv"),
     1,
     {"jump.csv, line 4: track 3 has the age 1 in frame 1 and, found again, 9 in frame 2"}},
    {"still", resume("still.csv"), 1, {"line 3: track 3 has the age 0 in frame 0 and, found again, 0 in frame 1"}},
    {"lost_age", resume("lost_age.csv"), 1, {"line 4: track 3 has the age 0 in frame 0 and, lost, 1 in frame 1"}},
    {"born_old",
     resume("born_old.csv"),
     1,
     {"line 4: track 4 has the age 1 in frame 1, and no line in the frame before"}},
    {"risen", resume("risen.csv"), 1, {"line 4: track 3 was lost in frame 1, and is there again in frame 2"}},
    {"reused", resume("reused.csv"), 1, {"line 4: track 2 begins in frame 1, where ids up to 3 were given"}},
    {"strayed", resume("strayed.csv"), 1, {"strayed.csv, line 3: track 3 lies at 10,400, outside the 96x72 frames"}},
    {"strayed_left", resume("strayed_left.csv"), 1, {"line 3: track 3 lies at -0.5,20, outside the 96x72 frames"}},
    {"status", resume("status.json"), 1, {"row 1: status is \"found\", which is none\n"}},
    {"status_nested",
     resume("nested.json"),
     1,
     {"nested.json, row 1: status is " + std::string(40, '[') + ", which is none\n"}},
    {"residual", resume("residual.csv"), 1, {"residual.csv, line 2: residual is -2"}},
    {"outside", resume("wide.csv"), 1, {"wide.csv, frame 1: track 5 lies at 200.5,20, outside the 96x72 frames"}},
    {"size", resume("size.json"), 1, {"size.json, whose frames are 64x48", "96x72"}},
    {"after_the_end", resume("late.csv"), 2, {"clip.y4m", "7"}},
    {"at_the_end",
     track("clip.y4m", {"--resume", "end.csv"}),
     1,
     {"clip.y4m ends with frame 3, as the tracks of end.csv do", "nothing to go on with"}},
    {"gap", resume("good.csv", {"--frames", "3:"}), 2, {"--frames is '3:', but good.csv ends with frame 1: give 2:"}},
    {"again", resume("good.csv", {"--frames", "0:3"}), 2, {"--frames is '0:3'", "give 2:"}},
    {"too_early", resume("good.csv", {"--frames", ":1"}), 2, {"--frames is ':1'", "B from 2 on"}},
    {"points", resume("good.csv", {"--points-file", "points.txt"}), 2, {"--resume and --points-file"}},
    {"output", with(track("clip.y4m"), {"--resume", "good.csv", "-o", "good.csv"}), 2, {"good.csv"}},
    {"points_none_left", track("clip.y4m", {"--points-file", "lost.csv"}), 1, {"lost.csv holds no point"}},
    {"points_nan", track("clip.y4m", {"--points-file", "nan.csv"}), 1, {"nan.csv, line 2: x is nan"}},
    {"points_far", track("clip.y4m", {"--points-file", "far.csv"}), 1, {"far.csv, frame 1, track 0"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, BadResume, testing::ValuesIn(resume_cases), case_name);

}  // namespace
}  // namespace vergence::cli_test
