// SPDX-License-Identifier: Apache-2.0
// Man pages, made from the tables of commands and options.
#include "help/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "vergence/version.hpp"

namespace vergence::cli {
namespace {

/// Text that roff leaves as it is: no escape, no ligature of two hyphens.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\\')
      out += "\\e";
    else if (letter == '-')
      out += "\\-";
    else
      out += letter;
  }
  return out;
}

/// Lines of text. Roff takes a line that begins with a dot or an apostrophe for a request.
std::string lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty()) {
      out += ".PP\n";
      continue;
    }
    if (line[0] == '.' || line[0] == '\'') out += "\\&";
    out += escaped(line) + "\n";
  }
  return out;
}

/// The same with each line on a line of its own.
std::string as_it_stands(std::string_view text) { return ".nf\n" + lines(text) + ".fi\n"; }

std::string option_entry(const OptionHelp& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
  if (!option.value.empty() && !option.is_argument) names += fmt::format(" \\fI{}\\fR", escaped(option.value));
  return fmt::format(".TP\n{}\n{}", names, lines(option.text));
}

/// "Settings, Matching" -> "SETTINGS, MATCHING".
std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string commands_section(const CommandHelp& command) {
  if (command.commands.empty()) return "";
  std::string text = ".SH COMMANDS\n";
  for (const CommandHelp& other : command.commands)
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}", escaped(manual_name(other)), lines(other.summary));
  return text;
}

std::string see_also(const CommandHelp& command, const CommandHelp& program) {
  std::string text;
  const auto add = [&text, &command](const CommandHelp& other) {
    if (other.name == command.name) return;
    text += fmt::format("{}\\fB{}\\fR(1)", text.empty() ? "" : ",\n", escaped(manual_name(other)));
  };
  add(program);
  for (const CommandHelp& other : program.commands) add(other);
  return ".SH SEE ALSO\n" + text + "\n";
}

}  // namespace

std::string manual_name(const CommandHelp& command) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string manual_page(const CommandHelp& command, const CommandHelp& program) {
  const std::string name = manual_name(command);
  std::string page =
      fmt::format(".TH {} 1 \"\" \"vergence {}\" \"Vergence\"\n", upper(escaped(name)), VERGENCE_VERSION);
  page += fmt::format(".SH NAME\n{} \\- {}", escaped(name), lines(command.summary));
  page += fmt::format(".SH SYNOPSIS\n{}", lines(usage_line(command)));
  if (!command.text.empty()) page += ".SH DESCRIPTION\n" + lines(command.text);
  const auto is_argument = [](const OptionHelp& option) { return option.is_argument; };
  if (std::any_of(command.options.begin(), command.options.end(), is_argument)) page += ".SH ARGUMENTS\n";
  for (const OptionHelp& option : command.options)
    if (option.is_argument) page += option_entry(option);
  for (const OptionGroup& group : option_groups(command)) {
    page += fmt::format(".SH \"{}\"\n", upper(escaped(group.heading)));
    for (const OptionHelp* option : group.options) page += option_entry(*option);
  }
  page += commands_section(command);
  for (const NoteHelp& note : command.notes)
    page += fmt::format(".SH \"{}\"\n", upper(escaped(note.heading))) + as_it_stands(note.text);
  const std::string heading = "Examples:\n";
  if (command.footer.rfind(heading, 0) == 0)
    page += ".SH EXAMPLES\n" + as_it_stands(command.footer.substr(heading.size()));
  else if (!command.footer.empty())
    page += ".SH NOTES\n" + lines(command.footer);
  return page + see_also(command, program);
}

}  // namespace vergence::cli
