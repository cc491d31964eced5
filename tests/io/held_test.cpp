// SPDX-License-Identifier: Apache-2.0
// Names in folders that are held open: no reader follows a link there, or waits for a pipe.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "core/expect_error.hpp"
#include "io/bytes.hpp"
#include "io/container.hpp"
#include "io/file_support.hpp"

namespace vergence {
namespace {

using namespace test;

class HeldTest : public testing::Test {
 protected:
  HeldTest() : folder_(open((directory / "").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    std::string video = "YUV4MPEG2 W16 H16 F25:1 Ip A1:1 Cmono\n";
    for (int i = 0; i < 3; ++i) video += "FRAME\n" + std::string(256, 'x');
    write_bytes(directory / "clip.y4m", video);
    std::filesystem::create_symlink("clip.y4m", directory / "link.y4m");
    mkfifo((directory / "pipe.y4m").c_str(), 0600);
    std::filesystem::create_directory(directory / "folder.y4m");
  }
  ~HeldTest() override { close(folder_); }
  std::string held(const std::string& name) const { return "/proc/self/fd/" + std::to_string(folder_) + "/" + name; }
  template <class Read>
  void refuses_all_but_files(const Read& read) const {
    EXPECT_NO_THROW(read(held("clip.y4m")));
    EXPECT_ERROR(read(held("link.y4m")), ErrorCode::io, "symbolic link");
    EXPECT_ERROR(read(held("pipe.y4m")), ErrorCode::io, "pipe");
    EXPECT_ERROR(read(held("folder.y4m")), ErrorCode::io, "folder");
    EXPECT_ERROR(read(held("none.y4m")), ErrorCode::not_found, "no such file");
    EXPECT_NO_THROW(read(directory / "link.y4m")) << "elsewhere links are followed";
  }

  const TemporaryDirectory directory;

 private:
  int folder_;
};

TEST_F(HeldTest, BytesAreThoseOfFilesAlone) {
  refuses_all_but_files([](const std::string& path) { io::ByteReader{path}; });
}

TEST_F(HeldTest, VideosAreFilesAlone) {
  refuses_all_but_files([](const std::string& path) { io::open_container(path, false); });
}

}  // namespace
}  // namespace vergence
