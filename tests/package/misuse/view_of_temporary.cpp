// SPDX-License-Identifier: Apache-2.0
// Misuse: a view of a temporary picture would dangle.
// message: deleted
#include <vergence/image.hpp>

#include <cstdint>

vergence::Image<std::uint8_t> make();
void use() {
#ifdef MISUSE
  const vergence::ImageView<const std::uint8_t> view = make();
#else
  const vergence::Image<std::uint8_t> picture = make();
  const vergence::ImageView<const std::uint8_t> view = picture;
#endif
  static_cast<void>(view);
}
