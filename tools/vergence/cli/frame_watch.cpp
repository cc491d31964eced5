// SPDX-License-Identifier: Apache-2.0
// Frames that show less than they could.
#include "cli/frame_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <type_traits>

#include "vergence/inspect_frame.hpp"

namespace vergence::cli {
namespace {

constexpr int least_watched = 32;

/// Every eighth row; of high pictures every sixteenth, which tell as much.
int row_stride(int height) {
  constexpr int high = 512;
  return height < high ? 8 : 16;
}

/// take(row, next row) for some rows.
template <class Pixel, class Take>
void each_row(const Image<Pixel>& picture, Take take) {
  const int stride = row_stride(picture.height());
  for (int y = stride / 2; y + 1 < picture.height(); y += stride) take(picture.row(y), picture.row(y + 1));
}

/// Neighbours in noise differ by twice the variance; in compressed noise they are more alike.
bool is_noise(const PixelSpread& spread, int max_value) {
  constexpr double share = 0.9;     // photographs have up to 0.4
  constexpr double most = 12 * 12;  // grey levels of 255, squared: what a covered sensor gives
  const double levels = spread.all * (255.0 / max_value) * (255.0 / max_value);
  return levels > 0.25 && levels < most && spread.along > 2 * share * spread.all &&
         spread.across > 2 * share * spread.all;
}

/// The standard deviation of noise, in grey levels of 255: what second differences along and across leave of structure
/// (Immerkaer's estimate). Photographs have up to 10.
template <class Pixel>
double noise_of(const Image<Pixel>& picture, int max_value) {
  std::int64_t sum = 0, count = 0;
  const int stride = row_stride(picture.height());
  using Step = std::conditional_t<sizeof(Pixel) == 1, std::int16_t, int>;  // of which SIMD takes more
  const auto second = [](const Pixel* row, int x) { return row[x - 1] - 2 * row[x] + row[x + 1]; };
  for (int y = stride / 2; y + 1 < picture.height(); y += stride) {
    const Pixel *const above = picture.row(y - 1), *const row = picture.row(y), *const below = picture.row(y + 1);
    constexpr int piece = 4096;  // whose sums fit into 32 bits
    for (int first = 1; first + 1 < picture.width(); first += piece) {
      int part = 0;
      for (int x = first; x < std::min(first + piece, picture.width() - 1); ++x)
        part += std::abs(static_cast<Step>(second(above, x) - 2 * second(row, x) + second(below, x)));
      sum += part;
    }
    count += picture.width() - 2;
  }
  const double mean = static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(count, 1));
  return mean * std::sqrt(std::numbers::pi / 2) / 6 * 255 / max_value;
}

constexpr int band = 16;  // columns

/// Bands of columns in which neighbours are as unlike as any two pixels, and these differ by much, in one of each so
/// many rows. Photographs have up to 0.5 of that.
template <class Pixel>
std::vector<char> bands_of_noise(const Image<Pixel>& picture, int max_value, double share, int apart) {
  constexpr double least = 16;  // grey levels of 255
  const auto bands = static_cast<std::size_t>(picture.width() / band);
  std::vector<std::int64_t> sums(bands), squares(bands), steps(bands);
  std::int64_t rows = 0;
  int left_out = 0;
  each_row(picture, [&](const Pixel* row, const Pixel*) {
    if (left_out++ % apart != 0) return;
    ++rows;
    for (std::size_t i = 0; i < bands; ++i, row += band) {
      using Sum = std::conditional_t<sizeof(Pixel) == 1, int, std::int64_t>;
      Sum sum = 0, of_squares = 0, of_steps = 0;
      for (int x = 0; x < band; ++x) sum += row[x], of_squares += Sum{row[x]} * row[x];
      for (int x = 0; x + 1 < band; ++x) of_steps += (Sum{row[x + 1]} - row[x]) * (Sum{row[x + 1]} - row[x]);
      sums[i] += sum, squares[i] += of_squares, steps[i] += of_steps;
    }
  });
  std::vector<char> noise(bands);
  for (std::size_t i = 0; i < bands && rows > 0; ++i) {
    const auto pixels = static_cast<double>(rows * band), level = 255.0 / max_value;
    const double mean = static_cast<double>(sums[i]) / pixels;
    const double variance = static_cast<double>(squares[i]) / pixels - mean * mean;
    const double step = static_cast<double>(steps[i]) / static_cast<double>(rows * (band - 1));
    noise[i] = variance * level * level >= least * least && step >= 2 * share * variance ? 1 : 0;
  }
  return noise;
}

/// A few rows tell that there is none in most pictures.
template <class Pixel>
std::vector<char> bands_of_noise(const Image<Pixel>& picture, int max_value) {
  constexpr double noise = 0.85, perhaps = 0.5;
  constexpr int few = 4;
  std::vector<char> bands = bands_of_noise(picture, max_value, perhaps, few);
  const bool may_be_noise = std::find(bands.begin(), bands.end(), 1) != bands.end();
  return may_be_noise ? bands_of_noise(picture, max_value, noise, 1) : bands;
}

constexpr std::size_t few_levels = 8;

/// Adds those of some rows, until there are more than few.
template <class Pixel>
void add_levels(const Image<Pixel>& picture, std::vector<int>& levels) {
  each_row(picture, [&](const Pixel* row, const Pixel*) {
    for (int x = 0; x < picture.width() && levels.size() <= few_levels; ++x)
      if (std::find(levels.begin(), levels.end(), int{row[x]}) == levels.end()) levels.push_back(row[x]);
  });
}

template <class Pixel>
int highest_of(const Image<Pixel>& picture) {
  Pixel highest = 0;  // no wider, for SIMD
  each_row(picture, [&](const Pixel* row, const Pixel*) {
    for (int x = 0; x < picture.width(); ++x) highest = std::max(highest, row[x]);
  });
  return highest;
}

/// Most rows stop at their first pixels.
template <class Pixel>
std::vector<char> flat_rows(const Image<Pixel>& picture, int levels) {
  std::vector<char> flat;
  each_row(picture, [&](const Pixel* row, const Pixel*) {
    const int width = picture.width();
    const auto is_level = [=](int x) { return std::abs(int{row[x]} - int{row[0]}) <= levels; };
    int x = is_level(width / 5) && is_level(width / 2) && is_level(4 * width / 5) ? 1 : width + 1;
    while (x < picture.width() && std::abs(int{row[x]} - int{row[0]}) <= levels) ++x;
    flat.push_back(x == picture.width() ? 1 : 0);
  });
  return flat;
}

}  // namespace

