// SPDX-License-Identifier: Apache-2.0
// Rows that hold the smaller planes of 4:2:0: below the picture, where a buffer was read as a grey picture, or
// anywhere.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

using ChromaPicture = ImageView<const std::uint8_t>;

constexpr Size least_chroma{64, 48};

enum class RowKind { unclear, luma, planes, in_turn };

RowKind kind_of(ChromaPicture picture, int y) {
  const int half = picture.width() / 2;
  const std::uint8_t *const row = picture.row(y), *const next = picture.row(y + 1);
  int halves = 0, rows = 0, one = 0, two = 0;
  for (int x = 0; x < half; ++x) {
    halves += std::abs(row[x] - row[x + half]);
    rows += std::abs(row[x] - next[x]);
    one += std::abs(row[x] - row[x + 1]);
    two += std::abs(row[x] - row[x + 2]);
  }
  if (2 * one > 3 * two && one > half) return RowKind::in_turn;
  if (halves < rows && 4 * rows > half) return RowKind::planes;
  return halves > 2 * rows && halves > half ? RowKind::luma : RowKind::unclear;
}

/// The rows in which one kind outweighs luma most.
ChromaRows band_of(const std::vector<RowKind>& kinds, RowKind wanted) {
  constexpr int against = -3, least = 12, share = 25;  // rows; of all, as 1 in so many
  int sum = 0, first = 0, best = 0;
  ChromaRows band{.in_turn = wanted == RowKind::in_turn};
  for (int y = 0; y < static_cast<int>(kinds.size()); ++y) {
    const RowKind kind = kinds[static_cast<std::size_t>(y)];
    if (sum == 0) first = y;
    sum = std::max(0, sum + (kind == wanted ? 1 : kind == RowKind::luma ? against : 0));
    if (kind == wanted && sum > best) best = sum, band.first = first, band.end = y + 1;
  }
  int inside = 0, outside = 0, luma = 0;
  for (int y = 0; y < static_cast<int>(kinds.size()); ++y) {
    const bool within = y >= band.first && y < band.end;
    const RowKind kind = kinds[static_cast<std::size_t>(y)];
    (within ? inside : outside) += kind == wanted ? 1 : 0;
    luma += !within && kind == RowKind::luma ? 1 : 0;
  }
  const bool told = inside >= std::max<int>(least, static_cast<int>(kinds.size()) / share) &&
                    2 * inside >= band.end - band.first && luma >= static_cast<int>(kinds.size()) / 4 &&
                    12 * outside <= luma;
  return told ? band : ChromaRows{};
}

/// Of some rows of [first, end).
struct RowKinds {
  int luma = 0, planes = 0, in_turn = 0;
};
RowKinds kinds_of(ChromaPicture picture, int first, int end, int count) {
  RowKinds found;
  for (int i = 0; i < count; ++i) {
    const RowKind kind = kind_of(picture, first + (end - first - 1) * (2 * i + 1) / (2 * count));
    found.luma += kind == RowKind::luma ? 1 : 0;
    found.planes += kind == RowKind::planes ? 1 : 0;
    found.in_turn += kind == RowKind::in_turn ? 1 : 0;
  }
  return found;
}

}  // namespace

VERGENCE_FOR_AVX2 ChromaRows inspect_chroma_below(ImageView<const std::uint8_t> picture) {
  constexpr int count = 24, least = 12, least_luma = 8;
  const int width = picture.width(), height = picture.height(), luma_rows = 2 * height / 3;
  if (width < least_chroma.width || height < least_chroma.height || height % 3 != 0 || width % 2 != 0) return {};
  const RowKinds below = kinds_of(picture, luma_rows, height, count);
  if (std::max(below.planes, below.in_turn) < least) return {};
  const RowKinds above = kinds_of(picture, 0, luma_rows, count);
  if (below.in_turn >= least && above.in_turn <= 1) return {luma_rows, height, true};
  const bool are_planes = below.planes >= least && above.planes <= 1 && above.luma >= least_luma;
  return are_planes ? ChromaRows{luma_rows, height, false} : ChromaRows{};
}

ChromaRows inspect_chroma_rows(ImageView<const std::uint8_t> picture) {
  if (picture.width() < least_chroma.width || picture.height() < least_chroma.height) return {};
  if (const ChromaRows below = inspect_chroma_below(picture); below.end > 0) return below;
  std::vector<RowKind> kinds;
  for (int y = 0; y + 1 < picture.height(); ++y) kinds.push_back(kind_of(picture, y));
  const ChromaRows planes = band_of(kinds, RowKind::planes);
  return planes.end > 0 ? planes : band_of(kinds, RowKind::in_turn);
}

}  // namespace vergence
