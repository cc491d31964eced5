// SPDX-License-Identifier: Apache-2.0
// OpenCV's matchers with the window, and with the rejections, that leave the fewest wrong pixels of a pair, chosen on
// this very pair.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "accuracy_rows.hpp"
#include "opencv_peers.hpp"

namespace vergence::bench {

/// What a matcher rejects beside what the left-right check does.
struct Rejection {
  int uniqueness, texture, speckles;
};

/// A matcher with its default rejections and the best window, without its map; with the best of all.
struct BestRows {
  Row window, settings;

  /// Keeps `row` where it has fewer wrong pixels.
  void offer(Row row, bool default_rejection) {
    const auto better = [&row](const Row& best) {
      return best.settings.empty() || row.scores.all.total_bad[1] < best.scores.all.total_bad[1];
    };
    if (default_rejection && better(window)) window = {"", row.settings, {}, {}, row.scores};
    if (better(settings)) settings = std::move(row);
  }
  void add_to(std::vector<Row>& rows, const std::string& method) {
    window.method = method + ", best window";
    settings.method = method + ", best settings";
    rows.push_back(std::move(window));
    rows.push_back(std::move(settings));
  }
};

inline Row peer_row(const Input& input, const std::string& settings, cv::StereoMatcher& matcher) {
  Row row{"", settings, Map(input.size())};
  cv::Mat out = mat(row.map);
  matcher.compute(mat(input.left), mat(input.right), out);
  row.validity = measured(row.map);
  finish(input, row, input.disparities);
  return row;
}

inline StereoOptions peer_options(const Input& input, int window, const Rejection& rejection) {
  StereoOptions options = stereo_preset("opencv-bm").options;
  options.window = {window, window};
  options.disparities = input.disparities;
  options.uniqueness_ratio = rejection.uniqueness;
  options.texture_threshold = rejection.texture;
  options.left_right = 1;
  options.speckle_size = rejection.speckles;
  return options;
}

inline std::string describe(int window, const Rejection& rejection) {
  return "window " + std::to_string(window) + ", uniqueness " + std::to_string(rejection.uniqueness) + ", speckles " +
         std::to_string(rejection.speckles);
}

inline BestRows best_block_matcher(const Input& input) {
  BestRows best;
  for (int window = 5; window <= 31; window += 2)
    for (const int uniqueness : {0, 5, 15})
      for (const int speckles : {0, 100})
        for (const int texture : {0, 10, 100}) {
          const Rejection rejection{uniqueness, texture, speckles};
          best.offer(peer_row(input, describe(window, rejection) + ", texture " + std::to_string(texture),
                              *block_matcher(peer_options(input, window, rejection))),
                     uniqueness == 15 && texture == 10 && speckles == 0);
        }
  return best;
}

/// StereoSGBM has no texture threshold.
inline BestRows best_semi_global_matcher(const Input& input, int mode) {
  BestRows best;
  for (int window = 1; window <= 11; window += 2)
    for (const int uniqueness : {0, 5, 15})
      for (const int speckles : {0, 100}) {
        const Rejection rejection{uniqueness, 0, speckles};
        StereoOptions options = peer_options(input, window, rejection);
        options.prefilter_cap = 63;
        options.speckle_range = 32;
        best.offer(peer_row(input, describe(window, rejection), *semi_global_matcher(options, mode)),
                   uniqueness == 0 && speckles == 0);
      }
  return best;
}

/// The last row is the one with eight directions and the best settings.
inline void add_peers(const Input& input, std::vector<Row>& rows) {
  best_block_matcher(input).add_to(rows, "StereoBM");
  for (const auto& [name, mode] : {std::pair{"3WAY", cv::StereoSGBM::MODE_SGBM_3WAY},
                                   {"HH4", cv::StereoSGBM::MODE_HH4},
                                   {"SGBM", cv::StereoSGBM::MODE_SGBM},
                                   {"HH", cv::StereoSGBM::MODE_HH}})
    best_semi_global_matcher(input, mode).add_to(rows, std::string("StereoSGBM ") + name);
}

}  // namespace vergence::bench
