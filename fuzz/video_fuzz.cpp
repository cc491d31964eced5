// SPDX-License-Identifier: Apache-2.0
// Any bytes as a video file: FFmpeg's readers and decoders, as far as our lists let them in.
#include "io/video.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "map_consumers.hpp"

namespace {

/// A file in memory with a name.
class File {
 public:
  File(const std::uint8_t* data, std::size_t size) : file_(memfd_create("video", MFD_CLOEXEC)) {
    vergence::fuzz::require(file_ >= 0);
    for (std::size_t done = 0; done < size;) {
      const ssize_t wrote = write(file_, data + done, size - done);
      vergence::fuzz::require(wrote > 0);
      done += static_cast<std::size_t>(wrote);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vergence;
  const File file(data, size);
  const auto read = [&file] {
    io::VideoReader reader(file.path());
    // A small file may hold any number of frames that repeat the last one.
    for (int i = 0; i < 64; ++i) {
      const auto frame = reader.next(true);
      if (!frame) return;
      const Size size_of_frame = frame->luma.size();
      fuzz::require(size_of_frame.width >= 1 && size_of_frame.height >= 1);
      fuzz::require(frame->luma.u8.empty() != frame->luma.u16.empty());
    }
  };
  fuzz::accept_errors([&] {
    try {
      read();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;  // a damaged size may ask for any amount
    }
  });
  return 0;
}
