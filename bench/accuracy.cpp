// SPDX-License-Identifier: Apache-2.0
// Scores of the presets, of two published set-ups and of OpenCV's matchers on one pair with known truth, as rows of a
// Markdown table, and their maps beside each other as a picture. Holes of all maps are filled in the same way: from the
// background. Used by scripts/accuracy.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "accuracy_picture.hpp"
#include "accuracy_rows.hpp"

#ifdef VERGENCE_BENCH_OPENCV
#include "accuracy_peers.hpp"
#endif

namespace vergence::bench {
namespace {

struct Arguments {
  std::string left, right, truth, mask, picture, small_picture;
  double scale = 1;
};

Row matched(const Input& input, const StereoOptions& options, const std::string& method, const std::string& settings) {
  StereoMatcher matcher(Device("cpu"), input.size(), options);
  Row row{method, settings, Map(input.size()), Image<std::uint8_t>(input.size())};
  matcher.compute({input.left, input.right}, {.disparity = row.map, .mask = row.validity});
  finish(input, row, options.disparities);
  return row;
}

Row preset_row(const Input& input, const std::string& name) {
  StereoOptions options = stereo_preset(name).options;
  options.disparities = input.disparities;
  return matched(input, options, "`" + name + "`", "");
}

/// Semi-global matching apart from the preset that uses it: as the options have it by default, and with fewer paths.
void add_semi_global(const Input& input, std::vector<Row>& rows) {
  StereoOptions plain;
  plain.disparities = input.disparities;
  plain.aggregate = StereoAggregate::sgm;
  rows.push_back(matched(input, plain, "`default`", "`aggregate sgm`"));
  plain.cost = StereoCost::census_9x7;
  rows.push_back(matched(input, plain, "`default`", "`aggregate sgm`, `cost census-9x7`"));
  StereoOptions fewer = stereo_preset("quality").options;
  fewer.disparities = input.disparities;
  fewer.paths = 4;
  rows.push_back(matched(input, fewer, "`quality`", "`paths 4`"));
}

/// A published set-up as it is, with its own number of candidates, but of the view that the truth is of.
Row published_row(const Input& input, const std::string& name) {
  StereoOptions options = stereo_preset(name).options;
  const bool other_view = options.reference == StereoView::right;
  options.reference = StereoView::left;
  return matched(input, options, "`" + name + "`",
                 std::to_string(options.disparities) + " candidates" + (other_view ? ", of the left view" : ""));
}

std::vector<Row> rows_of(const Input& input) {
  std::vector<Row> rows;
  for (const char* const name : {"fast", "default", "quality-window"}) rows.push_back(preset_row(input, name));
  add_semi_global(input, rows);
  rows.push_back(preset_row(input, "quality"));
  for (const char* const name : {"sad-2018", "ssd-cross-check"}) rows.push_back(published_row(input, name));
#ifdef VERGENCE_BENCH_OPENCV
  add_peers(input, rows);
#endif
  return rows;
}

void print_bad(const StereoScore& score) {
  for (const double bad : score.total_bad) std::printf(" %.2f |", bad);
  std::printf(" %.2f |", score.average_error);
}

void print(const Input& input, const std::vector<Row>& rows) {
  const bool visible = !input.mask.empty();
  std::printf(
      "| method | settings | density | all: bad-0.5 | bad-1 | bad-2 | bad-4 | mean error "
      "| measured: bad-0.5 | bad-1 | bad-2 | bad-4 | mean error |%s\n",
      visible ? " visible in both: bad-1 | bad-2 |" : "");
  std::printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|%s\n", visible ? "---|---|" : "");
  for (const Row& row : rows) {
    std::printf("| %s | %s | %.2f |", row.method.c_str(), row.settings.c_str(), row.density());
    print_bad(row.scores.all);
    print_bad(*row.scores.measured);
    if (visible)
      std::printf(" %.2f | %.2f |", row.scores.non_occluded->total_bad[1], row.scores.non_occluded->total_bad[2]);
    std::printf("\n");
  }
}

/// The picture, its truth, `quality` and the last row, each `factor` times smaller.
void write_maps(const Arguments& arguments, const Input& input, const std::vector<Row>& rows, int factor,
                const std::string& path) {
  ColourOptions options;
  options.high = std::ceil(input.largest);
  options.legend = false;
  std::vector<Panel> panels;
  panels.push_back({shrunk(read_rgb(arguments.left), factor), "left picture"});
  panels.push_back({shrunk(colour_map(input.truth.view(), options), factor), "truth"});
  const auto add = [&](const Row& row, const std::string& name) {
    ColourOptions own = options;
    own.mask = row.validity.view();
    char figure[32];
    std::snprintf(figure, sizeof figure, "  bad-1 %.2f", row.scores.all.total_bad[1]);
    panels.push_back({shrunk(colour_map(row.map, invalid_disparity, own), factor), name + figure});
  };
  const auto quality = std::find_if(rows.begin(), rows.end(),
                                    [](const Row& row) { return row.method == "`quality`" && row.settings.empty(); });
  add(*quality, "vergence quality");
#ifdef VERGENCE_BENCH_OPENCV
  add(rows.back(), "opencv stereosgbm 8 directions");
#endif
  options.name = "disparity";
  options.unit = "px";
  write_picture(path, beside_each_other(panels, options).view());
}

/// Candidates for the largest true disparity, in OpenCV's steps of 16.
void find_range(Input& input) {
  input.whole = true;
  for (int y = 0; y < input.truth.height(); ++y)
    for (int x = 0; x < input.truth.width(); ++x) {
      const float value = input.truth(x, y);
      if (!std::isfinite(value)) continue;
      input.largest = std::max(input.largest, value);
      input.whole = input.whole && value == std::floor(value);
    }
  input.disparities = (static_cast<int>(std::ceil(input.largest)) + 1 + 15) / 16 * 16;
}

bool parse(int argc, char** argv, Arguments& arguments) {
  if (argc < 5 || argc % 2 == 0) return false;
  arguments.left = argv[1];
  arguments.right = argv[2];
  arguments.truth = argv[3];
  arguments.scale = std::atof(argv[4]);
  for (int i = 5; i < argc; i += 2) {
    const std::string option = argv[i];
    std::string* const file = option == "--mask"            ? &arguments.mask
                              : option == "--picture"       ? &arguments.picture
                              : option == "--small-picture" ? &arguments.small_picture
                                                            : nullptr;
    if (file == nullptr) return false;
    *file = argv[i + 1];
  }
  return true;
}

int main_of(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fprintf(stderr,
                 "usage: accuracy LEFT RIGHT TRUTH SCALE [--mask FILE] [--picture PNG] [--small-picture PNG]\n");
    return 2;
  }
  FloatMapOptions format;
  format.scale = arguments.scale;
  Input input;
  input.left = read_grey(arguments.left).u8;
  input.right = read_grey(arguments.right).u8;
  input.truth = read_float_map(arguments.truth, format);
  if (!arguments.mask.empty()) input.mask = read_grey(arguments.mask).u8;
  if (input.left.empty() || input.right.empty()) {
    std::fprintf(stderr, "accuracy: the pictures must have 8 bits\n");
    return 1;
  }
  find_range(input);
  std::printf("%dx%d, %d disparities%s\n\n", input.size().width, input.size().height, input.disparities,
              input.whole ? ", truth in whole px: disparities rounded before they are compared" : "");
  const std::vector<Row> rows = rows_of(input);
  print(input, rows);
  if (!arguments.picture.empty()) write_maps(arguments, input, rows, 1, arguments.picture);
  if (!arguments.small_picture.empty()) write_maps(arguments, input, rows, 2, arguments.small_picture);
  return 0;
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) try {
  return vergence::bench::main_of(argc, argv);
} catch (const std::exception& error) {
  std::fprintf(stderr, "accuracy: %s\n", error.what());
  return 1;
}
