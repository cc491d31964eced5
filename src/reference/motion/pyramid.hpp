// SPDX-License-Identifier: Apache-2.0
// Coarse levels of both frames, and the search of a block on one of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "definitions/motion/pyramid.h"
#include "reference/motion/block_search.hpp"

namespace vergence::reference {

template <class P>
Image<P> half_size(ImageView<const P> picture) {
  Image<P> half(definitions::half_side(picture.width()), definitions::half_side(picture.height()));
  for (int y = 0; y < half.height(); ++y)
    for (int x = 0; x < half.width(); ++x) {
      const int right = std::min(2 * x + 1, picture.width() - 1);
      const int below = std::min(2 * y + 1, picture.height() - 1);
      half(x, y) = static_cast<P>(definitions::half_pixel(picture(2 * x, 2 * y), picture(right, 2 * y),
                                                          picture(2 * x, below), picture(right, below)));
    }
  return half;
}

/// Levels 0 (the frames themselves) .. `levels`.
template <class P>
class Pyramid {
 public:
  Pyramid(const MotionPictures<P>& pictures, int levels) : pictures_{pictures} {
    // The images are made first and never move afterwards: the views of the next level point into them.
    images_.reserve(2 * static_cast<std::size_t>(levels));
    for (int level = 1; level <= levels; ++level) {
      images_.push_back(half_size(pictures_.back().current));
      images_.push_back(half_size(pictures_.back().reference));
      pictures_.push_back({images_[images_.size() - 2], images_.back()});
    }
  }
  const MotionPictures<P>& level(int level) const { return pictures_[static_cast<std::size_t>(level)]; }
  int levels() const { return static_cast<int>(pictures_.size()) - 1; }

 private:
  std::vector<MotionPictures<P>> pictures_;
  std::vector<Image<P>> images_;
};

/// The search of some pixels of a level above 0: the range to scale, no rate (predictions are too fine for it).
template <class P>
BlockSearch<P> level_search(const MotionPlan& plan, const MotionPictures<P>& pictures, const Block& block, int level) {
  const MotionOptions& o = plan.options;
  const auto scaled = [&](MotionRange range) {
    return MotionRange{definitions::coarse_range(range.first, level), definitions::coarse_range(range.last, level)};
  };
  return {pictures, block, o.cost, o.border, scaled(o.range_x), scaled(o.range_y), 0, {}};
}

/// The search of the pixels that stand for a block on a level above 0.
template <class P>
BlockSearch<P> coarse_search(const MotionPlan& plan, const Block& fine, const Pyramid<P>& pyramid, int level) {
  const Size size = pyramid.level(level).reference.size();
  const Block block{definitions::coarse_start(fine.x, fine.width, level, size.width),
                    definitions::coarse_start(fine.y, fine.height, level, size.height),
                    definitions::coarse_extent(fine.x, fine.width, level, size.width),
                    definitions::coarse_extent(fine.y, fine.height, level, size.height)};
  return level_search(plan, pyramid.level(level), block, level);
}

/// The best of all candidates of a search.
template <class P>
Candidate exhaustive(const BlockSearch<P>& search) {
  Candidate best = search.candidate(0, 0);
  for (int dy = search.range_y.first; dy <= search.range_y.last; ++dy)
    for (int dx = search.range_x.first; dx <= search.range_x.last; ++dx) search.improve(best, dx, dy);
  return best;
}

}  // namespace vergence::reference
