// SPDX-License-Identifier: Apache-2.0
// What is said of a mistake on the command line.
#include "cli/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace vergence::cli {
namespace {

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

/// A word for a message: the beginning of a long one.
std::string shortened(const std::string& word) {
  constexpr std::size_t most = 80;
  return word.size() <= most ? word : word.substr(0, most) + "...";
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
  std::string text = fmt::format("unknown argument '{}': {} takes {}", shortened(word), command.get_name(),
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
  return fmt::format("unknown {} '{}': {}", kind, shortened(name), cure);
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
