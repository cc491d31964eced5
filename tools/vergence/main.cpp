// SPDX-License-Identifier: Apache-2.0
// The program `vergence`: finds the command, runs it, turns every error into one line and an exit status.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/command.hpp"
#include "cli/notes.hpp"
#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "vergence/device.hpp"
#include "vergence/io.hpp"
#include "vergence/version.hpp"

namespace vergence::cli {
namespace {

int report(std::string_view text, int status) {
  Progress::clear_line();
  fmt::print(stderr, "vergence: {}\n", one_line(text));
  return status;
}

constexpr const char* no_memory_text = "out of memory: use smaller pictures or free memory";
constexpr const char* no_thread_text =
    "cannot start a thread: the limit of processes or of memory is reached: raise it (ulimit -u, ulimit -v)";

/// Runs `action`; whatever it throws becomes one line on stderr.
int guarded(const Action& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    return report(error.what(), usage);
  } catch (const std::bad_alloc&) {
    return report(no_memory_text, failure);
  } catch (const std::system_error& error) {
    const bool no_thread = error.code() == std::errc::resource_unavailable_try_again;
    return report(no_thread ? no_thread_text : error.what(), failure);
  } catch (const std::exception& error) {
    return report(error.what(), failure);
  }
}

int print_version() {
  print("vergence {}\n", VERGENCE_VERSION);
  cli::print("SIMD targets: {}\n", fmt::join(Device::simd_targets(), ", "));
  print("libraries: built for {}\n", io_libraries());
  // Looking for them opens drivers, which takes longer than all else.
  print("`vergence devices` lists the devices of this machine\n");
  return success;
}

/// What no handler sees: oneTBB's own threads end the program where the system refuses one more. The temporary files of
/// outputs stay behind, as after a loss of power.
[[noreturn]] void end_in_one_line() {
  std::string text = "it met an error that nothing handles";
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    text = no_memory_text;
  } catch (const std::exception& error) {
    text = error.what();
  } catch (...) {
    text += " (no exception of the standard library)";
  }
  if (text.find("pthread") != std::string::npos || text.find("temporarily unavailable") != std::string::npos)
    text = no_thread_text;
  std::fprintf(stderr, "vergence: %s\n", text.c_str());
  _exit(failure);
}

/// Where a standard stream is closed, a file that is opened later would become it and receive what is printed.
void keep_standard_streams() {
  // What is printed on a stdout that cannot be written is an error, as it would be on the closed one.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1) [[maybe_unused]]
      const int filled = open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

/// The stacks of threads are as large as the limit says, and one that is too small ends the program by a signal.
void require_stack() {
  constexpr rlim_t least = rlim_t{256} << 10;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= least) return;
  throw Error(ErrorCode::out_of_memory, fmt::format("the stack is limited to {} KiB, and {} are needed: raise it "
                                                    "(ulimit -s)",
                                                    limit.rlim_cur >> 10, least >> 10));
}

void add_commands(Program& program) {
  add_stereo(program);
  add_motion(program);
  add_track(program);
  add_eval(program);
  add_eval_tracks(program);
  add_diff(program);
  add_synth(program);
  add_calibrate(program);
  add_calibration(program);
  add_rectify(program);
  add_view(program);
  add_report(program);
  add_devices(program);
  add_presets(program);
  add_tune(program);
  add_verify(program);
  add_study(program);
  add_help(program);
}

int run(int argc, char** argv) {
  Program program("vergence", "Where each pixel went: stereo pairs, motion, tracks; the same bits everywhere.");
  bool version = false;
  program.all().flag("--version", version, "Show the version, the SIMD targets and the libraries");
  add_commands(program);
  add_settings_note(program.all(), R"({"settings": {"cost": "census-9x7", "window": 9}})");
  add_partial_note(program.all());
  program.all().footer("`vergence COMMAND --help`. Status: 0 success, 1 failure, 2 usage, 130 Ctrl-C");
  return guarded([&] {
    Action action = program.parse(argc, argv);
    if (version && action) throw UsageError("--version stands alone: leave the command out");
    if (version) action = print_version;
    if (!action) throw UsageError("no command is given: `vergence --help` lists them");
    if (program.shows_help()) return action();  // without a thread, which the system may refuse
    require_stack();
    watch_signals();
    const int status = action();
    finish_stdout();
    return status;
  });
}

}  // namespace
}  // namespace vergence::cli

int main(int argc, char** argv) {
  std::set_terminate(vergence::cli::end_in_one_line);
  vergence::cli::keep_standard_streams();
  // A write beyond `ulimit -f` then fails like one on a full disk, so that its temporary file is removed.
  std::signal(SIGXFSZ, SIG_IGN);
  // So does one into a pipe that nobody reads any more: other outputs are closed, and the error has a name.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return vergence::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {  // while the commands were described
    std::fprintf(stderr, "vergence: %s\n", vergence::cli::no_memory_text);
    return vergence::cli::failure;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vergence: %s\n", vergence::cli::one_line(error.what()).c_str());
    return vergence::cli::failure;
  }
}
