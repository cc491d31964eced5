// SPDX-License-Identifier: Apache-2.0
// Seeded cases of tracks.
#include "verify/track_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/random.hpp"

namespace vergence {
namespace {

enum class Kind { moved, noise, extremes, flat, edges };

int random_window(Random& random, int least_side) {
  const int even[] = {8, 16, 32, 48};
  const int window = random.once_in(4) ? even[random.within(0, 3)] : 2 * random.within(1, 31) + 1;
  if (window < least_side) return window;
  return least_side > 5 && random.once_in(2) ? 5 : 3;
}

void choose_detection(Random& random, Size size, TrackOptions& o) {
  o.points = random.within(0, 40);
  o.refill = random.within(1, 100);
  o.corner = static_cast<TrackCorner>(random.within(0, 1));
  o.harris_k = random.within(1, 25);
  o.block = 3 + 2 * random.within(0, 2);
  o.quality = random.once_in(3) ? 0 : random.within(0, 900) / 1000.0;
  o.min_distance = random.within(0, 12);
  if (random.once_in(2)) o.grid = {random.within(1, 5), random.within(1, 5)};
  if (random.once_in(3)) {
    Rect roi;
    roi.x = random.within(0, size.width - 1);
    roi.y = random.within(0, size.height - 1);
    roi.width = random.within(1, size.width - roi.x);
    roi.height = random.within(1, size.height - roi.y);
    o.roi = roi;
  }
}

void choose_flow(Random& random, TrackOptions& o) {
  o.levels = random.within(0, 4);
  o.iterations = random.once_in(3) ? random.within(1, 3) : random.within(5, 30);
  o.epsilon = random.once_in(3) ? 0 : random.within(1, 100) / 1000.0;
  o.min_eigen = random.once_in(3) ? 0 : random.within(1, 1000) / 1e6;
  o.gain_offset = random.once_in(3);
  o.must_converge = random.once_in(4);
  o.max_residual = random.once_in(3) ? random.within(1, 40) : 0;
  o.forward_backward = random.once_in(3) ? random.within(1, 30) / 10.0 : 0;
  if (random.once_in(3)) o.min_separation = random.within(1, 50) / 10.0;
  o.history = random.within(1, 5);
  o.guess = static_cast<TrackGuess>(random.within(0, 1));
}

}  // namespace

TrackCase make_track_case(std::uint64_t seed, Size largest) {
  Random random(seed * 4 + 1);
  TrackCase result;
  result.seed = seed;
  const int most = random.once_in(4) ? 140 : 60;
  result.size = {random.within(4, std::min(most, largest.width)), random.within(4, std::min(most, largest.height))};
  TrackOptions& o = result.options;
  o.window = random_window(random, std::min(result.size.width, result.size.height));
  choose_detection(random, result.size, o);
  choose_flow(random, o);
  o.depth = random.once_in(3) ? Depth::u16 : Depth::u8;
  if (o.depth == Depth::u16) o.max_value = random.once_in(2) ? 65535 : random.within(1, 5000);
  return result;
}

template <class P>
TrackFrames<P> make_track_frames(const TrackCase& track_case) {
  Random random(track_case.seed * 4 + 2);
  const Size size = track_case.size;
  const int largest = track_case.options.depth == Depth::u8 ? 255 : track_case.options.max_value;
  const auto kind = random.once_in(2) ? Kind::moved : static_cast<Kind>(random.within(1, 4));
  // Squares of random values, so that there is something to see on all levels.
  const int square = random.within(1, 9), dx = random.within(-6, 6), dy = random.within(-6, 6);
  const std::uint64_t texture = random.next();
  const auto value = [&](int x, int y) {
    Random at(texture + static_cast<std::uint64_t>((y + 1000) / square) * 7919 +
              static_cast<std::uint64_t>((x + 1000) / square));
    return at.within(0, largest);
  };
  const auto pixel = [&](int x, int y, int moved_x, int moved_y) {
    switch (kind) {
      case Kind::noise:
        return random.within(0, largest);
      case Kind::extremes:
        return value(x + moved_x, y + moved_y) * 2 < largest ? 0 : largest;
      case Kind::flat:
        return x < size.width / 2 ? largest / 3 : value(x, y);
      case Kind::edges:
        return x + moved_x < size.width / 2 ? 0 : largest;
      case Kind::moved:
        break;
    }
    return random.once_in(40) ? random.within(0, largest) : value(x + moved_x, y + moved_y);
  };
  TrackFrames<P> frames{Image<P>(size), Image<P>(size)};
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      frames.previous(x, y) = static_cast<P>(pixel(x, y, 0, 0));
      frames.current(x, y) = static_cast<P>(pixel(x, y, dx, dy));
    }
  return frames;
}

template TrackFrames<std::uint8_t> make_track_frames(const TrackCase&);
template TrackFrames<std::uint16_t> make_track_frames(const TrackCase&);

TrackPoints make_track_points(const TrackCase& track_case) {
  Random random(track_case.seed * 4 + 3);
  const int right = (track_case.size.width - 1) * 1024, bottom = (track_case.size.height - 1) * 1024;
  TrackPoints made;
  for (int i = 0; i < 40; ++i) {
    TrackPosition at{random.within(0, right), random.within(0, bottom)};
    if (random.once_in(6)) at = {at.x / 1024 * 1024, at.y / 1024 * 1024};
    if (random.once_in(10)) at.x = random.once_in(2) ? 0 : right;
    if (random.once_in(10)) at.y = random.once_in(2) ? 0 : bottom;
    if (random.once_in(20)) at.x = random.once_in(2) ? -1 : right + 1;
    made.points.push_back(at);
    const int far = random.once_in(8) ? 200000 : 3000;
    made.guesses.push_back(
        random.once_in(2) ? at : TrackPosition{at.x + random.within(-far, far), at.y + random.within(-far, far)});
  }
  return made;
}

Image<std::uint8_t> make_track_mask(const TrackCase& track_case) {
  Random random(track_case.seed * 4 + 4);
  if (!random.once_in(3)) return {};
  Image<std::uint8_t> mask(track_case.size);
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x)
      mask(x, y) = static_cast<std::uint8_t>(random.once_in(3) ? 0 : random.within(1, 255));
  return mask;
}

std::string describe(const TrackCase& track_case) {
  std::string text = fmt::format("seed {}, {}x{}", track_case.seed, track_case.size.width, track_case.size.height);
  for (const Field& field : track_fields())
    text += fmt::format(", {} {}", field.name, track_get(track_case.options, field.name));
  return text;
}

}  // namespace vergence