void LevelWatch::see(const GreyPicture& picture) {
  if (picture.width() < least_watched || picture.height() < least_watched) return;
  ++frames_;
  max_value_ = std::min(picture.max_value, expected_);
  const bool bytes = picture.depth == Depth::u8;
  highest_ = std::max(highest_, bytes ? highest_of(picture.u8) : highest_of(picture.u16));
  const bool asks_for_spread = noisy_ + 1 == frames_ || strongly_noisy_ + 1 == frames_;
  const PixelSpread spread = !asks_for_spread ? PixelSpread{}
                             : bytes          ? inspect_spread(picture.u8.view())
                                              : inspect_spread(picture.u16.view());
  if (noisy_ + 1 == frames_ && is_noise(spread, max_value_)) ++noisy_;
  if (bytes) add_levels(picture.u8, levels_);
  if (strongly_noisy_ + 1 == frames_) {
    // Of what pixels differ by, squared, photographs have 17 % of noise at most.
    constexpr double strong = 18, dim = 12, seen = 3, share = 0.28;
    const double noise = bytes ? noise_of(picture.u8, max_value_) : noise_of(picture.u16, max_value_);
    // Where it is nearly all that there is, it may be what was painted: a texture of random dots moves as one.
    const double level = 255.0 / max_value_, all = spread.all * level * level;
    const bool is_painted = noise >= dim && 5 * noise * noise > 4 * all;
    if ((noise >= strong || (noise >= seen && noise * noise >= share * all)) && !is_painted) ++strongly_noisy_;
    noise_ = frames_ == 1 ? noise : std::min(noise, noise_);
  }
  const bool may_be_noise =
      frames_ == 1 || std::find(noise_bands_.begin(), noise_bands_.end(), 1) != noise_bands_.end();
  if (!may_be_noise) return;
  const std::vector<char> bands =
      bytes ? bands_of_noise(picture.u8, max_value_) : bands_of_noise(picture.u16, max_value_);
  if (frames_ == 1) noise_bands_.assign(bands.size(), 1);
  for (std::size_t i = 0; i < std::min(bands.size(), noise_bands_.size()); ++i)
    if (bands[i] == 0) noise_bands_[i] = 0;
  width_ = picture.width();
}

/// Of a part, or of strong noise over all.
std::string LevelWatch::noise_warning(const std::string& video) const {
  constexpr std::ptrdiff_t least_bands = 2;
  const auto first = std::find(noise_bands_.begin(), noise_bands_.end(), 1);
  const auto end = std::find(first, noise_bands_.end(), 0);
  if (end - first >= least_bands && (first != noise_bands_.begin() || end != noise_bands_.end())) {
    const std::ptrdiff_t left = (first - noise_bands_.begin()) * band, right = (end - noise_bands_.begin()) * band;
    return fmt::format(
        "about columns {} .. {} of {} show noise alone, in all frames that were looked at: no picture was received "
        "there, and nothing can be found: crop them, as with `ffmpeg -i FILE -vf crop={}:ih:{}:0 OUT`",
        left, end == noise_bands_.end() ? width_ - 1 : right - 1, video, left >= width_ - right ? left : width_ - right,
        left >= width_ - right ? 0 : right);
  }
  if (strongly_noisy_ < frames_) return "";
  return fmt::format(
      "{} is noisy, by {:.0f} grey levels of 255 and more in all frames that were looked at, which is much beside what "
      "it shows: blocks and points go astray: give more light or a lower gain, or denoise it, as with `ffmpeg -i FILE "
      "-vf "
      "hqdn3d OUT`",
      video, noise_);
}

