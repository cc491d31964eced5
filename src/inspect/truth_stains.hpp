// SPDX-License-Identifier: Apache-2.0
// Wrong numbers among right ones of a truth.
#pragma once

#include <optional>

#include "vergence/image.hpp"

namespace vergence::inspect {

/// Percent of the pixels whose four neighbours are alike within 2 px, and at which the truth stands more than 3 px
/// apart from all of them and from the map; 0 where such pixels are few. Of every `row_step`th row.
double scattered_percent(ImageView<const float> map, ImageView<const float> truth, int row_step);

/// The largest rectangle of one number in the truth, where it does not end as a surface does: the map is elsewhere at a
/// fifth of it, three times as often as around it, and does not step at its edges, where the truth does, some up and
/// some down.
std::optional<Rect> filled_part(ImageView<const float> map, ImageView<const float> truth);

}  // namespace vergence::inspect
