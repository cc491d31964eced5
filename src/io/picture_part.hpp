// SPDX-License-Identifier: Apache-2.0
// A part of a picture, as of a frame that holds both views.
#pragma once

#include "vergence/io.hpp"

namespace vergence::io {

/// A copy of `part`, which lies inside the picture.
GreyPicture part_of(const GreyPicture& whole, const Rect& part);

}  // namespace vergence::io
