// SPDX-License-Identifier: Apache-2.0
// Keys and numbers of calibration files.
#include "io/calibration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/bytes.hpp"

namespace vergence::io {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view line_ends = "\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Up to the end of the line or to a comment.
std::string_view line_of(std::string_view rest) {
  const std::string_view line = rest.substr(0, rest.find_first_of(line_ends));
  return trimmed(line.substr(0, line.find('#')));
}

int line_at(std::string_view text, std::size_t at) {
  int line = 1;
  for (std::size_t i = 0; i < at; ++i)
    if (text[i] == '\n' || (text[i] == '\r' && i + 1 < text.size() && text[i + 1] != '\n')) ++line;
  return line;
}

std::string quoted(std::string_view word) {
  constexpr std::size_t most = 40;
  return word.size() <= most ? fmt::format("\"{}\"", word) : fmt::format("\"{}...\"", word.substr(0, most));
}

[[noreturn]] void fail_number(const CalibrationText& file, std::string_view key, std::string_view word) {
  file.fail(word,
            fmt::format("{}: {} is not a number: write it with a decimal point and without a unit", key, quoted(word)));
}

/// Where a key that starts a line stands from `from` on, and where its value begins.
struct Place {
  std::size_t key = std::string_view::npos;
  std::size_t value = 0;
};

Place find_key(std::string_view text, std::string_view key, char separator, std::size_t from) {
  for (std::size_t at = text.find(key, from); at != std::string_view::npos; at = text.find(key, at + 1)) {
    std::size_t before = at;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
    std::size_t after = at + key.size();
    while (after < text.size() && (text[after] == ' ' || text[after] == '\t')) ++after;
    const bool starts_line = before == 0 || text[before - 1] == '\n' || text[before - 1] == '\r';
    if (starts_line && after < text.size() && text[after] == separator) return {at, after + 1};
  }
  return {};
}

/// A comma within a word is a decimal comma, if commas are text; one behind a word separates in any case.
std::vector<double> split_numbers(const CalibrationText& file, std::string_view key, std::string_view list,
                                  Comma comma) {
  const std::string_view apart = comma == Comma::separates ? " \t\r\n;," : " \t\r\n;";
  std::vector<double> numbers;
  for (std::size_t at = list.find_first_not_of(apart); at != std::string_view::npos;) {
    if (list[at] == '#') {  // a comment
      at = list.find_first_not_of(apart, std::min(list.find_first_of(line_ends, at), list.size()));
      continue;
    }
    const std::size_t end = std::min(list.find_first_of(apart, at), list.size());
    std::string_view word = list.substr(at, end - at);
    if (word.size() > 1 && word.back() == ',') word.remove_suffix(1);
    const auto number = whole_number(word);
    if (!number) fail_number(file, key, word);
    numbers.push_back(*number);
    at = list.find_first_not_of(apart, end);
  }
  return numbers;
}

/// A line for each number, with a dash and a blank before it.
std::vector<double> dashed_numbers(const CalibrationText& file, std::string_view key, std::string_view list) {
  std::vector<double> numbers;
  for (;;) {
    const std::size_t dash = list.find_first_not_of(blanks);
    if (dash == std::string_view::npos || list.substr(dash, 2) != "- ") return numbers;
    list = list.substr(dash + 1);
    const std::string_view word = line_of(list);
    const auto number = whole_number(word);
    if (!number) fail_number(file, key, word);
    numbers.push_back(*number);
    list = list.substr(std::min(list.find_first_of(line_ends), list.size()));
  }
}

}  // namespace

void refuse_wide_text(std::string_view text, const std::string& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    fail_read(ErrorCode::bad_data, name,
              "it is text of UTF-16 or UTF-32, as some editors and shells of Windows write it: save it as UTF-8");
}

CalibrationText::CalibrationText(std::string_view whole, const std::string& file) : text(whole), name(file) {
  refuse_wide_text(whole, file);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark of UTF-8
}

void CalibrationText::fail(std::string_view at, const std::string& reason) const {
  const auto offset = static_cast<std::size_t>(at.data() - text.data());
  fail_read(ErrorCode::bad_data, name, fmt::format("line {}: {}", line_at(text, offset), reason));
}

std::optional<double> whole_number(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (result.ec != std::errc() || result.ptr != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::string_view> after_key(const CalibrationText& file, std::string_view key, char separator) {
  const Place first = find_key(file.text, key, separator, 0);
  if (first.key == std::string_view::npos) return std::nullopt;
  const Place second = find_key(file.text, key, separator, first.value);
  if (second.key != std::string_view::npos)
    fail_read(ErrorCode::bad_data, file.name,
              fmt::format("{} is there twice, in lines {} and {}: leave one of them", key,
                          line_at(file.text, first.key), line_at(file.text, second.key)));
  return file.text.substr(first.value);
}

std::optional<double> line_number(const CalibrationText& file, std::string_view key, char separator) {
  const auto rest = after_key(file, key, separator);
  if (!rest) return std::nullopt;
  std::string_view word = line_of(*rest);
  if (word.size() > 1 && word.back() == ';') word = trimmed(word.substr(0, word.size() - 1));
  const auto number = whole_number(word);
  if (!number) fail_number(file, key, word);
  return number;
}

std::vector<double> number_list(const CalibrationText& file, std::string_view key, std::string_view rest, Comma comma) {
  const std::size_t first = rest.find_first_not_of(blanks);
  if (first == std::string_view::npos || rest[first] != '[') return split_numbers(file, key, line_of(rest), comma);
  const std::size_t close = rest.find(']');
  if (close == std::string_view::npos) file.fail(rest.substr(first), fmt::format("{} has no closing bracket", key));
  return split_numbers(file, key, rest.substr(first + 1, close - first - 1), comma);
}

std::vector<double> yaml_numbers(const CalibrationText& file, std::string_view key, std::string_view rest) {
  const std::size_t direct = rest.find_first_not_of(blanks);
  const bool in_line = direct != std::string_view::npos && rest[direct] == '[';  // key: [ ... ]
  const std::size_t data = in_line ? std::string_view::npos : rest.find("data:");
  if (data != std::string_view::npos) {
    const CalibrationText head(rest.substr(0, data), file.name);
    const Place rows = find_key(head.text, "rows", ':', 0);
    const Place columns = find_key(head.text, "cols", ':', 0);
    if (rows.key != std::string_view::npos && columns.key != std::string_view::npos) {
      const std::string_view high = line_of(head.text.substr(rows.value));
      const std::string_view wide = line_of(head.text.substr(columns.value));
      if (whole_number(high) != 3.0 || whole_number(wide) != 4.0)
        file.fail(high, fmt::format("{} is {}x{}: 3x4 is wanted", key, high, wide));
    }
    rest = rest.substr(data + 5);
  }
  const std::size_t first = rest.find_first_not_of(blanks);
  if (first != std::string_view::npos && rest.substr(first, 2) == "- ") return dashed_numbers(file, key, rest);
  return number_list(file, key, rest, Comma::separates);
}

}  // namespace vergence::io
