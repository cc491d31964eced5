// SPDX-License-Identifier: Apache-2.0
// The program `vergence_study`: the studies, on pictures and clips as PGM, and what else needs no codec (devices,
// tune, verify), on machines where none is installed.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <utility>
#include <variant>
#include <vector>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "driver/options.hpp"
#include "io/pnm.hpp"

namespace vergence::cli {
namespace {

/// A clip is a file of several PGM pictures.
std::vector<Image<std::uint8_t>> read(const std::string& path, int most) {
  io::ByteReader reader(path);
  std::vector<Image<std::uint8_t>> frames;
  do {
    if (!io::looks_like_pnm(reader.peek(16)))
      throw Error(ErrorCode::bad_data,
                  fmt::format("'{}' is no PGM: convert it (ffmpeg -i CLIP -f image2pipe -c:v pgm CLIP.pgm)", path));
    io::Raster raster = io::read_pnm(reader);
    auto* const grey = std::get_if<Image<std::uint8_t>>(&raster.pixels);
    if (grey == nullptr || raster.channels != 1)
      throw Error(ErrorCode::unsupported, fmt::format("'{}' is not 8-bit grey: give such a PGM", path));
    frames.push_back(std::move(*grey));
  } while (reader.remaining() > 0 && static_cast<int>(frames.size()) < most);
  return frames;
}

int run(int argc, char** argv) {
  Program program("vergence_study",
                  "Repeats published experiments, and looks at devices; the rest is in the program vergence.");
  add_studies(program, read, [](const std::function<void()>& write) { write(); });
  add_devices(program);
  add_tune(program);
  add_verify(program);
  try {
    const Action action = program.parse(argc, argv);
    if (!action) throw UsageError("nothing is named: `vergence_study --help` lists studies and commands");
    const int status = action();
    finish_stdout();
    return status;
  } catch (const UsageError& error) {
    fmt::print(stderr, "vergence_study: {}\n", error.what());
    return usage;
  }
}

}  // namespace
}  // namespace vergence::cli

int main(int argc, char** argv) {
  try {
    return vergence::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vergence_study: %s\n", error.what());
    return vergence::cli::failure;
  }
}
