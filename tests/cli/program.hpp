// SPDX-License-Identifier: Apache-2.0
// Runs the real program in a directory of its own, as a user's shell would, and sees what it printed and left behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vergence::cli_test {

/// How the program is run.
struct RunOptions {
  /// No file may grow beyond so many bytes: what a full disk looks like from inside.
  std::optional<long> file_limit;
  /// The program gets no more memory, not even addresses: no thread can start.
  std::optional<long> memory_limit;
  /// Bytes of the stack, and of those of threads.
  std::optional<long> stack_limit;
  /// Nobody reads stdout any more.
  bool reader_left = false;
  /// stdout goes here instead of into Result::out; "-" closes it.
  std::string out_path;
  /// stdin comes from this file of the directory; else there is nothing in it.
  std::string in_path;
  /// Added to the environment.
  std::map<std::string, std::string> environment;
  /// stderr is a terminal of 100 columns.
  bool terminal = false;
  /// This signal is sent once a file whose name holds `signal_after` exists.
  int signal = 0;
  std::string signal_after;
};

struct Result {
  int status = -1;  ///< Exit status; 1000 + number where a signal killed it.
  std::string out;
  std::string err;
};

/// A directory that vanishes with the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(std::string_view name) const;
  void write(std::string_view name, std::string_view bytes) const;
  std::string read(std::string_view name) const;
  bool has(std::string_view name) const;
  /// All files and directories below it, hidden ones too, with sizes: two equal listings mean that nothing was left.
  std::vector<std::string> listing() const;
  /// Runs the program that VERGENCE_PROGRAM names, with these arguments, in this directory.
  Result run(const std::vector<std::string>& arguments, const RunOptions& options = {}) const;

 private:
  std::string directory_;
};

/// Whether `part` stands in `text`.
bool holds(std::string_view text, std::string_view part);
/// Number of lines.
std::size_t lines(std::string_view text);

/// A binary PGM: 8 bits for max_value <= 255, else 16. Every pixel is value(x, y).
template <class Value>
std::string pgm(int width, int height, int max_value, Value value) {
  std::string file =
      "P5\n" + std::to_string(width) + " " + std::to_string(height) + "\n" + std::to_string(max_value) + "\n";
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const unsigned number = static_cast<unsigned>(value(x, y));
      if (max_value > 255) file.push_back(static_cast<char>(number >> 8 & 255u));
      file.push_back(static_cast<char>(number & 255u));
    }
  return file;
}

/// A texture without repetition: the same pixel always has the same value 0..255.
int texture(int x, int y);
/// Left and right picture of a plane `disparity` px away.
std::string left_pgm(int width, int height, int disparity);
std::string right_pgm(int width, int height);
/// A grey PNG of texture(x, y), at most 65535 bytes of pixels; `row` has this filter. Of colour 4 it has alpha, too.
std::string png(int width, int height, int row = 0, int filter = 0, int colour = 0, bool white = false);
/// A PFM that holds `value` everywhere.
std::string flat_pfm(int width, int height, float value);
/// A small JPEG, 24x16.
std::string jpeg();
/// 16x8 pixels of one red, 4:4:4.
std::string red_jpeg();

}  // namespace vergence::cli_test
