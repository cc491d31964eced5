// SPDX-License-Identifier: Apache-2.0
// FFmpeg comes with more than a hundred libraries: each part of it is loaded only by what needs it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/program.hpp"

namespace vergence::cli_test {
namespace {

class Loading : public testing::Test {
 protected:
  void SetUp() override {
    scratch.write("left.pgm", left_pgm(64, 48, 3));
    scratch.write("right.pgm", right_pgm(64, 48));
    scratch.write("left.png", png(64, 48));
    scratch.write("with_alpha.png", png(64, 48, 0, 0, 4));
  }
  /// What the loader says of the libraries that the program opens.
  std::string loaded(const std::vector<std::string>& arguments) const {
    RunOptions options;
    options.environment = {{"LD_DEBUG", "files"}};
    const Result result = scratch.run(arguments, options);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(holds(result.err, "libtbb") || holds(result.err, "libc.so")) << "the loader says nothing";
    return result.err;
  }

  const Scratch scratch;
};

TEST_F(Loading, WithoutPicturesNothingOfFFmpegOrOpenCL) {
  for (const char* option : {"--version", "--help"})
    for (const char* library : {"libav", "OpenCL", "libcuda"})
      EXPECT_FALSE(holds(loaded({option}), library)) << option << ' ' << library;
}

TEST_F(Loading, SmallFormatsDoWithoutFFmpeg) {
  const std::string text =
      loaded({"stereo", "left.pgm", "right.pgm", "--device", "cpu", "--disparities", "16", "-o", "d.pfm"});
  EXPECT_FALSE(holds(text, "libav"));
}

TEST_F(Loading, UsualPngsDoWithoutFFmpeg) {
  const std::string text =
      loaded({"stereo", "left.png", "right.pgm", "--device", "cpu", "--disparities", "16", "-o", "d.png"});
  EXPECT_FALSE(holds(text, "libav"));
}

TEST_F(Loading, PicturesNeedNoReaderOfVideo) {
  const std::string text =
      loaded({"stereo", "with_alpha.png", "right.pgm", "--device", "cpu", "--disparities", "16", "-o", "d.png"});
  EXPECT_TRUE(holds(text, "libavcodec"));
  EXPECT_FALSE(holds(text, "libavformat"));
}

}  // namespace
}  // namespace vergence::cli_test
