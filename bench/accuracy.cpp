// SPDX-License-Identifier: Apache-2.0
// Scores of the presets, of two published set-ups and of OpenCV's matchers on one pair with known truth, as rows of a
// Markdown table. OpenCV's
// matchers get the window (and rejections) with the fewest wrong pixels, chosen on this very pair; holes of all maps
// are filled in the same way: by Vergence's filling from the background. Used by scripts/accuracy.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/postfilter/stages.hpp"
#include "vergence/io.hpp"
#include "vergence/score.hpp"
#include "vergence/stereo.hpp"

#ifdef VERGENCE_BENCH_OPENCV
#include "opencv_peers.hpp"
#endif

namespace vergence::bench {
namespace {

using Map = Image<std::int16_t>;

struct Input {
  Image<std::uint8_t> left, right, mask;
  Image<float> truth;
  int disparities = 0;
  bool whole = false;  ///< The truth holds whole px: so must what is compared with it.
  Size size() const { return left.size(); }
};

struct Row {
  std::string method, settings;
  StereoScores scores;
};

StereoScores score(const Input& input, const Map& map, int invalid) {
  Image<float> pixels(input.size());
  disparity_to_pixels(map, invalid, pixels);
  return score_stereo(pixels, input.truth, input.mask, {.max_disparity = {}, .round = input.whole});
}

/// Holes take the smaller of the nearest disparities left and right.
Map filled(const Map& map, int disparities) {
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = disparities;
  options.fill = StereoFill::background;
  Map out(map.size());
  cpu::Context context(1, cpu::simd_targets().front());
  cpu::FillScratch scratch;
  cpu::fill<std::int16_t>(make_stereo_plan(map.size(), options), context, scratch, map, out);
  return out;
}

Row preset_row(const Input& input, const std::string& name) {
  StereoOptions options = stereo_preset(name).options;
  options.disparities = input.disparities;
  const bool fill = options.fill == StereoFill::none && (options.left_right >= 0 || options.speckle_size > 0);
  if (fill) options.fill = StereoFill::background;
  StereoMatcher matcher(Device("cpu"), input.size(), options);
  Map map(input.size());
  matcher.compute({input.left, input.right}, {.disparity = map});
  return {"Vergence `" + name + "`", fill ? "holes filled" : "as it is", score(input, map, matcher.invalid())};
}

/// A published set-up as it is, with its own number of candidates, but of the view that the truth is of; then with what
/// it leaves invalid filled as for all.
void add_published(const Input& input, const std::string& name, std::vector<Row>& rows) {
  StereoOptions options = stereo_preset(name).options;
  const bool other_view = options.reference == StereoView::right;
  options.reference = StereoView::left;
  StereoMatcher matcher(Device("cpu"), input.size(), options);
  Map map(input.size());
  matcher.compute({input.left, input.right}, {.disparity = map});
  const std::string settings =
      std::to_string(options.disparities) + " candidates" + (other_view ? ", of the left view" : "");
  rows.push_back({"Published `" + name + "`", settings, score(input, map, matcher.invalid())});
  rows.push_back({"Published `" + name + "`", settings + ", border filled",
                  score(input, filled(map, options.disparities), matcher.invalid())});
}

#ifdef VERGENCE_BENCH_OPENCV
Row peer_row(const Input& input, const std::string& method, const std::string& settings, cv::StereoMatcher& matcher) {
  Map map(input.size());
  cv::Mat out = mat(map);
  matcher.compute(mat(input.left), mat(input.right), out);
  return {method, settings, score(input, filled(map, input.disparities), -16)};
}

/// `row` where it has fewer wrong pixels than `best`.
void keep_better(std::vector<Row>& best, Row row) {
  if (best.empty())
    best.push_back(std::move(row));
  else if (row.scores.all.total_bad[1] < best.front().scores.all.total_bad[1])
    best.front() = std::move(row);
}

/// What a matcher rejects beside what the left-right check does.
struct Rejection {
  int uniqueness, texture, speckles;
};
std::string describe(int window, const Rejection& rejection) {
  return "window " + std::to_string(window) + ", uniqueness " + std::to_string(rejection.uniqueness) + ", texture " +
         std::to_string(rejection.texture) + ", speckles " + std::to_string(rejection.speckles);
}

StereoOptions peer_options(const Input& input, int window, const Rejection& rejection) {
  StereoOptions options = stereo_preset("opencv-bm").options;
  options.window = {window, window};
  options.disparities = input.disparities;
  options.uniqueness_ratio = rejection.uniqueness;
  options.texture_threshold = rejection.texture;
  options.left_right = 1;
  options.speckle_size = rejection.speckles;
  return options;
}

/// One rejection: the window alone is chosen.
std::string chosen(const std::vector<Rejection>& rejections) {
  return rejections.size() == 1 ? ", best window" : ", best settings";
}

Row best_block_matcher(const Input& input, const std::vector<Rejection>& rejections) {
  std::vector<Row> best;
  for (int window = 5; window <= 31; window += 2)
    for (const Rejection& rejection : rejections)
      keep_better(best, peer_row(input, "OpenCV StereoBM" + chosen(rejections), describe(window, rejection),
                                 *block_matcher(peer_options(input, window, rejection))));
  return std::move(best.front());
}

Row best_semi_global_matcher(const Input& input, const std::string& name, int mode,
                             const std::vector<Rejection>& rejections) {
  std::vector<Row> best;
  for (int window = 1; window <= 11; window += 2)
    for (const Rejection& rejection : rejections) {
      StereoOptions options = peer_options(input, window, rejection);
      options.prefilter_cap = 63;
      options.speckle_range = 32;
      keep_better(best, peer_row(input, "OpenCV StereoSGBM, " + name + chosen(rejections), describe(window, rejection),
                                 *semi_global_matcher(options, mode)));
    }
  return std::move(best.front());
}

void add_peers(const Input& input, std::vector<Row>& rows) {
  // With what each rejects by default, then with what suits this pair best. StereoSGBM has no texture threshold.
  const std::vector<Rejection> block_default{{15, 10, 0}}, global_default{{0, 0, 0}};
  std::vector<Rejection> block_all, global_all;
  for (const int uniqueness : {0, 5, 15})
    for (const int speckles : {0, 100}) {
      global_all.push_back({uniqueness, 0, speckles});
      for (const int texture : {0, 10, 100}) block_all.push_back({uniqueness, texture, speckles});
    }
  for (const auto& rejections : {block_default, block_all}) rows.push_back(best_block_matcher(input, rejections));
  for (const auto& [name, mode] :
       {std::pair{"5 directions", cv::StereoSGBM::MODE_SGBM}, {"8 directions", cv::StereoSGBM::MODE_HH}})
    for (const auto& rejections : {global_default, global_all})
      rows.push_back(best_semi_global_matcher(input, name, mode, rejections));
}
#endif

std::vector<Row> rows_of(const Input& input) {
  std::vector<Row> rows;
  for (const char* const name : {"fast", "default", "quality-window", "quality"})
    rows.push_back(preset_row(input, name));
  for (const char* const name : {"sad-2018", "ssd-cross-check"}) add_published(input, name, rows);
#ifdef VERGENCE_BENCH_OPENCV
  add_peers(input, rows);
#endif
  return rows;
}

void print(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const StereoScore& all = row.scores.all;
    std::printf("| %s | %s | %.2f | %.2f | %.2f ", row.method.c_str(), row.settings.c_str(), all.total_bad[1],
                all.total_bad[2], all.average_error);
    if (row.scores.non_occluded)
      std::printf("| %.2f | %.2f |\n", row.scores.non_occluded->total_bad[1], row.scores.non_occluded->total_bad[2]);
    else
      std::printf("| | |\n");
  }
}

/// Candidates for the largest true disparity, in OpenCV's steps of 16.
int candidates_for(const Image<float>& truth, bool& whole) {
  float largest = 0;
  whole = true;
  for (int y = 0; y < truth.height(); ++y)
    for (int x = 0; x < truth.width(); ++x) {
      const float value = truth(x, y);
      if (!std::isfinite(value)) continue;
      largest = std::max(largest, value);
      whole = whole && value == std::floor(value);
    }
  return (static_cast<int>(std::ceil(largest)) + 1 + 15) / 16 * 16;
}

int main_of(int argc, char** argv) {
  if (argc != 5 && argc != 6) {
    std::fprintf(stderr, "usage: accuracy LEFT RIGHT TRUTH SCALE [MASK]\n");
    return 2;
  }
  FloatMapOptions format;
  format.scale = std::atof(argv[4]);
  Input input;
  input.left = read_grey(argv[1]).u8;
  input.right = read_grey(argv[2]).u8;
  input.truth = read_float_map(argv[3], format);
  if (argc == 6) input.mask = read_grey(argv[5]).u8;
  if (input.left.empty() || input.right.empty()) {
    std::fprintf(stderr, "accuracy: the pictures must have 8 bits\n");
    return 1;
  }
  input.disparities = candidates_for(input.truth, input.whole);
  std::printf("%dx%d, %d disparities%s\n\n", input.size().width, input.size().height, input.disparities,
              input.whole ? ", truth in whole px: disparities rounded before they are compared" : "");
  std::printf("| method | settings | bad-1 | bad-2 | mean error | visible in both: bad-1 | bad-2 |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  print(rows_of(input));
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
