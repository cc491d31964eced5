// SPDX-License-Identifier: Apache-2.0
// Errors of a calibration, measured with the lens models that rectification uses, not with those of the solver.
#include <algorithm>
#include <cmath>

#include "calibrate/calibrate.hpp"
#include "core/matrix.hpp"
#include "plan/rectify/lens.hpp"

namespace vergence::calibrate {
namespace {

using matrix::Vector3;

/// Where a rectified picture shows what the raw one shows at `corner`.
rectify::Point rectified_place(const rectify::Lens& lens, const Matrix3x3& turn, const Matrix3x4& projection,
                               const Corner& corner) {
  using matrix::operator*;
  constexpr int rounds = 100;
  const rectify::Point ray = lens.ray_of({corner.x, corner.y}, rounds);
  const Vector3 turned = turn * Vector3{ray.x, ray.y, 1};
  return {projection[0] * turned[0] / turned[2] + projection[2], projection[5] * turned[1] / turned[2] + projection[6]};
}

}  // namespace

std::vector<double> row_differences(const StereoRig& rig, const PairCorners& view) {
  const rectify::Lens left(rig.left), right(rig.right);
  const RigRectification& to = *rig.rectified;
  const bool vertical = std::abs(to.p2[7]) > std::abs(to.p2[3]);
  std::vector<double> differences;
  for (std::size_t i = 0; i < view.left.size(); ++i) {
    const rectify::Point a = rectified_place(left, to.r1, to.p1, view.left[i]);
    const rectify::Point b = rectified_place(right, to.r2, to.p2, view.right[i]);
    differences.push_back(vertical ? std::abs(a.x - b.x) : std::abs(a.y - b.y));
  }
  return differences;
}

std::vector<double> distances(const Camera& camera, const Pose& pose, const Board& board, const Corners& corners) {
  using matrix::operator*;
  const rectify::Lens lens(camera);
  std::vector<double> all;
  for (const Corner& corner : corners) {
    const Vector3 point{board.square_m * (corner.index % board.columns),
                        board.square_m * (corner.index / board.columns), 0};
    Vector3 seen = pose.rotation * point;
    for (std::size_t i = 0; i < 3; ++i) seen[i] += pose.translation[i];
    const rectify::Point place = lens.pixel_of({seen[0] / seen[2], seen[1] / seen[2]});
    all.push_back(std::hypot(place.x - corner.x, place.y - corner.y));
  }
  return all;
}

Errors errors_of(std::vector<double> distances) {
  Errors errors;
  if (distances.empty()) return errors;
  double sum = 0;
  for (const double distance : distances) sum += distance * distance;
  std::sort(distances.begin(), distances.end());
  errors.rms = std::sqrt(sum / static_cast<double>(distances.size()));
  errors.median = distances[distances.size() / 2];
  errors.most = distances[(distances.size() - 1) * 95 / 100];
  errors.largest = distances.back();
  return errors;
}

PairCorners common_corners(const View& view) {
  PairCorners common;
  std::size_t at = 0;
  for (const Corner& corner : view.left) {
    while (at < view.right.size() && view.right[at].index < corner.index) ++at;
    if (at == view.right.size()) break;
    if (view.right[at].index != corner.index) continue;
    common.left.push_back(corner);
    common.right.push_back(view.right[at]);
  }
  return common;
}

}  // namespace vergence::calibrate
