// SPDX-License-Identifier: Apache-2.0
// Files appear whole or not at all, on a full disk too.
#include "io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "vergence/cloud.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

using Names = std::vector<std::string>;
namespace fs = std::filesystem;

TEST(AtomicFile, AppearsAtCommit) {
  const test::TemporaryDirectory directory;
  AtomicFile file(directory / "a.txt");
  file.write("hello ");
  EXPECT_FALSE(fs::exists(directory / "a.txt"));
  file.write("world");
  file.commit();
  EXPECT_EQ(test::read_bytes(directory / "a.txt"), "hello world");
  EXPECT_EQ(directory.entries(), Names{"a.txt"});
  EXPECT_ERROR(file.write("x"), ErrorCode::invalid_argument, "complete already");
  EXPECT_ERROR(file.commit(), ErrorCode::invalid_argument, "complete already");
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "a.txt", "old");
  try {
    AtomicFile file(directory / "a.txt");
    file.write(std::string(1 << 20, 'x'));
    throw std::runtime_error("something else failed");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(test::read_bytes(directory / "a.txt"), "old");
  EXPECT_EQ(directory.entries(), Names{"a.txt"});
}

TEST(AtomicFile, AFullDiskLeavesNothing) {
  const test::TemporaryDirectory directory;
  const std::string large(1 << 20, 'x');
  for (const std::int64_t room : {0, 1, 1000, 1 << 18, (1 << 20) - 1}) {
    const io::FullDisk disk(room);
    EXPECT_ERROR(
        {
          AtomicFile file(directory / "a.txt");
          file.write(large.substr(0, 10));
          file.write(large.substr(10));
          file.commit();
        },
        ErrorCode::io, "free space");
    EXPECT_TRUE(directory.entries().empty()) << room;
  }
  const io::FullDisk disk(1 << 20);  // just enough
  AtomicFile file(directory / "a.txt");
  file.write(large);
  file.commit();
  EXPECT_EQ(directory.entries(), Names{"a.txt"});
}

TEST(AtomicFile, EveryWriterSurvivesAFullDisk) {
  const test::TemporaryDirectory directory;
  const io::FullDisk disk(20);
  const Image<std::uint8_t> grey(40, 30, 3);
  const Image<float> map(40, 30, 1.5f);
  const Image<std::int16_t> disparity(40, 30, 160);
  Calibration calibration;
  calibration.focal_px = 1;
  for (const char* name : {"a.png", "a.pgm", "a.npy"})
    EXPECT_ERROR(write_picture(directory / name, grey), ErrorCode::io, name);
  for (const char* name : {"d.png", "d.pfm", "d.npy"})
    EXPECT_ERROR(write_disparity(directory / name, disparity, -16), ErrorCode::io, name);
  EXPECT_ERROR(write_depth(directory / "z.png", map), ErrorCode::io, "z.png");
  EXPECT_ERROR(write_cloud(directory / "p.ply", map, calibration), ErrorCode::io, "p.ply");
  EXPECT_ERROR(write_flo(directory / "f.flo", Image<FlowVector>(9, 9, FlowVector{}).view()), ErrorCode::io, "f.flo");
  EXPECT_TRUE(directory.entries().empty());
}

TEST(AtomicFile, AStreamKeepsWhatItWrote) {
  const test::TemporaryDirectory directory;
  {
    AtomicFile file(directory / "a.csv", AtomicFile::Mode::stream);
    file.write("1,2\n");
    file.flush();
    EXPECT_EQ(test::read_bytes(directory / "a.csv.partial"), "1,2\n");
    file.write("3,4\n");
  }
  EXPECT_EQ(directory.entries(), Names{"a.csv.partial"});
  EXPECT_EQ(test::read_bytes(directory / "a.csv.partial"), "1,2\n3,4\n");
  // It is not overwritten, whoever has left it.
  EXPECT_ERROR(AtomicFile(directory / "a.csv", AtomicFile::Mode::stream), ErrorCode::io, "a.csv.partial exists");
  EXPECT_EQ(test::read_bytes(directory / "a.csv.partial"), "1,2\n3,4\n");
  std::filesystem::remove(directory / "a.csv.partial");
  AtomicFile file(directory / "a.csv", AtomicFile::Mode::stream);
  file.write("5\n");
  file.commit();
  EXPECT_EQ(directory.entries(), Names{"a.csv"});
  EXPECT_EQ(test::read_bytes(directory / "a.csv"), "5\n");
}

