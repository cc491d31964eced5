// SPDX-License-Identifier: Apache-2.0
// Frames that lie beside the one before as a whole, and whose end comes in again at the other edge: without vertical or
// horizontal hold, or where a part of raw video was lost. What came in tells them from a camera that moved.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "inspect/edges.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using RolledView = ImageView<const std::uint8_t>;

constexpr Size least_rolled{64, 48};
constexpr int bins = 8, lines_of_bin = 8;
constexpr int least_roll = 4;  // px: less shows too little at the other edge
// Mean differences of frames, in grey levels, and in percent: how far both frames are apart where they stand, what is
// left of that, and of what unrelated places differ, once one is moved round; and of what came in at the other edge.
constexpr int least_apart = 3, most_left = 60, most_of_unrelated = 45, most_came_in = 50, least_unlike = 6;

/// Means of eight lines at eight places, along the other axis: columns of rows, or rows of columns.
class Profile {
 public:
  Profile(RolledView frame, bool along_rows)
      : length_(static_cast<std::size_t>(along_rows ? frame.width() : frame.height())), means_(bins * length_) {
    const int across = along_rows ? frame.height() : frame.width();
    for (int bin = 0; bin < bins; ++bin) {
      std::uint8_t* const means = means_.data() + static_cast<std::size_t>(bin) * length_;
      const int first = (across - lines_of_bin) * (2 * bin + 1) / (2 * bins);
      if (along_rows)
        add_rows(frame, first, means);
      else
        for (int y = 0; y < frame.height(); ++y) {
          int sum = 0;
          for (int x = first; x < first + lines_of_bin; ++x) sum += frame.row(y)[x];
          means[y] = static_cast<std::uint8_t>(sum / lines_of_bin);
        }
    }
  }
  int length() const { return static_cast<int>(length_); }

  /// The sum of what this one differs, in [from, to), from `before` moved round by `shift`.
  std::int64_t difference(const Profile& before, int shift, int from, int to) const {
    std::int64_t sum = 0;
    const int turn = std::clamp(shift, from, to);  // what lies before it came in
    for (int bin = 0; bin < bins; ++bin) {
      const std::uint8_t* const now = means_.data() + static_cast<std::size_t>(bin) * length_;
      const std::uint8_t* const then = before.means_.data() + static_cast<std::size_t>(bin) * length_;
      sum += apart(now + from, then + from + length() - shift, turn - from);
      if (turn < to) sum += apart(now + turn, then + turn - shift, to - turn);
    }
    return sum;
  }

 private:
  void add_rows(RolledView frame, int first, std::uint8_t* means) const {
    std::vector<std::uint16_t> sums(length_, 0);
    for (int y = first; y < first + lines_of_bin; ++y) {
      const std::uint8_t* const row = frame.row(y);
      for (std::size_t x = 0; x < length_; ++x) sums[x] = static_cast<std::uint16_t>(sums[x] + row[x]);
    }
    for (std::size_t x = 0; x < length_; ++x) means[x] = static_cast<std::uint8_t>(sums[x] / lines_of_bin);
  }
  /// Compilers make SIMD of it.
  static int apart(const std::uint8_t* a, const std::uint8_t* b, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += std::abs(a[i] - b[i]);
    return sum;
  }

  std::size_t length_;
  std::vector<std::uint8_t> means_;
};

int roll_of(RolledView before, RolledView now, bool along_rows) {
  const auto pixel = [&](int line, int place) -> int { return along_rows ? now(place, line) : now(line, place); };
  const int lines = along_rows ? now.height() : now.width(), last = (along_rows ? now.width() : now.height()) - 1;
  if (!inspect::edges_may_meet(lines, last, 1, pixel)) return 0;
  const Profile then(before, along_rows), here(now, along_rows);
  const int length = here.length();
  const auto all = [&](int shift) { return here.difference(then, shift, 0, length); };
  const std::int64_t level = std::int64_t{bins} * length;
  std::int64_t own = all(0);
  for (int shift = 1; shift < least_roll; ++shift) own = std::min({own, all(shift), all(length - shift)});
  if (own < least_apart * level) return 0;
  int best = 0;
  std::int64_t least = own, sum = 0;
  for (int shift = least_roll; shift <= length - least_roll; ++shift) {
    const std::int64_t here_apart = all(shift);
    sum += here_apart;
    if (here_apart < least) least = here_apart, best = shift;
  }
  const std::int64_t unrelated = sum / (length - 2 * least_roll + 1);
  if (best == 0 || 100 * least > most_left * own || 100 * least > most_of_unrelated * unrelated) return 0;
  // What came in at the left or top edge, or at the other one, beside what lies elsewhere.
  const bool forwards = 2 * best <= length;
  const int from = forwards ? 0 : best, to = forwards ? best : length;
  const std::int64_t came_in = here.difference(then, best, from, to);
  constexpr int places = 32;
  std::vector<std::int64_t> others;
  for (int i = 0; i < places; ++i) others.push_back(here.difference(then, length * i / places, from, to));
  std::nth_element(others.begin(), others.begin() + places / 2, others.end());
  const std::int64_t unlike = others[places / 2];
  if (unlike < std::int64_t{least_unlike} * bins * (to - from) || 100 * came_in > most_came_in * unlike) return 0;
  return forwards ? best : best - length;
}

RolledFrame find_roll(RolledView before, RolledView now) {
  if (before.size() != now.size() || now.width() < 1 || now.height() < 1)
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  if (now.width() < least_rolled.width || now.height() < least_rolled.height) return {};
  return {.right = roll_of(before, now, true), .down = roll_of(before, now, false)};
}

}  // namespace

RolledFrame inspect_rolled(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  return find_roll(before, now);
}

}  // namespace vergence
