// SPDX-License-Identifier: Apache-2.0
// The room: a far wall, a floor and a side wall that are planes in the space of disparities too, and before them things
// that are hard in different ways. Places are given as the left camera sees them at frame 0, so that the room fits
// any picture size and any range of disparities.
#include "synth/layout.hpp"

#include <algorithm>

#include "synth/palette.hpp"

namespace vergence::synth {
namespace {

// Random numbers are drawn where these are filled in: braces fix the order, which a call's arguments leave to the
// compiler.
struct Spot {
  double across, down, share;  ///< Of the picture's width and height from its centre; of the range of disparities.
};
struct Tilt {
  double yaw, pitch, roll;  ///< Turns.
};
struct Thing {
  Shape shape;
  Pose pose;
  Material material;
};

class Room {
 public:
  explicit Room(const SceneOptions& options)
      : random_(options.seed), palette_(random_), width_(options.size.width), height_(options.size.height) {
    min_ = *options.min_disparity;
    max_ = *options.max_disparity;
    // Margins for what motion adds to disparities.
    low_ = min_ + 0.035 * (max_ - min_);
    high_ = max_ - 0.05 * (max_ - min_);
    side_ = random_.below(2) == 0 ? 1.0 : -1.0;
    unit_ = std::min(width_, height_);
    world_.focal = std::max(width_, height_);
    world_.baseline = nearest_depth * max_ / world_.focal;
    light_ = unit({-0.45 * side_, -0.8, -0.55});
    move_cameras();
  }

  World furnish() {
    backdrop();
    hangings();
    furniture();
    plant();
    fence();
    rods();
    return std::move(world_);
  }

 private:
  static constexpr double nearest_depth = 2.0;  ///< m, where max_disparity lies

  // Where things are: `share` 0 is the farthest disparity in use, 1 the nearest.
  double disparity(double share) const { return low_ + share * (high_ - low_); }
  double depth(double share) const { return world_.focal * world_.baseline / disparity(share); }
  /// Size in metres of `px` pixels at that place.
  double metres(double px, double share) const { return px * depth(share) / world_.focal; }
  /// The point that appears at (across * width, down * height) from the picture's centre.
  Vec3 at(const Spot& spot) const {
    const double z = depth(spot.share);
    return {side_ * spot.across * width_ * z / world_.focal, spot.down * height_ * z / world_.focal, z};
  }
  /// Half a size towards the camera that stays behind the nearest depth in use.
  double fitting(double half, double share) const { return std::min(half, 0.75 * (depth(share) - depth(1))); }
  /// Some pixels per frame for a picture of 640 columns, scaled, as a motion's amplitude in metres.
  double amplitude(double px_per_frame, double share, double rate) const {
    return metres(px_per_frame * width_ / 640.0, share) / (6.2832 * rate);
  }
  /// Greatest slope (disparity per px) of an endless wall that stays in the range over `px` pixels: those of the
  /// picture and those that the right camera and moving ones see beside it. A wall of slope 1 would meet the right
  /// camera.
  double gentle_slope(double px) const { return std::min(0.85 * (high_ - low_) / px, 0.25); }
  double jitter(double v, double by) { return v + random_.real(-by, by); }

  Object& add(const Thing& thing) {
    Object object;
    object.shape = thing.shape;
    object.pose = thing.pose;
    object.material = thing.material;
    object.light = transposed(thing.pose.turn) * light_;
    keep_behind_nearest(object);
    world_.objects.push_back(object);
    return world_.objects.back();
  }
  /// Shrinks what would come nearer than the range of disparities allows (in a shallow range, nearly everything would).
  void keep_behind_nearest(Object& object) const {
    Shape& shape = object.shape;
    const Mat3& turn = object.pose.turn;
    const Vec3 half = half_extent(shape);
    const bool round = shape.form == Form::ball && shape.size.x == shape.size.y && shape.size.y == shape.size.z;
    const double reach =
        round ? half.z : std::abs(turn.x.z) * half.x + std::abs(turn.y.z) * half.y + std::abs(turn.z.z) * half.z;
    const double room = 0.85 * (object.pose.place.z - depth(1));
    if (reach <= room) return;
    const double scale = room / reach;
    shape.size = shape.size * scale;
    shape.wave_length *= scale;
  }
  Mat3 turned(const Tilt& tilt) const {
    return rotation({0, 1, 0}, side_ * tilt.yaw) * rotation({1, 0, 0}, tilt.pitch) *
           rotation({0, 0, 1}, side_ * tilt.roll);
  }
  /// Height of the floor under a point.
  double floor_below(const Vec3& p) const {
    const double fb = world_.focal * world_.baseline;
    return (fb - floor_center_ * p.z) / (floor_slope_ * world_.focal);
  }

