// SPDX-License-Identifier: Apache-2.0
// A match as one page of HTML, which needs no other file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "view/matching.hpp"
#include "view/scene.hpp"

namespace vergence::cli {

/// What is doubtful, pictures, colours of the map, error and histogram, settings, scores, hash, times and the command
/// line of the same.
std::string report_page(const ViewMaps& maps, const ViewReport& report, const ViewScene& scene,
                        std::span<const std::string> warnings);

/// `bytes` as base64 (RFC 4648, section 4).
std::string base64(std::string_view bytes);
/// `text` as it stands in HTML, in attributes too.
std::string html_text(std::string_view text);

}  // namespace vergence::cli
