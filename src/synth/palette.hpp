// SPDX-License-Identifier: Apache-2.0
// Random materials of given kinds for the room. Lengths are in metres.
#pragma once

#include "synth/arithmetic.hpp"
#include "synth/texture.hpp"

namespace vergence::synth {

/// A random rotation.
Mat3 random_frame(Random& random);

class Palette {
 public:
  explicit Palette(Random& random) : random_(&random) {}

  Material rich(double scale, double roughness);
  Material ground(double scale);
  Material vivid(double scale);
  Material wood(double ring, double scale);
  Material masonry(double brick_width, double brick_height, double scale);
  Material leaf(double scale);
  Material thin(double scale);
  Material checker(double cell);
  Material stripes(double cell);
  /// Untextured inside the half sizes, a textured frame around it.
  Material board(double half_x, double half_y, double scale);

 private:
  Material base(Pattern pattern, double scale, double roughness, double contrast);
  Color color(double low, double high, double saturation);

  Random* random_;
};

}  // namespace vergence::synth