  void move_cameras();
  void backdrop();
  void hangings();
  void furniture();
  void plant();
  void fence();
  void rods();

  Random random_;
  Palette palette_;
  double width_;
  double height_;
  double min_ = 0, max_ = 0, low_ = 0, high_ = 0;
  double side_ = 1;  ///< -1: the room is mirrored.
  double unit_ = 1;  ///< The picture's shorter side, px.
  double floor_center_ = 0, floor_slope_ = 0;
  Vec3 light_;
  World world_;
};

void Room::move_cameras() {
  const double px = 1 / world_.focal * 0.15915;  // turns per pixel
  Motion& m = world_.camera_motion;
  m.rate = {1.0 / 60, 1.0 / 45, 1.0 / 80};
  // Sideways by 6 % of the baseline per frame: near things move by 6 % of their disparity.
  m.travel = {0.57 * world_.baseline * random_.real(0.7, 1.1), 0.12 * world_.baseline,
              0.02 * nearest_depth * (max_ - min_) / max_};
  m.axis = unit({0.25, 0.9, 0.35});
  m.swing_rate = 1.0 / 70;
  // Turning changes the depth of what is off the axis: not by more than the margins hold.
  m.swing = std::min(9 * width_ / 640 * px * random_.real(0.7, 1.0), 0.004 * (max_ - min_) / max_);
}

void Room::backdrop() {
  const double span = high_ - low_;
  // The far wall leans a little.
  const double lean_x = random_.real(-0.026, 0.026) * span / (width_ + 3 * max_);
  const double lean_y = random_.real(-0.02, 0.02) * span / height_;
  Object wall = plane_of_disparity(world_, disparity(0.03), lean_x, lean_y);
  wall.material = palette_.rich(metres(0.16 * unit_, 0.03), 0.86);
  wall.light = transposed(wall.pose.turn) * light_;
  world_.objects.push_back(wall);

  const double horizon = jitter(0.07, 0.03);
  const double bottom = jitter(0.58, 0.04);
  const double rows = (0.5 - horizon) * height_;
  floor_slope_ = std::min((disparity(bottom) - low_) / rows, gentle_slope(rows + 0.25 * max_));
  floor_center_ = low_ - floor_slope_ * horizon * height_;
  Object floor = plane_of_disparity(world_, floor_center_, 0, floor_slope_);
  floor.material = palette_.ground(metres(0.11 * unit_, 0.35));
  floor.light = transposed(floor.pose.turn) * light_;
  world_.objects.push_back(floor);

  const double edge = disparity(jitter(0.36, 0.04));
  const double reach = jitter(0.27, 0.03) * width_;
  const double slope = std::min((edge - low_) / reach, gentle_slope(reach + 1.7 * max_));
  Object side = plane_of_disparity(world_, low_ - slope * (0.5 * width_ - reach), -side_ * slope, 0);
  side.material = palette_.masonry(metres(0.12 * unit_, 0.15), metres(0.05 * unit_, 0.15), metres(0.05 * unit_, 0.15));
  side.light = transposed(side.pose.turn) * light_;
  world_.objects.push_back(side);
}

/// Panels on and before the far wall: a wavy curtain, checks, stripes, an untextured board, a slanted table.
void Room::hangings() {
  const double curtain = jitter(0.15, 0.03);
  const Shape wave{Form::wave,
                   {metres(0.2 * width_, curtain), metres(0.42 * height_, curtain),
                    fitting(metres(0.035 * unit_, curtain), curtain)},
                   metres(0.13 * unit_, curtain)};
  add({wave,
       {at({jitter(0.34, 0.02), -0.13, curtain}), turned({-0.02, 0, 0.004})},
       palette_.rich(metres(0.1 * unit_, curtain), 0.84)});

  const double checks = jitter(0.1, 0.02);
  add({{Form::panel, {metres(0.13 * width_, checks), metres(0.14 * height_, checks), 0}, 1},
       {at({jitter(-0.03, 0.03), jitter(-0.33, 0.02), checks}), turned({0.05, 0.01, 0.01})},
       palette_.checker(metres(0.027 * unit_, checks))});

  const double bars = jitter(0.13, 0.02);
  add({{Form::panel, {metres(0.055 * width_, bars), metres(0.1 * height_, bars), 0}, 1},
       {at({jitter(-0.01, 0.02), jitter(-0.07, 0.02), bars}), turned({-0.03, 0, 0})},
       palette_.stripes(metres(0.018 * unit_, bars))});

  const double board = jitter(0.2, 0.03);
  const Vec3 half{metres(0.095 * width_, board), metres(0.13 * height_, board), 0};
  add({{Form::panel, half, 1},
       {at({jitter(-0.2, 0.02), jitter(-0.1, 0.02), board}), turned({0.04, -0.02, -0.01})},
       palette_.board(half.x * 0.8, half.y * 0.8, metres(0.03 * unit_, board))});

  const double table = jitter(0.36, 0.03);
  add({{Form::panel, {metres(0.14 * width_, table), fitting(metres(0.16 * unit_, table), table), 0}, 1},
       {at({jitter(0.02, 0.02), jitter(0.09, 0.02), table}), turned({0.015, 0.16, 0.03})},
       palette_.wood(metres(0.035 * unit_, table), metres(0.1 * unit_, table))});
}

/// Things that stand on the floor, and one that floats before everything.
void Room::furniture() {
  const double column = jitter(0.27, 0.03);
  Vec3 foot = at({jitter(0.13, 0.02), 0, column});
  const double half = 0.5 * (floor_below(foot) + metres(0.8 * height_, column));
  foot.y = floor_below(foot) - half;
  const double column_radius = fitting(metres(0.042 * unit_, column), column);
  add({{Form::cylinder, {column_radius, half, 0}, 1},
       {foot, Mat3{}},
       palette_.wood(metres(0.03 * unit_, column), metres(0.06 * unit_, column))});

  const double crate = jitter(0.4, 0.03);
  const double edge = fitting(metres(0.085 * unit_, crate), crate);
  Vec3 place = at({jitter(-0.28, 0.03), 0, crate});
  place.y = floor_below(place) - 0.8 * edge;
  Object& box = add({{Form::box, {edge, 0.8 * edge, 0.9 * edge}, 1},
                     {place, turned({jitter(0.09, 0.03), 0, 0})},
                     palette_.rich(0.9 * edge, 0.86)});
  box.motion.rate = {1.0 / 50, 0, 0};
  box.motion.travel = {amplitude(1.5, crate, 1.0 / 50), 0, 0};

  const double ball = jitter(0.5, 0.03);
  const double radius = fitting(metres(0.115 * unit_, ball), ball);
  place = at({jitter(-0.08, 0.04), 0, ball});
  place.y = floor_below(place) - radius;
  Object& rolling = add({{Form::ball, {radius, radius, radius}, 1}, {place, Mat3{}}, palette_.vivid(0.8 * radius)});
  rolling.motion.rate = {1.0 / 64, 0, 0};
  rolling.motion.travel = {-amplitude(2.5, ball, 1.0 / 64), 0, 0};
  rolling.motion.axis = {0, 0, 1};
  rolling.motion.swing = rolling.motion.travel.x / (6.2832 * radius);  // it rolls
  rolling.motion.swing_rate = 1.0 / 64;

  const double egg = jitter(0.2, 0.05);
  const double size = fitting(metres(0.07 * unit_, egg), egg);
  Object& floating = add({{Form::ball, {size, 0.7 * size, 0.8 * size}, 1},
                          {at({jitter(0.36, 0.05), jitter(0.07, 0.03), egg}), turned({0, 0, 0.06})},
                          palette_.vivid(0.8 * size)});
  floating.motion.axis = {0, 1, 0};
  floating.motion.spin = 0.004;
  floating.shape.size = {size, 0.7 * size, size};  // round about the axis that it spins about

  const double near = 0.86;
  const double near_radius = fitting(metres(0.1 * unit_, near), near);
  Object& close = add({{Form::ball, {near_radius, near_radius, near_radius}, 1},
                       {at({jitter(-0.4, 0.03), jitter(0.34, 0.03), near}), random_frame(random_)},
                       palette_.vivid(0.5 * near_radius)});
  close.motion.rate = {1.0 / 40, 1.0 / 52, 1.0 / 70};
  close.motion.travel = {amplitude(1.0, near, 1.0 / 40), amplitude(0.8, near, 1.0 / 52), 0.1 * near_radius};
  close.motion.axis = random_.direction();
  close.motion.spin = 0.003;
}

/// Leaves at many depths on thin stems.
void Room::plant() {
  constexpr int stems = 4;
  constexpr int leaves = 9;
  for (int s = 0; s < stems; ++s) {
    const double share = jitter(0.56, 0.08);
    const double reach = metres(0.3 * unit_, share);
    Vec3 root = at({jitter(0.33, 0.04), 0, share});
    root.y = floor_below(root);
    const double lean = random_.real(-0.05, 0.05);
    const Mat3 turn = turned({0, 0, lean});
    const Vec3 middle = root - turn.y * (0.5 * reach);
    Object& stem = add({{Form::rod, {metres(0.004 * unit_, share), 0.5 * reach, 0}, 1},
                        {middle, turn},
                        palette_.thin(metres(0.03 * unit_, share))});
    stem.motion.rate = {1.0 / 34, 0, 0};
    stem.motion.travel = {amplitude(0.4, share, 1.0 / 34), 0, 0};
    const Motion sway = stem.motion;
    for (int l = 0; l < leaves; ++l) {
      const double size = fitting(metres(random_.real(0.018, 0.042) * unit_, share), share);
      const Vec3 off = random_.direction() * (1.1 * size);
      const Vec3 place = root - turn.y * (reach * (0.25 + 0.75 * l / leaves)) + Vec3{off.x, off.y, 0.4 * off.z};
      const Mat3 facing = turned({random_.real(-0.17, 0.17), random_.real(-0.17, 0.17), random_.real(-0.5, 0.5)});
      Object& leaf = add({{Form::disc, {size, 0.5 * size, 0}, 1}, {place, facing}, palette_.leaf(0.8 * size)});
      leaf.motion = sway;
    }
  }
}

/// A grid of rods.
void Room::fence() {
  const double share = jitter(0.66, 0.03);
  const double spacing = metres(0.052 * unit_, share);
  const double radius = metres(0.0032 * unit_, share);
  const Vec3 middle = at({jitter(-0.18, 0.04), jitter(0.27, 0.02), share});
  const double depth_of_range = depth(share) - depth(1);
  const double yaw = std::min(0.02, 0.02 * depth_of_range / spacing);  // its near end stays in the range too
  const Mat3 turn = turned({yaw, 0, jitter(0, 0.01)});
  const Mat3 lying = turn * rotation({0, 0, 1}, 0.25);
  const Material paint = palette_.thin(metres(0.04 * unit_, share));
  constexpr int uprights = 7;
  constexpr int rails = 4;
  for (int i = 0; i < uprights; ++i)
    add({{Form::rod, {radius, 0.5 * spacing * rails, 0}, 1},
         {middle + turn.x * (spacing * (i - 0.5 * (uprights - 1))), turn},
         paint});
  for (int i = 0; i < rails; ++i)
    add({{Form::rod, {radius, 0.5 * spacing * uprights, 0}, 1},
         {middle + turn.y * (spacing * (i - 0.5 * (rails - 1))), lying},
         paint});
}

/// Loose thin rods at many depths.
void Room::rods() {
  constexpr int count = 6;
  for (int i = 0; i < count; ++i) {
    const double share = 0.25 + 0.55 * (i + random_.real(0, 1)) / count;
    const double radius = metres(random_.real(0.002, 0.0065) * unit_, share);
    const double half = metres(random_.real(0.15, 0.4) * unit_, share);
    const double lean = i == 0 ? 0.25 : random_.real(-0.12, 0.12);  // the first lies level
    const Vec3 place = at({random_.real(-0.42, 0.45), random_.real(-0.4, 0.1), share});
    Object& rod = add(
        {{Form::rod, {radius, half, 0}, 1}, {place, turned({0, 0, lean})}, palette_.thin(metres(0.05 * unit_, share))});
    rod.motion.axis = {0, 0, 1};
    rod.motion.swing = random_.real(-0.02, 0.02);
    rod.motion.swing_rate = 1.0 / 55;
  }
}

}  // namespace

World furnish(const SceneOptions& options) { return Room(options).furnish(); }

Object plane_of_disparity(const World& world, double at_center, double slope_x, double slope_y) {
  // d = c + a u + b v with d = f B / Z, u = f X / Z, v = f Y / Z is the plane f B = a f X + b f Y + c Z.
  const Vec3 normal{slope_x * world.focal, slope_y * world.focal, at_center};
  const double square = dot(normal, normal);
  Object plane;
  plane.shape.form = Form::plane;
  plane.pose.place = normal * (world.focal * world.baseline / square);
  plane.pose.turn = frame_of(unit(normal));
  return plane;
}

}  // namespace vergence::synth
