// SPDX-License-Identifier: Apache-2.0
// Where a ray first meets each form: closed formulas, and safeguarded Newton steps for the wavy surface.
#include "synth/shape.hpp"

#include <algorithm>
#include <utility>

namespace vergence::synth {
namespace {

bool between(double t, double from, double to) { return t > from && t < to; }

bool meet_flat(const Shape& shape, const Ray& ray, double from, double to, Contact& contact) {
  if (ray.direction.z == 0) return false;
  const double t = -ray.origin.z / ray.direction.z;
  if (!between(t, from, to)) return false;
  if (shape.form != Form::plane) {
    const double x = (ray.origin.x + t * ray.direction.x) / shape.size.x;
    const double y = (ray.origin.y + t * ray.direction.y) / shape.size.y;
    if (shape.form == Form::disc ? x * x + y * y > 1 : std::abs(x) > 1 || std::abs(y) > 1) return false;
  }
  contact = {t, {0, 0, 1}};
  return true;
}

/// The two solutions of a t^2 + 2 b t + c = 0, the smaller first; false where there is none.
bool roots(double a, double b, double c, double& first, double& second) {
  const double root = b * b - a * c;
  if (root < 0 || a == 0) return false;
  // The sum of equal signs, then the product of the roots: no digits are lost.
  const double q = b < 0 ? -b + std::sqrt(root) : -b - std::sqrt(root);
  if (q == 0) return false;
  first = q / a;
  second = c / q;
  if (first > second) std::swap(first, second);
  return true;
}

bool meet_ball(const Vec3& size, const Ray& ray, double from, double to, Contact& contact) {
  const Vec3 scale{1 / size.x, 1 / size.y, 1 / size.z};
  const Vec3 o{ray.origin.x * scale.x, ray.origin.y * scale.y, ray.origin.z * scale.z};
  const Vec3 d{ray.direction.x * scale.x, ray.direction.y * scale.y, ray.direction.z * scale.z};
  double first = 0;
  double second = 0;
  if (!roots(dot(d, d), dot(o, d), dot(o, o) - 1, first, second)) return false;
  const double t = between(first, from, to) ? first : second;
  if (!between(t, from, to)) return false;
  const Vec3 p = o + d * t;
  contact = {t, unit({p.x * scale.x, p.y * scale.y, p.z * scale.z})};
  return true;
}

/// The cylinder's side without its ends.
bool meet_side(const Vec3& size, const Ray& ray, double from, double to, Contact& contact) {
  const Vec3& o = ray.origin;
  const Vec3& d = ray.direction;
  double first = 0;
  double second = 0;
  if (!roots(d.x * d.x + d.z * d.z, o.x * d.x + o.z * d.z, o.x * o.x + o.z * o.z - size.x * size.x, first, second))
    return false;
  for (const double t : {first, second}) {
    if (!between(t, from, to) || std::abs(o.y + t * d.y) > size.y) continue;
    contact = {t, Vec3{o.x + t * d.x, 0, o.z + t * d.z} * (1 / size.x)};
    return true;
  }
  return false;
}

bool meet_cylinder(const Vec3& size, const Ray& ray, double from, double to, Contact& contact) {
  bool met = meet_side(size, ray, from, to, contact);
  if (ray.direction.y == 0) return met;
  for (const double end : {-size.y, size.y}) {
    const double t = (end - ray.origin.y) / ray.direction.y;
    const double x = ray.origin.x + t * ray.direction.x;
    const double z = ray.origin.z + t * ray.direction.z;
    if (!between(t, from, met ? contact.t : to) || x * x + z * z > size.x * size.x) continue;
    contact = {t, {0, 1, 0}};
    met = true;
  }
  return met;
}

bool meet_rod(const Vec3& size, const Ray& ray, double from, double to, Contact& contact) {
  bool met = meet_side(size, ray, from, to, contact);
  for (const double end : {-size.y, size.y}) {
    const Ray moved{{ray.origin.x, ray.origin.y - end, ray.origin.z}, ray.direction};
    Contact tip;
    if (!meet_ball({size.x, size.x, size.x}, moved, from, met ? contact.t : to, tip)) continue;
    contact = tip;
    met = true;
  }
  return met;
}

/// Cuts [from, to] to where |o + t d| <= half.
bool slab(double o, double d, double half, double& from, double& to) {
  if (d == 0) return std::abs(o) <= half;
  double a = (-half - o) / d;
  double b = (half - o) / d;
  if (a > b) std::swap(a, b);
  from = std::max(from, a);
  to = std::min(to, b);
  return from <= to;
}

bool meet_box(const Vec3& size, const Ray& ray, double from, double to, Contact& contact) {
  double enter = from;
  double leave = to;
  Vec3 normal;
  const auto cut = [&](double o, double d, double half, const Vec3& axis) {
    const double before = enter;
    if (!slab(o, d, half, enter, leave)) return false;
    if (enter > before) normal = axis;
    return true;
  };
  if (!cut(ray.origin.x, ray.direction.x, size.x, {1, 0, 0}) ||
      !cut(ray.origin.y, ray.direction.y, size.y, {0, 1, 0}) || !cut(ray.origin.z, ray.direction.z, size.z, {0, 0, 1}))
    return false;
  if (!between(enter, from, to)) return false;  // the ray starts inside: boxes are seen from outside alone
  contact = {enter, normal};
  return true;
}

// The bent surface: a wave along x and a slower, weaker one across it.
constexpr double strong = 0.7;
constexpr double weak = 0.3;
constexpr double weak_x = 0.31;
constexpr double weak_y = 0.53;
constexpr double two_pi = 6.283185307179586476925;

double height(const Shape& shape, double x, double y) {
  const double k = 1 / shape.wave_length;
  return shape.size.z * (strong * sine(x * k) + weak * sine((weak_x * x + weak_y * y) * k));
}

/// The derivatives of height by x and y, as (x, y, 0).
Vec3 slope_of(const Shape& shape, double x, double y) {
  const double k = 1 / shape.wave_length;
  const double steep = shape.size.z * two_pi * k;
  const double across = weak * cosine((weak_x * x + weak_y * y) * k);
  return {steep * (strong * cosine(x * k) + weak_x * across), steep * weak_y * across, 0};
}

/// True where the ray crosses the surface once at most, whatever the place.
bool crosses_once(const Shape& shape, const Vec3& d) {
  const double steep = shape.size.z * two_pi / shape.wave_length;
  return std::abs(d.z) > steep * ((strong + weak * weak_x) * std::abs(d.x) + weak * weak_y * std::abs(d.y));
}

/// The root of the gap between ray and surface in [low, high], where the gap's sign changes: Newton's steps where they
/// stay within the bracket, halving where they do not.
double wave_root(const Shape& shape, const Ray& ray, double low, double high, bool negative_at_low) {
  constexpr int most_steps = 60;  // halving alone would end at the last bit too
  const Vec3& o = ray.origin;
  const Vec3& d = ray.direction;
  double t = 0.5 * (low + high);
  for (int i = 0; i < most_steps; ++i) {
    const double x = o.x + t * d.x;
    const double y = o.y + t * d.y;
    const double gap = o.z + t * d.z - height(shape, x, y);
    if ((gap < 0) == negative_at_low) {
      low = t;
    } else {
      high = t;
    }
    const Vec3 slope = slope_of(shape, x, y);
    const double descent = d.z - slope.x * d.x - slope.y * d.y;
    const double step = descent != 0 ? gap / descent : high - low;
    if (std::abs(step) <= 1e-14 * std::abs(t)) return t;  // 1e-12 px of disparity at most
    const double next = t - step;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return t;
}

bool meet_wave(const Shape& shape, const Ray& ray, double from, double to, Contact& contact) {
  constexpr int folds = 24;  // parts that are searched for a change of sign, where the ray may cross more than once
  const Vec3& o = ray.origin;
  const Vec3& d = ray.direction;
  if (!slab(o.z, d.z, shape.size.z * 1.000001, from, to) || !slab(o.x, d.x, shape.size.x, from, to) ||
      !slab(o.y, d.y, shape.size.y, from, to))
    return false;
  const auto below = [&](double t) { return o.z + t * d.z < height(shape, o.x + t * d.x, o.y + t * d.y); };
  const int parts = crosses_once(shape, d) ? 1 : folds;
  const bool start = below(from);
  double low = from;
  double high = from;
  bool crossed = false;
  for (int i = 1; i <= parts && !crossed; ++i) {
    low = high;
    high = from + (to - from) * i / parts;
    crossed = below(high) != start;
  }
  if (!crossed) return false;
  const double t = wave_root(shape, ray, low, high, start);
  const Vec3 slope = slope_of(shape, o.x + t * d.x, o.y + t * d.y);
  contact = {t, unit({-slope.x, -slope.y, 1})};
  return true;
}

}  // namespace

bool meet(const Shape& shape, const Ray& ray, double from, double to, Contact& contact) {
  switch (shape.form) {
    case Form::plane:
    case Form::panel:
    case Form::disc:
      return meet_flat(shape, ray, from, to, contact);
    case Form::ball:
      return meet_ball(shape.size, ray, from, to, contact);
    case Form::cylinder:
      return meet_cylinder(shape.size, ray, from, to, contact);
    case Form::rod:
      return meet_rod(shape.size, ray, from, to, contact);
    case Form::box:
      return meet_box(shape.size, ray, from, to, contact);
    case Form::wave:
      return meet_wave(shape, ray, from, to, contact);
  }
  return false;
}

Vec3 half_extent(const Shape& shape) {
  const Vec3& s = shape.size;
  switch (shape.form) {
    case Form::plane:
    case Form::panel:
    case Form::disc:
      return {s.x, s.y, 0};
    case Form::cylinder:
      return {s.x, s.y, s.x};
    case Form::rod:
      return {s.x, s.y + s.x, s.x};
    case Form::ball:
    case Form::box:
    case Form::wave:
      break;
  }
  return s;
}

}  // namespace vergence::synth
