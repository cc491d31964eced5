// SPDX-License-Identifier: Apache-2.0
// How far rows of a pair can be off, by the points of the first look alone: a robust fit of a + b x + c y + d x y,
// where x and y run from -1 to 1 over the picture. In double, + - * / sqrt in the written order: the same bits
// everywhere.
#include "inspect/rows_glance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace vergence::inspect {
namespace {

constexpr std::size_t enough_for_plane = 24;  // points
constexpr int plane_rounds = 4;               // of reweighting
constexpr double row_biweight = 4.685;        // deviations from which on a point has no weight: Tukey's usual constant
constexpr double least_row_deviation = 2;     // 1/16 px: what patches are found to, at best
constexpr double sure = 3;                    // standard errors

using Plane = std::array<double, 4>;
/// Means of the squares of 1, x, y and x y over the picture; those of their products are 0.
constexpr Plane mean_squares{1, 1.0 / 3, 1.0 / 3, 1.0 / 9};

struct RowPoint {
  Plane place{};  // 1, x, y, x y
  double row = 0;
};

double at(const Plane& plane, const Plane& place) {
  return ((plane[0] + plane[1] * place[1]) + plane[2] * place[2]) + plane[3] * place[3];
}

/// Sums of products with weights, whose inverse is that of the errors.
struct RowSums {
  std::array<Plane, 4> left{};
  Plane right{};
  void add(const RowPoint& point, double weight) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double weighted = weight * point.place[j];
      right[j] += weighted * point.row;
      for (std::size_t k = 0; k < 4; ++k) left[j][k] += weighted * point.place[k];
    }
  }
};

/// Solves the sums; `errors` become the diagonal of the inverse. Next to no weight at 0 keeps points in a line
/// harmless.
Plane solved(RowSums sums, Plane& errors) {
  constexpr double free_row = 1e-3;
  std::array<Plane, 4> inverse{};
  for (std::size_t i = 0; i < 4; ++i) sums.left[i][i] += free_row, inverse[i][i] = 1;
  for (std::size_t k = 0; k < 4; ++k) {
    const double pivot = sums.left[k][k];
    for (std::size_t j = 0; j < 4; ++j) sums.left[k][j] /= pivot, inverse[k][j] /= pivot;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i == k) continue;
      const double factor = sums.left[i][k];
      for (std::size_t j = 0; j < 4; ++j)
        sums.left[i][j] -= factor * sums.left[k][j], inverse[i][j] -= factor * inverse[k][j];
    }
  }
  Plane plane{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) plane[i] += inverse[i][j] * sums.right[j];
    errors[i] = inverse[i][i];
  }
  return plane;
}

double mean_square(const Plane& squares) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += mean_squares[i] * squares[i];
  return sum;
}

}  // namespace

std::optional<int> rows_within(const std::vector<Sight>& sights, Size size) {
  std::vector<RowPoint> points;
  points.reserve(sights.size());
  for (const Sight& one : sights) {
    if (!one.has_row) continue;
    const double x = static_cast<double>(2 * one.from.x + patch_width - size.width) / size.width;
    const double y = static_cast<double>(2 * one.from.y + patch_height - size.height) / size.height;
    points.push_back({{1, x, y, x * y}, static_cast<double>(one.row)});
  }
  if (points.size() < enough_for_plane) return {};
  Plane plane{}, errors{};
  double deviation = 0;
  std::vector<double> rest(points.size());
  for (int round = 0; round < plane_rounds; ++round) {
    const auto middle = rest.begin() + static_cast<std::ptrdiff_t>(rest.size() / 2);
    for (std::size_t i = 0; i < points.size(); ++i) rest[i] = std::abs(points[i].row - at(plane, points[i].place));
    std::nth_element(rest.begin(), middle, rest.end());
    constexpr double normal = 1.4826;  // from the median of sizes to a deviation
    deviation = std::max(least_row_deviation, normal * *middle);
    RowSums sums;
    for (const RowPoint& point : points) {
      const double ratio = (point.row - at(plane, point.place)) / (row_biweight * deviation);
      const double near = 1 - ratio * ratio;
      if (near > 0) sums.add(point, near * near);
    }
    plane = solved(sums, errors);
  }
  Plane squares{};
  for (std::size_t i = 0; i < 4; ++i) squares[i] = plane[i] * plane[i];
  return static_cast<int>(std::sqrt(mean_square(squares)) + sure * deviation * std::sqrt(mean_square(errors)) + 0.5);
}

}  // namespace vergence::inspect
