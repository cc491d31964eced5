// SPDX-License-Identifier: Apache-2.0
// The two frames that a motion search compares.
#pragma once

#include "vergence/image.hpp"

namespace vergence {

template <class P>
struct MotionPictures {
  ImageView<const P> current;    ///< the frame whose blocks are searched for
  ImageView<const P> reference;  ///< the frame in which they are searched for
};

}  // namespace vergence
