// SPDX-License-Identifier: Apache-2.0
// Which bits of which coefficients the scans of a progressive JPEG give. Names as in ITU-T T.81.
#include "io/jpeg_scans.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vergence::io {

void JpegScans::begin(std::span<const std::uint8_t> frame) {
  if (frame.size() < 6) return;
  const std::size_t components = frame[5];
  for (std::size_t i = 0; i < components && 6 + 3 * i < frame.size(); ++i) lowest_[frame[6 + 3 * i]].fill(none);
}

void JpegScans::add(std::span<const std::uint8_t> scan) {
  if (lowest_.empty() || scan.empty()) return;
  const std::size_t components = scan[0], behind = 1 + 2 * components;
  if (behind + 3 > scan.size()) return;
  const int first = scan[behind], last = std::min<int>(scan[behind + 1], 63), low = scan[behind + 2] & 15;
  for (std::size_t i = 0; i < components; ++i)
    if (const auto found = lowest_.find(scan[1 + 2 * i]); found != lowest_.end())
      for (int k = first; k <= last; ++k) found->second[static_cast<std::size_t>(k)] = low;
}

void JpegTables::define(std::span<const std::uint8_t> tables) {
  while (!tables.empty()) {
    const std::size_t bytes = 1 + (tables[0] >> 4 == 0 ? 64 : 128);
    if (bytes > tables.size()) return;
    defined_[tables[0] & 15] = true;
    tables = tables.subspan(bytes);
  }
}

void JpegTables::use(std::span<const std::uint8_t> frame) {
  if (frame.size() < 6) return;
  const std::size_t components = frame[5];
  for (std::size_t i = 0; i < components && 8 + 3 * i < frame.size(); ++i) used_.push_back(frame[8 + 3 * i] & 15);
}

std::string JpegTables::problem() const {
  for (const std::uint8_t table : used_)
    if (!defined_[table]) return fmt::format("its table of quantisation {} is missing", table);
  return "";
}

std::string JpegScans::problem() const {
  int lacking = 0;
  for (const auto& [component, lowest] : lowest_)
    lacking += static_cast<int>(std::count_if(lowest.begin(), lowest.end(), [](int bit) { return bit != 0; }));
  if (lacking == 0) return "";
  return fmt::format("scans are missing: {} of {} coefficients lack bits", lacking, 64 * lowest_.size());
}

}  // namespace vergence::io
