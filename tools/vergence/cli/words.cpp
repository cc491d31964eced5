// SPDX-License-Identifier: Apache-2.0
// What must be right about a command line's words before they are parsed.
#include "cli/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/command.hpp"

namespace vergence::cli {
namespace {

/// "--gain-offset=off" is --gain-offset; a lone "-" and negative numbers are no options.
std::string name_of(const std::string& word) { return word.substr(0, word.find('=')); }

/// The option of that name, null where the command has none.
const OptionHelp* find_option(const CommandHelp& command, const std::string& word) {
  const bool is_long = word.size() > 2 && word.compare(0, 2, "--") == 0;
  const bool is_short = word.size() == 2 && word[0] == '-';
  if (!is_long && !is_short) return nullptr;
  const std::string name = name_of(word);
  for (const OptionHelp& option : command.options)
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  return nullptr;
}

const CommandHelp* find_command(const CommandHelp& parent, const std::string& word) {
  for (const CommandHelp& command : parent.commands)
    if (short_name(command) == word) return &command;
  return nullptr;
}

/// Would a reader take it for an option? Where a value is missing, a mistyped option may follow, too.
bool looks_like_option(const CommandHelp& command, const std::string& word) {
  const bool is_long = word.size() > 2 && word.compare(0, 2, "--") == 0;
  return is_long || find_option(command, word) != nullptr;
}

/// What other programs call on and off.
bool means_on_or_off(const std::string& word) {
  constexpr std::array<std::string_view, 8> others{"true", "false", "yes", "no", "1", "0", "on", "off"};
  return std::find(others.begin(), others.end(), in_lower_case(word)) != others.end();
}

/// A word that no file is called, and that follows an option which is on or off: what other programs' option of that
/// name takes, such as a number of bits.
bool is_value_of_others(const std::string& word) {
  constexpr std::array<std::string_view, 8> others{"none",    "half",    "quarter",  "enable",
                                                   "enabled", "disable", "disabled", "auto"};
  const bool number = !word.empty() && word.find_first_not_of("0123456789.+-/") == std::string::npos &&
                      word.find_first_of("0123456789") != std::string::npos;
  std::error_code problem;
  return (number || std::find(others.begin(), others.end(), word) != others.end()) &&
         !std::filesystem::exists(word, problem);
}

/// An option that had another name.
struct RenamedOption {
  std::string_view command, before, now;
};

constexpr std::array<RenamedOption, 10> renamed_options{{
    {"stereo", "--offset", "--doffs"},
    {"motion", "--depth", "--pixel-depth"},
    {"motion", "--reference", "--reference-distance"},
    {"track", "--depth", "--pixel-depth"},
    {"track", "--block", "--corner-block"},
    {"track", "--light", "--gain-offset"},
    {"track", "--mask", "--points-mask"},
    {"synth", "--frames", "--frame-count"},
    {"synth", "--color", "--rgb"},
    {"synth", "--disparities", "--disparity-range"},
}};

/// Throws UsageError where a word is the old name of an option.
void check_renamed(const CommandHelp& command, const std::string& word) {
  const std::string name = name_of(word);
  for (const RenamedOption& option : renamed_options)
    if (short_name(command) == option.command && name == option.before)
      throw UsageError(fmt::format("{} of {} is now named {}", name, option.command, option.now));
}

/// Goes through the words once.
class Tidying {
 public:
  Tidying(const CommandHelp& program, std::vector<std::string> words) : command_(&program), words_(std::move(words)) {}

  std::vector<std::string> run() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_];
      if (word == "--") break;
      const OptionHelp* const option = find_option(*command_, word);
      if (option != nullptr)
        take_option(*option);
      else
        take_other();
    }
    tidy_.insert(tidy_.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    return std::move(tidy_);
  }

 private:
  void take_other() {
    const std::string& word = words_[at_++];
    check_renamed(*command_, word);
    // The parser takes what follows a single letter for its value, = too.
    if (word.size() > 2 && word[1] != '-' && word[2] == '=')
      if (const OptionHelp* const option = find_option(*command_, word.substr(0, 2)))
        throw UsageError(word.size() == 3 ? word.substr(0, 2) + " needs a value"
                                          : fmt::format("{}: write {} {}, or {}={}", word, word.substr(0, 2),
                                                        word.substr(3), option->names.back(), word.substr(3)));
    if (const CommandHelp* const command = find_command(*command_, word)) command_ = command;
    tidy_.push_back(word);
  }

  void take_option(const OptionHelp& option) {
    const bool flag = option.value.empty();
    if (option.names.front() == "-h")
      tidy_.push_back(words_[at_++]);
    else if (flag || option.value == switch_type)
      take_switch(flag);
    else
      take_valued();
  }

  /// Of a flag, `on` is the flag and `off` is nothing.
  void take_switch(bool flag) {
    const std::string& word = words_[at_++];
    const std::string name = name_of(word);
    std::string value = "on";
    if (name != word)
      value = word.substr(name.size() + 1);
    else if (at_ < words_.size() && (means_on_or_off(words_[at_]) || is_value_of_others(words_[at_])))
      value = words_[at_++];
    if (value != "on" && value != "off")
      throw UsageError(fmt::format("{} is '{}': allowed are on, off, and no value, which is on", name, value));
    if (!flag)
      tidy_.push_back(name + "=" + value);
    else if (value == "on")
      tidy_.push_back(name);
  }

  void take_valued() {
    const std::string& word = words_[at_++];
    const std::string name = name_of(word);
    tidy_.push_back(word);
    if (name != word) {
      if (name.size() + 1 == word.size()) throw UsageError(name + " needs a value");
      return;
    }
    if (at_ == words_.size()) return;  // parsing says so
    const std::string& value = words_[at_++];
    if (looks_like_option(*command_, value))
      throw UsageError(
          fmt::format("{0} needs a value, and {1} follows: give one before {1}, or write {0}={1}", name, value));
    tidy_.push_back(value);
  }

  const CommandHelp* command_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::vector<std::string> tidy_;
};

}  // namespace

std::string in_lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::vector<std::string> tidy_words(const CommandHelp& program, std::vector<std::string> words) {
  return Tidying(program, std::move(words)).run();
}

}  // namespace vergence::cli
