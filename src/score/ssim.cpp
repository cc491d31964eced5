// SPDX-License-Identifier: Apache-2.0
// SSIM in strips of columns, so that what a window's rows need stays in the nearest cache; loops over columns are such
// that compilers make vectors of them. Sums have one order: pairs that lie as far from the middle, the middle first; of
// a strip down the columns, then across.
#include "score/ssim.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

namespace vergence {
namespace {

constexpr int window = 11;
constexpr int middle = window / 2;
constexpr double sigma = 1.5;
constexpr int strip = 64;  ///< Windows side by side: the rows of a strip take 26 KB.
constexpr int wide = strip + window - 1;

/// The weight of what lies 0 .. 5 px from the middle.
using Weights = std::array<double, middle + 1>;

Weights gaussian() {
  Weights weights{};
  double sum = 0;
  for (int i = 0; i <= middle; ++i) {
    const double distance = i;
    weights[static_cast<std::size_t>(i)] = std::exp(-distance * distance / (2 * sigma * sigma));
    sum += (i == 0 ? 1 : 2) * weights[static_cast<std::size_t>(i)];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// What a window averages: a, b, a^2 + b^2 and a b.
constexpr int moments = 4;
struct Work {
  double rows[window][moments][wide];  ///< Row y lies in y modulo 11.
  double down[moments][wide];          ///< Means over the rows of a window,
  double mean[moments][strip];         ///< and over its columns.
  double sums[strip];                  ///< Of similarities, for each column.
};

template <class P>
void load_row(const P* frame, const P* prediction, int count, double (&row)[moments][wide]) {
  for (int x = 0; x < count; ++x) {
    const double a = frame[x];
    const double b = prediction[x];
    row[0][x] = a;
    row[1][x] = b;
    row[2][x] = a * a + b * b;
    row[3][x] = a * b;
  }
}

void average_down(Work& work, int first, int count, const Weights& w) {
  const auto row = [first](int k) { return (first + k) % window; };
  const int r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3), r4 = row(4), r5 = row(5), r6 = row(6), r7 = row(7),
            r8 = row(8), r9 = row(9), r10 = row(10);
  for (int m = 0; m < moments; ++m)
    for (int x = 0; x < count; ++x)
      work.down[m][x] =
          w[0] * work.rows[r5][m][x] + w[1] * (work.rows[r4][m][x] + work.rows[r6][m][x]) +
          w[2] * (work.rows[r3][m][x] + work.rows[r7][m][x]) + w[3] * (work.rows[r2][m][x] + work.rows[r8][m][x]) +
          w[4] * (work.rows[r1][m][x] + work.rows[r9][m][x]) + w[5] * (work.rows[r0][m][x] + work.rows[r10][m][x]);
}

void average_across(Work& work, int columns, const Weights& w) {
  for (int m = 0; m < moments; ++m)
    for (int x = 0; x < columns; ++x)
      work.mean[m][x] =
          w[0] * work.down[m][x + 5] + w[1] * (work.down[m][x + 4] + work.down[m][x + 6]) +
          w[2] * (work.down[m][x + 3] + work.down[m][x + 7]) + w[3] * (work.down[m][x + 2] + work.down[m][x + 8]) +
          w[4] * (work.down[m][x + 1] + work.down[m][x + 9]) + w[5] * (work.down[m][x] + work.down[m][x + 10]);
}

void add_similarities(Work& work, int columns, double c1, double c2) {
  for (int x = 0; x < columns; ++x) {
    const double a = work.mean[0][x], b = work.mean[1][x];
    const double squares = a * a + b * b;
    const double covariance = work.mean[3][x] - a * b;
    work.sums[x] += (2 * a * b + c1) * (2 * covariance + c2) / ((squares + c1) * (work.mean[2][x] - squares + c2));
  }
}

template <class P>
double mean_similarity(ImageView<const P> frame, ImageView<const P> prediction, int max_value) {
  if (frame.width() < window || frame.height() < window) return std::numeric_limits<double>::quiet_NaN();
  const Weights weights = gaussian();
  const double c1 = (0.01 * max_value) * (0.01 * max_value);
  const double c2 = (0.03 * max_value) * (0.03 * max_value);
  const int all = frame.width() - window + 1;
  const auto work = std::make_unique<Work>();
  double sum = 0;
  for (int left = 0; left < all; left += strip) {
    const int columns = std::min(strip, all - left);
    const int count = columns + window - 1;
    std::fill(work->sums, work->sums + columns, 0.0);
    for (int y = 0; y < frame.height(); ++y) {
      load_row(frame.row(y) + left, prediction.row(y) + left, count, work->rows[y % window]);
      if (y + 1 < window) continue;
      average_down(*work, (y + 1) % window, count, weights);
      average_across(*work, columns, weights);
      add_similarities(*work, columns, c1, c2);
    }
    for (int x = 0; x < columns; ++x) sum += work->sums[x];
  }
  return sum / (static_cast<double>(all) * (frame.height() - window + 1));
}

#ifdef __x86_64__
/// The same operations, four numbers at a time: no product is joined with a sum, so that no bit differs.
template <class P>
[[gnu::target("avx2"), gnu::flatten]] double wide_similarity(ImageView<const P> frame, ImageView<const P> prediction,
                                                             int max_value) {
  return mean_similarity(frame, prediction, max_value);
}
template <class P>
double best_similarity(ImageView<const P> frame, ImageView<const P> prediction, int max_value) {
  return __builtin_cpu_supports("avx2") != 0 ? wide_similarity(frame, prediction, max_value)
                                             : mean_similarity(frame, prediction, max_value);
}
#else
template <class P>
double best_similarity(ImageView<const P> frame, ImageView<const P> prediction, int max_value) {
  return mean_similarity(frame, prediction, max_value);
}
#endif

}  // namespace

double ssim(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction, int max_value) {
  return best_similarity(frame, prediction, max_value);
}
double ssim(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction, int max_value) {
  return best_similarity(frame, prediction, max_value);
}
double plain_ssim(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction, int max_value) {
  return mean_similarity(frame, prediction, max_value);
}
double plain_ssim(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction, int max_value) {
  return mean_similarity(frame, prediction, max_value);
}

}  // namespace vergence
