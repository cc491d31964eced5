// SPDX-License-Identifier: Apache-2.0
// The small rotation of the right camera that explains how far points lie off their row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/matrix.hpp"
#include "vergence/error.hpp"
#include "vergence/rig_check.hpp"

namespace vergence {
namespace {

constexpr std::size_t unknowns = 4;  // pitch, yaw, roll, growth (the scale less 1)
using Numbers = std::array<double, unknowns>;
using Square = std::array<Numbers, unknowns>;

constexpr int enough_points = 40;
constexpr double enough_agree = 0.4;   // of the points lie within three deviations of the fit
constexpr double largest_error = 0.1;  // px, standard: parts of the picture of which more is known count,
constexpr int enough_cells = 24;       // and half of all must
// px of `offset`. Rectified pairs have up to 0.3, one of KITTI 0.6; 0.7 is to be told, whatever the errors.
constexpr double harmful = 0.625;
constexpr int rounds = 15;               // of reweighting: the last ones change nothing but the last digits
constexpr double biweight = 4.685;       // deviations from which on a point has no weight: Tukey's usual constant
constexpr double least_deviation = 0.1;  // px: what corners are found to, at best
// Yaw and growth are believed where they are so many standard errors, and move the corners by so many px: yaw moves
// disparities several times as much as rows.
constexpr double least_errors = 5;
constexpr double least_effect = 0.25;
// Weights of a prior of 0, in points of one px at the corners: next to none, which keeps points in a line harmless, and
// one that leaves nothing else.
constexpr double free_to_move = 1e-4;
constexpr double fixed = 1e12;

/// Of values that are reordered; between two neighbours by proportion.
double rank_of(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (at - static_cast<double>(below));
}
double spread_of(std::vector<double> values) { return (rank_of(values, 0.84) - rank_of(values, 0.16)) / 2; }

double product(const Numbers& a, const Numbers& b) { return ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3]; }
Numbers product(const Square& a, const Numbers& b) {
  return {product(a[0], b), product(a[1], b), product(a[2], b), product(a[3], b)};
}

/// By elimination; the matrix is symmetric and positive definite, so that no rows need to be exchanged.
Square inverse_of(Square a) {
  Square b{};
  for (std::size_t i = 0; i < unknowns; ++i) b[i][i] = 1;
  for (std::size_t k = 0; k < unknowns; ++k) {
    const double pivot = a[k][k];
    for (std::size_t j = 0; j < unknowns; ++j) a[k][j] /= pivot, b[k][j] /= pivot;
    for (std::size_t i = 0; i < unknowns; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (std::size_t j = 0; j < unknowns; ++j) a[i][j] -= factor * a[k][j], b[i][j] -= factor * b[k][j];
    }
  }
  return b;
}

/// What the unknowns do to places of the right picture.
class Geometry {
 public:
  explicit Geometry(const RigCheckCamera& camera)
      : width_(camera.size.width),
        height_(camera.size.height),
        focal_(camera.focal_px > 0 ? camera.focal_px : width_),
        center_x_(camera.focal_px > 0 ? camera.center_x : (width_ - 1) * 0.5),
        center_y_(camera.focal_px > 0 ? camera.center_y : (height_ - 1) * 0.5) {}

  /// By how many px a unit of each lowers what is seen there.
  Numbers effects(double x, double y) const {
    const double u = (x - center_x_) / focal_, v = (y - center_y_) / focal_;
    return {-(focal_ * (1 + v * v)), focal_ * (u * v), focal_ * u, focal_ * v};
  }
  /// The largest effect of each in the picture, or so.
  Numbers most() const { return effects(center_x_ + width_ * 0.5, center_y_ + height_ * 0.5); }

