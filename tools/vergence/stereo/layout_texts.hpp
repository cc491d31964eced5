// SPDX-License-Identifier: Apache-2.0
// Pixels of a pair that do not lie where they belong: one line each, else "".
#pragma once

#include <optional>
#include <string>

#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// One picture, or both, show colour planes in place of pixels. `left` and `right` are their names.
std::string planes_warning(const StereoFrame& frame, const std::string& left, const std::string& right);
/// Columns or rows of one picture, or of both, stand in another order.
std::string pixel_order_warning(const StereoFrame& frame, const std::string& left, const std::string& right);
/// A part of one picture was moved along its rows.
std::string moved_columns_warning(const StereoFrame& frame, const std::string& left, const std::string& right);
/// A round lens leaves the corners of both dark; not where `roi` leaves these out.
std::string surround_warning(const StereoFrame& frame, const std::optional<Rect>& roi);
/// Every second row is the same in both, as where one picture holds the rows of both views.
std::string shared_rows_warning(const StereoFrame& frame);
/// One picture has a few grey levels, the other one has many.
std::string few_levels_warning(const StereoFrame& frame, const std::string& left, const std::string& right);
/// Both are smeared along their rows.
std::string smear_warning(const StereoFrame& frame);

}  // namespace vergence::cli
