// SPDX-License-Identifier: Apache-2.0
// Maps some of whose numbers are no disparities: a number that means unknown, numbers that their file could not hold,
// and pictures.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "inspect/truth_stains.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr std::int64_t enough_known = 1000;  // pixels; fewer say nothing
constexpr double close_to_truth = 2;         // px
// Percent of the known pixels.
constexpr double least_share = 2;    // of what a warning is worth
constexpr double mostly_wrong = 90;  // of the pixels that hold one number: the map is far from it
constexpr double mostly_right = 50;  // of the others: the map is close; what is wrong as a whole has other causes
constexpr double mostly_above = 60;  // of the pixels at the largest number: the map is above it
constexpr double surely_wrapped = 80;
constexpr double mostly_wrapped = 50;  // of the pixels above all of the truth: by one number; wrong ones scatter
constexpr float least_period = 5;      // px, of what begins again: within 1 px of multiples of less much is by chance
constexpr float least_spread = 1.5f;   // px, of the truth there; of good maps that agree with half of this up to 0.7
constexpr double alternating = 8;  // of the pixels of a picture are peaks or valleys of their row: truths have up to 2
constexpr double gap = 3;          // px between an odd number and others, but for
constexpr double least_between = 12.5;  // percent of those that hold it
constexpr int sampled_rows = 256;

struct Pixel {
  float map = 0;
  float truth = 0;
  bool is_close() const { return std::abs(map - truth) <= close_to_truth; }
};

double percent(std::int64_t some, std::int64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(some) / static_cast<double>(all);
}

int row_step(ImageView<const float> map) { return (map.height() + sampled_rows - 1) / sampled_rows; }

std::vector<Pixel> known_pixels(ImageView<const float> map, ImageView<const float> truth) {
  std::vector<Pixel> known;
  const int step = row_step(map);
  for (int y = step / 2; y < map.height(); y += step)
    for (int x = 0; x < map.width(); ++x)
      if (std::isfinite(map(x, y)) && std::isfinite(truth(x, y))) known.push_back({map(x, y), truth(x, y)});
  return known;
}

/// The pixels at which one of both is `value`: how many, at how many of them the other one is elsewhere, and above it.
struct Pile {
  float value = 0;
  std::int64_t pixels = 0, wrong = 0, above = 0;
  std::int64_t beside = 0;  ///< Other numbers within the gap.
  std::int64_t others = 0, others_close = 0;

  Pile(const std::vector<Pixel>& known, float Pixel::*one, float of) : value(of) {
    float Pixel::*const other = one == &Pixel::truth ? &Pixel::map : &Pixel::truth;
    for (const Pixel& pixel : known) {
      if (pixel.*one == value) {
        ++pixels;
        wrong += pixel.is_close() ? 0 : 1;
        above += pixel.*other > value + 1 ? 1 : 0;
        continue;
      }
      ++others;
      others_close += pixel.is_close() ? 1 : 0;
      beside += std::abs(pixel.*one - value) < gap ? 1 : 0;
    }
  }
  bool others_agree() const { return others >= enough_known / 2 && percent(others_close, others) >= mostly_right; }
  bool is_large() const { return percent(pixels, pixels + others) >= least_share; }
  /// A number of its own, not the first of many.
  bool is_apart() const { return percent(beside, pixels) <= least_between; }
  bool means_unknown() const {
    return is_large() && others_agree() && percent(wrong, pixels) >= mostly_wrong && is_apart();
  }
};

/// The lowest and the highest number.
std::array<float, 2> extremes(const std::vector<Pixel>& known, float Pixel::*one) {
  const auto [lowest, highest] = std::minmax_element(known.begin(), known.end(),
                                                     [one](const Pixel& a, const Pixel& b) { return a.*one < b.*one; });
  return {(*lowest).*one, (*highest).*one};
}

void require_one_size(ImageView<const float> map, ImageView<const float> truth) {
  if (map.size() != truth.size())
    throw Error(ErrorCode::invalid_argument, "truth and map differ in size: give maps of one size");
}

float rank(std::vector<float>& numbers, std::ptrdiff_t per_cent) {
  const auto nth = numbers.begin() + (std::ssize(numbers) - 1) * per_cent / 100;
  std::nth_element(numbers.begin(), nth, numbers.end());
  return *nth;
}

