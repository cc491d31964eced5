// SPDX-License-Identifier: Apache-2.0
// What no user gives on purpose: devices, endless pipes, links in a circle, names that steer terminals, no memory for
// threads, a standard output that is gone. One line each, and never a signal.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "cli/bad_input.hpp"

namespace vergence::cli_test {
namespace {

class HostileInput : public testing::Test {
 protected:
  HostileInput() {
    scratch.write("left.pgm", left_pgm(40, 20, 3));
    scratch.write("right.pgm", right_pgm(40, 20));
    std::string clip = "YUV4MPEG2 W96 H80 F25:1 Cmono\n";
    for (int frame = 0; frame < 3; ++frame) {
      clip += "FRAME\n";
      for (int i = 0; i < 96 * 80; ++i) clip.push_back(static_cast<char>(texture(i % 96 + frame, i / 96)));
    }
    scratch.write("clip.y4m", clip);
  }

  void refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words, int status = 1) {
    SCOPED_TRACE(arguments.back());
    expect_refused(scratch, {"", arguments, status, words});
  }

  Scratch scratch;
};

TEST_F(HostileInput, DevicesAreNoText) {
  refused({"track", "clip.y4m", "--points-file", "/dev/zero"},
          {"points file /dev/zero is a device", "give a text file"});
  refused({"stereo", "left.pgm", "right.pgm", "--settings", "/dev/zero"}, {"settings file /dev/zero is a device"});
  std::string flow("PIEH\1\0\0\0\1", 9);
  flow.resize(20);
  scratch.write("flow.flo", flow);
  for (const char* name : {"zero.csv", "zero.json", "zero.npy"}) {
    std::filesystem::create_symlink("/dev/zero", scratch.path(name));
    const Result result = scratch.run({"eval-tracks", name, "flow.flo"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("a device"), std::string::npos) << result.err;
  }
}

TEST_F(HostileInput, DevicesAreNoPictures) {
  refused({"diff", "/dev/zero", "left.pgm"}, {"/dev/zero", "it is a device"});
  refused({"motion", "/dev/zero"}, {"/dev/zero", "it is a device"});
  refused({"motion", "/dev/zero", "--size", "16x16"}, {"/dev/zero", "it is a device"});
}

TEST_F(HostileInput, LinksInACircle) {
  std::filesystem::create_symlink("circle", scratch.path("circle"));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"diff", "circle", "left.pgm"},
                                                    {"motion", "circle"},
                                                    {"motion", "circle", "--size", "16x16"},
                                                    {"track", "clip.y4m", "--points-file", "circle"}}) {
    const Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_NE(result.err.find("symbolic links lead in a circle"), std::string::npos) << result.err;
  }
}

TEST_F(HostileInput, NamesThatAreTooLong) {
  const std::string name(300, 'a');
  refused({"diff", name, "left.pgm"}, {"file name too long: use a shorter name"});
  refused({"track", "clip.y4m", "--points-file", name}, {"file name too long: use a shorter name"});
  refused({"stereo", "left.pgm", "right.pgm", "--disparities", "16", "-o", name + ".pfm"},
          {"file name too long: use a shorter name"});
}

TEST_F(HostileInput, FilesOfProcAreReadOrRefusedByWhatTheyHold) {
  refused({"diff", "/proc/self/status", "left.pgm"}, {"/proc/self/status", "not a picture"});
  refused({"track", "clip.y4m", "--points-file", "/proc/self/status"}, {"line 1", "is not two numbers"});
}

TEST_F(HostileInput, AddressesOfTheNetwork) {
  refused({"motion", "http://127.0.0.1/a.mp4"}, {"network input is not enabled here"});
  refused({"track", "rtsp://127.0.0.1/a"}, {"network input is not enabled here"});
  refused({"stereo", "https://127.0.0.1/%d.png", "right.pgm"}, {"network input is not enabled here"});
}

TEST_F(HostileInput, LinesOfJsonAreNamed) {
  scratch.write("s.json", "{\n \"settings\": {\n  \"window\": ,\n }\n}\n");
  refused({"stereo", "left.pgm", "right.pgm", "--settings", "s.json"}, {"settings file s.json is not JSON, line 3"});
  scratch.write("long.json", std::string((1u << 20) + 1, ' '));
  refused({"stereo", "left.pgm", "right.pgm", "--settings", "long.json"}, {"long.json has 1048577 bytes", "1 MiB"});
}