TEST(AtomicFile, AStreamThatWasNeverFlushedLeavesNothing) {
  const test::TemporaryDirectory directory;
  { AtomicFile(directory / "a.csv", AtomicFile::Mode::stream).write("head\n"); }
  EXPECT_TRUE(directory.entries().empty());
  const io::FullDisk disk(3);
  EXPECT_ERROR(
      {
        AtomicFile file(directory / "a.csv", AtomicFile::Mode::stream);
        file.write("1,2\n");
        file.flush();
      },
      ErrorCode::io, "free space");
  EXPECT_TRUE(directory.entries().empty());
}

TEST(AtomicFile, AStreamOnAFullDiskEndsAtItsLastFlush) {
  const test::TemporaryDirectory directory;
  for (const std::size_t last : {std::size_t{9}, std::size_t{1} << 20}) {  // through the buffer, and past it
    const io::FullDisk disk(12);
    EXPECT_ERROR(
        {
          AtomicFile file(directory / "a.csv", AtomicFile::Mode::stream);
          file.write("1,2\n");
          file.flush();
          file.write("3,4\n");
          file.flush();
          file.write(std::string(last, 'x'));
          file.flush();
        },
        ErrorCode::io, "free space");
    EXPECT_EQ(test::read_bytes(directory / "a.csv.partial"), "1,2\n3,4\n");
    std::filesystem::remove(directory / "a.csv.partial");
  }
  // What closes the file afterwards finds the room of what was cut.
  const io::FullDisk disk(12);
  {
    AtomicFile file(directory / "a.csv", AtomicFile::Mode::stream);
    file.write("1,2\n");
    file.flush();
    file.write("too long for it\n");
    EXPECT_ERROR(file.flush(), ErrorCode::io, "free space");
    file.write("]\n");
  }
  EXPECT_EQ(test::read_bytes(directory / "a.csv.partial"), "1,2\n]\n");
}

TEST(AtomicFile, RefusesPlacesItCannotWrite) {
  const test::TemporaryDirectory directory;
  EXPECT_ERROR(AtomicFile(directory / "none/a.txt"), ErrorCode::io, "does not exist");
  EXPECT_ERROR(AtomicFile(directory / "."), ErrorCode::io, "it is a directory");
  EXPECT_ERROR(AtomicFile(""), ErrorCode::io, "empty");
  test::write_bytes(directory / "file", "x");
  EXPECT_ERROR(AtomicFile(directory / "file/a.txt"), ErrorCode::io, "does not exist");
  if (geteuid() == 0) return;  // the superuser may write anywhere
  chmod((directory / "file").c_str(), 0400);
  EXPECT_ERROR(AtomicFile(directory / "file"), ErrorCode::io, "may write to");
}

TEST(AtomicFile, DevicesAreWrittenDirectly) {
  {
    AtomicFile file("/dev/null");
    file.write("gone");
    file.commit();
  }
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  if (!fs::is_character_file("/dev/full")) return;
  AtomicFile full("/dev/full");
  full.write("x");
  EXPECT_ERROR(full.commit(), ErrorCode::io, "/dev/full");
}

TEST(AtomicFile, LinksToNothingMakeTheirFile) {
  const test::TemporaryDirectory directory;
  fs::create_symlink("new.txt", directory / "link.txt");
  fs::create_symlink(directory / "link.txt", directory / "far.txt");
  EXPECT_EQ(AtomicFile::target(directory / "far.txt"), directory / "new.txt");
  EXPECT_EQ(AtomicFile::target(directory / "plain.txt"), directory / "plain.txt");
  AtomicFile file(directory / "far.txt");
  file.write("text");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(directory / "far.txt"));
  EXPECT_TRUE(fs::is_symlink(directory / "link.txt"));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(directory / "new.txt")));
  fs::create_symlink("circle.txt", directory / "circle.txt");
  EXPECT_ERROR(AtomicFile(directory / "circle.txt"), ErrorCode::io, "in a circle");
}

