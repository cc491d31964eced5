// SPDX-License-Identifier: Apache-2.0
// Views within figures: from each edge on, rows and columns of the page hold little, and all of a sudden much.
#include "stereo/framed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace vergence::cli {
namespace {

/// The page of a figure: its pixels are light, and one is the first pixel's.
template <class Pixel>
class Page {
 public:
  Page(const Image<Pixel>& picture, int max_value) : picture_(picture), noise_(max_value / 32) {
    const int width = picture.width(), height = picture.height();
    is_light_ = picture(0, 0) >= max_value / 4 * 3 && is_bare(width - 1, 0) && is_bare(0, height - 1) &&
                is_bare(width - 1, height - 1) && is_bare(width / 2, 0) && is_bare(width / 2, height - 1) &&
                is_bare(0, height / 2) && is_bare(width - 1, height / 2);
  }
  bool is_light() const { return is_light_; }

  /// What lies on it, as a share of a row or column, in percent.
  int row(int y) const {
    int count = 0;
    for (int x = 0; x < picture_.width(); ++x) count += is_bare(x, y) ? 0 : 1;
    return 100 * count / picture_.width();
  }
  int column(int x) const {
    int count = 0;
    for (int y = 0; y < picture_.height(); ++y) count += is_bare(x, y) ? 0 : 1;
    return 100 * count / picture_.height();
  }
  bool is_bare(int x, int y) const { return std::abs(picture_(x, y) - picture_(0, 0)) <= noise_; }

 private:
  const Image<Pixel>& picture_;
  int noise_;
  bool is_light_ = false;
};

/// Lines from an edge on before the first one that holds much, which the line before it does not; -1 where there is no
/// such line in the outer 3/8. share(i) is what the i-th one holds.
template <class Share>
int lines_before(int lines, Share share) {
  constexpr int much = 35, little = 15;  // percent; labels along an axis hold less
  int before = 100;
  for (int i = 0; i < 3 * lines / 8; ++i) {
    const int now = share(i);
    if (now >= much) return before <= little ? i : -1;
    before = now;
  }
  return -1;
}

/// The rectangle of the page that shows the view; empty where there is none, or nothing around it.
template <class Pixel>
Rect view_on(const Image<Pixel>& picture, int max_value) {
  const Page<Pixel> page(picture, max_value);
  if (!page.is_light()) return {};
  const int width = picture.width(), height = picture.height();
  const int top = lines_before(height, [&](int i) { return page.row(i); });
  const int bottom = lines_before(height, [&](int i) { return page.row(height - 1 - i); });
  const int left = lines_before(width, [&](int i) { return page.column(i); });
  const int right = lines_before(width, [&](int i) { return page.column(width - 1 - i); });
  if (std::min({top, bottom, left, right}) < 1) return {};
  const Rect view{left, top, width - left - right, height - top - bottom};
  const auto is_around = [&view](int x, int y) {
    return x < view.x || y < view.y || x >= view.x + view.width || y >= view.y + view.height;
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (is_around(x, y) && !page.is_bare(x, y)) return view;
  return {};
}

Rect view_on(const GreyPicture& picture) {
  return picture.depth == Depth::u8 ? view_on(picture.u8, picture.max_value) : view_on(picture.u16, picture.max_value);
}

}  // namespace

std::string framed_warning(const StereoFrame& frame, const std::optional<Rect>& part) {
  constexpr int line = 3;  // px of an axis
  const Rect view = view_on(frame.left);
  if (view.width <= 4 * line || view.height <= 4 * line || view != view_on(frame.right)) return {};
  if (part && part->x >= view.x && part->y >= view.y && part->x + part->width <= view.x + view.width &&
      part->y + part->height <= view.y + view.height)
    return {};
  return fmt::format(
      "both pictures are figures or pages, which show the views in {}x{} px from ({}, {}) on: what is drawn around "
      "these, such as axes and labels, is matched, too, and the views may be resampled: give the views themselves, or "
      "--roi {},{},{},{}",
      view.width, view.height, view.x, view.y, view.x + line, view.y + line, view.width - 2 * line,
      view.height - 2 * line);
}

}  // namespace vergence::cli
