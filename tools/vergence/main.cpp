// SPDX-License-Identifier: Apache-2.0
// The program `vergence`: finds the command, runs it, turns every error into one line and an exit status.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/words.hpp"
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

void add_commands(CLI::App& program, Action& action) {
  add_stereo(program, action);
  add_motion(program, action);
  add_track(program, action);
  add_eval(program, action);
  add_eval_tracks(program, action);
  add_diff(program, action);
  add_synth(program, action);
  add_devices(program, action);
  add_presets(program, action);
  add_tune(program, action);
  add_verify(program, action);
  add_study(program, action);
}

/// Where a value is missing, nothing else may be taken for it: `--device ""` is a mistake.
void check_parsed_values(const CLI::App& program) {
  for (const CLI::App* command : program.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& value : option->results())
        if (value.empty() && !option->get_positional() && option->get_items_expected_max() != 0)
          throw UsageError(fmt::format("{} needs a value", option->get_name()));
}

int run(int argc, char** argv) {
  CLI::App program{
      "Finds where each pixel went: disparity of rectified stereo pairs, motion in videos; the same bits on every "
      "device.",
      "vergence"};
  program.formatter(std::make_shared<HelpFormatter>());
  program.set_help_flag("-h,--help", "Show this help");
  program.require_subcommand(0, 1);
  bool version = false;
  program.add_flag("--version", version, "Show the version, the devices and the SIMD targets");
  Action action;
  add_commands(program, action);
  // After the commands, which would inherit it.
  program.footer(
      "`vergence COMMAND --help` shows a command's options with unit, range and default.\n"
      "Exit status: 0 success, 1 failure (diff: the maps differ), 2 wrong usage, 130 after Ctrl-C.");
  try {
    parse_words(program, argc, argv);
    check_parsed_values(program);
  } catch (const CLI::Success&) {
    print_text(program.help());
    action = [] { return success; };
  } catch (const CLI::ParseError& error) {
    return report(explain_mistake(program, error), usage);
  } catch (const UsageError& error) {
    return report(error.what(), usage);
  }
  if (version) action = print_version;
  if (!action) return report("no command is given: `vergence --help` lists them", usage);
  return guarded(action);
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
