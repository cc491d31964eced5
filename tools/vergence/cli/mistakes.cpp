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
std::string shortened(std::string word) {
  constexpr std::size_t most = 80;
  if (word.size() > most) word.replace(most, std::string::npos, "...");
  return word;
}

std::string help_hint(const CommandHelp& command) { return fmt::format("`{} --help`", command.name); }

/// One argument too many: often a file to be written, or pictures for which a shell's * stood.
std::string explain_argument(const CommandHelp& command, const std::string& word) {
  std::string wanted;
  bool numbered = false, writes = false;
  for (const OptionHelp& option : command.options) {
    writes = writes || std::count(option.names.begin(), option.names.end(), "--output") > 0;
    if (!option.is_argument) continue;
    wanted.append(wanted.empty() ? "" : " ").append(option.names[0]);
    numbered = numbered || option.text.find("umbered") != std::string::npos;
  }
  std::string text = fmt::format("unknown argument '{}': {} takes {}", shortened(word), short_name(command),
                                 wanted.empty() ? "options alone" : wanted);
  if (writes) text += "; what is written follows an option (-o)";
  if (numbered) text += "; numbered pictures are one name (left_%04d.png)";
  return text + "; see " + help_hint(command);
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The parser's messages in the words of this program.
std::string plain_words(std::string text) {
  const std::string name = text.substr(0, text.find(':'));
  if (ends_with(text, " missing") && text.find(" required ") != std::string::npos) return name + " needs a value";
  if (text.find("At Most 1 required") != std::string::npos) return name + " is given more than once";
  const std::size_t required = text.find(" is required");
  if (required != std::string::npos) return text.substr(0, required) + " is missing";
  return text;
}

}  // namespace

std::string explain_word(const CommandHelp& command, const std::string& word) {
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
  const std::string name = word.substr(0, word.find('='));
  const char* const kind = is_option ? "option" : "command";
  const std::string guess = nearest(name, candidates);
  const std::string cure =
      guess.empty() ? help_hint(command) + " lists what there is" : fmt::format("did you mean {}?", guess);
  return fmt::format("unknown {} '{}': {}", kind, shortened(name), cure);
}

std::string explain_message(const CommandHelp& command, const std::string& message) {
  std::string text = plain_words(message);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return fmt::format("{}: see {}", text, help_hint(command));
}

}  // namespace vergence::cli
