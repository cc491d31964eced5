// SPDX-License-Identifier: Apache-2.0
// Help and explanations of mistakes.
#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace vergence::cli {
namespace {

constexpr std::size_t name_column = 30;
constexpr std::size_t line_end = 100;

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

std::string two_columns(const std::string& name, const std::string& description) {
  std::string text = "  " + name;
  if (text.size() + 2 > name_column)
    text += "\n" + std::string(name_column, ' ');
  else
    text.resize(name_column, ' ');
  const std::vector<std::string> lines = wrap(description, line_end - name_column);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += "\n" + std::string(name_column, ' ');
    text += lines[i];
  }
  return text + "\n";
}

/// Levenshtein's distance: insertions, deletions and replacements that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, above + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// The candidate that is at most a third of the letters away, or "".
std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

/// The command that was chosen, or the command of that command.
const CLI::App& chosen_command(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::string help_hint(const CLI::App& program) {
  std::string words = program.get_name();
  for (const CLI::App* command = &program; !command->get_subcommands().empty();) {
    command = command->get_subcommands().front();
    words.append(" ").append(command->get_name());
  }
  return fmt::format("`{} --help`", words);
}

/// One argument too many: often a file to be written, or pictures for which a shell's * stood.
std::string explain_argument(const CLI::App& command, const std::string& word, const std::string& hint) {
  std::string wanted;
  bool numbered = false;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    wanted.append(wanted.empty() ? "" : " ").append(option->get_name());
    numbered = numbered || option->get_description().find("umbered") != std::string::npos;
  }
  std::string text = fmt::format("unknown argument '{}': {} takes {}", word, command.get_name(),
                                 wanted.empty() ? "options alone" : wanted);
  if (command.get_option_no_throw("--output") != nullptr) text += "; what is written follows an option (-o)";
  if (numbered) text += "; numbered pictures are one name (left_%04d.png)";
  return text + "; see " + hint;
}

std::string explain_extra(const CLI::App& program, const std::string& word) {
  const CLI::App& command = chosen_command(program);
  std::vector<std::string> candidates;
  const bool is_option = word.size() > 1 && word[0] == '-';
  if (is_option) {
    for (const CLI::Option* option : command.get_options())
      for (const std::string& name : option->get_lnames()) candidates.push_back("--" + name);
  } else {
    for (const CLI::App* other : command.get_subcommands({})) candidates.push_back(other->get_name());
  }
  const bool has_commands = !command.get_subcommands({}).empty();
  if (!is_option && !has_commands) return explain_argument(command, word, help_hint(program));
  const std::string name = word.substr(0, word.find('='));
  const char* const kind = is_option ? "option" : "command";
  const std::string guess = nearest(name, candidates);
  const std::string cure =
      guess.empty() ? help_hint(program) + " lists what there is" : fmt::format("did you mean {}?", guess);
  return fmt::format("unknown {} '{}': {}", kind, name, cure);
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// CLI11's messages in the words of this program.
std::string plain_words(std::string text) {
  const std::string name = text.substr(0, text.find(':'));
  if (ends_with(text, " missing") && text.find(" required ") != std::string::npos) return name + " needs a value";
  if (text.find("At Most 1 required") != std::string::npos) return name + " is given more than once";
  const std::size_t required = text.find(" is required");
  if (required != std::string::npos) return text.substr(0, required) + " is missing";
  return text;
}

}  // namespace

HelpFormatter::HelpFormatter() {
  label("Positionals", "Arguments");
  label("Subcommands", "Commands");
  label("SUBCOMMAND", "COMMAND");
  column_width(name_column);
}

std::string HelpFormatter::make_help(const CLI::App* program, std::string name, CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(program, std::move(name), mode);
  // One empty line between parts, where CLI11 leaves none or two.
  text.replace(text.find("\nUsage:"), 1, "\n\n");
  const std::string group = "\nSubcommands:\n";
  if (const std::size_t found = text.find(group); found != std::string::npos)
    text.replace(found, group.size(), "\nCommands:\n");
  for (std::size_t gap = text.find("\n\n\n"); gap != std::string::npos; gap = text.find("\n\n\n", gap))
    text.erase(gap, 1);
  while (text.size() > 1 && text.compare(text.size() - 2, 2, "\n\n") == 0) text.pop_back();
  return text;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name = is_positional ? option->get_name(true, false) : option->get_name(false, true);
  // CLI11 writes "-o,--output"; a space after the comma reads better.
  for (std::size_t comma = name.find(','); comma != std::string::npos; comma = name.find(',', comma + 2))
    name.replace(comma, 1, ", ");
  const bool has_value = !is_positional && option->get_type_size() != 0 && !option->get_type_name().empty();
  return two_columns(has_value ? name + " " + option->get_type_name() : name, option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  const std::string& description = command->get_description();
  return two_columns(command->get_name(), description.substr(0, description.find('\n')));
}

std::string explain_mistake(const CLI::App& program, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extras = program.remaining(true);
    if (!extras.empty()) return explain_extra(program, extras.front());
  }
  std::string text = plain_words(error.what());
  std::replace(text.begin(), text.end(), '\n', ' ');
  return fmt::format("{}: see {}", text, help_hint(program));
}

}  // namespace vergence::cli
