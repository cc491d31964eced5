// SPDX-License-Identifier: Apache-2.0
// One frame of a world: truth, flow and pictures, row by row.
#include "synth/render.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "synth/view.hpp"

namespace vergence::synth {
namespace {

/// A point counts as seen where the ray to it ends no more than this share before it.
constexpr double same_depth = 1e-6;
/// And where it lies this close to the first or last pixel's centre, in px: rounding decides nothing.
constexpr double rim = 1e-6;

/// A bell curve of deviation 1: the sum of eight uniform numbers.
double bell(std::uint64_t key) {
  const std::uint64_t a = mixed(key);
  const std::uint64_t b = mixed(a ^ 0xC2B2AE3D27D4EB4Fu);
  std::uint64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += ((a >> (16 * i)) & 0xFFFFu) + ((b >> (16 * i)) & 0xFFFFu);
  constexpr double mean = 8 * 32767.5;
  constexpr double deviation = 53509.8645;  // sqrt(8 / 12) * 65536
  return (static_cast<double>(sum) - mean) / deviation;
}

std::uint8_t rounded(double v) { return static_cast<std::uint8_t>(std::clamp(v + 0.5, 0.0, 255.0)); }
std::uint8_t grey(const Rgb& c) {
  return static_cast<std::uint8_t>((9798 * c.r + 19235 * c.g + 3735 * c.b + 16384) >> 15);
}

class Renderer {
 public:
  Renderer(const World& world, const SceneOptions& options, int frame)
      : world_(world),
        options_(options),
        size_(options.size),
        frame_(frame),
        left_(world, options.size, Eye::left, frame),
        right_(world, options.size, Eye::right, frame) {
    if (frame + 1 < options.frames) next_.emplace(world, options.size, Eye::left, frame + 1);
    allocate();
  }

  SceneFrame run() {
    Threads threads(options_.threads);
    // Rows differ in cost from top to bottom: each thread's range is spread over the whole picture.
    int step = std::max(static_cast<int>(0.618 * size_.height), 1);
    while (std::gcd(step, size_.height) != 1) ++step;
    threads.rows(size_.height, 1, [&](int first, int last, int) {
      for (int i = first; i < last; ++i) {
        const int y = static_cast<int>(static_cast<std::int64_t>(i) * step % size_.height);
        truth_row(y, Eye::left);
        truth_row(y, Eye::right);
        if (next_) flow_row(y);
        picture_row(y, Eye::left);
        picture_row(y, Eye::right);
      }
    });
    return std::move(out_);
  }

 private:
  void allocate() {
    out_.left = Image<std::uint8_t>(size_);
    out_.right = Image<std::uint8_t>(size_);
    if (options_.color) {
      out_.left_rgb = Image<Rgb>(size_);
      out_.right_rgb = Image<Rgb>(size_);
    }
    out_.disparity_left = Image<float>(size_);
    out_.disparity_right = Image<float>(size_);
    out_.visible_left = Image<std::uint8_t>(size_);
    out_.visible_right = Image<std::uint8_t>(size_);
    out_.region_left = Image<std::uint8_t>(size_);
    if (next_) {
      out_.flow = Image<FlowVector>(size_);
      out_.flow_visible = Image<std::uint8_t>(size_);
    }
  }

  /// Whether a point that projects to (x, y, depth) is in the picture and nothing hides it.
  bool visible(const View& view, double x, double y, double depth) const {
    if (!(depth > 0 && x >= -rim && x <= size_.width - 1 + rim && y >= -rim && y <= size_.height - 1 + rim))
      return false;
    return view.trace(x, y).depth >= depth * (1 - same_depth);
  }

  void truth_row(int y, Eye eye) {
    const bool is_left = eye == Eye::left;
    const View& here = is_left ? left_ : right_;
    const View& there = is_left ? right_ : left_;
    Image<float>& disparity = is_left ? out_.disparity_left : out_.disparity_right;
    Image<std::uint8_t>& seen = is_left ? out_.visible_left : out_.visible_right;
    for (int x = 0; x < size_.width; ++x) {
      const Hit hit = here.trace(x, y);
      const double d = world_.focal * world_.baseline / hit.depth;
      disparity(x, y) = static_cast<float>(d);
      seen(x, y) = hit.object >= 0 && visible(there, is_left ? x - d : x + d, y, hit.depth) ? 255 : 0;
      if (!is_left) continue;
      const Region region = hit.object < 0 ? Region::flat : here.color(hit, here.local_point(hit, x, y)).region;
      out_.region_left(x, y) = static_cast<std::uint8_t>(region);
    }
  }

  void flow_row(int y) {
    for (int x = 0; x < size_.width; ++x) {
      const Hit hit = left_.trace(x, y);
      if (hit.object < 0) {
        out_.flow(x, y) = {2e9F, 2e9F};  // unknown
        out_.flow_visible(x, y) = 0;
        continue;
      }
      const Projection p = next_->project(hit.object, left_.local_point(hit, x, y));
      out_.flow(x, y) = {static_cast<float>(p.x - x), static_cast<float>(p.y - y)};
      out_.flow_visible(x, y) = visible(*next_, p.x, p.y, p.depth) ? 255 : 0;
    }
  }

  Color pixel_color(const View& view, int x, int y) const {
    const int n = options_.samples;
    Color sum;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const double sx = x + (i + 0.5) / n - 0.5;
        const double sy = y + (j + 0.5) / n - 0.5;
        const Hit hit = view.trace(sx, sy);
        if (hit.object >= 0) sum = sum + view.color(hit, view.local_point(hit, sx, sy)).color;
      }
    }
    return sum * (1.0 / (n * n));
  }

  void picture_row(int y, Eye eye) {
    const bool is_left = eye == Eye::left;
    const View& view = is_left ? left_ : right_;
    const double gain = is_left ? 1.0 : options_.gain;
    const double offset = is_left ? 0.0 : options_.offset;
    const std::uint64_t row_key = mixed(options_.seed * 4 + (is_left ? 1 : 2)) +
                                  mixed(static_cast<std::uint64_t>(frame_)) * 3 +
                                  static_cast<std::uint64_t>(y) * 0x9FB21C651E98DF25u;
    for (int x = 0; x < size_.width; ++x) {
      const Color c = pixel_color(view, x, y) * gain;
      const double noise =
          options_.noise_sigma > 0 ? options_.noise_sigma * bell(row_key + static_cast<std::uint64_t>(x)) : 0.0;
      const double add = offset + noise;  // the same for all three, so that the grey picture has the asked deviation
      const Rgb rgb{rounded(c.x + add), rounded(c.y + add), rounded(c.z + add)};
      (is_left ? out_.left : out_.right)(x, y) = grey(rgb);
      if (options_.color) (is_left ? out_.left_rgb : out_.right_rgb)(x, y) = rgb;
    }
  }

  const World& world_;
  const SceneOptions& options_;
  Size size_;
  int frame_;
  View left_;
  View right_;
  std::optional<View> next_;
  SceneFrame out_;
};

}  // namespace

SceneFrame render(const World& world, const SceneOptions& options, int frame) {
  return Renderer(world, options, frame).run();
}

}  // namespace vergence::synth
