// SPDX-License-Identifier: Apache-2.0
// What is said of a mistake on the command line.
#include "cli/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/words.hpp"
#include "vergence/names.hpp"

namespace vergence::cli {
namespace {

/// A word for a message: the beginning of a long one.
std::string shortened(std::string word) {
  constexpr std::size_t most = 80;
  if (word.size() > most) word.replace(most, std::string::npos, "...");
  return word;
}

std::string help_hint(const CommandHelp& command) { return fmt::format("`{} --help`", command.name); }

/// "LEFT RIGHT": the command's arguments.
std::string arguments_of(const CommandHelp& command) {
  std::string all;
  for (const OptionHelp& option : command.options)
    if (option.is_argument) all.append(all.empty() ? "" : " ").append(option.names[0]);
  return all;
}

/// One argument too many: often a file to be written, or pictures for which a shell's * stood.
std::string explain_argument(const CommandHelp& command, const std::string& word) {
  const std::string wanted = arguments_of(command);
  bool numbered = false, writes = false;
  for (const OptionHelp& option : command.options) {
    writes = writes || std::count(option.names.begin(), option.names.end(), "--output") > 0;
    if (!option.is_argument) continue;
    numbered = numbered || option.text.find("umbered") != std::string::npos;
  }
  std::string text = fmt::format("unknown argument '{}': {} takes {}", shortened(word), short_name(command),
                                 wanted.empty() ? "options alone" : wanted);
  if (word.size() > 5 && word.ends_with(".json") && !wanted.empty()) text += "; --json prints: > FILE keeps it";
  if (writes) text += "; what is written follows an option (-o)";
  if (numbered) text += "; numbered pictures are one name (left_%04d.png)";
  return text + "; see " + help_hint(command);
}

/// What other programs, or people, call a command of ours.
std::vector<std::string> commands_meant(const std::string& word) {
  struct Meaning {
    std::string_view others, ours;
  };
  constexpr std::array<Meaning, 17> meanings{{{"man", "help"},
                                              {"manual", "help"},
                                              {"usage", "help"},
                                              {"info", "devices"},
                                              {"list", "devices"},
                                              {"disparity", "stereo"},
                                              {"depth", "stereo"},
                                              {"match", "stereo"},
                                              {"flow", "motion"},
                                              {"klt", "track"},
                                              {"score", "eval"},
                                              {"evaluate", "eval"},
                                              {"compare", "diff"},
                                              {"benchmark", "tune"},
                                              {"bench", "tune"},
                                              {"generate", "synth"},
                                              {"test", "verify"}}};
  const std::string name = in_lower_case(word);
  for (const Meaning& one : meanings)
    if (one.others == name) return {std::string(one.ours)};
  return {};
}

/// What other programs give the files to be read with.
bool names_input(const std::string& option) {
  constexpr std::array<std::string_view, 12> names{"--left",        "--right", "-l",      "-r",      "-i",
                                                   "--input",       "--in",    "--image", "--video", "--left-image",
                                                   "--right-image", "--src"};
  return std::find(names.begin(), names.end(), option) != names.end();
}

/// The first command that has this option.
std::string owner_of(const CommandHelp& program, const std::string& name) {
  for (const CommandHelp& command : program.commands)
    for (const OptionHelp& option : command.options)
      if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return command.name;
  return "";
}

/// The parser's messages in the words of this program.
std::string plain_words(std::string text) {
  const std::string name = text.substr(0, text.find(':'));
  if (text.ends_with(" missing") && text.find(" required ") != std::string::npos) return name + " needs a value";
  if (text.find("At Most 1 required") != std::string::npos) return name + " is given more than once";
  const std::size_t required = text.find(" is required");
  if (required != std::string::npos) return text.substr(0, required) + " is missing";
  return text;
}

}  // namespace

bool is_file_named_as_option(const std::string& word) {
  std::error_code problem;
  return word.size() > 1 && word[0] == '-' && std::filesystem::exists(word, problem);
}

std::string explain_word(const CommandHelp& command, const std::string& given) {
  // Word processors make dashes of hyphens.
  std::string word = given;
  for (const std::string_view dash : {"\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x88\x92"})
    if (word.starts_with(dash)) word.replace(0, dash.size(), word.size() > dash.size() + 1 ? "--" : "-");
  if (word != given)
    return fmt::format("'{}' begins with a dash that is no hyphen: write {}", shortened(given), shortened(word));
  std::vector<std::string> candidates;
  const bool is_option = word.size() > 1 && word[0] == '-';
  if (is_option) {
    for (const OptionHelp& option : command.options)
      for (const std::string& name : option.names)
        if (name.starts_with("--")) candidates.push_back(name);
  } else {
    for (const CommandHelp& other : command.commands) candidates.push_back(short_name(other));
  }
  if (!is_option && command.commands.empty()) return explain_argument(command, word);
  if (is_file_named_as_option(given))
    return fmt::format("unknown option '{0}': a file of that name is written ./{0}", shortened(given));
  const std::string name = word.substr(0, word.find('='));
  const char* const kind = is_option ? "option" : "command";
  const bool wants_version =
      !command.commands.empty() && (in_lower_case(word) == "-v" || in_lower_case(word) == "version");
  std::vector<std::string> likely =
      wants_version ? std::vector<std::string>{"--version"} : likely_names(name, candidates);
  if (likely.empty() && !is_option) likely = commands_meant(name);
  const std::string guess = fmt::format("{}", fmt::join(likely, " or "));
  std::string cure =
      guess.empty() ? help_hint(command) + " lists what there is" : fmt::format("did you mean {}?", guess);
  if (is_option && names_input(name) && !arguments_of(command).empty())
    cure = fmt::format("what is read is given without an option: `{} {}`", command.name, arguments_of(command));
  const bool known = std::find(candidates.begin(), candidates.end(), name) != candidates.end();
  if (const std::string owner = known ? command.name : is_option ? owner_of(command, name) : ""; !owner.empty())
    cure = fmt::format("options follow the command, as in `{} {}`", owner, name);
  else if (!is_option && guess.empty() && word.find_first_of("./") != std::string::npos)
    cure = fmt::format("a command comes first, as in `{} {}`", command.commands.front().name, shortened(word));
  return fmt::format("unknown {} '{}': {}", kind, shortened(name), cure);
}

std::string explain_message(const CommandHelp& command, const std::string& message) {
  std::string text = plain_words(message);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return fmt::format("{}: see {}", text, help_hint(command));
}

}  // namespace vergence::cli
