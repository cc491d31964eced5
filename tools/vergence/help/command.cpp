// SPDX-License-Identifier: Apache-2.0
// `vergence help`: help of a command; man pages and completion scripts as files.
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"
#include "help/completion.hpp"
#include "help/manual.hpp"

namespace vergence::cli {
namespace {

struct HelpArguments {
  std::optional<std::string> command;
  bool all = false;
  std::optional<std::string> manual;
};

void write_file(const std::filesystem::path& path, std::string_view text) {
  const WriteGuard guard;
  AtomicFile file(path.string());
  file.write(text);
  file.commit();
}

/// Files below `directory`, in the folders that a system has for them below its share.
void write_manual(const CommandHelp& program, const std::filesystem::path& directory) {
  const auto folder = [&directory](const char* name) {
    std::error_code problem;
    const std::filesystem::path path = directory / name;
    std::filesystem::create_directories(path, problem);
    if (problem)
      throw Error(ErrorCode::io, fmt::format("cannot make the directory {}: {}", path.string(), problem.message()));
    return path;
  };
  const std::filesystem::path pages = folder("man/man1");
  write_file(pages / (manual_name(program) + ".1"), manual_page(program, program));
  for (const CommandHelp& command : program.commands)
    write_file(pages / (manual_name(command) + ".1"), manual_page(command, program));
  write_file(folder("bash-completion/completions") / program.name, bash_completion(program));
  write_file(folder("zsh/site-functions") / ("_" + program.name), zsh_completion(program));
  write_file(folder("fish/vendor_completions.d") / (program.name + ".fish"), fish_completion(program));
}

const CommandHelp& wanted_command(const CommandHelp& program, const HelpArguments& arguments) {
  if (!arguments.command) return program;
  std::string names;
  for (const CommandHelp& command : program.commands) {
    if (short_name(command) == *arguments.command) return command;
    names.append(names.empty() ? "" : ", ").append(short_name(command));
  }
  throw UsageError(fmt::format("unknown command '{}': there are {}", *arguments.command, names));
}

int run(const CommandHelp& program, const HelpArguments& arguments) {
  if (arguments.manual) {
    if (arguments.command || arguments.all)
      throw UsageError("--manual writes the pages of all commands: give no command and no --all with it");
    write_manual(program, *arguments.manual);
    return success;
  }
  const CommandHelp& command = wanted_command(program, arguments);
  print_text(arguments.all ? full_help(command) : short_help(command));
  finish_stdout(/*reader_may_leave=*/true);
  return success;
}

}  // namespace

void add_help(Program& program) {
  Command command = program.add("help",
                                "Show the help of a command\n\n"
                                "`vergence help stereo` is `vergence stereo --help`, `vergence help stereo --all` is "
                                "`vergence stereo --help-all`.");
  const auto arguments = std::make_shared<HelpArguments>();
  command.add("COMMAND", arguments->command, "Command whose help is shown; none: that of the program");
  command.flag("--all", arguments->all, "Show all options instead of those most used");
  command
      .add("--manual", arguments->manual,
           "Write man pages and completion scripts of bash, zsh and fish below this directory (man, bash-completion, "
           "zsh, fish) instead")
      .type("DIR");
  command.run([&program, arguments] { return run(program.help(), *arguments); });
}

}  // namespace vergence::cli