/// Where the map is above all of the truth, it is above it by one number, or multiples of it: what the file's numbers
/// begin again after. One thing that the map makes larger than it is does that, too, but has one disparity.
bool begins_again(const std::vector<Pixel>& known, float largest, TruthValues& values) {
  std::vector<Pixel> beyond;
  std::vector<float> once;
  std::int64_t close = 0;
  for (const Pixel& pixel : known) {
    close += pixel.is_close() ? 1 : 0;
    if (pixel.map <= largest + 1) continue;
    beyond.push_back(pixel);
    const float away = pixel.map - pixel.truth;
    if (away >= 0.9f * largest && away <= 1.5f * largest) once.push_back(away);
  }
  const auto above = std::ssize(beyond), all = std::ssize(known);
  if (percent(above, all) < least_share || percent(close, all - above) < mostly_right || once.empty()) return false;
  const float usual = rank(once, 50);
  // Numbers begin again beyond the largest one there can be. What a map makes larger at its edges is off by less.
  if (usual < least_period || usual < 0.98f * largest) return false;
  std::vector<float> truths;
  for (const Pixel& pixel : beyond) {
    const float away = pixel.map - pixel.truth, times = std::max(std::round(away / usual), 1.0f);
    if (std::abs(away - times * usual) <= std::max(1.0f, usual / 32)) truths.push_back(pixel.truth);
  }
  // Wrong matches may pile up at one disparity, where the truth has one, too.
  const double wrapped = percent(std::ssize(truths), above);
  if (wrapped < mostly_wrapped) return false;
  if (wrapped < surely_wrapped && rank(truths, 90) - rank(truths, 10) < least_spread) return false;
  values = {TruthValues::Problem::begins_again, usual, percent(above, all)};
  return true;
}

/// Percent of the pixels that are a peak or a valley of their row by more than a hundredth of the range.
double alternating_share(ImageView<const float> truth, float range) {
  std::int64_t triples = 0, turns = 0;
  const int step = row_step(truth);
  for (int y = step / 2; y < truth.height(); y += step)
    for (int x = 1; x + 1 < truth.width(); ++x) {
      const float before = truth(x, y) - truth(x - 1, y), after = truth(x + 1, y) - truth(x, y);
      if (!std::isfinite(before) || !std::isfinite(after)) continue;
      ++triples;
      turns += before * after < 0 && std::min(std::abs(before), std::abs(after)) > range / 100 ? 1 : 0;
    }
  return triples < enough_known ? 0 : percent(turns, triples);
}

}  // namespace

std::optional<UnknownNumber> inspect_unknown_number(ImageView<const float> map, ImageView<const float> truth) {
  require_one_size(map, truth);
  const std::vector<Pixel> known = known_pixels(map, truth);
  if (std::ssize(known) < enough_known) return std::nullopt;
  for (const float value : extremes(known, &Pixel::map)) {
    const Pile pile(known, &Pixel::map, value);
    if (pile.means_unknown()) return UnknownNumber{value, percent(pile.pixels, std::ssize(known))};
  }
  return std::nullopt;
}

TruthValues inspect_truth_values(ImageView<const float> map, ImageView<const float> truth) {
  require_one_size(map, truth);
  TruthValues values;
  const std::vector<Pixel> known = known_pixels(map, truth);
  const std::int64_t all = std::ssize(known);
  if (all < enough_known) return values;
  const auto [lowest, highest] = extremes(known, &Pixel::truth);
  for (const float value : {lowest, highest}) {
    const Pile pile(known, &Pixel::truth, value);
    if (pile.means_unknown()) return {TruthValues::Problem::unknown, value, percent(pile.pixels, all)};
    if (value == highest && pile.is_large() && pile.others_agree() && percent(pile.above, pile.pixels) >= mostly_above)
      return {TruthValues::Problem::cut_off, value, percent(pile.pixels, all)};
  }
  if (begins_again(known, highest, values)) return values;
  constexpr double scattered = 1;  // percent
  if (const double apart = inspect::scattered_percent(map, truth, row_step(map)); apart >= scattered)
    return {TruthValues::Problem::scattered, 0, apart};
  if (const std::optional<Rect> part = inspect::filled_part(map, truth))
    return {TruthValues::Problem::filled_part, truth(part->x, part->y), 0, *part};
  const auto close = std::count_if(known.begin(), known.end(), [](const Pixel& pixel) { return pixel.is_close(); });
  if (percent(close, all) >= mostly_right) return values;
  const float range = highest - lowest;
  const double share = alternating_share(truth, range);
  // A map of the same scene goes up and down as often.
  if (share >= alternating && share > 1.5 * alternating_share(map, range))
    values = {TruthValues::Problem::picture, 0, share};
  return values;
}

}  // namespace vergence
