// SPDX-License-Identifier: Apache-2.0
// Bad input for `vergence motion`: one line that names what is wrong, and nothing left behind.
#include "cli/bad_input.hpp"
#include "cli/motion_clip.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

RunOptions input(const std::string& path) {
  RunOptions options;
  options.in_path = path;
  return options;
}

/// A good clip with other options.
Words with(const Words& more) { return motion("f_%04d.pgm", more); }

/// The good clip without the small range.
Words plain(const Words& more) {
  Words arguments{"motion", "clip.y4m", "--device", "reference"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

void make_motion_files(const Scratch& scratch) {
  make_clip(scratch, 3);
  const std::string clip = scratch.read("clip.y4m");
  scratch.write("cut.y4m", clip.substr(0, clip.size() - 100));
  scratch.write("head.y4m", clip.substr(0, clip.find('\n') + 1));
  scratch.write("one.y4m", clip.substr(0, clip.find('\n') + 1 + 6 + 40 * 26 * 3 / 2));
  scratch.write("empty.y4m", "");
  scratch.write("text.mp4", "This is no video.\n");
  scratch.write("format.y4m", "YUV4MPEG2 W40 H26 F25:1 C999odd\n" + clip.substr(clip.find('\n') + 1));
  for (const char* name : {"tiny_0.pgm", "tiny_1.pgm"}) scratch.write(name, left_pgm(3, 26, 1));
  const std::string raw = raw_clip(3);
  scratch.write("clip.yuv", raw);
  scratch.write("cut.yuv", raw.substr(0, raw.size() - 1));
  scratch.write("empty.yuv", "");
  scratch.write("sizes_0.pgm", left_pgm(40, 26, 1));
  scratch.write("sizes_1.pgm", left_pgm(40, 24, 1));
  scratch.write("deep_0.pgm", left_pgm(40, 26, 1));
  scratch.write("deep_1.pgm", pgm(40, 26, 1023, [](int x, int y) { return texture(x, y); }));
  for (const char* name : {"twelve_0.pgm", "twelve_1.pgm"})
    scratch.write(name, pgm(40, 26, 4095, [](int x, int y) { return texture(x, y) * 16; }));
  scratch.write("field.json", R"({"settings": {"serch": "full"}})");
  scratch.write("stereo.json", R"({"settings": {"disparities": 64}})");
}

class BadMotion : public testing::TestWithParam<BadCase> {};

TEST_P(BadMotion, IsRefusedAndLeavesNothing) {
  const Scratch scratch;
  make_motion_files(scratch);
  expect_refused(scratch, GetParam());
}

const std::vector<BadCase> inputs{
    {"no_video", {"motion"}, 2, {"VIDEO"}},
    {"missing", motion("none.mp4"), 1, {"none.mp4"}},
    {"empty", motion("empty.y4m", {"-o", "v.csv"}), 1, {"empty.y4m"}},
    {"no_frame", motion("head.y4m", {"-o", "v.csv"}), 1, {"head.y4m"}},
    {"one_frame", motion("one.y4m", {"-o", "v.csv"}), 1, {"one.y4m", "1 frame:", "at least 2"}},
    {"too_few_for_the_reference", with({"--reference-distance", "3", "-o", "v.csv"}), 1, {"3 frames", "at least 4"}},
    {"pixel_format", motion("format.y4m", {"-o", "v.csv"}), 1, {"format.y4m", "pixel format is not known"}},
    {"tiny", motion("tiny_%d.pgm", {"-o", "v.csv"}), 2, {"3x26", "4x4"}},
    {"cut", motion("cut.y4m", {"--frames", "2:"}), 1, {"cut.y4m", "truncated"}},
    {"cut_from_stdin", motion("-", {"--frames", "2:"}), 1, {"standard input", "truncated"}, input("cut.y4m")},
    {"nothing_from_stdin", motion("-"), 1, {"standard input"}},
    {"no_video_at_all", motion("text.mp4"), 1, {"text.mp4", "not a picture or video"}},
    {"single_picture", motion("f_0000.pgm"), 2, {"f_0000.pgm", "single picture", "%04d"}},
    {"size_changes", motion("sizes_%d.pgm", {"-o", "v.csv"}), 1, {"sizes_1.pgm", "40x24", "40x26"}},
    {"depth_changes", motion("deep_%d.pgm", {"-o", "v.csv"}), 1, {"deep_1.pgm", "1023"}},
    {"raw_without_size", motion("clip.yuv"), 2, {"clip.yuv", "--size"}},
    {"format_without_size", motion("clip.yuv", {"--format", "gray"}), 2, {"--format needs --size"}},
    {"raw_format", motion("clip.yuv", {"--size", "40x26", "--format", "yuv421p"}), 2, {"yuv421p", "yuv420p"}},
    {"raw_size", motion("clip.yuv", {"--size", "0x26"}), 2, {"--size", "0x26"}},
    {"raw_cut", motion("cut.yuv", {"--size", "40x26"}), 1, {"cut.yuv", "4679 bytes", "1560 bytes", "40x26 yuv420p"}},
    {"raw_other_size", motion("clip.yuv", {"--size", "41x26"}), 1, {"clip.yuv", "multiple of a frame"}},
    {"raw_empty", motion("empty.yuv", {"--size", "40x26"}), 1, {"empty.yuv", "empty"}},
    {"raw_missing", motion("none.yuv", {"--size", "40x26"}), 1, {"none.yuv", "no such file"}},
    {"raw_cut_from_stdin",
     motion("-", {"--size", "40x26", "--frames", "2:"}),
     1,
     {"standard input", "frame 2", "1559 of its 1560 bytes"},
     input("cut.yuv")},
    {"frames_beyond", with({"--frames", "7:"}), 2, {"f_%04d.pgm", "frame 7 is not among its files", "0 .. 2"}},
    {"frames_too_few", with({"--frames", "1:1"}), 2, {"--frames is '1:1'", "1 frame:", "at least 2, such as 1:2"}},
    {"frames_end_too_soon", with({"--frames", "2:", "-o", "v.csv"}), 1, {"f_%04d.pgm has 1 frame in --frames '2:'"}},
    {"size_of_pictures", with({"--size", "40x26"}), 2, {"--size", "f_%04d.pgm", "numbered pictures", "leave it out"}},
    {"size_of_y4m", motion("clip.y4m", {"--size", "40x26"}), 2, {"--size", "clip.y4m", "y4m file", "leave it out"}},
    {"frames_text", with({"--frames", "x"}), 2, {"frames \"x\""}},
};
INSTANTIATE_TEST_SUITE_P(Inputs, BadMotion, testing::ValuesIn(inputs), case_name);

const std::vector<BadCase> settings{
    {"range_zero", plain({"--range", "0"}), 2, {"range", "nothing to search"}},
    {"range_beyond_the_frame", plain({"--range", "41"}), 2, {"range is -41:41 in x", "40", "the frame's width"}},
    {"range_far", plain({"--range", "9999999999"}), 2, {"range", "9999999999"}},
    {"range_order", plain({"--range", "4:-4"}), 2, {"range is 4:-4 in x", "the first must be"}},
    {"range_words", plain({"--range", "1,2,3"}), 2, {"range", "1,2,3", "64,-32:31"}},
    {"block_beyond_the_frame", with({"--block", "32x32"}), 2, {"block", "32x32", "40x26"}},
    {"block_zero", with({"--block", "0"}), 2, {"block", "0x0", "steps of 4"}},
    {"block_odd", with({"--block", "7"}), 2, {"block", "7x7", "steps of 4"}},
    {"search", with({"--search", "esa"}), 2, {"search", "esa", "hexagon"}},
    {"cost", with({"--cost", "mse"}), 2, {"cost", "mse", "satd"}},
    {"levels", with({"--search", "hierarchical", "--levels", "0"}), 2, {"levels", "0", "1 .. 5"}},
    {"lambda", with({"--lambda", "-1"}), 2, {"lambda", "-1"}},
    {"subpel", with({"--subpel", "eighth"}), 2, {"subpel", "eighth", "quarter"}},
    {"preset", with({"--preset", "quick"}), 2, {"quick", "fast, default, exhaustive"}},
    {"reference_zero", with({"--reference-distance", "0"}), 2, {"--reference-distance", "'0'", "1 .. 64"}},
    {"old_reference", with({"--reference", "2"}), 2, {"--reference of motion is now named --reference-distance"}},
    {"old_depth", with({"--depth", "u8"}), 2, {"--depth of motion is now named --pixel-depth"}},
    {"reference_source", with({"--reference-source", "next"}), 2, {"next", "original, reconstruction"}},
    {"check", with({"--check", "0.3"}), 2, {"--check", "0.25"}},
    {"compare_itself", with({"--compare", "full"}), 2, {"--compare", "full", "--search"}},
    {"compare_unknown", with({"--compare", "best"}), 2, {"search", "best", "full"}},
    {"all_sizes_block", with({"--all-sizes", "on"}), 2, {"all-sizes", "block 8x8"}},
    {"all_sizes_video",
     with({"--all-sizes", "on", "--block", "8", "--overlay", "o.mp4"}),
     2,
     {"--overlay", "all-sizes", ".csv"}},
    {"all_sizes_reconstruction",
     with({"--all-sizes", "on", "--block", "8", "--reference-source", "reconstruction"}),
     2,
     {"reconstruction", "all-sizes"}},
    {"depth", with({"--pixel-depth", "u16"}), 2, {"pixel-depth", "u16", "8"}},
    {"max_value", with({"--max-value", "99"}), 2, {"--max-value", "99", "16-bit"}},
    {"settings_field", with({"--settings", "field.json"}), 1, {"field.json", "serch"}},
    {"settings_of_stereo", with({"--settings", "stereo.json"}), 1, {"stereo.json", "disparities"}},
    {"settings_missing", with({"--settings", "none.json"}), 1, {"none.json"}},
    {"device", {"motion", "clip.y4m", "--device", "vpu"}, 2, {"vpu"}},
    {"presets_of", {"presets", "--of", "tracks"}, 2, {"--of", "tracks", "motion"}},
};
INSTANTIATE_TEST_SUITE_P(Settings, BadMotion, testing::ValuesIn(settings), case_name);

const std::vector<BadCase> outputs{
    {"vectors_ending", with({"-o", "v.txt"}), 2, {"--output", "v.txt", ".csv .json .npy .flo"}},
    {"video_ending", with({"--overlay", "o.avi"}), 2, {"--overlay", "o.avi", ".mp4 .y4m"}},
    {"flo_without_number", with({"-o", "v.flo"}), 2, {"v.flo", "%04d"}},
    {"two_numbers", with({"-o", "v_%d_%d.csv"}), 2, {"v_%d_%d.csv", "one %d"}},
    {"columns_without_vectors", with({"--columns", "j"}), 2, {"--columns needs --output"}},
    {"columns_of_npy", with({"--columns", "j", "-o", "v.npy"}), 2, {"--columns", "v.npy"}},
    {"columns_unknown", with({"--columns", "j,sad", "-o", "v.csv"}), 2, {"--columns", "j,sad", "second-j"}},
    {"second_of_tz",
     with({"--columns", "second-j", "-o", "v.csv", "--search", "tz"}),
     2,
     {"second-j", "full alone", "tz"}},
    {"zoom_without_overlay", with({"--overlay-zoom", "2"}), 2, {"--overlay-zoom needs --overlay"}},
    {"zoom", with({"--overlay-zoom", "9", "--overlay", "o.mp4"}), 2, {"--overlay-zoom", "9"}},
    {"scale", with({"--residue-scale", "0", "--residue", "r.mp4"}), 2, {"--residue-scale", "0"}},
    {"rate", with({"--rate", "0", "--residue", "r.mp4"}), 2, {"--rate", "0"}},
    {"mp4_of_twelve_bits",
     motion("twelve_%d.pgm", {"--compensated", "c.mp4", "-o", "v.csv"}),
     1,
     {"c.mp4", "4095", ".y4m"}},
    {"not_writable", with({"--overlay", "/proc/o.y4m"}), 1, {"/proc/o.y4m", "choose a place that you may write to"}},
    {"no_directory", with({"-o", "none/v.csv"}), 1, {"--output", "none/v.csv", "no directory"}},
    {"overwrites_the_input", motion("clip.y4m", {"--compensated", "clip.y4m"}), 2, {"clip.y4m", "overwrite"}},
    {"overwrites_a_frame", with({"-o", "f_0001.csv", "--save-settings", "f_0001.csv"}), 2, {"f_0001.csv", "both"}},
    {"same_name", with({"--overlay", "o.mp4", "--residue", "./o.mp4"}), 2, {"o.mp4", "both write"}},
    {"report_on_full_disk", with({}), 1, {"standard output", "No space left"}, out_to("/dev/full")},
    {"json_on_full_disk", with({"--json"}), 1, {"standard output", "No space left"}, out_to("/dev/full")},
};
INSTANTIATE_TEST_SUITE_P(Outputs, BadMotion, testing::ValuesIn(outputs), case_name);

}  // namespace
}  // namespace vergence::cli_test
