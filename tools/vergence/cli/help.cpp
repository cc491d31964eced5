// SPDX-License-Identifier: Apache-2.0
// Help for a terminal.
#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace vergence::cli {
namespace {

constexpr std::size_t name_column = 28;
constexpr std::size_t line_end = 80;
// Examples of the short help, which shall fit a screen.
constexpr int few_examples = 2;

/// `text` broken into lines of at most `width` columns at its spaces.
std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0) cut = text.find(' ');
    if (cut == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string two_columns(const std::string& name, const std::string& description, std::size_t column = name_column) {
  std::string text = "  " + name;
  if (text.size() + 2 > column)
    text += "\n" + std::string(column, ' ');
  else
    text.resize(column, ' ');
  const std::vector<std::string> lines = wrap(description, line_end - column);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += "\n" + std::string(column, ' ');
    text += lines[i];
  }
  return text + "\n";
}

/// "-o, --output FILE".
std::string names_of(const OptionHelp& option) {
  std::string names;
  for (const std::string& name : option.names) names.append(names.empty() ? "" : ", ").append(name);
  if (!option.value.empty() && !option.is_argument) names.append(" ").append(option.value);
  return names;
}

std::string option_line(const OptionHelp& option) { return two_columns(names_of(option), option.text); }

/// Text whose lines were broken for the source, broken for the terminal.
std::string paragraph(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::string out;
  for (const std::string& line : wrap(text, line_end)) out += line + "\n";
  return out;
}

/// Everything above the options.
std::string head(const CommandHelp& command) {
  std::string text = paragraph(command.summary) + "\n";
  if (!command.text.empty()) text += paragraph(command.text) + "\n";
  text += "Usage: " + usage_line(command) + "\n";
  std::string arguments;
  for (const OptionHelp& option : command.options)
    if (option.is_argument) arguments += option_line(option);
  if (!arguments.empty()) text += "\nArguments:\n" + arguments;
  return text;
}

std::string commands_text(const CommandHelp& command) {
  std::size_t longest = 0;
  for (const CommandHelp& other : command.commands) longest = std::max(longest, short_name(other).size());
  std::string text;
  for (const CommandHelp& other : command.commands) text += two_columns(short_name(other), other.summary, longest + 4);
  return text.empty() ? text : "\nCommands:\n" + text;
}

/// " [64]": what stands behind "default: " in the option's text, where it is short.
std::string default_of(const OptionHelp& option) {
  constexpr std::string_view mark = "default: ";
  constexpr std::size_t most = 10;
  const std::size_t at = option.text.rfind(mark);
  if (at == std::string::npos) return "";
  const std::string value = option.text.substr(at + mark.size(), option.text.find(']', at) - at - mark.size());
  return value.empty() || value.size() > most ? "" : " [" + value + "]";
}

std::string brief_options(const CommandHelp& command) {
  std::size_t longest = 0;
  for (const BriefHelp& brief : command.common)
    longest = std::max(longest, names_of(option_named(command, brief.name)).size());
  std::string text;
  for (const BriefHelp& brief : command.common) {
    const OptionHelp& option = option_named(command, brief.name);
    text += two_columns(names_of(option), brief.text + default_of(option), longest + 4);
  }
  return text;
}

/// Each line below the heading, by two spaces.
std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    out.append(line.empty() ? "" : "  ").append(line).append("\n");
  }
  return out;
}

/// The first few examples, without their heading.
std::string first_examples(const std::string& footer) {
  std::size_t begin = footer.find('\n');
  if (begin == std::string::npos) return "";
  std::size_t end = ++begin;
  for (int line = 0; line < few_examples && end != std::string::npos; ++line) {
    end = footer.find('\n', end);
    if (end != std::string::npos) ++end;
  }
  return footer.substr(begin, end == std::string::npos ? end : end - 1 - begin) + "\n";
}

}  // namespace

std::string short_name(const CommandHelp& command) { return command.name.substr(command.name.rfind(' ') + 1); }

std::string usage_line(const CommandHelp& command) {
  std::string line = command.name + " [OPTIONS]";
  for (const OptionHelp& option : command.options)
    if (option.is_argument) line += option.is_required ? " " + option.names[0] : " [" + option.names[0] + "]";
  return command.commands.empty() ? line : line + " [COMMAND]";
}

const OptionHelp& option_named(const CommandHelp& command, const std::string& name) {
  for (const OptionHelp& option : command.options)
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return option;
  throw std::out_of_range(command.name + " has no option " + name);
}

std::vector<OptionGroup> option_groups(const CommandHelp& command) {
  std::vector<OptionGroup> groups;
  for (const OptionHelp& option : command.options) {
    if (option.is_argument) continue;
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&option](const OptionGroup& group) { return group.heading == option.group; });
    if (found != groups.end())
      found->options.push_back(&option);
    else
      groups.push_back({option.group, {&option}});
  }
  return groups;
}

std::string short_help(const CommandHelp& command) {
  if (!command.commands.empty())
    return fmt::format("{}Usage: {}{}\n{}\n", paragraph(command.summary), usage_line(command), commands_text(command),
                       command.footer);
  if (command.common.empty()) return full_help(command);
  const auto is_option = [](const OptionHelp& option) { return !option.is_argument; };
  std::string text = paragraph(command.summary);
  if (!command.brief.empty()) text += paragraph(command.brief);
  text += fmt::format("\nUsage: {}\n\n{}\n", usage_line(command), brief_options(command));
  if (!command.footer.empty()) text += first_examples(command.footer);
  return text + fmt::format("`{} --help-all` shows all {} options and what they mean.\n", command.name,
                            std::count_if(command.options.begin(), command.options.end(), is_option));
}

std::string full_help(const CommandHelp& command) {
  std::string text = head(command);
  for (const OptionGroup& group : option_groups(command)) {
    text += "\n" + group.heading + ":\n";
    for (const OptionHelp* option : group.options) text += option_line(*option);
  }
  text += commands_text(command);
  for (const NoteHelp& note : command.notes) text += fmt::format("\n{}:\n{}", note.heading, indented(note.text));
  return command.footer.empty() ? text : text + "\n" + command.footer + "\n";
}

}  // namespace vergence::cli
