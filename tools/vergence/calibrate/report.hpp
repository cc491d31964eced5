// SPDX-License-Identifier: Apache-2.0
// What `vergence calibrate` says and draws.
#pragma once

#include <string>
#include <vector>

#include "calibrate/judge.hpp"
#include "calibrate/pictures.hpp"

namespace vergence::cli {

/// A run's results.
struct CalibrateRun {
  const CalibrateArguments* arguments = nullptr;
  const PairPictures* pictures = nullptr;
  calibrate::Board board;
  std::string solver;
  FoundBoards found;
  calibrate::Calibrated result;
  double left_share = 0, right_share = 0;  ///< Of the picture with a board over it.
  std::vector<std::string> advice, warnings;
  std::vector<RigOutput> outputs;
};

void print_calibrate(const CalibrateRun& run);
void print_calibrate_json(const CalibrateRun& run);

/// Left and right picture: colours count the boards over a pixel, dots are the corners found.
Image<Rgb> coverage_picture(const CalibrateRun& run);

}  // namespace vergence::cli
