// SPDX-License-Identifier: Apache-2.0
// Which frames of a video are worth calibrating from: sharp ones that differ. Read before: calibrate.hpp.
#pragma once

#include <vector>

#include "calibrate/calibrate.hpp"

namespace vergence::calibrate {

/// A frame in which both cameras saw the board.
struct Candidate {
  View view;
  double edge_px = 0;    ///< The wider of both pictures' edge_width(); 0: not measured.
  double motion_px = 0;  ///< How far the corners moved on average since the frame looked at before, in either picture.
};

/// Mean distance of corners that both show, px; 0 where they share none.
double motion_between(const Corners& before, const Corners& now);

/// At most `most` of the candidates, in their order. Frames whose edges are more than 1.5 times as wide as those of the
/// best quarter are left aside; those that were not measured count as just that wide. The rest are taken from the
/// sharpest and stillest on, each as long as it differs from all that were taken: in place, size or slant of the board,
/// by a measure that is lowered until there are enough.
std::vector<int> select_views(const std::vector<Candidate>& candidates, const Board& board, Size size, int most);

}  // namespace vergence::calibrate
