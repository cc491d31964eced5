// SPDX-License-Identifier: Apache-2.0
// Value noise over octaves and the patterns that are made of it.
#include "synth/texture.hpp"

#include <algorithm>

namespace vergence::synth {
namespace {

// Octaves whose lattice is finer than `vanish` pixels are left out, those coarser than `full` count whole.
constexpr double vanish = 1.4;
constexpr double full = 2.8;
constexpr int most_octaves = 20;

double clamp01(double v) { return std::clamp(v, 0.0, 1.0); }
double smooth(double t) { return t * t * (3.0 - 2.0 * t); }
Color mix(const Color& a, const Color& b, double t) { return a + (b - a) * t; }
/// Squeezes any real number into 0..1, 0 to 0.5.
double squeezed(double v) { return 0.5 + 0.5 * v / std::sqrt(1.0 + v * v); }

/// The lattice's value at a node, -1..1.
double node(std::uint64_t h) {
  return static_cast<double>(static_cast<std::int64_t>(mixed(h) >> 32) - 0x80000000LL) * (1.0 / 2147483648.0);
}

/// Value noise: random numbers at integer points, joined smoothly. -1..1.
double value_noise(const Vec3& p, std::uint64_t seed) {
  constexpr std::uint64_t step_x = 0x8CB92BA72F3D8DD7u;
  constexpr std::uint64_t step_y = 0xF7C2EBC08F67F2B5u;
  constexpr std::uint64_t step_z = 0xB5AD4ECEDA1CE2A9u;
  const double fx = std::floor(p.x);
  const double fy = std::floor(p.y);
  const double fz = std::floor(p.z);
  const double u = smooth(p.x - fx);
  const double v = smooth(p.y - fy);
  const double w = smooth(p.z - fz);
  const std::uint64_t h = static_cast<std::uint64_t>(static_cast<std::int64_t>(fx)) * step_x +
                          static_cast<std::uint64_t>(static_cast<std::int64_t>(fy)) * step_y +
                          static_cast<std::uint64_t>(static_cast<std::int64_t>(fz)) * step_z + seed;
  const auto edge = [u](std::uint64_t at) {
    const double near = node(at);
    return near + (node(at + step_x) - near) * u;
  };
  const auto face = [&](std::uint64_t at) {
    const double near = edge(at);
    return near + (edge(at + step_y) - near) * v;
  };
  const double near = face(h);
  return near + (face(h + step_z) - near) * w;
}

struct Noise {
  double all = 0;     ///< Every octave.
  double coarse = 0;  ///< The first two.
};

Noise noise(const Material& m, const Vec3& point, double footprint) {
  const Vec3 p = m.turn * point;
  double sum = 0;
  double coarse = 0;
  double spacing = m.scale;
  // Normalised as if the octaves went on for ever, so that a closer look adds detail and changes nothing else.
  double amplitude = std::sqrt(1.0 - m.roughness * m.roughness);
  for (int k = 0; k < most_octaves; ++k) {
    const double ratio = spacing / footprint;
    if (ratio <= vanish) break;
    const double weight = smooth(clamp01((ratio - vanish) / (full - vanish)));
    const double offset = 0.37 + 11.3 * k;  // no point is a node of all octaves
    const double inverse = 1.0 / spacing;
    const Vec3 q{p.x * inverse + offset, p.y * inverse - offset, p.z * inverse + 0.5 * offset};
    sum += amplitude * weight * value_noise(q, m.seed + static_cast<std::uint64_t>(k) * 0x632BE59BD9B4E019u);
    if (k == 1) coarse = sum;
    spacing *= 0.5;
    amplitude *= m.roughness;
  }
  return {sum, coarse};
}

/// A square wave of period 2 with values -1, 1, whose edges are `width` wide; fades out where they meet.
double square(double t, double width) {
  const double phase = t - 2.0 * std::floor(t * 0.5);                           // 0 .. 2
  const double triangle = phase < 1.0 ? 2.0 * phase - 1.0 : 3.0 - 2.0 * phase;  // -1 at 0, 1 at 1
  const double slope = 1.0 / std::max(width, 1e-9);
  return std::clamp(triangle * slope, -1.0, 1.0) * std::min(1.0, slope);
}

Color grain(const Material& m, const Noise& n) {
  // Fine detail counts double, so that no island is without it.
  const Color base = mix(m.a, m.b, squeezed(m.contrast * (n.all + 0.6 * (n.all - 1.6 * n.coarse))));
  return mix(base, m.c, 0.6 * squeezed(3.0 * m.contrast * n.coarse));
}

Color bricks(const Material& m, const Vec3& p, double footprint, const Noise& n) {
  const double row = std::floor(p.y / m.cell_y);
  const double shift = row - 2.0 * std::floor(row * 0.5) > 0.5 ? 0.5 : 0.0;
  const double across = p.x / m.cell + shift;
  const double column = std::floor(across);
  const double to_side = (0.5 - std::abs(across - column - 0.5)) * m.cell;
  const double to_edge = (0.5 - std::abs(p.y / m.cell_y - row - 0.5)) * m.cell_y;
  const double joint = 0.035 * m.cell;
  const double inside = smooth(clamp01((std::min(to_side, to_edge) - joint) / footprint + 0.5));
  const double tone = node(m.seed + static_cast<std::uint64_t>(static_cast<std::int64_t>(row)) * 0xA0761D6478BD642Fu +
                           static_cast<std::uint64_t>(static_cast<std::int64_t>(column)) * 0xE7037ED1A0B428DBu);
  const Color brick = mix(m.a, m.b, squeezed(0.9 * tone + m.contrast * n.all));
  return mix(m.c * (1.0 + 0.35 * n.all), brick, inside);
}

}  // namespace

Shade shade(const Material& m, const Vec3& p, double footprint) {
  switch (m.pattern) {
    case Pattern::grain:
      break;
    case Pattern::blotch: {
      const Noise n = noise(m, p, footprint);
      const double island = smooth(clamp01(0.5 + 1.5 * m.contrast * n.coarse + 0.5 * m.contrast * n.all));
      const double detail = 0.5 + squeezed(2.0 * m.contrast * (n.all - n.coarse));
      return {mix(m.a, m.b, island) * detail, m.region};
    }
    case Pattern::rings: {
      const Noise n = noise(m, p, footprint);
      const Vec3 q = m.turn * p;
      const double fade = clamp01(m.cell / footprint * 0.2 - 0.6);
      const double band = sine(q.x / m.cell + 1.3 * n.coarse) * fade;
      return {mix(m.a, m.b, squeezed(1.2 * band + m.contrast * n.all)), m.region};
    }
    case Pattern::bricks:
      return {bricks(m, p, footprint, noise(m, p, footprint)), m.region};
    case Pattern::checker: {
      const double checks = square(p.x / m.cell, footprint / m.cell) * square(p.y / m.cell_y, footprint / m.cell_y);
      return {mix(m.a, m.b, 0.5 + 0.5 * checks), m.region};
    }
    case Pattern::stripes:
      return {mix(m.a, m.b, 0.5 + 0.5 * square(p.x / m.cell, footprint / m.cell)), m.region};
    case Pattern::flat:
      return {m.a, m.region};
    case Pattern::framed:
      if (std::abs(p.x) < m.cell && std::abs(p.y) < m.cell_y) return {m.c, Region::flat};
      return {mix(m.a, m.b, squeezed(m.contrast * noise(m, p, footprint).all)), m.region};
  }
  return {grain(m, noise(m, p, footprint)), m.region};
}

}  // namespace vergence::synth
