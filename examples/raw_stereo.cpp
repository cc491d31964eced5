// SPDX-License-Identifier: Apache-2.0
// From the raw pictures of two calibrated cameras to a point cloud in metres.
//
//   raw_stereo LEFT RIGHT CALIBRATION POINTS.ply
#include <vergence/cloud.hpp>
#include <vergence/io.hpp>
#include <vergence/rectify.hpp>
#include <vergence/rig_io.hpp>
#include <vergence/stereo.hpp>

#include <cstdint>
#include <iostream>
#include <string>

int main(int argc, char** argv) try {
  if (argc != 5) {
    std::cerr << "usage: raw_stereo LEFT RIGHT CALIBRATION POINTS.ply\n";
    return 2;
  }
  const vergence::GreyPicture raw_left = vergence::read_grey(argv[1]);
  const vergence::GreyPicture raw_right = vergence::read_grey(argv[2]);
  const vergence::RigFile file = vergence::read_rig({argv[3]});
  for (const std::string& doubt : file.doubts) std::cerr << "warning: " << doubt << '\n';

  // Maps and masks are made once, for all pairs of these cameras.
  const vergence::Device device("cpu");
  const vergence::StereoRig rig = vergence::scaled_rig(file.rig, raw_left.size());
  vergence::StereoRectifier rectifier(device, rig, {.max_value = raw_left.max_value, .along_rows = true});
  vergence::StereoOptions options = vergence::stereo_preset("quality").options;
  options.disparities = 96;
  vergence::StereoMatcher matcher(device, rectifier.size(), options, {rectifier.left_mask(), rectifier.right_mask()});

  // On a GPU these may be DeviceImages: then the rectified pictures never leave it.
  vergence::Image<std::uint8_t> left(rectifier.size()), right(rectifier.size());
  vergence::Image<std::int16_t> disparity(rectifier.size());
  rectifier.rectify(raw_left.u8, raw_right.u8, left, right);
  matcher.compute({left, right}, {.disparity = disparity});

  const vergence::RigRectification& to = rectifier.rig().projections;
  vergence::Calibration geometry;
  geometry.focal_px = to.p1[0];
  geometry.center_x = to.p1[2];
  geometry.center_y = to.p1[6];
  geometry.baseline_m = (to.p1[3] - to.p2[3]) / to.p2[0];
  geometry.offset_px = to.p2[2] - to.p1[2];
  vergence::Image<float> pixels(rectifier.size()), metres(rectifier.size());
  vergence::disparity_to_pixels(disparity, matcher.invalid(), pixels);
  vergence::pixels_to_depth(pixels, geometry.focal_px, geometry.baseline_m, geometry.offset_px, metres);
  std::cout << vergence::write_cloud(argv[4], metres, geometry) << " points\n";
  return 0;
} catch (const vergence::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
