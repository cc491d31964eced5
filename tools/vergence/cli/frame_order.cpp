// SPDX-License-Identifier: Apache-2.0
// The order of a dozen frames is found by the nearest neighbours, mended by turning pieces of it round.
#include "cli/frame_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "cli/repeats.hpp"
#include "vergence/inspect.hpp"

namespace vergence::cli {

/// How far frames are from each other, in 1/256 grey levels of 255.
class FrameDistances {
 public:
  /// `apart(i, j)` of so many frames.
  template <class Apart>
  FrameDistances(std::size_t count, const Apart& apart) : count_(count), values_(count * count, 0) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j) values_[i * count + j] = values_[j * count + i] = apart(i, j);
  }
  int at(std::size_t a, std::size_t b) const { return values_[a * count_ + b]; }
  std::size_t count() const { return count_; }
  int length(const std::vector<std::size_t>& order) const {
    int sum = 0;
    for (std::size_t i = 1; i < order.size(); ++i) sum += at(order[i - 1], order[i]);
    return sum;
  }

 private:
  std::size_t count_;
  std::vector<int> values_;
};

namespace {

constexpr int thinner = 2;   // of the rows that are seen, every second one is enough,
constexpr int thinnest = 6;  // and for the order, which compares each frame with eleven, every sixth one

// --- order ---

constexpr std::size_t window = 12, enough_frames = 8;
constexpr std::int64_t all_windows = 100, frames_between = 100;
// The likely order: its length beside that of the given one, and its steps beside their median, all in percent. Frames
// of photographs that moved, of four clips and of cameras that walk, sway and vibrate have none such in some 300
// dozens; frames that were exchanged, shuffled or sorted otherwise, 66 of 80. One step may be longer: frames that are
// elsewhere.
constexpr int most_length = 96, least_step = 70, usual_step = 140, longest_step = 200;
constexpr int most_of_any = 90;          // of what any two frames differ by in the median, which noise does not leave
constexpr int rising_percent = 80;       // of three frames in a row the outer ones differ most,
constexpr int rising_by = 105;           // by that, in percent
constexpr int least_median = 256 + 128;  // in 1/256 grey levels

std::vector<std::size_t> nearest_first(const FrameDistances& distances, std::size_t start) {
  std::vector<std::size_t> order(distances.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::swap(order[0], order[start]);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto next = std::min_element(
        order.begin() + static_cast<std::ptrdiff_t>(i), order.end(), [&](std::size_t a, std::size_t b) {
          return std::pair(distances.at(order[i - 1], a), a) < std::pair(distances.at(order[i - 1], b), b);
        });
    std::swap(order[i], *next);
  }
  return order;
}

/// Turns pieces round as long as that makes it shorter, by the steps at both ends.
void shorten(const FrameDistances& distances, std::vector<std::size_t>& order) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto from = order.begin(); from != order.end(); ++from)
      for (auto to = from + 1; to != order.end(); ++to) {
        int gain = 0;
        if (from != order.begin()) gain += distances.at(from[-1], *from) - distances.at(from[-1], *to);
        if (to + 1 != order.end()) gain += distances.at(*to, to[1]) - distances.at(*from, to[1]);
        if (gain <= 0) continue;
        std::reverse(from, to + 1);
        changed = true;
      }
  }
}

std::vector<std::size_t> shortest_order(const FrameDistances& distances) {
  std::vector<std::size_t> best;
  int least = std::numeric_limits<int>::max();
  for (std::size_t start = 0; start < distances.count(); ++start) {
    std::vector<std::size_t> order = nearest_first(distances, start);
    shorten(distances, order);
    if (const int length = distances.length(order); length < least) least = length, best = std::move(order);
  }
  if (best.front() > best.back()) std::reverse(best.begin(), best.end());  // both are as long
  return best;
}

