// SPDX-License-Identifier: Apache-2.0
// Completion scripts, made from the tables of commands and options. Where an option has no words to choose from, its
// value is a file.
#include "help/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string_view>
#include <vector>

namespace vergence::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

/// Whether the option's value is a file: its type says so.
bool names_file(const OptionHelp& option) {
  return option.value == "FILE" || option.value == "PNG" || option.is_argument;
}

/// All options of a command in one line.
std::string option_words(const CommandHelp& command) {
  std::vector<std::string> words;
  for (const OptionHelp& option : command.options)
    if (!option.is_argument) words.insert(words.end(), option.names.begin(), option.names.end());
  return joined(words);
}

std::string command_words(const CommandHelp& program) {
  std::vector<std::string> words;
  for (const CommandHelp& command : program.commands) words.push_back(short_name(command));
  return joined(words);
}

/// A name that is a shell function's: "vergence_stereo".
std::string function_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

/// `text` in single quotes, with what `escape` makes of each quote within it.
std::string quoted(std::string_view text, std::string_view escape) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'')
      out += escape;
    else
      out += letter;
  }
  return out + "'";
}

/// The first sentence of an option's text, without what stands in brackets.
std::string brief(const OptionHelp& option) {
  std::string text = option.text.substr(0, option.text.find(" ["));
  const std::size_t sentence = text.find(". ");
  return text.substr(0, std::min({sentence, text.find(';'), text.find('\n')}));
}

/// bash: the cases of the word before the one to be completed.
std::string bash_cases(const CommandHelp& command) {
  std::string text;
  for (const OptionHelp& option : command.options) {
    if (option.is_argument || option.value.empty()) continue;
    std::string pattern = option.names[0];
    for (std::size_t i = 1; i < option.names.size(); ++i) pattern += "|" + option.names[i];
    if (!option.choices.empty())
      text += fmt::format("        {}) words='{}' ;;\n", pattern, joined(option.choices));
    else if (names_file(option))
      text += fmt::format("        {}) files=1 ;;\n", pattern);
    else
      text += fmt::format("        {}) return ;;\n", pattern);
  }
  return text;
}

std::string bash_command(const CommandHelp& command, const std::string& own_words) {
  return fmt::format(
      "      case $before in\n"
      "{}"
      "        *) words='{}' files=1 ;;\n"
      "      esac ;;\n",
      bash_cases(command), own_words.empty() ? option_words(command) : own_words);
}

/// zsh: what stands in brackets and before colons has a meaning.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string zsh_value(const OptionHelp& option) {
  if (option.value.empty()) return "";
  std::string action;
  if (!option.choices.empty())
    action = "(" + joined(option.choices) + ")";
  else if (names_file(option))
    action = "_files";
  return fmt::format(":{}:{}", zsh_text(option.value), action);
}

std::string zsh_options(const CommandHelp& command) {
  std::string text;
  for (const OptionHelp& option : command.options) {
    if (option.is_argument) continue;
    for (const std::string& name : option.names) {
      const bool valued = !option.value.empty();
      const char* const joint = !valued ? "" : name.rfind("--", 0) == 0 ? "=" : "+";
      text += " \\\n        " + quoted(name + joint + "[" + zsh_text(brief(option)) + "]" + zsh_value(option), "'\\''");
    }
  }
  return text + " \\\n        '*:file:_files'";
}

std::string fish_option(const CommandHelp& program, const CommandHelp& command, const OptionHelp& option) {
  const bool whole = command.name == program.name;
  std::string line =
      fmt::format("complete -c {} -n '{}'", program.name,
                  whole ? "__fish_use_subcommand" : fmt::format("__fish_seen_subcommand_from {}", short_name(command)));
  for (const std::string& name : option.names)
    line += (name.rfind("--", 0) == 0 ? " -l " : " -s ") + name.substr(name.find_first_not_of('-'));
  if (!option.value.empty()) line += option.choices.empty() && names_file(option) ? " -r -F" : " -x";
  if (!option.choices.empty()) line += " -a " + quoted(joined(option.choices), "\\'");
  return line + " -d " + quoted(brief(option), "\\'") + "\n";
}

}  // namespace

std::string bash_completion(const CommandHelp& program) {
  std::string cases;
  for (const CommandHelp& command : program.commands) {
    cases += fmt::format("    {})\n", short_name(command));
    const bool is_help = short_name(command) == "help";
    cases += bash_command(command, is_help ? command_words(program) + " " + option_words(command) : "");
  }
  const std::string function = "_" + function_name(program.name);
  return fmt::format(
      "# bash completion of {name}\n"
      "{function}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words='' files=0 command='' i\n"
      "  # --option=value comes as three words.\n"
      "  if [ \"$current\" = = ]; then current=''; "
      "elif [ \"$before\" = = ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${{COMP_WORDS[i]}} in -*) ;; *) command=${{COMP_WORDS[i]}}; break ;; esac\n"
      "  done\n"
      "  case $command in\n"
      "    '') words='{commands} {options}' ;;\n"
      "{cases}"
      "  esac\n"
      "  COMPREPLY=()\n"
      "  case $current in -*) files=0 ;; esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "  [ \"$files\" = 0 ] || mapfile -t -O \"${{#COMPREPLY[@]}}\" COMPREPLY < <(compgen -f -- \"$current\")\n"
      "}}\n"
      "complete -o filenames -F {function} {name}\n",
      fmt::arg("name", program.name), fmt::arg("function", function), fmt::arg("commands", command_words(program)),
      fmt::arg("options", option_words(program)), fmt::arg("cases", cases));
}

std::string zsh_completion(const CommandHelp& program) {
  std::string list, cases;
  for (const CommandHelp& command : program.commands) {
    list += "    " + quoted(short_name(command) + ":" + zsh_text(command.summary), "'\\''") + "\n";
    cases += fmt::format("    {})\n      _arguments{} ;;\n", short_name(command), zsh_options(command));
  }
  return fmt::format(
      "#compdef {name}\n"
      "# zsh completion of {name}\n"
      "local -a commands\n"
      "commands=(\n"
      "{list})\n"
      "if (( CURRENT == 2 )); then\n"
      "  _describe -t commands command commands\n"
      "  _arguments{options}\n"
      "  return\n"
      "fi\n"
      "local command=${{words[2]}}\n"
      "shift words\n"
      "(( CURRENT-- ))\n"
      "case $command in\n"
      "{cases}"
      "esac\n",
      fmt::arg("name", program.name), fmt::arg("list", list), fmt::arg("options", zsh_options(program)),
      fmt::arg("cases", cases));
}

std::string fish_completion(const CommandHelp& program) {
  std::string text = fmt::format("# fish completion of {}\n", program.name);
  for (const CommandHelp& command : program.commands)
    text += fmt::format("complete -c {} -f -n __fish_use_subcommand -a {} -d {}\n", program.name, short_name(command),
                        quoted(command.summary, "\\'"));
  const auto add = [&](const CommandHelp& command) {
    for (const OptionHelp& option : command.options)
      if (!option.is_argument) text += fish_option(program, command, option);
  };
  add(program);
  for (const CommandHelp& command : program.commands) add(command);
  return text;
}

}  // namespace vergence::cli
