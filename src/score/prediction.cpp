// SPDX-License-Identifier: Apache-2.0
// Scores of predicted frames and of vector fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>

#include "score/ssim.hpp"
#include "vergence/error.hpp"
#include "vergence/score.hpp"

namespace vergence {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

template <class P>
void check(ImageView<const P> frame, ImageView<const P> prediction, int max_value) {
  if (frame.empty()) refuse("the frame has no pixels: give one of at least 1x1");
  if (frame.size() != prediction.size())
    refuse(fmt::format("the prediction is {}x{} but the frame is {}x{}: give frames of the same size",
                       prediction.width(), prediction.height(), frame.width(), frame.height()));
  constexpr int most = std::numeric_limits<P>::max();
  if (max_value < 1 || max_value > most) refuse(fmt::format("max_value is {}: allowed are 1 .. {}", max_value, most));
}

struct Differences {
  std::uint64_t absolute = 0, squares = 0;  ///< `squares` is below 2^32 for each of fewer than 2^31 pixels.
};

/// Sums of a part of a row in the narrowest type that holds them, which is what compilers find vector code for.
template <class P>
Differences differences_of(const P* a, const P* b, int count) {
  using Square = std::conditional_t<sizeof(P) == 1, std::uint32_t, std::uint64_t>;
  std::uint32_t absolute = 0;
  Square squares = 0;
  for (int i = 0; i < count; ++i) {
    const auto difference = static_cast<std::uint32_t>(std::abs(int{a[i]} - int{b[i]}));
    absolute += difference;
    squares += Square{difference * difference};
  }
  return {absolute, squares};
}

template <class P>
Differences differences_of(ImageView<const P> frame, ImageView<const P> prediction) {
  constexpr int most = 1 << 15;  // pixels, of whose sums each fits its type: of 8 bits 2^15 squares below 2^16
  Differences sum;
  for (int y = 0; y < frame.height(); ++y)
    for (int x = 0; x < frame.width(); x += most) {
      const Differences part =
          differences_of(frame.row(y) + x, prediction.row(y) + x, std::min(most, frame.width() - x));
      sum.absolute += part.absolute;
      sum.squares += part.squares;
    }
  return sum;
}

template <class P>
PredictionScore score(ImageView<const P> frame, ImageView<const P> prediction, int max_value, bool with_ssim) {
  check(frame, prediction, max_value);
  const Differences sum = differences_of(frame, prediction);
  PredictionScore score;
  score.residue = sum.absolute;
  score.mse = static_cast<double>(sum.squares) / (static_cast<double>(frame.width()) * frame.height());
  score.psnr = sum.squares == 0 ? std::numeric_limits<double>::infinity()
                                : 10 * std::log10(static_cast<double>(max_value) * max_value / score.mse);
  score.ssim = with_ssim ? ssim(frame, prediction, max_value) : std::numeric_limits<double>::quiet_NaN();
  return score;
}

/// Sum of |pixel - mean| of a tile.
template <class P>
std::uint64_t flat_residue(ImageView<const P> tile) {
  std::int64_t sum = 0;
  for (int y = 0; y < tile.height(); ++y)
    for (int x = 0; x < tile.width(); ++x) sum += tile(x, y);
  const std::int64_t pixels = std::int64_t{tile.width()} * tile.height();
  const std::int64_t mean = (2 * sum + pixels) / (2 * pixels);
  std::uint64_t residue = 0;
  for (int y = 0; y < tile.height(); ++y)
    for (int x = 0; x < tile.width(); ++x)
      residue += static_cast<std::uint64_t>(std::abs(std::int64_t{tile(x, y)} - mean));
  return residue;
}

/// Of all tiles of 16x16.
template <class P>
std::uint64_t flat_residue_of_tiles(ImageView<const P> frame) {
  constexpr int side = 16;
  std::uint64_t flat = 0;
  for (int y = 0; y < frame.height(); y += side)
    for (int x = 0; x < frame.width(); x += side)
      flat += flat_residue(frame.crop({x, y, std::min(side, frame.width() - x), std::min(side, frame.height() - y)}));
  return flat;
}

/// Most predictions are good, which takes no look at tiles.
template <class P>
bool exceeds_flat_tiles(ImageView<const P> frame, ImageView<const P> prediction, int max_value) {
  check(frame, prediction, max_value);
  const std::uint64_t residue = differences_of(frame, prediction).absolute;
  const auto pixels = static_cast<std::uint64_t>(frame.width()) * static_cast<std::uint64_t>(frame.height());
  return 64 * residue > pixels * static_cast<std::uint64_t>(max_value) &&
         4 * residue >= 3 * flat_residue_of_tiles(frame);
}

}  // namespace

PredictionScore score_prediction(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction,
                                 int max_value, bool with_ssim) {
  return score(frame, prediction, max_value, with_ssim);
}
PredictionScore score_prediction(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction,
                                 int max_value, bool with_ssim) {
  return score(frame, prediction, max_value, with_ssim);
}

double vector_entropy(ImageView<const MotionVector> vectors) {
  if (vectors.empty()) refuse("the vector field is empty: give one of at least one block");
  std::map<std::pair<int, int>, std::int64_t> counts;
  auto last = counts.end();  // neighbours mostly agree
  for (int y = 0; y < vectors.height(); ++y)
    for (int x = 0; x < vectors.width(); ++x) {
      const std::pair<int, int> vector{vectors(x, y).dx, vectors(x, y).dy};
      if (last == counts.end() || last->first != vector) last = counts.try_emplace(vector, 0).first;
      ++last->second;
    }
  const double all = static_cast<double>(vectors.width()) * vectors.height();
  double bits = 0;
  for (const auto& [vector, count] : counts) {
    const double share = static_cast<double>(count) / all;
    bits -= share * std::log2(share);
  }
  return bits;
}

bool is_scene_cut(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction, int max_value) {
  return exceeds_flat_tiles(frame, prediction, max_value);
}
bool is_scene_cut(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction, int max_value) {
  return exceeds_flat_tiles(frame, prediction, max_value);
}

}  // namespace vergence
