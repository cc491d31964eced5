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
  if (left.depth != vergence::Depth::u8 || right.depth != vergence::Depth::u8) {
    std::cerr << "error: 16-bit pictures: this example takes 8 bits; set options.depth and use u16\n";
    return 1;
  }

  // Everything that can fail because of a setting fails here, with a message that names the setting.
  vergence::StereoOptions options = vergence::stereo_preset("quality").options;
  options.disparities = 64;
  vergence::StereoMatcher matcher(vergence::Device("cpu"), left.size(), options);

  // Any number of pairs of that size; nothing is allocated per frame.
  vergence::Image<std::int16_t> disparity(left.size());  // in 1/16 px; matcher.invalid() where there is none
  matcher.compute(left.u8, right.u8, disparity);

  vergence::write_disparity(argv[3], disparity, matcher.invalid());
  return 0;
} catch (const vergence::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
