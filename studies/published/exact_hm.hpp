// SPDX-License-Identifier: Apache-2.0
// The test-zone search as HM, the reference encoder of HEVC (version 16.9), runs it: serial, each block predicted from
// its neighbours, ties by the order of scanning. For comparison with `tz`; see studies/published/exact_hm.md.
#pragma once

#include <cstdint>

#include "vergence/image.hpp"
#include "vergence/motion.hpp"

namespace vergence::reference::exact_hm {

struct Settings {
  Size block{16, 16};
  int range = 64;           ///< px about the prediction, both ends included
  int lambda = 0;           ///< Q16: HM's square root of lambda
  int largest_unit = 64;    ///< side of HM's coding tree units, which bounds vectors outside the frame
  bool stops_early = true;  ///< the first series of diamonds ends after three without gain
  bool skips_rows = false;  ///< blocks above 8 rows: every second row, doubled
};

struct Match {
  int dx = 0;  ///< px
  int dy = 0;
  std::uint64_t j = 0;
  friend bool operator==(const Match&, const Match&) = default;
};

/// One Match per block, partial ones included.
Image<Match> test_zones(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                        const Settings& settings);

}  // namespace vergence::reference::exact_hm