std::string LevelWatch::warning(const std::string& video) const {
  constexpr int least_frames = 2, dark = 24;
  if (frames_ < least_frames) return "";
  if (noisy_ == frames_)
    return fmt::format(
        "{} shows nothing but noise: neighbouring pixels are as unlike as any two are, in all frames that were looked "
        "at: check that nothing covers the lens, and the exposure",
        video);
  if (std::string line = noise_warning(video); !line.empty()) return line;
  const auto bits = std::bit_width(static_cast<unsigned>(highest_));
  if (max_value_ > 4095 && 16 * (highest_ + 1) <= max_value_ + 1)
    return fmt::format(
        "{} uses {} of its {} bits: no pixel that was looked at is above {} of {}, so that most of what they differ by "
        "is lost: give --max-value {} if that is how they were stored, else check the exposure",
        video, bits, std::bit_width(static_cast<unsigned>(max_value_)), highest_, max_value_,
        std::max((1 << bits) - 1, 255));
  if (max_value_ == 255 && highest_ < dark)
    return fmt::format(
        "{} uses {} of its 256 grey levels: no pixel that was looked at is above {}, and steps are lost in rounding: "
        "use what the camera gave with more bits, or make it brighter, as with `ffmpeg -i FILE -vf lutyuv=y=val*{} "
        "OUT`",
        video, highest_ + 1, highest_, 240 / std::max(highest_, 1));
  constexpr std::size_t drawn = 2;  // black and white may be a drawing
  if (levels_.size() > drawn && levels_.size() <= few_levels)
    return fmt::format(
        "{} holds {} grey levels of 256, and the edges between them move otherwise than what it shows: use what the "
        "camera gave, before its bits were cut",
        video, levels_.size());
  return "";
}

void MissingPart::see(const GreyPicture& picture, std::int64_t number) {
  constexpr int levels = 128;  // as flat pictures are
  std::vector<char> now = picture.depth == Depth::u8 ? flat_rows(picture.u8, 255 / levels)
                                                     : flat_rows(picture.u16, picture.max_value / levels);
  const auto rows = std::ssize(now);
  if (found_ < 0 && picture.width() >= least_watched && std::ssize(before_) == rows && std::ssize(last_) == rows) {
    const auto alone = [&](std::size_t i) { return last_[i] != 0 && before_[i] == 0 && now[i] == 0; };
    std::size_t best = 0, best_end = 0;
    for (std::size_t first = 0; first < now.size(); ++first) {
      std::size_t end = first;
      while (end < now.size() && alone(end)) ++end;
      if (end - first > best_end - best) best = first, best_end = end;
      first = std::max(first, end);
    }
    constexpr std::size_t least_rows = 3, least_share = 12;
    if (best_end - best >= std::max(least_rows, now.size() / least_share)) {
      const int stride = row_stride(picture.height());
      found_ = number_;
      first_row_ = static_cast<int>(best) * stride + stride / 2;
      last_row_ = static_cast<int>(best_end - 1) * stride + stride / 2;
    }
  }
  before_ = std::move(last_);
  last_ = std::move(now);
  number_ = number;
}

std::string MissingPart::warning(const std::string& video) const {
  if (found_ < 0) return "";
  return fmt::format(
      "frame {} of {} lacks a part: about rows {} .. {} have one grey level each, as in none of the frames beside it: "
      "it was damaged or not received whole, and nothing can be found there: leave it out by --frames, or copy it "
      "again",
      found_, video, first_row_, last_row_);
}

void Turns::see(int change, int change_of_two) {
  constexpr int least = 2 * 256;  // grey levels
  ++frames_;
  if (change >= least && 2 * change_of_two < change) ++turns_;
}

std::string Turns::warning(const std::string& video) const {
  constexpr int least_frames = 3;
  return frames_ < least_frames || 10 * turns_ < 8 * frames_ ? "" : text(video);
}

std::string Turns::text(const std::string& video) {
  return fmt::format(
      "the frames of {} take turns: each is more like the last but one than like the last one, as where left and "
      "right, two exposures, orders of colour or fields are stored in turn: take them apart, as with `ffmpeg -i FILE "
      "-vf \"select=not(mod(n\\,2))\" OUT`",
      video);
}

}  // namespace vergence::cli
