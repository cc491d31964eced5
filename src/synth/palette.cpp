// SPDX-License-Identifier: Apache-2.0
// Random materials of given kinds: colours, contrasts and scales drawn from the seed.
#include "synth/palette.hpp"

#include <algorithm>

namespace vergence::synth {

Mat3 random_frame(Random& random) {
  const Mat3 frame = frame_of(random.direction());  // apart: which operand comes first is the compiler's choice
  return frame * rotation({0, 0, 1}, random.real(0, 1));
}

/// A random hue; the brightest channel lies in [low, high], the darkest is 1 - saturation of it.
Color Palette::color(double low, double high, double saturation) {
  const double value = random_->real(low, high);
  const double hue = random_->real(0, 6);
  const auto channel = [&](double at) {
    const double distance = std::abs(hue - at - 6 * std::floor((hue - at) / 6 + 0.5));  // 0..3
    return value * (1 - saturation * std::clamp(distance - 1, 0.0, 1.0));
  };
  return {channel(0), channel(2), channel(4)};
}

Material Palette::base(Pattern pattern, double scale, double roughness, double contrast) {
  Material m;
  m.pattern = pattern;
  m.seed = random_->bits();
  m.scale = scale;
  m.roughness = roughness;
  m.contrast = contrast;
  m.turn = random_frame(*random_);
  return m;
}

Material Palette::rich(double scale, double roughness) {
  Material m = base(Pattern::grain, scale, roughness, random_->real(2.0, 3.0));
  m.a = color(20, 70, 0.5);
  m.b = color(190, 250, 0.35);
  m.c = color(90, 180, 0.6);
  return m;
}

Material Palette::ground(double scale) {
  Material m = base(Pattern::blotch, scale, 0.87, random_->real(1.8, 2.5));
  m.a = color(70, 110, 0.35);
  m.b = color(140, 190, 0.3);
  return m;
}

Material Palette::vivid(double scale) {
  const Pattern pattern = random_->below(2) == 0 ? Pattern::blotch : Pattern::grain;
  Material m = base(pattern, scale, 0.85, random_->real(2.2, 3.2));
  m.a = color(80, 150, 0.75);
  m.b = color(170, 230, 0.65);
  m.c = color(160, 240, 0.8);
  return m;
}

Material Palette::wood(double ring, double scale) {
  Material m = base(Pattern::rings, scale, 0.75, random_->real(1.2, 1.8));
  m.cell = ring;
  m.a = color(80, 110, 0.1);
  m.a = {m.a.x, m.a.x * 0.62, m.a.x * 0.35};
  m.b = {m.a.x * 2.0, m.a.y * 2.1, m.a.z * 2.2};
  return m;
}

Material Palette::masonry(double brick_width, double brick_height, double scale) {
  Material m = base(Pattern::bricks, scale, 0.88, random_->real(1.6, 2.4));
  m.cell = brick_width;
  m.cell_y = brick_height;
  m.a = color(70, 110, 0.5);
  m.b = color(160, 220, 0.45);
  m.c = color(150, 200, 0.1);
  return m;
}

Material Palette::leaf(double scale) {
  Material m = base(Pattern::grain, scale, 0.8, random_->real(1.5, 2.5));
  const double tone = random_->real(0.7, 1.3);
  m.a = {25 * tone, 60 * tone, 20 * tone};
  m.b = {130 * tone, 185 * tone, 60 * tone};
  m.c = {90 * tone, 120 * tone, 30 * tone};
  return m;
}

Material Palette::thin(double scale) {
  Material m = base(Pattern::grain, scale, 0.7, 1.2);
  m.region = Region::thin;
  const bool dark = random_->below(2) == 0;
  m.a = dark ? color(10, 40, 0.4) : color(150, 190, 0.4);
  m.b = dark ? color(60, 100, 0.4) : color(220, 255, 0.2);
  m.c = (m.a + m.b) * 0.5;
  return m;
}

Material Palette::checker(double cell) {
  Material m = base(Pattern::checker, cell, 0, 0);
  m.region = Region::repetitive;
  m.cell = cell;
  m.cell_y = cell;
  m.a = color(30, 80, 0.4);
  m.b = color(190, 240, 0.2);
  return m;
}

Material Palette::stripes(double cell) {
  Material m = checker(cell);
  m.pattern = Pattern::stripes;
  return m;
}

Material Palette::board(double half_x, double half_y, double scale) {
  Material m = base(Pattern::framed, scale, 0.75, 2.0);
  m.cell = half_x;
  m.cell_y = half_y;
  m.a = color(40, 70, 0.6);
  m.b = color(140, 190, 0.5);
  m.c = color(170, 220, 0.25);
  return m;
}

}  // namespace vergence::synth
