// SPDX-License-Identifier: Apache-2.0
// Misuse: a picture is not copied by accident.
// message: deleted
#include <vergence/image.hpp>

#include <cstdint>
#include <utility>

void use(vergence::Image<std::uint8_t>& picture) {
#ifdef MISUSE
  const vergence::Image<std::uint8_t> copy = picture;
#else
  const vergence::Image<std::uint8_t> copy = picture.clone();
#endif
  static_cast<void>(copy);
}
