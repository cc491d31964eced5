// SPDX-License-Identifier: Apache-2.0
// Which mistake would explain a pair that does not match.
#include "cli/second_looks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace vergence::cli {
namespace {

int pixel_of(const GreyPicture& picture, int x, int y) {
  return picture.depth == Depth::u8 ? picture.u8(x, y) : picture.u16(x, y);
}

/// A picture of the form of `like`; pixel(x, y) gives its values.
template <class PixelAt>
GreyPicture make_picture(const GreyPicture& like, Size size, PixelAt pixel) {
  GreyPicture made;
  made.depth = like.depth;
  made.max_value = like.max_value;
  const auto fill = [&]<class Pixel>(Image<Pixel>& pixels) {
    pixels = Image<Pixel>(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) pixels(x, y) = static_cast<Pixel>(pixel(x, y));
  };
  like.depth == Depth::u8 ? fill(made.u8) : fill(made.u16);
  return made;
}

PairFindings look_at(const GreyPicture& left, const GreyPicture& right, const StereoOptions& options) {
  if (left.depth == Depth::u8)
    return inspect_pair(ImageView<const std::uint8_t>(left.u8.view()), ImageView<const std::uint8_t>(right.u8.view()),
                        options);
  return inspect_pair(ImageView<const std::uint16_t>(left.u16.view()), ImageView<const std::uint16_t>(right.u16.view()),
                      options);
}

/// Most points are found, in their rows. What is left may be the range, brightness or focus.
bool fits(const PairFindings& found) {
  constexpr int enough_points = 24, most = 75;  // percent
  constexpr std::array fine{PairProblem::none,       PairProblem::exposure,   PairProblem::sharpness,
                            PairProblem::range_low,  PairProblem::range_high, PairProblem::row_offset,
                            PairProblem::repetition, PairProblem::exchanged};
  if (std::find(fine.begin(), fine.end(), found.problem) == fine.end()) return false;
  if (found.points >= enough_points && 100 * found.agreeing >= most * found.points) return true;
  return found.close_points >= enough_points && 100 * found.same_row >= most * found.close_points;
}

GreyPicture negative_of(const GreyPicture& picture) {
  int highest = picture.depth == Depth::u8 ? 255 : 0;
  for (int y = 0; picture.depth != Depth::u8 && y < picture.height(); ++y)
    highest = std::max<int>(highest, *std::max_element(picture.u16.row(y), picture.u16.row(y) + picture.width()));
  return make_picture(picture, picture.size(), [&](int x, int y) { return highest - pixel_of(picture, x, y); });
}

GreyPicture reversed(const GreyPicture& picture, bool columns, bool rows) {
  return make_picture(picture, picture.size(), [&](int x, int y) {
    return pixel_of(picture, columns ? picture.width() - 1 - x : x, rows ? picture.height() - 1 - y : y);
  });
}

/// As where the bits of each byte were sent in reverse order. Of deeper pictures, each byte apart.
GreyPicture with_reversed_bits(const GreyPicture& picture) {
  const auto of_byte = [](int byte) {
    int turned = 0;
    for (int bit = 0; bit < 8; ++bit) turned |= (byte >> bit & 1) << (7 - bit);
    return turned;
  };
  return make_picture(picture, picture.size(), [&](int x, int y) {
    const int pixel = pixel_of(picture, x, y);
    return of_byte(pixel & 255) | of_byte(pixel >> 8) << 8;
  });
}

/// The row at which a picture that was read from the wrong place of a ring buffer begins: there the step is the largest
/// one, and that from its last row to its first one is none; 0 where no row is so.
int first_row_of(const GreyPicture& picture) {
  const auto step = [&](int from, int to) {
    std::int64_t sum = 0;
    for (int x = 0; x < picture.width(); ++x) sum += std::abs(pixel_of(picture, x, from) - pixel_of(picture, x, to));
    return sum;
  };
  const int height = picture.height();
  int row = 0;
  std::int64_t largest = 0;
  for (int y = 1; y < height; ++y)
    if (const std::int64_t here = step(y - 1, y); here > largest) largest = here, row = y;
  return 2 * step(height - 1, 0) < largest ? row : 0;
}

/// Both halves as they were in one picture.
GreyPicture joined(const StereoFrame& frame, Halves halves) {
  const bool columns = halves == Halves::columns;
  const Size half = frame.left.size();
  const Size whole{columns ? 2 * half.width : half.width, columns ? half.height : 2 * half.height};
  return make_picture(frame.left, whole, [&](int x, int y) {
    const bool second = columns ? x >= half.width : y >= half.height;
    if (!second) return pixel_of(frame.left, x, y);
    return pixel_of(frame.right, columns ? x - half.width : x, columns ? y : y - half.height);
  });
}

/// Does the one half go on where the other one ends? Two views never meet so.
bool go_on(const GreyPicture& whole, bool columns) {
  const int length = columns ? whole.height() : whole.width();
  const int seam = (columns ? whole.width() : whole.height()) / 2;
  const auto step = [&](int at) {  // from one line to the next
    std::int64_t sum = 0;
    for (int k = 0; k < length; ++k)
      sum += std::abs(columns ? pixel_of(whole, at, k) - pixel_of(whole, at - 1, k)
                              : pixel_of(whole, k, at) - pixel_of(whole, k, at - 1));
    return sum;
  };
  int lowest = 65535, highest = 0;  // of the lines that meet
  for (const int at : {seam - 1, seam})
    for (int k = 0; k < length; ++k) {
      const int pixel = columns ? pixel_of(whole, at, k) : pixel_of(whole, k, at);
      lowest = std::min(lowest, pixel);
      highest = std::max(highest, pixel);
    }
  if (16 * (highest - lowest) <= whole.max_value) return false;  // what parts two views, not one
  std::array<std::int64_t, 8> beside{};
  for (int i = 0; i < 4; ++i) {
    beside[static_cast<std::size_t>(i)] = step(seam - 1 - i);
    beside[static_cast<std::size_t>(4 + i)] = step(seam + 1 + i);
  }
  return 2 * step(seam) <= 3 * *std::max_element(beside.begin(), beside.end());
}

std::string other_layout(const StereoFrame& frame, const StereoOptions& options, Halves halves) {
  constexpr int least_side = 16;
  const GreyPicture whole = joined(frame, halves);
  const bool columns = halves == Halves::columns;
  const Size size = whole.size(), half{columns ? size.width : size.width / 2, columns ? size.height / 2 : size.height};
  if (std::min(half.width, half.height) < least_side) return {};
  const auto part = [&](int x, int y) {
    return make_picture(whole, half, [&](int dx, int dy) { return pixel_of(whole, x + dx, y + dy); });
  };
  const GreyPicture first = part(0, 0), second = columns ? part(0, size.height - half.height) : part(half.width, 0);
  if (fits(look_at(first, second, options)))
    return columns ? "both views seem to lie above each other in it, not side by side: give --layout top-bottom"
                   : "both views seem to lie side by side in it, not above each other: give --layout side-by-side";
  if (go_on(whole, columns))
    return "the picture goes on from one half to the other, as one view does: give LEFT and RIGHT of two cameras, or "
           "a picture that holds both views";
  return {};
}

/// What was read in another order of bits, or from another row on.
std::string misread(const StereoFrame& frame, const StereoOptions& options) {
  const GreyPicture left = with_reversed_bits(frame.left), right = with_reversed_bits(frame.right);
  const bool in_left = fits(look_at(left, frame.right, options)), in_right = fits(look_at(frame.left, right, options));
  if (in_left || in_right || fits(look_at(left, right, options)))
    return fmt::format(
        "{} holds the bits of each byte in reverse order, as a link leaves them that begins with the "
        "lowest one: turn them round",
        in_left    ? "the left one"
        : in_right ? "the right one"
                   : "each of them");
  for (const bool of_right : {false, true}) {
    const GreyPicture& picture = of_right ? frame.right : frame.left;
    const int height = picture.height(), first = first_row_of(picture);
    if (first == 0) continue;
    const GreyPicture whole =
        make_picture(picture, picture.size(), [&](int x, int y) { return pixel_of(picture, x, (y + first) % height); });
    if (fits(of_right ? look_at(frame.left, whole, options) : look_at(whole, frame.right, options)))
      return fmt::format(
          "the {} one begins with its row {}, and what belongs above that lies below, as where halves "
          "are exchanged or a ring buffer is read from the wrong place: begin with that row",
          of_right ? "right" : "left", first);
  }
  return {};
}

}  // namespace

std::string likely_mistake(const StereoFrame& frame, const StereoOptions& options, Halves halves) {
  if (halves != Halves::none)
    if (std::string line = other_layout(frame, options, halves); !line.empty()) return line;
  const auto fits_as = [&](const GreyPicture& right) { return fits(look_at(frame.left, right, options)); };
  if (fits_as(negative_of(frame.right)))
    return "one of them is a negative of the other one's kind: where the one is bright the other is dark: invert one";
  if (fits_as(reversed(frame.right, true, true))) return "one of them is turned by 180 degrees: turn it back";
  if (fits_as(reversed(frame.right, false, true))) return "one of them is upside down: turn the order of its rows";
  if (fits_as(reversed(frame.right, true, false))) return "one of them is mirrored: turn the order of its columns";
  return misread(frame, options);
}

bool is_a_pair(const PairFindings& found) {
  return found.problem != PairProblem::exchanged && found.problem != PairProblem::row_offset && fits(found);
}

}  // namespace vergence::cli
