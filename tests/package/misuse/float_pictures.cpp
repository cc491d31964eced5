// SPDX-License-Identifier: Apache-2.0
// Misuse: a matcher takes 8-bit and 16-bit pictures alone.
// message: no matching (member )?function|no viable conversion|cannot convert
#include <vergence/stereo.hpp>

#include <cstdint>

#ifdef MISUSE
using Pixel = float;
#else
using Pixel = std::uint16_t;
#endif
void use(vergence::StereoMatcher& matcher, const vergence::Image<Pixel>& picture,
         vergence::Image<std::int16_t>& disparity) {
  matcher.compute({picture, picture}, {.disparity = disparity});
}
