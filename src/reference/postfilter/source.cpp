// SPDX-License-Identifier: Apache-2.0
// Reference: makes pixels invalid that show nothing, or whose match shows nothing.
#include "reference/postfilter/stages.hpp"

namespace vergence::reference {
namespace {

/// Whether column `x` of the other picture is inside it and shows nothing. What lies outside has no mask.
bool shows_nothing(const StereoPlan& plan, const Image<std::uint8_t>& mask, int x, int y) {
  return x >= 0 && x < plan.size.width && mask(x, y) == 0;
}

/// The match of disparity d (1/16 px) lies on a column or between two.
bool match_shows_nothing(const StereoPlan& plan, const Image<std::uint8_t>& mask, int x, int y, int d) {
  const int lower = d >> 4, upper = (d + 15) >> 4;
  if (plan.matches_left()) return shows_nothing(plan, mask, x - lower, y) || shows_nothing(plan, mask, x - upper, y);
  return shows_nothing(plan, mask, x + lower, y) || shows_nothing(plan, mask, x + upper, y);
}

}  // namespace

template <class T>
void source(const StereoPlan& plan, ImageView<T> disparity, SourceRule rule) {
  const PlannedMasks& masks = *plan.masks;
  const Image<std::uint8_t>& own = plan.matches_left() ? masks.left : masks.right;
  const Image<std::uint8_t>& other = plan.matches_left() ? masks.right : masks.left;
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x) {
      T& d = disparity(x, y);
      if (d == plan.invalid) continue;
      const bool looks_at_match = rule == SourceRule::pixel_and_match;
      if (own(x, y) == 0 || (looks_at_match && match_shows_nothing(plan, other, x, y, d)))
        d = static_cast<T>(plan.invalid);
    }
}

template void source(const StereoPlan&, ImageView<std::int16_t>, SourceRule);
template void source(const StereoPlan&, ImageView<std::int32_t>, SourceRule);

}  // namespace vergence::reference