TEST_F(HostileInput, NamesDoNotSteerTheTerminal) {
  const std::string name = "a\x1b[31mb\x9b\x07.png";
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"diff", name, "left.pgm"},
                                                    {"motion", name},
                                                    {"stereo", name, "right.pgm"},
                                                    {"track", "clip.y4m", "--points-file", name},
                                                    {"stereo", "left.pgm", "right.pgm", "--window", name},
                                                    {"stereo", "left.pgm", "right.pgm", name},
                                                    {name}}) {
    const Result result = scratch.run(arguments);
    EXPECT_NE(result.status, 0);
    EXPECT_LT(result.status, 3);
    EXPECT_EQ(result.err.find_first_of("\x1b\x07\x9b"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("a\\x1b[31mb"), std::string::npos) << result.err;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
  }
  scratch.write("points.txt", std::string("1,2\n\x1b[2J\0 3\n", 12));
  refused({"track", "clip.y4m", "--points-file", "points.txt"}, {"points.txt, line 2: '\\x1b[2J\\x00 3' is not two"});
}

/// Writes `line` into the FIFO until nobody reads it.
void write_for_ever(const std::string& fifo, const std::string& line) {
  std::string block;
  while (block.size() < 65536) block += line;
  const int file = open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
  while (write(file, block.data(), block.size()) > 0) {
  }
  close(file);
}

TEST_F(HostileInput, AnEndlessPipeIsCut) {
  const std::string fifo = scratch.path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::signal(SIGPIPE, SIG_IGN);
  const auto fed = [&](const std::string& line, const std::vector<std::string>& arguments) {
    std::thread writer(write_for_ever, fifo, line);
    const Result result = scratch.run(arguments);
    writer.join();
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    return result.err;
  };
  EXPECT_NE(fed("# a line\n", {"track", "clip.y4m", "--points-file", "fifo"}).find("fifo is larger than 64 MiB"),
            std::string::npos);
  EXPECT_NE(fed("no end", {"track", "clip.y4m", "--points-file", "fifo"}).find("line 1: it is longer than 65536"),
            std::string::npos);
  EXPECT_NE(fed(" ", {"stereo", "left.pgm", "right.pgm", "--settings", "fifo"}).find("fifo is larger than 1 MiB"),
            std::string::npos);
}

TEST_F(HostileInput, HelpForAReaderThatLeaves) {
  RunOptions options;
  options.reader_left = true;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"stereo", "--help"}, {"track", "--help"}, {"help", "stereo", "--all"}}) {
    const Result result = scratch.run(arguments, options);
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(HostileInput, OutputThatIsGoneIsAnError) {
  for (const char* out : {"-", "/dev/full"})
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                      {"--version"},
                                                      {"motion", "--help"},
                                                      {"presets"},
                                                      {"stereo", "left.pgm", "right.pgm", "--disparities", "16"}}) {
      SCOPED_TRACE(out + (" " + arguments.back()));
      expect_refused(scratch,
                     {"", arguments, 1, {"standard output", *out == '-' ? "closed" : "No space"}, out_to(out)});
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(HostileInput, NoStackForThreads) {
  for (const long kilobytes : {64, 128, 255, 256, 1024}) {
    RunOptions options;
    options.stack_limit = kilobytes << 10;
    const Result result = scratch.run({"track", "clip.y4m"}, options);
    EXPECT_EQ(result.status, kilobytes < 256 ? 1 : 0) << kilobytes << ": " << result.err;
    EXPECT_EQ(result.err.empty(), kilobytes >= 256);
    EXPECT_EQ(scratch.run({"--help"}, options).status, 0);
  }
}

TEST_F(HostileInput, NoMemoryForThreads) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"},
        {"presets"},
        {"track", "--help"},
        {"stereo", "left.pgm", "right.pgm", "--disparities", "16", "-o", "d.npy"},
        {"stereo", "left.pgm", "right.pgm", "--disparities", "16", "-o", "d.npy", "--threads", "64"},
        {"motion", "clip.y4m", "-o", "m.csv", "--block", "8"},
        {"track", "clip.y4m", "-o", "t.csv"}})
    for (const long megabytes : {120, 160, 200, 240, 320, 500}) {
      RunOptions options;
      options.memory_limit = megabytes << 20;
      const Result result = scratch.run(arguments, options);
      SCOPED_TRACE(testing::Message() << arguments.front() << " with " << megabytes << " MB: " << result.err);
      if (result.status == 127) continue;  // not even the libraries fit
      EXPECT_LE(result.status, 1);
      EXPECT_EQ(lines(result.err), result.status == 0 ? 0u : 1u);
    }
}
#endif

}  // namespace
}  // namespace vergence::cli_test
