// SPDX-License-Identifier: Apache-2.0
// The picture of --coverage.
#include <algorithm>
#include <cmath>

#include "calibrate/report.hpp"
#include "cli/canvas.hpp"

namespace vergence::cli {
namespace {

/// A dot for each corner, light on any colour.
void draw_corners(Image<Rgb>& picture, Size size, double scale, const std::vector<calibrate::Corners>& views) {
  Canvas canvas(picture, size);
  for (const calibrate::Corners& view : views)
    for (const calibrate::Corner& corner : view) {
      const int x = static_cast<int>(std::lround((corner.x + 0.5) * scale - 0.5));
      const int y = static_cast<int>(std::lround((corner.y + 0.5) * scale - 0.5));
      canvas.disc(x, y, 2, {0, 0, 0});
      canvas.disc(x, y, 1, {255, 255, 255});
    }
}

/// About 600 px wide.
Image<Rgb> side_picture(const char* name, const std::vector<calibrate::Corners>& views,
                        const Image<std::int32_t>& boards, int most) {
  const Size size = boards.size();
  const double scale = std::clamp(600.0 / size.width, 0.05, 4.0);
  Image<float> map(std::max(1, static_cast<int>(size.width * scale)),
                   std::max(1, static_cast<int>(size.height * scale)));
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      map(x, y) = static_cast<float>(boards(std::min(size.width - 1, static_cast<int>(x / scale)),
                                            std::min(size.height - 1, static_cast<int>(y / scale))));
  ColourOptions options;
  options.high = std::max(1, most);
  options.name = name;
  options.whole = true;
  Image<Rgb> picture = colour_map(map.view(), options);
  draw_corners(picture, map.size(), scale, views);
  return picture;
}

int most_boards(const Image<std::int32_t>& boards) {
  int most = 0;
  for (int y = 0; y < boards.height(); ++y)
    most = std::max(most, *std::max_element(boards.row(y), boards.row(y) + boards.width()));
  return most;
}

}  // namespace

Image<Rgb> coverage_picture(const CalibrateRun& run) {
  const std::vector<calibrate::Corners> left =
      calibrate::used_corners(run.found.views, run.result.left_views, &calibrate::View::left);
  const std::vector<calibrate::Corners> right =
      calibrate::used_corners(run.found.views, run.result.right_views, &calibrate::View::right);
  const Image<std::int32_t> left_boards = calibrate::boards_over(left, run.found.size);
  const Image<std::int32_t> right_boards = calibrate::boards_over(right, run.found.size);
  const int most = std::max(most_boards(left_boards), most_boards(right_boards));
  const Image<Rgb> a = side_picture("boards over the left picture", left, left_boards, most);
  const Image<Rgb> b = side_picture("boards over the right picture", right, right_boards, most);
  constexpr int gap = 8;
  Image<Rgb> both(a.width() + gap + b.width(), std::max(a.height(), b.height()), Rgb{255, 255, 255});
  for (int y = 0; y < a.height(); ++y) std::copy_n(a.row(y), a.width(), both.row(y));
  for (int y = 0; y < b.height(); ++y) std::copy_n(b.row(y), b.width(), both.row(y) + a.width() + gap);
  return both;
}

}  // namespace vergence::cli
