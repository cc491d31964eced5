// SPDX-License-Identifier: Apache-2.0
// Misuse: a matcher owns scratch memory and is not copied.
// message: deleted|no matching function
#include <vergence/stereo.hpp>

#include <utility>

void use(vergence::StereoMatcher& matcher) {
#ifdef MISUSE
  vergence::StereoMatcher copy(matcher);
#else
  vergence::StereoMatcher copy(std::move(matcher));
#endif
}
