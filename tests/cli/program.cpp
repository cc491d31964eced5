// SPDX-License-Identifier: Apache-2.0
// Runs the real program: fork, exec, pipes, limits, a terminal, a signal.
#include "program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace vergence::cli_test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// No run of a test takes nearly so long, on a loaded machine neither; one that hangs is killed.
constexpr std::chrono::seconds patience{300};

/// In the child: streams, limits, environment, then the program.
[[noreturn]] void become_program(const std::string& directory, const std::vector<std::string>& arguments,
                                 const RunOptions& options, int out, int err) {
  if (chdir(directory.c_str()) != 0) _exit(126);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  const int input = open(options.in_path.empty() ? "/dev/null" : options.in_path.c_str(), O_RDONLY);
  dup2(input, STDIN_FILENO);
  dup2(err, STDERR_FILENO);
  if (options.out_path == "-") {
    close(STDOUT_FILENO);
  } else if (!options.out_path.empty()) {
    dup2(open(options.out_path.c_str(), O_WRONLY | O_CREAT, 0644), STDOUT_FILENO);
  } else {
    dup2(out, STDOUT_FILENO);
  }
  if (options.reader_left) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) _exit(126);
    dup2(ends[1], STDOUT_FILENO);
  }
  // Above the standard streams nothing is inherited.
  for (int number = 3; number < 64; ++number) close(number);
  unsetenv("VERGENCE_DEVICE");
  setenv("TERM", "xterm", 1);
  for (const auto& item : options.environment) setenv(item.first.c_str(), item.second.c_str(), 1);
  if (options.file_limit) {
    const rlimit limit{static_cast<rlim_t>(*options.file_limit), static_cast<rlim_t>(*options.file_limit)};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (options.memory_limit) {
    const rlimit limit{static_cast<rlim_t>(*options.memory_limit), static_cast<rlim_t>(*options.memory_limit)};
    setrlimit(RLIMIT_AS, &limit);
  }
  if (options.stack_limit) {
    const rlimit limit{static_cast<rlim_t>(*options.stack_limit), static_cast<rlim_t>(*options.stack_limit)};
    setrlimit(RLIMIT_STACK, &limit);
  }
  std::vector<char*> pointers;
  std::string program = VERGENCE_PROGRAM;
  pointers.push_back(program.data());
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  _exit(127);
}

/// Appends what can be read now; false at the end.
bool drain(int stream, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t bytes = read(stream, buffer.data(), buffer.size());
  if (bytes <= 0) return false;  // a terminal whose other end is closed gives an error
  text.append(buffer.data(), static_cast<std::size_t>(bytes));
  return true;
}

bool contains_name(const std::string& directory, const std::string& part) {
  std::error_code problem;
  for (const auto& entry : fs::recursive_directory_iterator(directory, problem))
    if (entry.path().filename().string().find(part) != std::string::npos) return true;
  return false;
}

/// Reads both streams until they end; sends the signal when its file appears, kills what hangs.
void collect(pid_t child, const std::string& directory, const RunOptions& options, int out, int err, Result& result) {
  bool out_open = true;
  bool err_open = true;
  bool signalled = options.signal == 0;
  const Clock::time_point deadline = Clock::now() + patience;
  while (out_open || err_open) {
    std::array<pollfd, 2> streams{{{out_open ? out : -1, POLLIN, 0}, {err_open ? err : -1, POLLIN, 0}}};
    poll(streams.data(), streams.size(), signalled ? 100 : 1);
    if (streams[0].revents != 0) out_open = drain(out, result.out);
    if (streams[1].revents != 0) err_open = drain(err, result.err);
    if (!signalled && contains_name(directory, options.signal_after)) {
      kill(child, options.signal);
      signalled = true;
    }
    if (Clock::now() > deadline) {
      kill(child, SIGKILL);
      ADD_FAILURE() << "the program ran longer than " << patience.count() << " s and was killed";
      return;
    }
  }
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("pipe");
  return ends;
}

std::array<int, 2> make_terminal() {
  std::array<int, 2> ends{};
  const winsize size{24, 100, 0, 0};
  if (openpty(&ends[0], &ends[1], nullptr, nullptr, &size) != 0) throw std::runtime_error("openpty");
  return ends;
}

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift & 255u));
  return bytes;
}

/// A PNG chunk with its CRC-32.
std::string chunk(const std::string& name, const std::string& data) {
  const std::string body = name + data;
  std::uint32_t crc = ~0u;
  for (const char c : body) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
  }
  return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(~crc);
}

}  // namespace

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "vergence-cli-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp " + name);
  directory_ = name;
}

Scratch::~Scratch() {
  std::error_code problem;
  fs::remove_all(directory_, problem);
}

std::string Scratch::path(std::string_view name) const { return (fs::path(directory_) / name).string(); }

