// SPDX-License-Identifier: Apache-2.0
// Bad input for `vergence stereo`: files, pairs, settings, outputs.
#include "cli/bad_input.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

/// `vergence stereo left right more... -o out.pfm`
std::vector<std::string> stereo(const std::string& left, const std::string& right, const Words& more = {}) {
  std::vector<std::string> arguments{"stereo", left, right, "--disparities", "16", "-o", "out.pfm"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// The good pair with other options and no output but theirs.
std::vector<std::string> with(const Words& more) {
  std::vector<std::string> arguments{"stereo", "left.pgm", "right.pgm"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> good16(const Words& more) {
  std::vector<std::string> arguments = with(more);
  arguments.insert(arguments.end(), {"--disparities", "16"});
  return arguments;
}

RunOptions small_disk() {
  RunOptions options;
  options.file_limit = 100;
  return options;
}

const std::vector<BadCase> file_cases{
    {"left_missing", stereo("none.png", "right.pgm"), 1, {"none.png"}},
    {"right_missing", stereo("left.pgm", "none.png"), 1, {"none.png"}},
    {"empty", stereo("left.pgm", "empty.png"), 1, {"empty.png", "empty"}},
    {"empty_name", stereo("", "right.pgm"), 1, {}},
    {"directory", stereo("dir", "right.pgm"), 1, {"dir"}},
    {"truncated_png", stereo("truncated.png", "good.png"), 1, {"truncated.png"}},
    {"truncated_jpeg", stereo("truncated.jpg", "good.jpg"), 1, {"truncated.jpg"}},
    {"truncated_pgm", stereo("left.pgm", "truncated.pgm"), 1, {"truncated.pgm"}},
    {"no_picture", stereo("text.png", "right.pgm"), 1, {"text.png", "not a picture or video", "PNG", "NPY or a video"}},
    {"zero_sized", stereo("zero.pgm", "zero.pgm"), 1, {"zero.pgm"}},
    {"sizes_differ", stereo("left.pgm", "small.pgm"), 1, {"left.pgm", "small.pgm", "40x20", "20x20"}},
    {"one_is_turned", stereo("left.pgm", "turned.pgm"), 1, {"40x20", "20x40", "one is turned", "Exif"}},
    {"depths_differ", stereo("left.pgm", "right16.pgm"), 1, {"left.pgm", "right16.pgm"}},
    {"calibration_missing", good16({"--depth", "d.pfm", "--calibration", "none.txt"}), 1, {"none.txt"}},
    {"calibration_is_none", good16({"--depth", "d.pfm", "--calibration", "text.png"}), 1, {"text.png"}},
    {"truth_missing", stereo("left.pgm", "right.pgm", {"--truth", "none.pfm"}), 1, {"none.pfm"}},
    {"truth_truncated", stereo("left.pgm", "right.pgm", {"--truth", "truncated.pfm"}), 1, {"truncated.pfm"}},
    {"truth_size", stereo("left.pgm", "right.pgm", {"--truth", "small.pfm"}), 1, {"small.pfm", "20x20", "40x20"}},
    {"truth_unknown_everywhere", stereo("left.pgm", "right.pgm", {"--truth", "black.pgm"}), 1, {"truth"}},
    {"mask_size", stereo("left.pgm", "right.pgm", {"--truth", "truth.pfm", "--mask", "small.pgm"}), 1, {"small.pgm"}},
    {"mask_16_bits",
     stereo("left.pgm", "right.pgm", {"--truth", "truth.pfm", "--mask", "left16.pgm"}),
     1,
     {"left16.pgm"}},
    {"mask_without_truth", good16({"--mask", "mask.pgm"}), 2, {"--mask needs --truth"}},
    {"scale_without_truth", good16({"--truth-scale", "1"}), 2, {"--truth-scale needs --truth"}},
    {"round_without_truth", good16({"--round"}), 2, {"--round needs --truth"}},
    {"clip_without_truth", good16({"--max-disparity", "9"}), 2, {"--max-disparity needs --truth"}},
    {"settings_missing", good16({"--settings", "none.json"}), 1, {"none.json"}},
    {"settings_empty", good16({"--settings", "empty.json"}), 1, {"empty.json", "empty"}},
    {"settings_no_json", good16({"--settings", "text.json"}), 1, {"text.json", "JSON"}},
    {"settings_other", good16({"--settings", "other.json"}), 1, {"other.json", "settings"}},
    {"settings_field", good16({"--settings", "field.json"}), 1, {"field.json", "windw"}},
    {"settings_value", good16({"--settings", "value.json"}), 1, {"value.json", "disparities", "many"}},
    {"settings_twice", good16({"--settings", "twice.json"}), 1, {"twice.json", "\"window\" twice"}},
    {"settings_twice_above", good16({"--settings", "twice_above.json"}), 1, {"twice_above.json", "\"settings\" twice"}},
    {"settings_directory", good16({"--settings", "dir"}), 1, {"dir", "file"}},
    {"sequence_missing", stereo("none_%04d.png", "none_%04d.png"), 1, {"none_%04d.png"}},
    {"one_picture", {"stereo", "left.pgm"}, 2, {"RIGHT", "--layout"}},
    {"no_picture_at_all", {"stereo"}, 2, {"LEFT"}},
    {"three_pictures", {"stereo", "left.pgm", "right.pgm", "small.pgm"}, 2, {"small.pgm"}},
    {"layout_odd_width", {"stereo", "odd.pgm", "--layout", "sideways"}, 2, {"sideways", "side-by-side"}},
    {"layout_two_pictures", with({"--layout", "side-by-side"}), 2, {"side-by-side", "right.pgm"}},
    {"frames_text", good16({"--frames", "some"}), 2, {"some"}},
    {"frames_order", good16({"--frames", "5:2"}), 2, {"5:2"}},
    {"frames_beyond", good16({"--frames", "3:5"}), 2, {"left.pgm", "1 frame,"}},
    {"frames_of_pictures", good16({"--frames", "0:5"}), 2, {"--frames", "0:5", "single"}},
    {"endless_device", stereo("/dev/zero", "right.pgm"), 1, {"/dev/zero", "device, not a file"}},
};
INSTANTIATE_TEST_SUITE_P(StereoFiles, BadInput, testing::ValuesIn(file_cases), case_name);

const std::vector<BadCase> setting_cases{
    {"window_even", with({"--window", "8x8", "--disparities", "16"}), 2, {"window", "8x8", "odd"}},
    {"window_large", with({"--window", "21x21", "--disparities", "16"}), 2, {"window", "21x21", "40x20"}},
    {"window_text", with({"--window", "big"}), 2, {"window", "big"}},
    {"window_zero", with({"--window", "0x0", "--disparities", "16"}), 2, {"window", "0x0"}},
    {"disparities_zero", with({"--disparities", "0"}), 2, {"disparities", "0"}},
    {"disparities_many", with({"--disparities", "41"}), 2, {"disparities", "41", "40"}},
    {"disparities_of_narrow", with({"-o", "out.pfm", "--disparities", "64"}), 2, {"disparities", "64", "40"}},
    {"disparities_huge", with({"--disparities", "99999999999"}), 2, {"disparities", "99999999999"}},
    {"min_disparity", with({"--min-disparity", "9999999", "--disparities", "16"}), 2, {"min-disparity", "9999999"}},
    {"cost_unknown", with({"--cost", "ncc"}), 2, {"cost", "ncc", "sad"}},
    {"depth_ending_missing", with({"--depth", "map"}), 2, {"--depth", "'map'", ".pfm"}},
    {"old_cost", with({"--cost", "cost.npy"}), 2, {"--cost is 'cost.npy'", "now --cost-map cost.npy"}},
    {"old_depth", with({"--depth", "u8"}), 2, {"--depth is 'u8'", "now --pixel-depth u8"}},
    {"old_offset", with({"--offset", "3"}), 2, {"--offset of stereo is now named --doffs"}},
    {"subpixel_unknown", with({"--subpixel", "yes"}), 2, {"subpixel", "yes", "on"}},
    {"median_even", with({"--median", "4", "--disparities", "16"}), 2, {"median", "4"}},
    {"roi_outside", with({"--roi", "30,0,20,10", "--disparities", "16"}), 2, {"roi", "40x20"}},
    {"left_right_with_zeros", with({"--outside", "zero", "--disparities", "16"}), 2, {"left-right", "outside"}},
    {"depth_differs", good16({"--pixel-depth", "u16"}), 2, {"pixel-depth", "u16", "left.pgm"}},
    {"preset_unknown", good16({"--preset", "best"}), 2, {"best", "quality"}},
    {"device_unknown", good16({"--device", "cpux"}), 2, {"cpux", "reference"}},
    {"device_of_environment", good16({}), 2, {"cpux"}, with_environment("VERGENCE_DEVICE", "cpux")},
    {"simd_unknown", good16({"--simd", "SSE9"}), 2, {"SSE9"}},
    {"threads_text", good16({"--threads", "two"}), 2, {"--threads", "two"}},
    {"repeat_zero", good16({"--repeat", "0"}), 2, {"--repeat", "0"}},
    {"option_unknown", good16({"--windw", "9"}), 2, {"'--windw'", "--window"}},
    {"option_twice", good16({"--window", "5", "--window", "7"}), 2, {"--window"}},
    {"value_missing", with({"--window"}), 2, {"--window"}},
    {"truth_scale_zero", good16({"--truth", "truth.pfm", "--truth-scale", "0"}), 2, {"--truth-scale", "0", "above 0"}},
    {"truth_scale_text", good16({"--truth", "truth.pfm", "--truth-scale", "x"}), 2, {"--truth-scale", "x"}},
    {"focal_alone", good16({"--depth", "d.pfm", "--focal", "500"}), 2, {"--baseline"}},
    {"focal_negative", good16({"--depth", "d.pfm", "--focal", "-5", "--baseline", "0.1"}), 2, {"--focal", "-5"}},
    {"depth_without_geometry", good16({"--depth", "d.pfm"}), 2, {"--focal", "--calibration"}},
    {"focal_zero", good16({"--depth", "d.pfm", "--focal", "0", "--baseline", "1"}), 2, {"--focal", "'0'", "above 0"}},
    {"geometry_unused", good16({"--focal", "5", "--baseline", "1"}), 2, {"--focal needs --depth"}},
    {"baseline_unused", good16({"--baseline", "1"}), 2, {"--baseline needs --depth"}},
    {"calibration_unused", good16({"--calibration", "p.txt"}), 2, {"--calibration needs --depth", "--cloud", "p.txt"}},
    {"max_value_of_8_bits", good16({"--max-value", "1023"}), 2, {"--max-value", "1023", "8 bits"}},
    {"empty_with_equals", with({"--preset=", "fast"}), 2, {"--preset needs a value"}},
    {"empty_before_option", with({"--disparities=", "-o", "x.pfm"}), 2, {"--disparities needs a value"}},
    {"empty_device", with({"--device=", "-o", "x.pfm"}), 2, {"--device needs a value"}},
    {"empty_output", with({"--output="}), 2, {"--output needs a value"}},
    {"empty_device_word", good16({"--device", ""}), 2, {"--device needs a value"}},
    {"empty_simd_word", good16({"--simd", ""}), 2, {"--simd needs a value"}},
    {"empty_frames_word", good16({"--frames", ""}), 2, {"--frames needs a value"}},
    {"flag_with_equals", good16({"--json="}), 2, {"--json is ''", "on, off"}},
    {"geometry_twice", good16({"--focal", "5", "--baseline", "1", "--calibration", "c.txt"}), 2, {"--calibration"}},
};
INSTANTIATE_TEST_SUITE_P(StereoSettings, BadInput, testing::ValuesIn(setting_cases), case_name);

const std::vector<BadCase> output_cases{
    {"directory_missing", good16({"-o", "none/out.pfm"}), 1, {"none/out.pfm", "directory"}},
    {"directory_is_a_file", good16({"-o", "left.pgm/out.pfm"}), 1, {"left.pgm/out.pfm"}},
    {"is_a_directory", good16({"--color", "dir.png"}), 1, {"dir.png", "directory"}},
    {"not_writable", good16({"-o", "/proc/out.pfm"}), 1, {"/proc/out.pfm", "choose a place"}},
    {"save_settings_not_writable", good16({"--save-settings", "none/s.json"}), 1, {"none/s.json"}},
    {"ending_unknown", good16({"-o", "out.xyz"}), 2, {"out.xyz", ".pfm"}},
    {"ending_missing", good16({"-o", "out"}), 2, {"'out'", ".pfm"}},
    {"color_ending", good16({"--color", "out.pfm"}), 2, {"--color", ".png"}},
    {"cloud_ending", good16({"--cloud", "out.png", "--focal", "5", "--baseline", "1"}), 2, {"--cloud", ".ply"}},
    {"same_name", good16({"-o", "out.png", "--color", "out.png"}), 2, {"--output", "--color", "out.png"}},
    {"is_the_input", good16({"--gray", "left.pgm"}), 2, {"--gray", "left.pgm", "input"}},
    {"is_the_truth", good16({"--truth", "truth.pfm", "-o", "truth.pfm"}), 2, {"truth.pfm", "input"}},
    {"kitti_negative", good16({"--min-disparity", "-4", "-o", "out.png"}), 2, {"out.png", "-4", ".pfm"}},
    {"other_view_with_zeros",
     good16({"--outside", "zero", "--left-right", "-1", "--other", "other.pfm"}),
     2,
     {"--other", "skip"}},
    {"full_disk", good16({"-o", "out.pfm"}), 1, {"out.pfm", "ulimit -f"}, small_disk()},
    {"full_disk_png", good16({"-o", "out.png"}), 1, {"out.png"}, small_disk()},
    {"full_disk_npy", good16({"-o", "out.npy"}), 1, {"out.npy"}, small_disk()},
    {"full_disk_color", good16({"--color", "color.png"}), 1, {"color.png"}, small_disk()},
    {"full_disk_gray", good16({"--gray", "gray.pgm"}), 1, {"gray.pgm"}, small_disk()},
    {"full_disk_cost", good16({"--cost-map", "cost.npy"}), 1, {"cost.npy"}, small_disk()},
    {"full_disk_depth", good16({"--depth", "d.pfm", "--focal", "5", "--baseline", "1"}), 1, {"d.pfm"}, small_disk()},
    {"full_disk_cloud", good16({"--cloud", "c.ply", "--focal", "5", "--baseline", "1"}), 1, {"c.ply"}, small_disk()},
    {"full_disk_settings", good16({"--save-settings", "s.json"}), 1, {"s.json"}, small_disk()},
    {"full_disk_report", good16({}), 1, {"standard output", "No space left"}, out_to("/dev/full")},
    {"full_disk_json", good16({"--json"}), 1, {"standard output", "No space left"}, out_to("/dev/full")},
};
INSTANTIATE_TEST_SUITE_P(StereoOutputs, BadInput, testing::ValuesIn(output_cases), case_name);

}  // namespace
}  // namespace vergence::cli_test
