// SPDX-License-Identifier: Apache-2.0
// Bad input for the commands that read finished maps: eval and diff.
#include "cli/bad_input.hpp"

namespace vergence::cli_test {
namespace {

const std::vector<BadCase> eval_cases{
    {"map_missing", {"eval", "none.pfm", "truth.pfm"}, 1, {"none.pfm"}},
    {"truth_missing", {"eval", "map.pfm", "none.pfm"}, 1, {"none.pfm"}},
    {"map_of_stdin", {"eval", "-", "truth.pfm"}, 1, {"standard input is for videos"}},
    {"mask_numbered",
     {"eval", "map.pfm", "truth.pfm", "--mask", "mask_%d.pgm"},
     2,
     {"--mask 'mask_%d.pgm'", "give one file"}},
    {"map_empty", {"eval", "empty.pfm", "truth.pfm"}, 1, {"empty.pfm", "empty"}},
    {"truth_empty", {"eval", "map.pfm", "empty.png"}, 1, {"empty.png", "empty"}},
    {"map_truncated", {"eval", "truncated.pfm", "truth.pfm"}, 1, {"truncated.pfm"}},
    {"truth_truncated_png", {"eval", "map.pfm", "truncated.png"}, 1, {"truncated.png"}},
    {"truth_truncated_jpeg", {"eval", "map.pfm", "truncated.jpg"}, 1, {"truncated.jpg"}},
    {"map_is_text", {"eval", "text.pfm", "truth.pfm"}, 1, {"text.pfm"}},
    {"truth_is_text", {"eval", "map.pfm", "text.png"}, 1, {"text.png"}},
    {"zero_sized", {"eval", "zero.pfm", "truth.pfm"}, 1, {"zero.pfm"}},
    {"sizes_differ", {"eval", "map.pfm", "small.pfm"}, 1, {"small.pfm", "20x20", "40x20"}},
    {"map_of_8_bits", {"eval", "good.png", "truth.pfm"}, 1, {"good.png", "16"}},
    {"map_is_a_directory", {"eval", "dir", "truth.pfm"}, 1, {"dir"}},
    {"truth_unknown_everywhere", {"eval", "map.pfm", "black.pgm"}, 1, {"truth"}},
    {"mask_missing", {"eval", "map.pfm", "truth.pfm", "--mask", "none.png"}, 1, {"none.png"}},
    {"mask_size", {"eval", "map.pfm", "truth.pfm", "--mask", "small.pgm"}, 1, {"small.pgm", "20x20"}},
    {"mask_16_bits", {"eval", "map.pfm", "truth.pfm", "--mask", "left16.pgm"}, 1, {"left16.pgm"}},
    {"mask_black", {"eval", "map.pfm", "truth.pfm", "--mask", "black.pgm"}, 1, {"mask"}},
    {"scale_zero", {"eval", "map.pfm", "truth.pfm", "--truth-scale", "0"}, 2, {"--truth-scale", "above 0"}},
    {"scale_text", {"eval", "map.pfm", "truth.pfm", "--truth-scale", "8px"}, 2, {"--truth-scale", "8px"}},
    {"scale_infinite", {"eval", "map.pfm", "truth.pfm", "--truth-scale", "inf"}, 2, {"--truth-scale", "inf"}},
    {"max_disparity", {"eval", "map.pfm", "truth.pfm", "--max-disparity", "-1"}, 2, {"--max-disparity"}},
    {"invalid_of_pfm", {"eval", "map.pfm", "truth.pfm", "--invalid", "-16"}, 2, {"--invalid", ".npy", "map.pfm"}},
    {"invalid_text", {"eval", "map.pfm", "truth.pfm", "--invalid", "none"}, 2, {"--invalid", "none"}},
    {"one_file", {"eval", "map.pfm"}, 2, {"TRUTH"}},
    {"no_file", {"eval"}, 2, {"DISPARITY"}},
    {"three_files", {"eval", "map.pfm", "truth.pfm", "small.pfm"}, 2, {"small.pfm"}},
    {"unknown_option", {"eval", "map.pfm", "truth.pfm", "--truth-scal", "8"}, 2, {"'--truth-scal'", "--truth-scale"}},
    {"full_disk", {"eval", "map.pfm", "truth.pfm"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
};
INSTANTIATE_TEST_SUITE_P(Eval, BadInput, testing::ValuesIn(eval_cases), case_name);

const std::vector<BadCase> diff_cases{
    {"first_missing", {"diff", "none.pfm", "map.pfm"}, 1, {"none.pfm"}},
    {"second_missing", {"diff", "map.pfm", "none.pfm"}, 1, {"none.pfm"}},
    {"empty", {"diff", "empty.pfm", "map.pfm"}, 1, {"empty.pfm", "empty"}},
    {"truncated_pfm", {"diff", "map.pfm", "truncated.pfm"}, 1, {"truncated.pfm"}},
    {"truncated_png", {"diff", "good.png", "truncated.png"}, 1, {"truncated.png"}},
    {"truncated_jpeg", {"diff", "good.jpg", "truncated.jpg"}, 1, {"truncated.jpg"}},
    {"truncated_pgm", {"diff", "left.pgm", "truncated.pgm"}, 1, {"truncated.pgm"}},
    {"no_picture", {"diff", "left.pgm", "text.png"}, 1, {"text.png", "not a picture", "NPY or FLO"}},
    {"zero_sized", {"diff", "left.pgm", "zero.pgm"}, 1, {"zero.pgm"}},
    {"directory", {"diff", "dir", "left.pgm"}, 1, {"dir"}},
    {"sizes_differ", {"diff", "left.pgm", "small.pgm"}, 1, {"left.pgm", "small.pgm", "40x20", "20x20"}},
    {"json_is_no_picture", {"diff", "text.json", "text.json"}, 1, {"text.json"}},
    {"one_file", {"diff", "left.pgm"}, 2, {"B"}},
    {"no_file", {"diff"}, 2, {"A"}},
    {"three_files", {"diff", "left.pgm", "right.pgm", "small.pgm"}, 2, {"small.pgm"}},
    {"unknown_option", {"diff", "left.pgm", "right.pgm", "--quiet"}, 2, {"'--quiet'"}},
    {"full_disk", {"diff", "left.pgm", "left.pgm"}, 1, {"standard output", "No space left"}, out_to("/dev/full")},
};
INSTANTIATE_TEST_SUITE_P(Diff, BadInput, testing::ValuesIn(diff_cases), case_name);

}  // namespace
}  // namespace vergence::cli_test