  /// Where the point of the right picture would be seen without them.
  class Undo {
   public:
    Undo(const Geometry& geometry, const Numbers& values)
        : geometry_(geometry),
          back_(matrix::transposed(matrix::rotation_by({values[0], values[1], values[2]}))),
          focal_(geometry.focal_ * (1 + values[3])) {}
    std::array<double, 2> operator()(const PairPoint& point) const {
      const Geometry& g = geometry_;
      const matrix::Vector3 seen{(point.right_x - g.center_x_) / focal_, (point.right_y - g.center_y_) / focal_, 1};
      const matrix::Vector3 ray = matrix::operator*(back_, seen);
      return {g.focal_ * (ray[0] / ray[2]) + g.center_x_, g.focal_ * (ray[1] / ray[2]) + g.center_y_};
    }

   private:
    const Geometry& geometry_;
    Matrix3x3 back_;
    double focal_;
  };

  /// Parts of the picture, row by row: what is measured in some is known of others, too, but not of all.
  static constexpr int columns = 8, rows = 6, cells = columns * rows;
  Numbers effects_in(int cell) const {
    return effects((cell % columns + 0.5) * width_ / columns - 0.5, (cell / columns + 0.5) * height_ / rows - 0.5);
  }
  /// The mean over cells whose bits are set; 0 of none.
  template <class Function>
  double mean(std::uint64_t chosen, const Function& value) const {
    double sum = 0;
    for (int i = 0; i < cells; ++i)
      if ((chosen >> i & 1) != 0) sum += value(effects_in(i));
    return chosen == 0 ? 0 : sum / std::popcount(chosen);
  }
  double root_mean_square(std::uint64_t chosen, const Numbers& values) const {
    return std::sqrt(mean(chosen, [&](const Numbers& effect) {
      const double lowered = product(effect, values);
      return lowered * lowered;
    }));
  }

 private:
  double width_, height_, focal_, center_x_, center_y_;
};

struct Fit {
  Numbers values{};
  Square covariance{};
  double deviation = 0;      ///< Of a point, px.
  std::vector<double> rest;  ///< How much lower each point lies in the right picture without the rotation.
};

/// One step of Gauss and Newton, with Tukey's weights.
void improve(std::span<const PairPoint> points, const Geometry& geometry, const Numbers& priors, Fit& fit) {
  const Geometry::Undo undo(geometry, fit.values);
  std::vector<double> sizes;
  fit.rest.clear();
  for (const PairPoint& point : points) {
    fit.rest.push_back(undo(point)[1] - point.left_y);
    sizes.push_back(std::abs(fit.rest.back()));
  }
  constexpr double normal = 1.4826;  // from the median of sizes to a deviation
  fit.deviation = std::max(least_deviation, normal * rank_of(sizes, 0.5));
  Square left{};
  Numbers right{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double ratio = fit.rest[i] / (biweight * fit.deviation), near = 1 - ratio * ratio;
    if (near <= 0) continue;
    const Numbers effect = geometry.effects(points[i].right_x, points[i].right_y);
    for (std::size_t j = 0; j < unknowns; ++j) {
      const double weighted = near * near * effect[j];
      right[j] += weighted * fit.rest[i];
      for (std::size_t k = 0; k < unknowns; ++k) left[j][k] += weighted * effect[k];
    }
  }
  for (std::size_t j = 0; j < unknowns; ++j) {
    right[j] -= priors[j] * fit.values[j];
    left[j][j] += priors[j];
  }
  fit.covariance = inverse_of(left);
  const Numbers step = product(fit.covariance, right);
  for (std::size_t j = 0; j < unknowns; ++j) {
    fit.values[j] += step[j];
    for (double& one : fit.covariance[j]) one *= fit.deviation * fit.deviation;
  }
}

Fit fit_of(std::span<const PairPoint> points, const Geometry& geometry, bool with_yaw, bool with_growth) {
  const Numbers most = geometry.most();
  Numbers priors{};
  for (std::size_t j = 0; j < unknowns; ++j) {
    const bool moves = (j != 1 || with_yaw) && (j != 3 || with_growth);
    priors[j] = (moves ? free_to_move : fixed) * (most[j] * most[j]);
  }
  Fit fit;
  for (int i = 0; i < rounds; ++i) improve(points, geometry, priors, fit);
  return fit;
}

/// With yaw and growth where the points tell them.
Fit best_fit(std::span<const PairPoint> points, const Geometry& geometry, RigFindings& found) {
  const Numbers most = geometry.most();
  Fit fit = fit_of(points, geometry, true, true);
  const auto tells = [&](std::size_t j) {
    return std::abs(fit.values[j]) >= least_errors * std::sqrt(std::max(0.0, fit.covariance[j][j])) &&
           std::abs(fit.values[j] * most[j]) >= least_effect;
  };
  const bool yaw = tells(1), growth = tells(3);
  if (!yaw || !growth) fit = fit_of(points, geometry, yaw, growth);
  if (!yaw) fit.values[1] = 0;
  if (!growth) fit.values[3] = 0;
  found.pitch = fit.values[0];
  found.yaw = fit.values[1];
  found.roll = fit.values[2];
  found.scale = 1 + fit.values[3];
  return fit;
}

void check(std::span<const PairPoint> points, const RigCheckCamera& camera) {
  if (camera.size.width < 1 || camera.size.height < 1)
    throw Error(ErrorCode::invalid_argument, fmt::format("size is {}x{}: give that of the pictures, 1x1 and more",
                                                         camera.size.width, camera.size.height));
  for (const double value : {camera.focal_px, camera.center_x, camera.center_y})
    if (!std::isfinite(value) || camera.focal_px < 0)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the focal length is {} px and the principal point ({}, {}): give finite numbers, and a "
                              "focal length of 0 where it is not known",
                              camera.focal_px, camera.center_x, camera.center_y));
  for (const PairPoint& point : points)
    for (const double value : {point.left_x, point.left_y, point.right_x, point.right_y})
      if (!std::isfinite(value))
        throw Error(ErrorCode::invalid_argument, "a point has a coordinate that is not finite: leave it out");
}

}  // namespace

