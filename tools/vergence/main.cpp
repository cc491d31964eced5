// SPDX-License-Identifier: Apache-2.0
// The program `vergence`: finds the command, runs it, turns every error into one line and an exit status.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "vergence/device.hpp"
#include "vergence/io.hpp"
#include "vergence/version.hpp"

namespace vergence::cli {
namespace {

int report(std::string text, int status) {
  Progress::clear_line();
  std::replace(text.begin(), text.end(), '\n', ' ');
  fmt::print(stderr, "vergence: {}\n", text);
  return status;
}

/// Runs `action`; whatever it throws becomes one line on stderr.
int guarded(const Action& action) {
  try {
    const int status = action();
    finish_stdout();
    return status;
  } catch (const UsageError& error) {
    return report(error.what(), usage);
  } catch (const std::bad_alloc&) {
    return report("out of memory: use smaller pictures or free memory", failure);
  } catch (const std::exception& error) {
    return report(error.what(), failure);
  }
}

template <class List, class Text>
std::string join(const List& list, Text text) {
  std::string joined;
  for (const auto& item : list) joined.append(joined.empty() ? "" : ", ").append(text(item));
  return joined;
}

int print_version() {
  print("vergence {}\n", VERGENCE_VERSION);
  print("devices: {}\n", join(Device::list(), [](const DeviceInfo& device) {
          return device.available ? device.name : device.name + " (not available)";
        }));
  print("SIMD targets: {}\n", join(Device::simd_targets(), [](const std::string& target) { return target; }));
  print("libraries: {}\n", io_libraries());
  return success;
}

/// Where a standard stream is closed, a file that is opened later would become it and receive what is printed.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1) [[maybe_unused]]
      const int filled = open("/dev/null", O_RDWR);
}

void add_commands(Program& program) {
  add_stereo(program);
  add_motion(program);
  add_track(program);
  add_eval(program);
  add_eval_tracks(program);
  add_diff(program);
  add_synth(program);
  add_devices(program);
  add_presets(program);
  add_tune(program);
  add_verify(program);
  add_study(program);
}

int run(int argc, char** argv) {
  Program program(
      "vergence",
      "Finds where each pixel went: disparity of rectified stereo pairs, motion in videos; the same bits on "
      "every device.");
  bool version = false;
  program.all().flag("--version", version, "Show the version, the devices and the SIMD targets");
  add_commands(program);
  program.all().footer(
      "`vergence COMMAND --help` shows a command's options with unit, range and default.\n"
      "Exit status: 0 success, 1 failure (diff: the maps differ), 2 wrong usage, 130 after Ctrl-C.");
  return guarded([&] {
    const Action action = program.parse(argc, argv);
    if (version) return print_version();
    if (!action) throw UsageError("no command is given: `vergence --help` lists them");
    return action();
  });
}

}  // namespace
}  // namespace vergence::cli

int main(int argc, char** argv) {
  vergence::cli::keep_standard_streams();
  // A write beyond `ulimit -f` then fails like one on a full disk, so that its temporary file is removed.
  std::signal(SIGXFSZ, SIG_IGN);
  // So does one into a pipe that nobody reads any more: other outputs are closed, and the error has a name.
  std::signal(SIGPIPE, SIG_IGN);
  vergence::cli::watch_signals();
  try {
    return vergence::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vergence: %s\n", error.what());
    return vergence::cli::failure;
  }
}
