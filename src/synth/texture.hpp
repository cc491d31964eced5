// SPDX-License-Identifier: Apache-2.0
// Procedural textures, fixed to a surface's own coordinates: value noise over octaves and regular patterns, both cut
// off where a pixel could no longer sample them.
#pragma once

#include <cstdint>

#include "synth/arithmetic.hpp"
#include "synth/scene.hpp"

namespace vergence::synth {

/// Red, green, blue in 0..255.
using Color = Vec3;

enum class Pattern {
  grain,    ///< Noise between two colours, tinted by its coarse part with a third.
  blotch,   ///< The same noise, hardened into islands.
  rings,    ///< Bands that the noise bends, as in wood or marble.
  bricks,   ///< Courses of bricks of differing tone, on the surface's x and y.
  checker,  ///< Two colours, exactly repeating, on x and y.
  stripes,  ///< Two colours, exactly repeating, on x.
  flat,     ///< One colour.
  framed,   ///< One colour inside a frame of grain; `cell` and `cell_y` are the half sizes of the inside.
};

struct Material {
  Pattern pattern = Pattern::grain;
  Region region = Region::textured;
  std::uint64_t seed = 0;
  Color a{60, 60, 60};
  Color b{200, 200, 200};
  Color c{128, 128, 128};
  double scale = 1;        ///< Lattice spacing of the coarsest octave, in world units.
  double roughness = 0.7;  ///< Amplitude of an octave relative to the one before it, 0..1.
  double contrast = 2;     ///< Of the noise, before it is squeezed into 0..1.
  double cell = 1;         ///< Size of a check, stripe or brick; distance of rings.
  double cell_y = 1;
  Mat3 turn;  ///< Turns the noise lattice away from the surface's axes.
};

struct Shade {
  Color color;
  Region region = Region::textured;
};

/// The material at a point of the object's own coordinates; `footprint` is the size that a pixel covers there.
Shade shade(const Material& material, const Vec3& point, double footprint);

}  // namespace vergence::synth
