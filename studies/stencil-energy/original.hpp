// SPDX-License-Identifier: Apache-2.0
// The stencil as a C program has it, on one core. No header of the standard library may be used here: the file is
// compiled for AVX where the processor may have it, and what headers define would be shared with files that are not.
#pragma once

namespace vergence::studies::stencil_energy {

/// A picture of rows x columns floats, `pitch` floats from row to row, with margins of zeros.
struct Plane {
  const float* in;
  float* between;
  float* out;
  int rows, columns, pitch;
};

/// Two passes, the first along rows, the second along columns; nothing is said of the pointers.
void original_blur(const Plane& plane);
void original_sobel(const Plane& plane);
/// The same with `restrict`, and the word of the programmer that iterations do not depend on each other.
void restrict_blur(const Plane& plane);
void restrict_sobel(const Plane& plane);

/// Multiplications and additions of vectors that wait for nothing but themselves: 2 x 12 x 8 x `steps` operations. The
/// result keeps them from being left out.
float host_peak(int steps);
inline constexpr double host_peak_flop = 2.0 * 12 * 8;

}  // namespace vergence::studies::stencil_energy
