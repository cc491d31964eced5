// SPDX-License-Identifier: Apache-2.0
// Traces rays through one camera's tiles of objects, and projects points back into it.
#include "synth/view.hpp"

#include <algorithm>
#include <numeric>

namespace vergence::synth {
namespace {

constexpr double ambient = 0.55;  ///< Share of the light that reaches every surface.

Vec3 absolute(const Vec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }

}  // namespace

View::View(const World& world, Size size, Eye eye, int frame)
    : world_(&world),
      size_(size),
      focal_(world.focal),
      center_x_(0.5 * (size.width - 1)),
      center_y_(0.5 * (size.height - 1)) {
  const Pose left = moved(world.camera, world.camera_motion, frame);
  const Vec3 apart = left.turn.x * world.baseline;
  const Pose here{eye == Eye::left ? left.place : left.place + apart, left.turn};
  const Vec3 middle = left.place + apart * 0.5;
  std::vector<Bounds> all_bounds;
  for (const Object& object : world.objects) {
    const Pose own = moved(object.pose, object.motion, frame);
    const Mat3 inverse = transposed(own.turn);
    Seen seen{inverse * here.turn, inverse * (here.place - own.place), inverse * (middle - own.place), 0};
    all_bounds.push_back(bounds(object, own, here, seen));
    if (object.shape.form == Form::plane) endless_.push_back(static_cast<std::uint16_t>(seen_.size()));
    seen_.push_back(seen);
  }
  fill_tiles(all_bounds);
}

/// The rectangle of the picture that holds the object, from a box around it that is aligned with the camera.
View::Bounds View::bounds(const Object& object, const Pose& own, const Pose& eye, Seen& seen) const {
  const Bounds everywhere{-1, -1, double(size_.width), double(size_.height)};
  if (object.shape.form == Form::plane) return everywhere;
  const Mat3 to_camera = transposed(eye.turn);
  const Vec3 center = to_camera * (own.place - eye.place);
  const Mat3 turn = to_camera * own.turn;
  const Vec3 half = half_extent(object.shape);
  const Vec3 reach = absolute(turn.x) * half.x + absolute(turn.y) * half.y + absolute(turn.z) * half.z;
  const double near = center.z - reach.z;
  const double far = center.z + reach.z;
  if (near <= 0) return everywhere;
  seen.nearest = near * (1 - 1e-9);
  const auto range = [&](double c, double r, double principal, double& low, double& high) {
    low = principal + focal_ * std::min((c - r) / near, (c - r) / far) - 1;
    high = principal + focal_ * std::max((c + r) / near, (c + r) / far) + 1;
  };
  Bounds b{};
  range(center.x, reach.x, center_x_, b.left, b.right);
  range(center.y, reach.y, center_y_, b.top, b.bottom);
  return b;
}

void View::fill_tiles(const std::vector<Bounds>& all_bounds) {
  tiles_across_ = (size_.width + tile - 1) / tile;
  const int tiles_down = (size_.height + tile - 1) / tile;
  std::vector<std::uint16_t> order(all_bounds.size());
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint16_t a, std::uint16_t b) { return seen_[a].nearest < seen_[b].nearest; });
  tile_start_.push_back(0);
  for (int row = 0; row < tiles_down; ++row) {
    for (int column = 0; column < tiles_across_; ++column) {
      for (const std::uint16_t i : order) {
        const Bounds& b = all_bounds[i];
        const bool outside = b.right < column * tile - 1 || b.left > (column + 1) * tile || b.bottom < row * tile - 1 ||
                             b.top > (row + 1) * tile;
        if (!outside && world_->objects[i].shape.form != Form::plane) tile_objects_.push_back(i);
      }
      tile_start_.push_back(static_cast<std::uint32_t>(tile_objects_.size()));
    }
  }
}

Hit View::trace(double x, double y) const {
  const Vec3 ray = direction(x, y);
  Hit hit;
  Contact contact;
  const auto test = [&](std::uint16_t i) {
    const Seen& seen = seen_[i];
    if (!meet(world_->objects[i].shape, {seen.origin, seen.turn * ray}, 0, hit.depth, contact)) return;
    hit = {i, contact.t, contact.normal};
  };
  const auto tile_at = [](double position, int count) {
    const auto pixel = static_cast<int>(position + 0.5);  // NOLINT(bugprone-incorrect-roundings): clamped below
    return std::clamp(pixel, 0, count - 1) / tile;
  };
  const int column = tile_at(x, size_.width), row = tile_at(y, size_.height);
  const auto at =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(tiles_across_) + static_cast<std::size_t>(column);
  for (std::uint32_t k = tile_start_[at]; k < tile_start_[at + 1]; ++k) {
    if (seen_[tile_objects_[k]].nearest >= hit.depth) break;
    test(tile_objects_[k]);
  }
  for (const std::uint16_t i : endless_) test(i);
  return hit;
}

Vec3 View::local_point(const Hit& hit, double x, double y) const {
  const Seen& seen = seen_[static_cast<std::size_t>(hit.object)];
  return seen.origin + seen.turn * direction(x, y) * hit.depth;
}

Shade View::color(const Hit& hit, const Vec3& local) const {
  const auto index = static_cast<std::size_t>(hit.object);
  const Object& object = world_->objects[index];
  // Both eyes must see one colour: the angle is taken from the middle between them, the side of the surface likewise.
  const Vec3 sight = local - seen_[index].between;
  const double facing = dot(hit.normal, sight) / std::sqrt(dot(sight, sight));
  const double slant = std::max(std::abs(facing), 0.05);
  const double footprint = hit.depth / (focal_ * std::sqrt(slant));
  Shade result = shade(object.material, local, footprint);
  const double lit = (facing > 0 ? -1.0 : 1.0) * dot(hit.normal, object.light);
  result.color = result.color * (ambient + (1 - ambient) * std::max(lit, 0.0));
  return result;
}

Projection View::project(int object, const Vec3& local) const {
  const Seen& seen = seen_[static_cast<std::size_t>(object)];
  const Vec3 p = transposed(seen.turn) * (local - seen.origin);
  return {center_x_ + focal_ * p.x / p.z, center_y_ + focal_ * p.y / p.z, p.z};
}

}  // namespace vergence::synth