RigFindings check_rig_points(std::span<const PairPoint> points, const RigCheckCamera& camera) {
  check(points, camera);
  RigFindings found;
  found.points = static_cast<int>(points.size());
  if (points.empty()) return found;
  std::vector<double> offsets;
  for (const PairPoint& point : points) offsets.push_back(point.right_y - point.left_y);
  found.spread = spread_of(offsets);
  found.median = rank_of(offsets, 0.5);
  if (found.points < enough_points) return found;
  const RigFindings unknown = found;

  const Geometry geometry(camera);
  const Fit fit = best_fit(points, geometry, found);
  const Geometry::Undo undo(geometry, fit.values);
  int agree = 0, negative = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::abs(fit.rest[i]) > 3 * fit.deviation) continue;
    ++agree;
    if (points[i].left_x - undo(points[i])[0] < -1) ++negative;
  }
  const auto variance = [&](const Numbers& effect) {
    return std::max(0.0, product(effect, product(fit.covariance, effect)));
  };
  for (int i = 0; i < Geometry::cells; ++i)
    if (variance(geometry.effects_in(i)) <= largest_error * largest_error) found.cells |= std::uint64_t{1} << i;
  found.known = agree >= enough_agree * found.points && std::popcount(found.cells) >= enough_cells;
  if (!found.known) return unknown;
  found.offset = geometry.root_mean_square(found.cells, fit.values);
  found.error = std::sqrt(geometry.mean(found.cells, variance));
  found.rest = spread_of(fit.rest);
  found.negative_percent = 100.0 * negative / agree;
  found.off = found.offset >= harmful;
  return found;
}

double row_change(const RigFindings& before, const RigFindings& now, const RigCheckCamera& camera) {
  check({}, camera);
  if (!before.known || !now.known) return 0;
  return Geometry(camera).root_mean_square(
      before.cells & now.cells,
      {now.pitch - before.pitch, now.yaw - before.yaw, now.roll - before.roll, now.scale - before.scale});
}

}  // namespace vergence