void Scratch::write(std::string_view name, std::string_view bytes) const {
  std::ofstream stream(path(name), std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw std::runtime_error("cannot write " + path(name));
}

std::string Scratch::read(std::string_view name) const {
  std::ifstream stream(path(name), std::ios::binary);
  if (!stream) ADD_FAILURE() << "no file " << name;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool Scratch::has(std::string_view name) const { return fs::exists(path(name)); }

std::vector<std::string> Scratch::listing() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
    std::string line = fs::relative(entry.path(), directory_).string();
    if (entry.is_regular_file()) line.append(" ").append(std::to_string(entry.file_size()));
    names.push_back(line);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result Scratch::run(const std::vector<std::string>& arguments, const RunOptions& options) const {
  const std::array<int, 2> out = make_pipe();
  const std::array<int, 2> err = options.terminal ? make_terminal() : make_pipe();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) become_program(directory_, arguments, options, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  Result result;
  collect(child, directory_, options, out[0], err[0], result);
  close(out[0]);
  close(err[0]);
  int status = 0;
  waitpid(child, &status, 0);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return result;
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::size_t lines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

int texture(int x, int y) {
  std::uint32_t state = static_cast<std::uint32_t>(x) * 0x9E3779B1u ^ static_cast<std::uint32_t>(y) * 0x85EBCA77u;
  state ^= state >> 15;
  state *= 0x2C1B3C6Du;
  state ^= state >> 12;
  return static_cast<int>(state & 255u);
}

std::string left_pgm(int width, int height, int disparity) {
  return pgm(width, height, 255, [disparity](int x, int y) { return texture(x - disparity + 1000, y); });
}

std::string right_pgm(int width, int height) {
  return pgm(width, height, 255, [](int x, int y) { return texture(x + 1000, y); });
}

std::string png(int width, int height, int row, int filter, int colour, bool white) {
  std::string rows;
  for (int y = 0; y < height; ++y) {
    rows.push_back(static_cast<char>(y == row ? filter : 0));
    for (int x = 0; x < width; ++x) {
      rows.push_back(static_cast<char>(white ? 255 : texture(x, y)));
      if (colour == 4) rows.push_back(static_cast<char>(texture(x, y)));
    }
  }
  // zlib: a header, one stored block, the Adler-32 sum.
  const auto size = static_cast<std::uint32_t>(rows.size());
  std::string data{"\x78\x01\x01", 3};
  for (const std::uint32_t half : {size, ~size}) {
    data.push_back(static_cast<char>(half & 255u));
    data.push_back(static_cast<char>(half >> 8 & 255u));
  }
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : rows) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  data += rows + big_endian(b << 16 | a);
  const std::string head =
      big_endian(static_cast<std::uint32_t>(width)) + big_endian(static_cast<std::uint32_t>(height));
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head + std::string{8, static_cast<char>(colour), 0, 0, 0}) +
         chunk("IDAT", data) + chunk("IEND", "");
}

std::string flat_pfm(int width, int height, float value) {
  std::string file = "Pf\n" + std::to_string(width) + " " + std::to_string(height) + "\n1\n";
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < width * height; ++i) file += big_endian(bits);
  return file;
}

namespace {

std::string of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

}  // namespace

std::string jpeg() {
  return of_hex(
      "ffd8ffdb0043000828282f282f373737373737413c414343434141414143434348484855555548484843434848505055"
      "555c5f5c575755575f5f646464787873738c8c91acaccfffc40059000101000000000000000000000000000004050101"
      "0000000000000000000000000000000010010001030402030100000000000000000102312111002212035232936151d1"
      "110100000000000000000000000000000000ffc00011080010001803012200021100031100ffda000c03010002110311"
      "003f001fa98a45fa62360b187b265f70e914dad1a08857c2272636b326ce99fdc72cf1cde8f649ca815898752fd4c522"
      "fd311b058c3d932fb87408aed6a504169e113892bd9937345e13fcecf8fab4aa6d68d0442be113931b5993674ee10fce"
      "bf8fb741ffd9");
}

std::string red_jpeg() {
  return of_hex(
      "ffd8ffdb0043001b12141714111b1716171e1c1b2028422b28252528513a3d3042605565645f555d5b6a7899816a7190"
      "735b5d85b586909ea3abadab6780bcc9baa6c799a8aba4ffdb0043011c1e1e2823284e2b2b4ea46e5d6ea4a4a4a4a4a4"
      "a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4ffc00011"
      "080008001003011100021101031101ffc4001500010100000000000000000000000000000004ffc40014100100000000"
      "000000000000000000000000ffc400160101010100000000000000000000000000000405ffc400141101000000000000"
      "00000000000000000000ffda000c03010002110311003f0099235407ffd9");
}

}  // namespace vergence::cli_test
