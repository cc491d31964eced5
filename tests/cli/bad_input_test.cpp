// SPDX-License-Identifier: Apache-2.0
// Bad input for the commands that read no picture (synth, verify, devices, presets, none at all), and the table's
// machinery.
#include "cli/bad_input.hpp"

#include <filesystem>

namespace vergence::cli_test {

void make_files(const Scratch& scratch) {
  constexpr int width = 40;
  constexpr int height = 20;
  scratch.write("left.pgm", left_pgm(width, height, 3));
  scratch.write("right.pgm", right_pgm(width, height));
  scratch.write("left16.pgm", pgm(width, height, 1023, [](int x, int y) { return texture(x + 997, y) * 4; }));
  scratch.write("right16.pgm", pgm(width, height, 1023, [](int x, int y) { return texture(x + 1000, y) * 4; }));
  scratch.write("small.pgm", right_pgm(20, 20));
  scratch.write("turned.pgm", left_pgm(20, 40, 3));
  scratch.write("mask.pgm", pgm(width, height, 255, [](int x, int) { return x < 10 ? 0 : 255; }));
  scratch.write("black.pgm", pgm(width, height, 255, [](int, int) { return 0; }));
  scratch.write("good.png", png(width, height));
  scratch.write("map.pfm", flat_pfm(width, height, 3.0f));
  scratch.write("truth.pfm", flat_pfm(width, height, 3.0f));
  scratch.write("small.pfm", flat_pfm(20, 20, 3.0f));
  scratch.write("good.jpg", jpeg());
  scratch.write("empty.png", "");
  scratch.write("empty.pfm", "");
  scratch.write("truncated.png", scratch.read("good.png").substr(0, 300));
  scratch.write("truncated.jpg", jpeg().substr(0, 270));
  scratch.write("truncated.pgm", scratch.read("left.pgm").substr(0, 400));
  scratch.write("truncated.pfm", scratch.read("map.pfm").substr(0, 400));
  scratch.write("text.png", "This is no picture.\n");
  scratch.write("text.pfm", "This is no map.\n");
  scratch.write("zero.pgm", "P5\n0 0\n255\n");
  scratch.write("zero.pfm", "Pf\n0 0\n-1\n");
  scratch.write("empty.json", "");
  scratch.write("text.json", "window = 9x9\n");
  scratch.write("other.json", R"({"window": "9x9"})");
  scratch.write("field.json", R"({"settings": {"windw": "9x9"}})");
  scratch.write("value.json", R"({"settings": {"disparities": "many"}})");
  scratch.write("twice.json", R"({"settings": {"window": "9x9", "cost": "sad", "window": "11x11"}})");
  scratch.write("twice_above.json", R"({"settings": {"window": "9x9"}, "settings": {"cost": "ssd"}})");
  scratch.write("p.txt", "P0: 100 0 20 0 0 100 10 0 0 0 1 0\nP1: 100 0 20 -30 0 100 10 0 0 0 1 0\n");
  std::filesystem::create_directory(scratch.path("dir"));
  std::filesystem::create_directory(scratch.path("dir.png"));
}

void check_bad(const BadCase& bad) {
  const Scratch scratch;
  make_files(scratch);
  expect_refused(scratch, bad);
}

TEST_P(BadInput, IsRefusedAndLeavesNothing) { check_bad(GetParam()); }

const std::vector<BadCase> general_cases{
    {"nothing", {}, 2, {"no command", "--help"}},
    {"command", {"sterio"}, 2, {"unknown command 'sterio'", "stereo"}},
    {"other_word_before", {"man", "stereo"}, 2, {"unknown command 'man': did you mean help?"}},
    {"other_word", {"Disparity", "a.png", "b.png"}, 2, {"unknown command 'Disparity': did you mean stereo?"}},
    {"picture_first", {"a.png", "stereo"}, 2, {"unknown command 'a.png': a command comes first"}},
    {"inputs_as_options",
     {"stereo", "--left", "a.png", "--right", "b.png"},
     2,
     {"unknown option '--left': what is read is given without an option: `vergence stereo LEFT RIGHT`"}},
    {"input_of_track", {"track", "-i", "a.mp4"}, 2, {"unknown option '-i'", "`vergence track "}},
    {"far_command", {"frobnicate"}, 2, {"unknown command 'frobnicate'", "--help"}},
    {"option", {"--verson"}, 2, {"unknown option '--verson'", "--version"}},
    {"long_option", {"--" + std::string(5000, 'x')}, 2, {"unknown option '--" + std::string(78, 'x') + "...'"}},
    {"empty_command", {""}, 2, {"unknown"}},
    {"version_on_full_disk", {"--version"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
    {"help_on_full_disk", {"--help"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
};
INSTANTIATE_TEST_SUITE_P(General, BadInput, testing::ValuesIn(general_cases), case_name);

const std::vector<BadCase> synth_cases{
    {"no_directory", {"synth"}, 2, {"DIR"}},
    {"empty_name", {"synth", ""}, 2, {"DIR is empty"}},
    {"parent_missing", {"synth", "none/scene"}, 1, {"none"}},
    {"is_a_file", {"synth", "left.pgm"}, 1, {"left.pgm", "file"}},
    {"size_text", {"synth", "s", "--size", "large"}, 2, {"--size", "large"}},
    {"size_zero", {"synth", "s", "--size", "0x10"}, 2, {"--size", "0x10"}},
    {"size_huge", {"synth", "s", "--size", "70000x10"}, 2, {"--size", "70000x10"}},
    {"size_half", {"synth", "s", "--size", "64x"}, 2, {"--size", "64x"}},
    {"seed_text", {"synth", "s", "--seed", "x"}, 2, {"--seed"}},
    {"seed_negative", {"synth", "s", "--seed", "-1"}, 2, {"--seed", "-1"}},
    {"frames_zero", {"synth", "s", "--frame-count", "0"}, 2, {"--frame-count", "0"}},
    {"noise_negative", {"synth", "s", "--noise", "-1"}, 2, {"--noise", "-1"}},
    {"noise_nan", {"synth", "s", "--noise", "nan"}, 2, {"--noise", "nan"}},
    {"old_frames", {"synth", "s", "--frames", "5"}, 2, {"--frames of synth is now named --frame-count"}},
    {"old_color", {"synth", "s", "--color"}, 2, {"--color of synth is now named --rgb"}},
    {"old_disparities", {"synth", "s", "--disparities=4:9"}, 2, {"--disparities of synth is now", "--disparity-range"}},
    {"gain_large", {"synth", "s", "--gain", "9"}, 2, {"--gain", "9"}},
    {"offset_large", {"synth", "s", "--offset", "256"}, 2, {"--offset", "256"}},
    {"disparities_one", {"synth", "s", "--disparity-range", "7"}, 2, {"--disparity-range", "7"}},
    {"disparities_order", {"synth", "s", "--disparity-range", "9:5"}, 2, {"--disparity-range is '9:5'", "MIN < MAX"}},
    {"disparities_zero", {"synth", "s", "--disparity-range", "0:5"}, 2, {"0", "5"}},
    {"disparities_wide", {"synth", "s", "--size", "64x48", "--disparity-range", "1:100"}, 2, {"100"}},
    {"samples_zero", {"synth", "s", "--samples", "0"}, 2, {"--samples"}},
    {"unknown_option", {"synth", "s", "--sise", "64x48"}, 2, {"'--sise'", "--size"}},
    {"two_directories", {"synth", "s", "t"}, 2, {"'t'"}},
    {"value_missing", {"synth", "s", "--seed"}, 2, {"--seed"}},
    {"full_disk", {"synth", "s", "--size", "64x48"}, 1, {"left.png"}, full_disk()},
    {"full_disk_in_directory", {"synth", "dir", "--size", "64x48"}, 1, {"left.png"}, full_disk()},
    {"not_writable", {"synth", "/proc/scene", "--size", "64x48"}, 1, {"/proc/scene", "'/proc' (", "choose a place"}},
};
INSTANTIATE_TEST_SUITE_P(Synth, BadInput, testing::ValuesIn(synth_cases), case_name);

const std::vector<BadCase> verify_cases{
    {"device_unknown", {"verify", "--device", "gpu9"}, 2, {"gpu9", "cpu"}},
    {"device_of_environment", {"verify"}, 2, {"gpu9"}, with_environment("VERGENCE_DEVICE", "gpu9")},
    {"simd_unknown", {"verify", "--simd", "MMX"}, 2, {"MMX"}},
    {"simd_in_small_letters", {"verify", "--simd", "ssse3"}, 2, {"simd is 'ssse3': did you mean SSSE3?"}},
    {"seed_text", {"verify", "--seed", "one"}, 2, {"--seed", "one"}},
    {"seed_negative", {"verify", "--seed", "-4"}, 2, {"--seed", "-4"}},
    {"seed_huge", {"verify", "--seed", "99999999999999999999"}, 2, {"--seed"}},
    {"cases_zero", {"verify", "--cases", "0"}, 2, {"--cases", "'0'"}},
    {"cases_text", {"verify", "--cases", "all"}, 2, {"--cases", "all"}},
    {"cases_fraction", {"verify", "--cases", "1.5"}, 2, {"--cases", "1.5"}},
    {"threads_negative", {"verify", "--threads", "-1"}, 2, {"--threads", "-1"}},
    {"threads_many", {"verify", "--threads", "1025"}, 2, {"--threads", "1025"}},
    {"no_kernels", {"verify", "--no-kernel-cache"}, 2, {"kernel_cache is off", "cpu"}},
    {"unknown_option", {"verify", "--case", "3"}, 2, {"'--case'", "--cases"}},
    {"argument", {"verify", "cpu"}, 2, {"'cpu'"}},
    {"value_missing", {"verify", "--cases"}, 2, {"--cases"}},
    {"twice", {"verify", "--cases", "1", "--cases", "2"}, 2, {"--cases"}},
    {"full_disk", {"verify", "--cases", "1"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
};
INSTANTIATE_TEST_SUITE_P(Verify, BadInput, testing::ValuesIn(verify_cases), case_name);

const std::vector<BadCase> tune_cases{
    {"nothing_to_tune", {"tune", "--device", "cpu"}, 1, {"cpu", "nothing to tune"}},
    {"device_unknown", {"tune", "--device", "gpu9"}, 2, {"gpu9", "cpu"}},
    {"size_text", {"tune", "--size", "large"}, 2, {"--size", "'large'"}},
    {"size_small", {"tune", "--size", "32x32"}, 2, {"--size", "64x64"}},
    {"size_huge", {"tune", "--size", "20000x64"}, 2, {"--size", "16384"}},
    {"repeat_zero", {"tune", "--repeat", "0"}, 2, {"--repeat", "'0'"}},
    {"seed_negative", {"tune", "--seed", "-1"}, 2, {"--seed", "-1"}},
    {"without_folder", {"tune", "--no-kernel-cache"}, 2, {"--no-kernel-cache", "cache folder"}},
    {"argument", {"tune", "cpu"}, 2, {"'cpu'"}},
    {"unknown_option", {"tune", "--entri", "match-sad"}, 2, {"'--entri'", "--entry"}},
    {"value_missing", {"tune", "--entry"}, 2, {"--entry"}},
};
INSTANTIATE_TEST_SUITE_P(Tune, BadInput, testing::ValuesIn(tune_cases), case_name);

const std::vector<BadCase> devices_cases{
    {"unknown_option", {"devices", "--all"}, 2, {"'--all'"}},
    {"misspelt_option", {"devices", "--jsn"}, 2, {"'--jsn'", "--json"}},
    {"short_option", {"devices", "-x"}, 2, {"'-x'"}},
    {"argument", {"devices", "cpu"}, 2, {"'cpu'"}},
    {"two_arguments", {"devices", "cpu", "gpu"}, 2, {"'cpu'"}},
    {"empty_argument", {"devices", ""}, 2, {"''"}},
    {"argument_after_dashes", {"devices", "--", "cpu"}, 2, {"cpu"}},
    {"option_of_another_command", {"devices", "--device", "cpu"}, 2, {"'--device'"}},
    {"flag_with_value", {"devices", "--json=maybe"}, 2, {"maybe"}},
    {"version_after_command", {"devices", "--version"}, 2, {"'--version'"}},
    {"second_command", {"devices", "verify"}, 2, {"'verify'"}},
    {"full_disk", {"devices"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
    {"full_disk_json", {"devices", "--json"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
};
INSTANTIATE_TEST_SUITE_P(Devices, BadInput, testing::ValuesIn(devices_cases), case_name);

const std::vector<BadCase> presets_cases{
    {"unknown", {"presets", "best"}, 2, {"'best'", "quality"}},
    {"empty", {"presets", ""}, 2, {"''"}},
    {"capitals", {"presets", "FAST"}, 2, {"'FAST'", "fast"}},
    {"two", {"presets", "fast", "quality"}, 2, {"'quality'"}},
    {"unknown_option", {"presets", "--all"}, 2, {"'--all'"}},
    {"misspelt_option", {"presets", "--jso"}, 2, {"'--jso'", "--json"}},
    {"short_option", {"presets", "-q"}, 2, {"'-q'"}},
    {"setting", {"presets", "--window", "9"}, 2, {"'--window'"}},
    {"flag_with_value", {"presets", "--json=maybe"}, 2, {"maybe"}},
    {"unknown_json", {"presets", "best", "--json"}, 2, {"'best'"}},
    {"full_disk", {"presets"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
    {"full_disk_one", {"presets", "fast"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
    {"full_disk_json", {"presets", "--json"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
};
INSTANTIATE_TEST_SUITE_P(Presets, BadInput, testing::ValuesIn(presets_cases), case_name);

}  // namespace vergence::cli_test
