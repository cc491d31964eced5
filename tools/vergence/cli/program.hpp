// SPDX-License-Identifier: Apache-2.0
// The program's command line: commands, their options, parsing. Files that declare options include this and no parser:
// CLI11's header takes seconds to compile in each file that includes it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/help.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vergence::cli {

/// What a Program knows beside the parser.
struct ProgramState;

/// An option that was just added. Each call returns the option again.
class Option {
 public:
  Option(CLI::Option* option, ProgramState& state) : option_(option), state_(state) {}

  /// What help shows for the value, such as FILE.
  Option& type(const std::string& word);
  /// The heading of help under which the option stands.
  Option& group(const std::string& heading);
  Option& required();
  /// May be given several times; all values are kept.
  Option& repeatable();
  /// The words that it may be, for shells to complete.
  Option& choices(std::vector<std::string> words);

 private:
  CLI::Option* option_;
  ProgramState& state_;
};

/// A command, or the program itself. A small value that refers to the Program, which must outlive it.
class Command {
 public:
  Command(CLI::App* app, ProgramState& state) : app_(app), state_(state) {}

  /// An option "-o,--output" or an argument "LEFT". `value` must live until the program has been parsed.
  Option add(const std::string& names, std::string& value, const std::string& help);
  Option add(const std::string& names, std::optional<std::string>& value, const std::string& help);
  Option add(const std::string& names, std::vector<std::string>& values, const std::string& help);
  /// The same; the value goes to `take`.
  Option add(const std::string& names, const std::function<void(const std::string&)>& take, const std::string& help);
  Option flag(const std::string& names, bool& value, const std::string& help);

  /// The options that the short help shows, in this order; all of them must have been added.
  void common(const std::string& brief, std::vector<BriefHelp> options);
  /// A paragraph of the full help below a heading of its own, with its lines as they are.
  void note(const std::string& heading, const std::string& text);
  /// Text below the options.
  void footer(const std::string& text);
  /// What happens where this command is chosen.
  void run(const Action& action);
  /// Takes all words that follow, whatever they are.
  void take_anything();

 private:
  CLI::App* app_;
  ProgramState& state_;
};

class Program {
 public:
  Program(const std::string& name, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The program as a whole. Its footer is set after all commands have been added, which would inherit it.
  Command all();
  /// The first line of `description` is the one that the list of commands shows.
  Command add(const std::string& name, const std::string& description);

  /// What was chosen; printing help, where that is asked for; empty where no command is named. Throws UsageError.
  Action parse(int argc, char** argv);
  /// Whether what parse() gave prints help.
  bool shows_help() const { return shows_help_; }
  /// What is known of all commands.
  CommandHelp help() const;

 private:
  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<ProgramState> state_;
  bool shows_help_ = false;
};

}  // namespace vergence::cli