bool is_likely(const FrameDistances& distances, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> given(order.size());
  std::iota(given.begin(), given.end(), std::size_t{0});
  if (100 * distances.length(order) > most_length * distances.length(given)) return false;
  std::vector<int> all;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) all.push_back(distances.at(i, j));
  std::nth_element(all.begin(), all.begin() + std::ssize(all) / 2, all.end());
  if (100 * std::int64_t{distances.length(order)} >
      std::int64_t{most_of_any} * all[all.size() / 2] * (std::ssize(order) - 1))
    return false;
  std::vector<int> steps;
  for (std::size_t i = 1; i < order.size(); ++i) steps.push_back(distances.at(order[i - 1], order[i]));
  std::sort(steps.begin(), steps.end());
  const int middle = steps[(steps.size() - 1) / 2];
  if (middle < least_median || 100 * steps.front() < least_step * middle ||
      100 * steps[steps.size() - 2] > usual_step * middle || 100 * steps.back() > longest_step * middle)
    return false;
  int rising = 0;
  for (std::size_t i = 2; i < order.size(); ++i) {
    const int outer = distances.at(order[i - 2], order[i]);
    const int inner = std::max(distances.at(order[i - 2], order[i - 1]), distances.at(order[i - 1], order[i]));
    rising += 100 * outer > rising_by * inner ? 1 : 0;
  }
  return 100 * rising >= rising_percent * static_cast<int>(order.size() - 2);
}

// --- order, by means ---

// Frames of good clips rise as they are. Of 240 dozens that walk, sway and shake by 1 to 8 px from frame to frame, two
// have such an order; of 96 of which frames were shuffled, moved or exchanged, 94.
constexpr std::size_t enough_for_means = 10;
constexpr int most_soft_length = 95, least_rising = 90;
constexpr int gap = 3;                // times the median step: frames that are elsewhere
constexpr std::size_t most_left = 2;  // out of those that are to rise, beside a gap
constexpr int mean_side = 16;         // px

/// Of a few bytes in 16 bits, of which SIMD takes more.
template <std::size_t count, class Pixel>
int sum_of(const Pixel* at) {
  using Sum = std::conditional_t<sizeof(Pixel) == 1, std::uint16_t, int>;
  Sum sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum = static_cast<Sum>(sum + at[i]);
  return sum;
}

/// Means of 16x16 px, of every eighth row, in 1/256 grey levels of 255.
template <class Pixel>
std::vector<int> means_of(const Image<Pixel>& rows, int max_value) {
  constexpr int together = 2;
  std::vector<int> means;
  for (int y = 0; y + together <= rows.height(); y += together)
    for (int x = 0; x + mean_side <= rows.width(); x += mean_side) {
      int sum = 0;
      for (int row = y; row < y + together; ++row) sum += sum_of<mean_side>(rows.row(row) + x);
      means.push_back(static_cast<int>(std::int64_t{sum} * 256 * 255 / (together * mean_side) / max_value));
    }
  return means;
}

int means_apart(const std::vector<int>& a, const std::vector<int>& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return static_cast<int>(sum / std::max<std::int64_t>(std::ssize(a), 1));
}

/// Of each three frames in a row, but beside gaps in `steps`: do the outer ones differ most, at so many percent?
bool rises(const FrameDistances& distances, const FrameDistances& steps, const std::vector<std::size_t>& order,
           int percent) {
  std::vector<int> sorted;
  for (std::size_t i = 1; i < order.size(); ++i) sorted.push_back(steps.at(order[i - 1], order[i]));
  std::sort(sorted.begin(), sorted.end());
  const int longest = gap * sorted[sorted.size() / 2];
  std::size_t rising = 0, all = 0;
  for (std::size_t i = 2; i < order.size(); ++i) {
    if (std::max(steps.at(order[i - 2], order[i - 1]), steps.at(order[i - 1], order[i])) > longest) continue;
    const int outer = distances.at(order[i - 2], order[i]);
    const int inner = std::max(distances.at(order[i - 2], order[i - 1]), distances.at(order[i - 1], order[i]));
    ++all;
    rising += 100 * outer > rising_by * inner ? 1 : 0;
  }
  return all + 2 + most_left >= order.size() && 100 * rising >= static_cast<std::size_t>(percent) * all;
}

/// The order in which frames move away from each other, if they do not as they are; else none.
std::vector<std::size_t> rising_order(const std::vector<GreyPicture>& frames, const FrameDistances& distances) {
  std::vector<std::size_t> given(distances.count());
  std::iota(given.begin(), given.end(), std::size_t{0});
  constexpr int least_step_of_means = 64;  // a quarter of a grey level
  if (distances.count() < enough_for_means || rises(distances, distances, given, 100)) return {};
  std::vector<std::vector<int>> means;
  for (const GreyPicture& frame : frames)
    means.push_back(frame.depth == Depth::u8 ? means_of(frame.u8, frame.max_value)
                                             : means_of(frame.u16, frame.max_value));
  const FrameDistances soft(means.size(),
                            [&](std::size_t i, std::size_t j) { return means_apart(means[i], means[j]); });
  if (rises(soft, soft, given, 100)) return {};
  std::vector<std::size_t> order = shortest_order(soft);
  const int length = soft.length(order);
  if (length < least_step_of_means * static_cast<int>(order.size()) ||
      100 * std::int64_t{length} > most_soft_length * std::int64_t{soft.length(given)} ||
      !rises(soft, soft, order, 100) || !rises(distances, soft, order, least_rising))
    return {};
  return order;
}

