// SPDX-License-Identifier: Apache-2.0
// From two pictures to a disparity map: the example of the README.
#include <vergence/io.hpp>
#include <vergence/stereo.hpp>

#include <cstdint>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "usage: stereo LEFT RIGHT DISPARITY.pfm\n";
    return 2;
  }
  const vergence::GreyPicture left = vergence::read_grey(argv[1]);
  const vergence::GreyPicture right = vergence::read_grey(argv[2]);

  // Everything that can fail because of a setting fails here, with a message that names the setting.
  vergence::StereoOptions options = vergence::stereo_preset("quality").options;
  options.disparities = 64;
  options.depth = left.depth;
  vergence::StereoMatcher matcher(vergence::Device("cpu"), left.size(), options);

  // Any number of pairs of that size; all of them use the matcher's buffers.
  vergence::Image<std::int16_t> disparity(left.size());  // in 1/16 px; matcher.invalid() where there is none
  matcher.compute({left, right}, {.disparity = disparity});

  vergence::write_disparity(argv[3], disparity, matcher.invalid());
  return 0;
} catch (const vergence::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
