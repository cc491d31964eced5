// SPDX-License-Identifier: Apache-2.0
// Tracks along a video of which those are kept that agree with the motion of one rigid scene: OpenCV estimates a
// fundamental matrix between a frame and the one before, and says which tracks it explains. A track that was once
// refused stays out, since its point has slipped onto something else. Needs OpenCV 4 (core, calib3d).
#include <vergence/io.hpp>
#include <vergence/track.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <set>
#include <span>
#include <vector>

namespace {

cv::Point2d pixels(vergence::TrackPosition at) {
  return {vergence::position_to_pixels(at.x), vergence::position_to_pixels(at.y)};
}

/// Adds to `refused` what moved against the rest between the last two frames.
void reject(const vergence::PointTracker& tracker, std::set<std::uint64_t>& refused) {
  const std::span<const vergence::Track> tracks = tracker.tracks();
  std::vector<cv::Point2d> before, now;
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const auto history = tracker.history(i);  // oldest first
    const bool followed = tracks[i].status == vergence::TrackStatus::tracked && history.size() > 1;
    if (!followed || refused.count(tracks[i].id) != 0) continue;
    before.push_back(pixels(history[history.size() - 2]));
    now.push_back(pixels(history.back()));
    ids.push_back(tracks[i].id);
  }
  if (ids.size() < 15) return;  // too few to tell who is wrong
  std::vector<unsigned char> agrees;
  cv::findFundamentalMat(before, now, cv::FM_RANSAC, 1.0, 0.99, agrees);  // within 1 px of its epipolar line
  if (agrees.size() != ids.size()) return;                                // no matrix was found
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (agrees[i] == 0) refused.insert(ids[i]);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: robust_tracks VIDEO TRACKS.csv\n";
    return 2;
  }
  vergence::FrameSource video(argv[1]);
  auto frame = video.next();
  if (!frame || frame->depth != vergence::Depth::u8) {
    std::cerr << "error: " << argv[1] << " has no frame of 8 bits\n";
    return 1;
  }
  vergence::TrackOptions options;
  options.forward_backward = 1;  // px: a first sieve, which needs no model of the scene
  options.history = 2;
  vergence::PointTracker tracker(vergence::Device("cpu"), frame->size(), options);

  std::ofstream file(argv[2]);
  file << "frame,id,x,y\n";
  std::set<std::uint64_t> refused;
  std::size_t kept = 0;
  for (int index = 0; frame; frame = video.next(), ++index) {
    tracker.next(*frame);
    reject(tracker, refused);
    for (const vergence::Track& track : tracker.tracks()) {
      if (track.status != vergence::TrackStatus::tracked || refused.count(track.id) != 0) continue;
      const cv::Point2d at = pixels(track.position);
      file << index << ',' << track.id << ',' << at.x << ',' << at.y << '\n';
      ++kept;
    }
  }
  std::cout << kept << " positions kept, " << refused.size() << " tracks refused\n";
  return file.flush() ? 0 : 1;
} catch (const vergence::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
