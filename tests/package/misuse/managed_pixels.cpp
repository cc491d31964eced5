// SPDX-License-Identifier: Apache-2.0
// Misuse: pixels are plain bytes: a type that owns memory is refused.
// message: static.assertion failed|static_assert failed
#include <vergence/image.hpp>

#include <string>

#ifdef MISUSE
vergence::Image<std::string> pictures;
#else
vergence::Image<float> pictures;
#endif
