// SPDX-License-Identifier: Apache-2.0
// Bad input for `vergence track`: one line that names what is wrong, and nothing left behind.
#include "cli/bad_input.hpp"
#include "cli/track_clip.hpp"

namespace vergence::cli_test {
namespace {

void make_bad_track_files(const Scratch& scratch) {
  make_track_clip(scratch, 3);
  const std::string clip = scratch.read("clip.y4m");
  scratch.write("head.y4m", clip.substr(0, clip.find('\n') + 1));
  scratch.write("one.y4m", clip.substr(0, clip.find('\n') + 1 + 6 + 96 * 72));
  scratch.write("empty.y4m", "");
  scratch.write("text.mp4", "This is no video.\n");
  scratch.write("nan.txt", "10 20\nnan 5\n");
  scratch.write("far.txt", "10 2e9\n");
  scratch.write("words.txt", "10 20\nten twenty\n");
  scratch.write("three.txt", "10 20 30\n");
  scratch.write("none.txt", "# nothing\n");
  scratch.write("wide.txt", std::string("\xFF\xFE"
                                        "1\0 \0"
                                        "2\0\n\0",
                                        10));
  scratch.write("wide_without_mark.txt", std::string("1\0"
                                                     "2\0 \0"
                                                     "3\0",
                                                     8));
  scratch.write("semicolons.txt", "10;20\n");
  scratch.write("semicolons.csv", "frame;id;x;y;status;residual;age\n0;0;1,5;2;tracked;0;0\n");
  scratch.write("clip.raw", std::string("\0\0\0\x18"
                                        "ftypisom",
                                        12) +
                                std::string(96 * 72 * 2 - 12, 'x'));
  write_picture(scratch.path("small.pgm"), Image<std::uint8_t>(90, 72, 1).view());
  write_picture(scratch.path("deep.pgm"), Image<std::uint16_t>(96, 72, 1).view());
  for (int i = 0; i < 2; ++i)
    write_picture(scratch.path("tiny_" + std::to_string(i) + ".pgm"), Image<std::uint8_t>(12, 30, 1).view());
  write_picture(scratch.path("sizes_0.pgm"), Image<std::uint8_t>(96, 72, 1).view());
  write_picture(scratch.path("sizes_1.pgm"), Image<std::uint8_t>(96, 70, 1).view());
  scratch.write("clip.yuv", "0123456789");
  scratch.write("none.json", R"({"settings": {"points": 0}})");
  scratch.write("settings.json", R"({"settings": {"windw": 21}})");
}

class BadTrack : public testing::TestWithParam<BadCase> {};

TEST_P(BadTrack, IsRefusedAndLeavesNothing) {
  const Scratch scratch;
  make_bad_track_files(scratch);
  expect_refused(scratch, GetParam());
}

const std::vector<BadCase> cases{
    {"no_video", {"track"}, 2, {"VIDEO"}},
    {"missing", track("none.mp4"), 1, {"none.mp4"}},
    {"empty", track("empty.y4m"), 1, {"empty.y4m"}},
    {"no_frame", track("head.y4m"), 1, {"head.y4m"}},
    {"no_video_at_all", track("text.mp4"), 1, {"text.mp4"}},
    {"one_picture", track("f_0000.pgm"), 2, {"f_0000.pgm", "single picture"}},
    {"raw_without_size", track("clip.yuv"), 2, {"clip.yuv", "--size"}},
    {"format_without_size", track("clip.y4m", {"--format", "gray"}), 2, {"--format needs --size"}},
    {"one_frame", track("clip.y4m", {"--frames", "1"}), 2, {"--frames is '1'", "1 frame:", "such as 1:2"}},
    {"size_of_y4m", track("clip.y4m", {"--size", "96x72"}), 2, {"--size is for raw video", "clip.y4m"}},
    {"window_larger_than_the_frame", {"track", "tiny_%d.pgm"}, 2, {"window is 21", "12x30"}},
    {"window_even", {"track", "clip.y4m", "--window", "10"}, 2, {"window is 10", "8, 16, 32, 48"}},
    {"window_word", {"track", "clip.y4m", "--window", "x"}, 2, {"window is 'x'"}},
    {"quality", track("clip.y4m", {"--quality", "nan"}), 2, {"quality is nan"}},
    {"roi", track("clip.y4m", {"--roi", "90,0,10,10"}), 2, {"roi is 90,0,10,10", "96x72"}},
    {"roi_of_nothing",
     track("clip.y4m", {"--roi", "0,0,0,0"}),
     2,
     {"roi is 0,0,0,0", "x,y,width,height", "inside the 96x72 frame"}},
    {"depth", track("clip.y4m", {"--pixel-depth", "u16"}), 2, {"pixel-depth is u16", "8 bits"}},
    {"preset", track("clip.y4m", {"--preset", "best"}), 2, {"'best'", "fast, default, strict"}},
    {"settings", track("clip.y4m", {"--settings", "settings.json"}), 1, {"settings.json", "'windw'"}},
    {"no_points", {"track", "clip.y4m", "--points", "0"}, 2, {"points is 0", "--points-file or --resume"}},
    {"no_points_in_settings",
     {"track", "clip.y4m", "--settings", "none.json"},
     2,
     {"points is 0", "--points from 1 on"}},
    {"points_missing", track("clip.y4m", {"--points-file", "no.txt"}), 1, {"no.txt"}},
    {"points_directory", track("clip.y4m", {"--points-file", "."}), 1, {"points file . is a directory"}},
    {"points_nan", track("clip.y4m", {"--points-file", "nan.txt"}), 1, {"nan.txt, line 2", "must be numbers"}},
    {"points_far", track("clip.y4m", {"--points-file", "far.txt"}), 1, {"far.txt, line 1"}},
    {"points_words", track("clip.y4m", {"--points-file", "words.txt"}), 1, {"words.txt, line 2", "ten twenty"}},
    {"points_three", track("clip.y4m", {"--points-file", "three.txt"}), 1, {"three.txt, line 1"}},
    {"points_utf16",
     track("clip.y4m", {"--points-file", "wide.txt"}),
     1,
     {"wide.txt is text of UTF-16 or UTF-32", "as UTF-8"}},
    {"points_utf16_without_a_mark",
     track("clip.y4m", {"--points-file", "wide_without_mark.txt"}),
     1,
     {"wide_without_mark.txt is text of UTF-16"}},
    {"points_semicolons",
     track("clip.y4m", {"--points-file", "semicolons.txt"}),
     1,
     {"semicolons.txt, line 1", "with a comma or a blank between them"}},
    {"tracks_semicolons",
     track("clip.y4m", {"--resume", "semicolons.csv", "-o", "t.csv"}),
     1,
     {"semicolons.csv has semicolons or tabs between its columns"}},
    {"mp4_named_raw",
     track("clip.raw", {"--size", "96x72", "--format", "gray"}),
     2,
     {"clip.raw is an MP4 or MOV file by its first bytes"}},
    {"points_none", track("clip.y4m", {"--points-file", "none.txt"}), 1, {"none.txt holds no point"}},
    {"old_light", track("clip.y4m", {"--light", "off"}), 2, {"--light of track is now named --gain-offset"}},
    {"old_depth", track("clip.y4m", {"--depth=u8"}), 2, {"--depth of track is now named --pixel-depth"}},
    {"old_block", track("clip.y4m", {"--block", "5"}), 2, {"--block of track is now named --corner-block"}},
    {"old_mask", track("clip.y4m", {"--mask", "m.pgm"}), 2, {"--mask of track is now named --points-mask"}},
    {"mask_size", track("clip.y4m", {"--points-mask", "small.pgm", "-o", "t.csv"}), 1, {"small.pgm is 90x72", "96x72"}},
    {"mask_depth", track("clip.y4m", {"--points-mask", "deep.pgm", "-o", "t.csv"}), 1, {"deep.pgm has 16 bits"}},
    {"output_ending", track("clip.y4m", {"-o", "t.txt"}), 2, {"t.txt", ".csv .json .npy"}},
    {"overlay_ending", track("clip.y4m", {"--overlay", "o.avi"}), 2, {"o.avi", ".mp4 .y4m"}},
    {"output_number", track("clip.y4m", {"-o", "t_%d.csv"}), 2, {"t_%d.csv", "leave the number out"}},
    {"output_is_input", track("clip.y4m", {"--overlay", "clip.y4m"}), 2, {"clip.y4m"}},
    {"output_folder", track("clip.y4m", {"-o", "nowhere/t.csv"}), 1, {"nowhere"}},
    {"tail_without_overlay", track("clip.y4m", {"--overlay-tail", "5"}), 2, {"--overlay-tail needs --overlay"}},
    {"tail", track("clip.y4m", {"--overlay", "o.y4m", "--overlay-tail", "0"}), 2, {"--overlay-tail is '0'"}},
    {"zoom", track("clip.y4m", {"--overlay", "o.y4m", "--overlay-zoom", "9"}), 2, {"--overlay-zoom is '9'"}},
    {"device", track("clip.y4m", {"--device", "abacus"}), 2, {"abacus"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, BadTrack, testing::ValuesIn(cases), case_name);

/// These fail when the first frames have been written: what there is stays as NAME.partial.
TEST(BadTrackStream, KeepsWhatWasWritten) {
  const Scratch scratch;
  make_bad_track_files(scratch);
  const Result result = scratch.run(track("sizes_%d.pgm", {"-o", "t.csv"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("sizes_1.pgm"), std::string::npos) << result.err;
  EXPECT_FALSE(scratch.has("t.csv"));
  EXPECT_TRUE(scratch.has("t.csv.partial"));
  const Result one = scratch.run(track("one.y4m", {"-o", "u.csv"}));
  EXPECT_EQ(one.status, 1);
  EXPECT_NE(one.err.find("1 frame: following points needs at least 2"), std::string::npos) << one.err;
  EXPECT_FALSE(scratch.has("u.csv"));
}

TEST(DoubtfulTracks, NearlyAllThatDieAtOnceAreToldOf) {
  const Scratch scratch;
  // Each frame shows another place, as where frames are out of order; then one that moves by 2 px.
  for (int i = 0; i < 12; ++i) {
    write_picture(scratch.path("other_" + std::to_string(100 + i) + ".pgm"),
                  test::textured<std::uint8_t>(track_size, 1000.0 * i, 700.0 * i).view());
    write_picture(scratch.path("good_" + std::to_string(100 + i) + ".pgm"), track_frame(i).view());
  }
  const Result other = scratch.run(track("other_%d.pgm"));
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_EQ(lines(other.err), 1u) << other.err;
  for (const char* const words : {"points that were looked for in a next frame only", "(lost: ", "their order"})
    EXPECT_NE(other.err.find(words), std::string::npos) << other.err;
  EXPECT_EQ(scratch.run(track("other_%d.pgm", {"--strict"})).status, 1);
  const Result good = scratch.run(track("good_%d.pgm", {"--strict"}));
  EXPECT_EQ(good.status, 0);
  EXPECT_EQ(good.err, "");
}

}  // namespace
}  // namespace vergence::cli_test