// --- blends ---

constexpr std::int64_t apart = 3;  // frames
constexpr int block = 16;          // px of a row
// Second differences over three frames beside first ones over six, in percent: of pixels, moving photographs have 98
// and more, and of blocks 41; cross-fades over 8 to 24 frames up to 94 and 47, most of them up to 80 and 37.
constexpr int most_of_pixels = 85, most_of_blocks = 39;
constexpr int most_one_way = 80;  // percent of the changes; more is light that changes
constexpr int least_change = 10;  // grey levels of 255 over six frames, of blocks

struct Curve {
  std::int64_t first = 0, second = 0, sum = 0;
  void add(int before, int middle, int now) {
    sum += now - before;
    first += std::abs(now - before);
    second += std::abs(before - 2 * middle + now);
  }
  bool is_straight(int percent) const { return 100 * second <= percent * first; }
};

/// Soft shades that move change at a steady rate, too: places 8 px apart then differ nearly 8 times as much as
/// neighbours; in photographs 2 to 5 times.
template <class Pixel>
bool is_soft(const Image<Pixel>& picture) {
  constexpr int apart_px = 8;
  std::int64_t near = 0, far = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x + apart_px < picture.width(); ++x) {
      near += std::abs(picture(x + 1, y) - picture(x, y));
      far += std::abs(picture(x + apart_px, y) - picture(x, y));
    }
  return 10 * far > 55 * near;
}

/// Of the sums of blocks.
bool are_blended_blocks(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b,
                        const std::vector<std::int64_t>& c, int max_value) {
  Curve blocks;
  for (std::size_t i = 0; i < a.size(); ++i)
    blocks.add(static_cast<int>(a[i]), static_cast<int>(b[i]), static_cast<int>(c[i]));
  return blocks.first * 255 >= std::int64_t{least_change} * max_value * block * std::ssize(a) &&
         blocks.is_straight(most_of_blocks) && 100 * std::abs(blocks.sum) <= most_one_way * blocks.first;
}

template <class Pixel>
bool are_blended_pixels(const Image<Pixel>& a, const Image<Pixel>& b, const Image<Pixel>& c) {
  Curve pixels;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) pixels.add(a(x, y), b(x, y), c(x, y));
  return pixels.is_straight(most_of_pixels) && !is_soft(a) && !is_soft(c);
}

/// Of whole blocks, row by row.
std::vector<std::int64_t> block_sums(const GreyPicture& rows) {
  std::vector<int> columns;
  for (int x = 0; x <= rows.width(); x += block) columns.push_back(x);
  return rows.depth == Depth::u8 ? inspect_sums(ImageView<const std::uint8_t>(rows.u8.view()), columns)
                                 : inspect_sums(ImageView<const std::uint16_t>(rows.u16.view()), columns);
}

/// Frames of two kinds in turn that move alike: an order goes up through one kind and down through the other, wherever
/// it begins.
bool are_two_kinds(std::vector<std::int64_t> order) {
  const auto is_odd = [](std::int64_t number) { return number % 2 != 0; };
  const auto odd_to_even = [&](std::int64_t a, std::int64_t b) { return is_odd(a) && !is_odd(b); };
  const auto begin = std::adjacent_find(order.begin(), order.end(), odd_to_even);
  if (begin != order.end()) std::rotate(order.begin(), begin + 1, order.end());
  const auto odd = std::find_if(order.begin(), order.end(), is_odd);
  const auto goes_by = [](auto from, auto to, std::int64_t step) {
    return std::adjacent_find(from, to, [=](std::int64_t a, std::int64_t b) { return b - a != step; }) == to;
  };
  const auto is_round = [&](std::int64_t step) {
    return goes_by(order.begin(), odd, step) && goes_by(odd, order.end(), -step);
  };
  return is_round(2) || is_round(-2);
}

}  // namespace

