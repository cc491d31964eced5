// SPDX-License-Identifier: Apache-2.0
// Boards in pictures, found by OpenCV.
#pragma once

#include <opencv2/core.hpp>

#include "calibrate/board.hpp"
#include "calibrate/solver.hpp"

namespace vergence::calibrate {

Corners find_chessboard(const cv::Mat& picture, const Board& board, Effort effort);

/// Whether this was compiled with ChArUco.
bool has_charuco();
/// Throws std::runtime_error for a dictionary that OpenCV does not have.
Corners find_charuco(const cv::Mat& picture, const Board& board);

}  // namespace vergence::calibrate
