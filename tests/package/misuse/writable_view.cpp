// SPDX-License-Identifier: Apache-2.0
// Misuse: a read-only picture gives no writable view.
// message: no viable|conversion from|cannot convert
#include <vergence/image.hpp>

#include <cstdint>

void use(const vergence::Image<std::uint8_t>& picture) {
#ifdef MISUSE
  const vergence::ImageView<std::uint8_t> view = picture;
#else
  const vergence::ImageView<const std::uint8_t> view = picture;
#endif
  static_cast<void>(view);
}