TEST(AtomicFile, LinksStayLinksAndPermissionsStay) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "real.txt", "old");
  chmod((directory / "real.txt").c_str(), 0640);
  fs::create_symlink("real.txt", directory / "link.txt");
  AtomicFile file(directory / "link.txt");
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(directory / "link.txt"));
  EXPECT_EQ(test::read_bytes(directory / "real.txt"), "new");
  struct stat status {};
  ASSERT_EQ(stat((directory / "real.txt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

/// In a process of its own: nothing can be opened after it.
TEST(FileGroup, FilesAppearTogether) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "a.txt", "old");
  FileGroup group;
  AtomicFile stream(directory / "c.txt", AtomicFile::Mode::stream);
  for (const char* name : {"a.txt", "b.txt"}) {
    AtomicFile file(directory / name);
    file.write("new");
    file.commit();
    EXPECT_ERROR(file.write("x"), ErrorCode::invalid_argument, "complete already");
    EXPECT_ERROR(file.commit(), ErrorCode::invalid_argument, "complete already");
  }
  stream.write("grown");
  stream.commit();
  EXPECT_EQ(test::read_bytes(directory / "a.txt"), "old");
  EXPECT_FALSE(fs::exists(directory / "b.txt"));
  EXPECT_FALSE(fs::exists(directory / "c.txt"));
  group.commit();
  EXPECT_EQ(directory.entries(), (Names{"a.txt", "b.txt", "c.txt"}));
  EXPECT_EQ(test::read_bytes(directory / "a.txt") + test::read_bytes(directory / "c.txt"), "newgrown");
}

TEST(FileGroup, WithoutCommitNothingAppears) {
  const test::TemporaryDirectory directory;
  {
    const FileGroup group;
    AtomicFile whole(directory / "a.txt"), stream(directory / "b.txt", AtomicFile::Mode::stream);
    whole.write("new");
    whole.commit();
    stream.write("grown");
    stream.commit();
  }
  EXPECT_EQ(directory.entries(), Names{"b.txt.partial"});
  EXPECT_EQ(test::read_bytes(directory / "b.txt.partial"), "grown");
  AtomicFile after(directory / "c.txt");
  after.commit();
  EXPECT_TRUE(fs::exists(directory / "c.txt"));
}

TEST(FileGroup, AnInnerOneHandsItsFilesOn) {
  const test::TemporaryDirectory directory;
  const auto write = [&directory](const char* name) {
    AtomicFile file(directory / name);
    file.commit();
  };
  FileGroup outer;
  {
    FileGroup inner;
    write("a.txt");
    inner.commit();
  }
  {
    const FileGroup inner;
    write("b.txt");
  }
  write("c.txt");
  EXPECT_FALSE(fs::exists(directory / "a.txt"));
  outer.commit();
  EXPECT_EQ(directory.entries(), (Names{"a.txt", "c.txt"}));
}

TEST(FileGroup, NamesWhatStandsWhereOneCannotAppear) {
  const test::TemporaryDirectory directory;
  fs::create_directory(directory / "folder");
  FileGroup group;
  for (const char* name : {"a.txt", "folder/b.txt", "c.txt"}) {
    AtomicFile file(directory / name);
    file.commit();
  }
  fs::remove_all(directory / "folder");
  EXPECT_ERROR(group.commit(), ErrorCode::io, "; " + directory / "a.txt" + " was written before");
}

TEST(AtomicFile, TheEndOfAProcessLeavesWhatIsWhole) {
  const test::TemporaryDirectory directory;
  const auto end = [&directory] {
    AtomicFile whole(directory / "whole.txt");
    whole.write("text");
    AtomicFile done(directory / "done.txt");
    done.write("text");
    done.commit();
    AtomicFile stream(directory / "stream.txt", AtomicFile::Mode::stream);
    stream.write("line\n");
    stream.flush();
    stream.write(std::string(1 << 20, 'x'));
    _exit(AtomicFile::end_all() == Names{directory / "stream.txt.partial"} ? 7 : 8);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(7), "");
  EXPECT_EQ(directory.entries(), (Names{"done.txt", "stream.txt.partial"}));
  EXPECT_EQ(test::read_bytes(directory / "stream.txt.partial"), "line\n");
}

}  // namespace
}  // namespace vergence
