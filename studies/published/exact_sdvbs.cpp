// SPDX-License-Identifier: Apache-2.0
// The published tracker in single precision, in the program's order of operations:
// studies/published/exact_sdvbs.md.
#include "published/exact_sdvbs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace vergence::reference::exact_sdvbs {
namespace {

constexpr int weights[5] = {1, 4, 6, 4, 1};

/// Pixels whose taps leave the picture are 0 in both passes, so that the second one darkens what lies beside them.
Image<float> blur(ImageView<const std::uint8_t> in) {
  Image<float> across(in.size(), 0), out(in.size(), 0);
  for (int y = 2; y < in.height() - 2; ++y)
    for (int x = 2; x < in.width() - 2; ++x) {
      float sum = 0;
      for (int k = 0; k < 5; ++k) sum += static_cast<float>(in(x + k - 2, y) * weights[k]);
      across(x, y) = sum / 16;
    }
  for (int y = 2; y < in.height() - 2; ++y)
    for (int x = 2; x < in.width() - 2; ++x) {
      float sum = 0;
      for (int k = 0; k < 5; ++k) sum += across(x, y + k - 2) * static_cast<float>(weights[k]);
      out(x, y) = sum / 16;
    }
  return out;
}

/// Pixel m lies over pixel 2 m + 2 of the level above; the tracker takes it for pixel 2 m.
Image<float> half(const Image<float>& in) {
  const int width = (in.width() + 1) / 2, height = (in.height() + 1) / 2;
  Image<float> across(width, in.height(), 0), out(width, height, 0);
  for (int y = 2; y < in.height() - 2; ++y)
    for (int x = 2; x < in.width() - 2; x += 2) {
      float sum = 0;
      for (int k = 0; k < 5; ++k) sum += in(x + k - 2, y) * static_cast<float>(weights[k]);
      across((x - 2) / 2, y) = sum / 16;
    }
  for (int y = 2; y < in.height() - 2; y += 2)
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int k = 0; k < 5; ++k) sum += across(x, y + k - 2) * static_cast<float>(weights[k]);
      out(x, (y - 2) / 2) = sum / 16;
    }
  return out;
}

/// Minus the derivative along (step_x, step_y), smoothed across it.
Image<float> gradient(const Image<float>& in, int step_x, int step_y) {
  Image<float> difference(in.size(), 0), out(in.size(), 0);
  for (int y = 1; y < in.height() - 1; ++y)
    for (int x = 1; x < in.width() - 1; ++x)
      difference(x, y) = (in(x - step_x, y - step_y) - in(x + step_x, y + step_y)) / 2;
  for (int y = 1; y < in.height() - 1; ++y)
    for (int x = 1; x < in.width() - 1; ++x) {
      float sum = difference(x - step_y, y - step_x);
      sum += 2 * difference(x, y);
      sum += difference(x + step_y, y + step_x);
      out(x, y) = sum / 4;
    }
  return out;
}

/// Sums over window x window by a running sum, whose rounding errors run along.
Image<float> area_sums(const Image<float>& in, int window) {
  const int before = (window + 1) / 2;
  const auto run = [&](int count, auto&& get, auto&& put) {
    const auto at = [&](int i) { return i < 0 || i >= count ? 0.0F : get(i); };
    float sum = 0;
    for (int i = -before; i < window - before; ++i) sum += at(i);
    for (int i = 0; i < count; ++i) {
      put(i, sum);
      sum += at(i + window - before) - at(i - before);
    }
  };
  Image<float> across(in.size()), out(in.size());
  for (int y = 0; y < in.height(); ++y)
    run(
        in.width(), [&](int x) { return in(x, y); }, [&](int x, float sum) { across(x, y) = sum; });
  for (int x = 0; x < in.width(); ++x)
    run(
        in.height(), [&](int y) { return across(x, y); }, [&](int y, float sum) { out(x, y) = sum; });
  return out;
}

Image<float> product(const Image<float>& a, const Image<float>& b) {
  Image<float> out(a.size());
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) out(x, y) = a(x, y) * b(x, y);
  return out;
}

struct Candidate {
  float x = -1;
  float y = -1;
  float strength = 0;
};

/// The strongest, before any is suppressed: most of them lie side by side.
std::vector<Candidate> strongest(const Levels& frame, const Settings& settings) {
  const Image<float>&dx = frame.dx[0], &dy = frame.dy[0];
  const int w = settings.window;
  const Image<float> xx = area_sums(product(dx, dx), w), xy = area_sums(product(dx, dy), w),
                     yy = area_sums(product(dy, dy), w);
  std::vector<Candidate> all;
  for (int y = w; y < dx.height() - w; ++y)
    for (int x = w; x < dx.width() - w; ++x) {
      const float a = xx(x, y) * yy(x, y);
      const float b = xy(x, y) * xy(x, y);
      const float determinant = a - b;
      const float trace = xx(x, y) + yy(x, y);
      const auto strength = static_cast<float>(double{determinant} / (double{trace} + 0.00001));
      if (strength > 0) all.push_back({static_cast<float>(x), static_cast<float>(y), strength});
    }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& one, const Candidate& other) { return one.strength > other.strength; });
  all.resize(static_cast<std::size_t>(settings.features));
  return all;
}

