// SPDX-License-Identifier: Apache-2.0
// Steps along whole rows. Over four pixels they are four times those over one where a picture is smooth.
#include "inspect/smooth.hpp"

#include <algorithm>
#include <cstdlib>

#include "inspect/for_avx2.hpp"

namespace vergence::inspect {
namespace {

constexpr int far = 4;          // px
constexpr int most_rows = 64;   // that are looked at,
constexpr int first_rows = 16;  // and those that tell whether that is worth it
// Steps over four pixels beside those over one, in percent. Sharp photographs have 185 to 280, those blurred by 2 px
// 367 and more. Of good pairs they differ by 3 %, of blurred ones by 33 and more, of unrelated pictures by up to 49.
constexpr std::int64_t smooth = 360;
constexpr std::int64_t doubtful = 300;  // of the first rows
constexpr std::int64_t other = 130;     // of the larger one beside the smaller one
// The same of both: good pairs have 277 at most, made-up ones 309, those enlarged by 1.5 321, those blurred by 3 px 384
// and more.
constexpr std::int64_t blurred = 380;
constexpr std::int64_t nearly_blurred = 350;  // of the first rows
constexpr std::int64_t least_steps = 2;       // grey levels over four pixels: less may be the rounding of blur
constexpr std::int64_t textured = 2;          // grey levels from pixel to pixel

struct RowSteps {
  std::int64_t near = 0, far = 0, pixels = 0;
  /// In percent.
  std::int64_t ratio() const { return 100 * far / std::max<std::int64_t>(near, 1); }
};
VERGENCE_FOR_AVX2 RowSteps steps_along_rows(Picture picture, int rows) {
  RowSteps sum;
  const int apart = std::max(1, picture.height() / rows);
  for (int y = apart / 2; y < picture.height(); y += apart) {
    const std::uint8_t* const row = picture.row(y);
    int near = 0, distant = 0;
    for (int x = 0; x + far < picture.width(); ++x) near += std::abs(row[x + 1] - row[x]);
    for (int x = 0; x + far < picture.width(); ++x) distant += std::abs(row[x + far] - row[x]);
    sum.near += near;
    sum.far += distant;
    sum.pixels += std::max(0, picture.width() - far);
  }
  return sum;
}

}  // namespace

void compare_smoothness(Picture left, Picture right, PairFindings& findings) {
  if (std::max(steps_along_rows(left, first_rows).ratio(), steps_along_rows(right, first_rows).ratio()) < doubtful)
    return;
  const RowSteps a = steps_along_rows(left, most_rows), b = steps_along_rows(right, most_rows);
  if (std::min(a.far, b.far) < least_steps * a.pixels) return;
  const std::int64_t least = std::min(a.ratio(), b.ratio()), most = std::max(a.ratio(), b.ratio());
  if (most < smooth || 100 * most < other * least) return;
  findings.problem = PairProblem::sharpness;
  findings.by_rows = true;
  findings.sharpness_percent = static_cast<int>(100 * a.ratio() / b.ratio());
}

void find_blur(Picture left, Picture right, PairFindings& findings) {
  const auto sharper = [left, right](int rows) {
    return std::min(steps_along_rows(left, rows).ratio(), steps_along_rows(right, rows).ratio());
  };
  if (sharper(first_rows) < nearly_blurred) return;
  const RowSteps a = steps_along_rows(left, most_rows), b = steps_along_rows(right, most_rows);
  if (std::min(a.far, b.far) < least_steps * a.pixels || std::min(a.ratio(), b.ratio()) < blurred) return;
  findings.problem = PairProblem::blurred;
  findings.smooth_percent = static_cast<int>(std::min(a.ratio(), b.ratio()));
}

bool almost_equal(Picture left, Picture right) {
  for (int y = 0; y < left.height(); ++y) {
    const std::uint8_t *const a = left.row(y), *const b = right.row(y);
    for (int x = 0; x < left.width(); ++x)
      if (std::abs(a[x] - b[x]) > 1) return false;
  }
  const RowSteps found = steps_along_rows(left, most_rows);
  return found.near >= textured * found.pixels;
}

}  // namespace vergence::inspect
