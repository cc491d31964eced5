// SPDX-License-Identifier: Apache-2.0
// What a study is, which there are, and how one is run.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/report.hpp"
#include "common/settings.hpp"
#include "gpu/devices.hpp"
#include "gpu/program.hpp"
#include "vergence/image.hpp"

namespace vergence::studies {

/// A picture that a study saves, or was given.
struct Picture {
  std::string name;  ///< Without ending. Results of one name that follow each other become one file.
  Image<std::uint8_t> pixels;
  int input = 0;  ///< Of which input it is a frame.
};

/// What a study works with.
struct Context {
  gpu::Opened device;
  const Settings& settings;
  std::vector<Picture>& inputs;                ///< Pictures as given, or those of the built-in scene.
  Report& report;                              ///< Gets a cell per variant.
  std::vector<Picture>& results;               ///< Gets the pictures to be saved.
  std::function<void(const Cell&)> cell_done;  ///< To be called after each cell: progress, and a chance to stop.
};

struct Study {
  std::string_view name;
  std::string_view summary;    ///< One sentence.
  std::string_view arguments;  ///< "LEFT RIGHT".
  std::size_t input_count;     ///< Pictures that are given, if any are; of clips at most.
  std::span<const Field> fields;
  void (*make_inputs)(const Settings&, std::vector<Picture>&);  ///< The built-in scene at the paper's size.
  void (*run)(Context&);
  int (*frames)(const Settings&) = nullptr;  ///< Inputs are clips, and so many frames of each are wanted at most.
};

std::span<const Study> studies();
/// Error(not_found) that lists the names.
const Study& study(std::string_view name);

/// A run as it was asked for.
struct Request {
  std::string device = "opencl";
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<std::string> inputs;  ///< Files; none for the built-in scene.
  std::string output;               ///< A folder, made where it is missing; empty: "study-NAME".
  /// The first frames of a file, so many at most, at least one.
  std::function<std::vector<Image<std::uint8_t>>(const std::string&, int)> read;
  std::function<void(std::string_view)> print;
  /// Calls what it is given, which writes files: a place to hold back signals.
  std::function<void(const std::function<void()>&)> write = [](const std::function<void()>& action) { action(); };
};

/// Runs it, prints a table, and writes NAME.json and pictures (PGM) into the folder; until then, NAME.partial.json
/// holds the cells that are done, and stays where the run ends early. Whether every map that had to be equal to the
/// reference was.
bool run(const Study& study, const Request& request);

/// A left and a right picture of the built-in scene: named "left" and "right".
void make_pair(Size size, int disparities, std::vector<Picture>& inputs);
/// Error(invalid_argument) unless both are there and of one size.
void check_pair(const std::vector<Picture>& inputs);

/// Kernel files of all studies: "sad-streaming/global.cl".
std::span<const gpu::EmbeddedFile> kernel_files();

}  // namespace vergence::studies
