// SPDX-License-Identifier: Apache-2.0
// Names, numbers and words of a tree.
#include "io/rig/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/bytes.hpp"
#include "io/calibration_text.hpp"

namespace vergence::io::rig {
namespace {

constexpr std::size_t most_numbers = 64;  // of a matrix; no calibration has more than 16
constexpr int most_visits = 1000;         // of lists in lists: an alias may name one many times

}  // namespace

std::string shown(std::string_view word) {
  constexpr std::size_t most = 40;
  std::string text(word.substr(0, most));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, '?');
  return word.size() > most ? text + "..." : text;
}

namespace {

double number_of(const Entry& entry, std::string_view word) {
  const auto number = whole_number(word);
  if (!number)
    entry.fail(
        fmt::format("holds \"{}\", which is not a finite number: write numbers with a decimal point and without "
                    "a unit",
                    shown(word)));
  return *number;
}

void add_words(const Entry& entry, std::string_view text, std::vector<double>& numbers) {
  constexpr std::string_view blanks = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    if (numbers.size() == most_numbers) entry.fail(fmt::format("has more than {} numbers", most_numbers));
    numbers.push_back(number_of(entry, text.substr(at, end - at)));
    at = text.find_first_not_of(blanks, end);
  }
}

void add_numbers(const Entry& entry, const Tree& tree, std::size_t index, std::vector<double>& numbers, int& visits) {
  const Tree::Node& node = tree.node(index);
  if (++visits > most_visits) entry.fail("is nested too deeply: a list of numbers is wanted");
  if (node.kind == Tree::Kind::names) entry.fail("holds names: a list of numbers is wanted");
  if (node.kind == Tree::Kind::word) return add_words(Entry(tree, index, entry.path()), node.word, numbers);
  for (const std::size_t child : node.children) add_numbers(entry, tree, child, numbers, visits);
}

std::string listed(std::initializer_list<std::string_view> keys) {
  std::string text(*keys.begin());
  for (const std::string_view* key = keys.begin() + 1; key < keys.end(); ++key)
    text += fmt::format("{}{}", key == keys.begin() + 1 ? " (or " : ", ", *key);
  return keys.size() > 1 ? text + ")" : text;
}

}  // namespace

std::optional<Entry> Entry::find(std::string_view key) const {
  const Tree::Node& node = tree_->node(index_);
  const auto at = std::find(node.keys.begin(), node.keys.end(), key);
  if (at == node.keys.end()) return std::nullopt;
  const auto child = node.children[static_cast<std::size_t>(at - node.keys.begin())];
  return Entry(*tree_, child, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key));
}

std::optional<Entry> Entry::find_any(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys)
    if (auto entry = find(key)) return entry;
  return std::nullopt;
}

Entry Entry::require(std::initializer_list<std::string_view> keys) const {
  if (auto entry = find_any(keys)) return *entry;
  fail_read(
      ErrorCode::bad_data, file(),
      fmt::format("{}{} is missing: give a complete calibration file", path_.empty() ? "" : path_ + ".", listed(keys)));
}

const std::string& Entry::word() const {
  if (tree_->node(index_).kind != Tree::Kind::word) fail("is no word");
  return tree_->node(index_).word;
}

double Entry::number() const {
  const std::vector<double> all = numbers();
  if (all.size() != 1) fail(fmt::format("has {} numbers instead of 1", all.size()));
  return all[0];
}

std::vector<double> Entry::numbers() const {
  std::vector<double> all;
  int visits = 0;
  const auto data = find("data");
  add_numbers(*this, *tree_, data ? data->index_ : index_, all, visits);
  const auto rows = find("rows"), columns = find("cols");
  if (data && rows && columns) {
    const double high = rows->number(), wide = columns->number();
    if (high * wide != static_cast<double>(all.size()))
      fail(fmt::format("is {:g}x{:g} and has {} numbers{}", high, wide, all.size(),
                       high * wide < static_cast<double>(all.size())
                           ? ": a decimal comma makes two of one, write decimal points"
                           : ""));
  }
  return all;
}

std::vector<double> Entry::numbers(std::size_t count) const {
  std::vector<double> all = numbers();
  if (all.size() != count) fail(fmt::format("has {} numbers instead of {}", all.size(), count));
  return all;
}

int Entry::pixels() const {
  constexpr int most = 1'000'000'000;
  const double value = number();
  if (!(value >= 0 && value <= most && value == std::floor(value)))
    fail(fmt::format("is {}: a whole number of px up to {} is wanted", value, most));
  return static_cast<int>(value);
}

const std::string& Entry::file() const { return tree_->file(); }

void Entry::fail(const std::string& reason) const {
  fail_read(ErrorCode::bad_data, file(),
            fmt::format("line {}: {} {}", tree_->node(index_).line, path_.empty() ? "the file" : path_, reason));
}

}  // namespace vergence::io::rig
