// SPDX-License-Identifier: Apache-2.0
// Golden values of the project's own making: frames of the built-in scene, and what a plain program in Python, written
// from the algorithm's page, finds in them. The values lie beside that program, so that a test can run it again where
// there is a python3.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "synth/scene.hpp"

namespace vergence::test {

/// The left pictures of a scene.
inline std::vector<Image<std::uint8_t>> scene_frames(Size size, std::uint64_t seed, int count) {
  synth::SceneOptions options;
  options.size = size;
  options.seed = seed;
  options.frames = count;
  const synth::Scene scene(options);
  std::vector<Image<std::uint8_t>> frames;
  for (int k = 0; k < count; ++k) frames.push_back(scene.render(k).left);
  return frames;
}

/// A text file whole; throws where there is none.
inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The numbers of each line.
inline std::vector<std::vector<double>> rows_of(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<double> row;
    for (double value = 0; words >> value;) row.push_back(value);
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

inline bool has_python() { return std::system("python3 -c '' > /dev/null 2>&1") == 0; }

/// What `python3 SCRIPT OPTIONS FRAME...` prints.
inline std::string said_of(const std::filesystem::path& script, const std::string& options,
                           const std::vector<Image<std::uint8_t>>& frames) {
  std::string folder = std::filesystem::temp_directory_path() / "vergence-golden-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("cannot make " + folder);
  std::string command = "python3 '" + script.string() + "' " + options;
  for (const Image<std::uint8_t>& frame : frames) {
    const std::string path = folder + "/" + std::to_string(&frame - frames.data()) + ".pgm";
    std::ofstream file(path, std::ios::binary);
    file << "P5\n" << frame.width() << " " << frame.height() << "\n255\n";
    for (int y = 0; y < frame.height(); ++y) file.write(reinterpret_cast<const char*>(frame.row(y)), frame.width());
    command += " '" + path + "'";
  }
  std::string said;
  if (FILE* const pipe = popen(command.c_str(), "r")) {
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
    pclose(pipe);
  }
  std::filesystem::remove_all(folder);
  return said;
}

}  // namespace vergence::test