void FrameOrder::see(const GreyPicture& rows, std::int64_t number) {
  const std::int64_t seen = seen_++;
  if (!told_.empty() || (seen >= all_windows && seen % frames_between >= static_cast<std::int64_t>(window))) return;
  if (seen >= all_windows && seen % frames_between == 0) {  // what is left of another time
    frames_.clear();
    rows_.clear();
    numbers_.clear();
  }
  frames_.push_back(some_rows(rows, thinnest));
  rows_.push_back(some_rows(rows, 1));
  numbers_.push_back(number);
  if (frames_.size() < window) return;
  judge();
  frames_.clear();
  rows_.clear();
  numbers_.clear();
}

/// Behind frames that were read too early or too late from a buffer, one comes again that is not the last one. Frames
/// of a loop all do, and those that run backwards do on both sides of where they turn.
void FrameOrder::count_again(const FrameDistances& distances) {
  constexpr std::size_t farthest = 5;
  constexpr int a_level = 256, times = 10, turned = 4;
  for (std::size_t i = 1; i < distances.count(); ++i)
    for (std::size_t j = i + 2; j <= i + farthest && j + 1 < distances.count(); ++j) {
      const auto is_again = [&](std::size_t a, std::size_t b, int beside) {
        return times * distances.at(a, b) <= beside;
      };
      int beside = distances.at(j, j + 1);
      for (std::size_t k = i - 1; k < j; ++k) beside = std::min(beside, distances.at(k, k + 1));
      if (beside < a_level || !is_again(i, j, beside)) continue;
      const bool is_loop = is_again(i - 1, j - 1, beside) || is_again(i + 1, j + 1, beside);
      const bool turns = turned * distances.at(i - 1, j + 1) < distances.at(i - 1, i);
      if (is_loop || turns) continue;
      if (again_.times++ == 0) again_.first = numbers_[i], again_.second = numbers_[j];
    }
}

void FrameOrder::judge() {
  const FrameDistances distances(frames_.size(),
                                 [&](std::size_t i, std::size_t j) { return change_of(frames_[i], frames_[j]); });
  count_again(distances);
  std::vector<std::size_t> order = shortest_order(distances);
  is_even_ = is_likely(distances, order);
  if (!is_even_ && std::is_sorted(order.begin(), order.end()))
    order.clear();
  else if (!is_even_)
    order = rising_order(rows_, distances);
  for (const std::size_t at : order) told_.push_back(numbers_[at]);
}

std::string FrameOrder::warning(const std::string& video) {
  if (told_.empty() && frames_.size() >= enough_frames) judge();
  if (again_.times > 0)
    return fmt::format(
        "frame {} of {} is the same as frame {}, and what lies between is not ({} such frame{} seen): frames were "
        "taken from a buffer too early or too late, or copied to a wrong number: motion runs back there: record it "
        "anew, or check what wrote the frames",
        again_.second, video, again_.first, again_.times, again_.times == 1 ? " was" : "s were");
  if (told_.empty()) return "";
  if (are_two_kinds(told_)) return Turns::text(video);
  return fmt::format(
      "the frames of {} seem to be in another order than they were taken: each would follow the one before by {} in "
      "the order {}: check how they were sorted or numbered (10 behind 9, not behind 1), and what wrote the video",
      video, is_even_ ? "an even step" : "a smaller step, ever farther from those before,", fmt::join(told_, " "));
}

void Blends::see(const GreyPicture& rows, std::int64_t number) {
  if (seen_++ % apart != 0) return;
  constexpr int many = 1 << 16;  // px: half of these rows tell as much
  const bool are_many = std::int64_t{rows.width()} * rows.height() > many;
  Seen now{number, some_rows(rows, are_many ? 2 * thinner : thinner), {}};
  now.sums = block_sums(now.rows);
  const Size size = now.rows.size();
  if (first_.rows.size() == size && second_.rows.size() == size && size != Size{} &&
      are_blended_blocks(first_.sums, second_.sums, now.sums, rows.max_value) &&
      (rows.depth == Depth::u8 ? are_blended_pixels(first_.rows.u8, second_.rows.u8, now.rows.u8)
                               : are_blended_pixels(first_.rows.u16, second_.rows.u16, now.rows.u16))) {
    if (begin_ < 0) begin_ = first_.number;
    if (end_ < 0 || end_ >= first_.number) end_ = number;  // the first one
  }
  first_ = std::move(second_);
  second_ = std::move(now);
}

std::string Blends::warning(const std::string& video) const {
  if (begin_ < 0) return "";
  return fmt::format(
      "frames {} .. {} of {} are blended from one scene into another (a cross-fade): what moves there cannot be told "
      "from what is blended: leave these frames out by --frames",
      begin_, end_, video);
}

}  // namespace vergence::cli