/// Half-open patches: 2 window samples each way.
class Patches {
 public:
  explicit Patches(int window) : window_(window) {}
  bool leaves(const Image<float>& picture, float x, float y) const {
    const auto w = static_cast<float>(window_);
    return x - w < 0 || y - w < 0 || y + w + 1 >= static_cast<float>(picture.height()) ||
           x + w + 1 >= static_cast<float>(picture.width());
  }
  std::vector<float> at(const Image<float>& picture, float x, float y) const {
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    const float a = x - static_cast<float>(column), b = y - static_cast<float>(row);
    const float here = (1 - a) * (1 - b), right = a * (1 - b), below = (1 - a) * b, both = a * b;
    std::vector<float> samples;
    for (int v = row - window_; v < row + window_; ++v)
      for (int u = column - window_; u < column + window_; ++u)
        samples.push_back(picture(u, v) * here + picture(u + 1, v) * right + picture(u, v + 1) * below +
                          picture(u + 1, v + 1) * both);
    return samples;
  }

 private:
  int window_;
};

float total(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Moves d; false where the feature is to be removed. What leaves the picture in between is followed on all the same.
bool follow_one(const Levels& previous, const Levels& next, const Settings& settings, Feature feature, Feature& d) {
  const Patches patches(settings.window);
  bool valid = true;
  float x = feature.x / 4, y = feature.y / 4;
  d = {0, 0};
  for (const std::size_t level : {std::size_t{1}, std::size_t{0}}) {
    x *= 2;
    y *= 2;
    d.x *= 2;
    d.y *= 2;
    if (patches.leaves(previous.pictures[level], x, y)) return false;
    const std::vector<float> patch = patches.at(previous.pictures[level], x, y);
    // The gradients are those of the next frame, where the feature was in the previous one.
    const std::vector<float> dx = patches.at(next.dx[level], x, y), dy = patches.at(next.dy[level], x, y);
    const float a = total(dx, dx), b = total(dx, dy), c = total(dy, dy);
    const float determinant = a * c - b * b;
    if (double{determinant} / (double{a + c} + 0.00001) < double{settings.accuracy}) return false;
    const float inverse = 1 / determinant;
    for (int i = 0; i < settings.iterations; ++i) {
      if (patches.leaves(next.pictures[level], x + d.x, y + d.y)) {
        valid = false;
        break;
      }
      std::vector<float> difference = patches.at(next.pictures[level], x + d.x, y + d.y);
      for (std::size_t k = 0; k < difference.size(); ++k) difference[k] = patch[k] - difference[k];
      const float e = total(difference, dx), f = total(difference, dy);
      const float step_x = inverse * (e * c - f * b), step_y = inverse * (-e * b + f * a);
      d.x += step_x;
      d.y += step_y;
      if (step_x * step_x + step_y * step_y < settings.accuracy) break;
    }
  }
  return valid;
}

}  // namespace

Levels levels(ImageView<const std::uint8_t> frame) {
  Levels made;
  made.pictures.push_back(blur(frame));
  made.pictures.push_back(half(made.pictures[0]));
  for (const Image<float>& picture : made.pictures) {
    made.dx.push_back(gradient(picture, 1, 0));
    made.dy.push_back(gradient(picture, 0, 1));
  }
  return made;
}

std::vector<Feature> detect(const Levels& frame, const Settings& settings) {
  constexpr float squared_radius = 100;
  std::vector<Feature> features;
  for (const Candidate& one : strongest(frame, settings)) {
    const bool is_free = std::none_of(features.begin(), features.end(), [&](const Feature& other) {
      const float x = one.x - other.x, y = one.y - other.y;
      return x * x + y * y <= squared_radius;
    });
    if (is_free) features.push_back({one.x, one.y});
  }
  return features;
}

std::vector<Feature> follow(const Levels& previous, const Levels& next, const std::vector<Feature>& features,
                            const Settings& settings) {
  std::vector<Feature> left;
  for (const Feature& feature : features) {
    Feature d;
    if (follow_one(previous, next, settings, feature, d)) left.push_back({feature.x + d.x, feature.y + d.y});
  }
  return left;
}

std::vector<Feature> track(const std::function<Image<std::uint8_t>(int)>& frame, const Settings& settings) {
  const auto load = [&](int k) {
    const Image<std::uint8_t> picture = frame(k);
    return levels(picture);
  };
  Levels previous = load(1);
  std::vector<Feature> features = detect(previous, settings);
  for (int k = 1; k <= settings.frames; ++k) {
    Levels next = load(k);
    features = follow(previous, next, features, settings);
    previous = std::move(next);
  }
  return features;
}

}  // namespace vergence::reference::exact_sdvbs
