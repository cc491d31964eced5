// SPDX-License-Identifier: Apache-2.0
// Names of output files.
#include "files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "command.hpp"

namespace vergence::cli {
namespace {

namespace fs = std::filesystem;

/// Where %d, %4d or %04d stands.
struct NumberField {
  std::size_t begin = 0;
  std::size_t end = 0;
  int width = 0;
  bool zeros = false;
};

std::optional<NumberField> find_number(std::string_view path) {
  for (std::size_t begin = path.find('%'); begin != std::string_view::npos; begin = path.find('%', begin + 1)) {
    NumberField field{begin, begin + 1, 0, false};
    if (field.end < path.size() && path[field.end] == '0') {
      field.zeros = true;
      ++field.end;
    }
    // At most two digits, so that a name cannot ask for a gigabyte of zeros.
    for (int digits = 0; digits < 2 && field.end < path.size() && path[field.end] >= '0' && path[field.end] <= '9';
         ++digits, ++field.end)
      field.width = field.width * 10 + (path[field.end] - '0');
    if (field.end < path.size() && path[field.end] == 'd') {
      ++field.end;
      return field;
    }
  }
  return std::nullopt;
}

bool same_file(const std::string& a, const std::string& b) {
  if (a == b) return true;
  std::error_code problem;
  return fs::equivalent(a, b, problem) && !problem;
}

}  // namespace

bool has_frame_number(std::string_view path) { return find_number(path).has_value(); }

std::string frame_path(const std::string& path, std::int64_t frame) {
  const std::optional<NumberField> field = find_number(path);
  if (!field) return path;
  const std::string number =
      field->zeros ? fmt::format("{:0{}}", frame, field->width) : fmt::format("{:{}}", frame, field->width);
  return path.substr(0, field->begin) + number + path.substr(field->end);
}

std::string ending(std::string_view path) {
  std::string text = fs::path(path).extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void check_ending(const OutputName& output, std::string_view endings) {
  const std::string own = ending(output.path);
  std::string_view rest = endings;
  while (!rest.empty()) {
    const std::size_t space = rest.find(' ');
    if (!own.empty() && rest.substr(0, space) == own) return;
    rest = space == std::string_view::npos ? std::string_view{} : rest.substr(space + 1);
  }
  throw UsageError(fmt::format("{} is '{}': its name must end in one of {}", output.option, output.path, endings));
}

void check_distinct(const std::vector<OutputName>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(outputs[i].path, outputs[j].path))
        throw UsageError(fmt::format("{} and {} are both '{}': give each its own name", outputs[j].option,
                                     outputs[i].option, outputs[i].path));
    for (const std::string& input : inputs)
      if (same_file(outputs[i].path, input))
        throw UsageError(
            fmt::format("{} is '{}', which is an input: it would be overwritten", outputs[i].option, input));
  }
}

void check_writable(const OutputName& output) {
  const auto refuse = [&output](const std::string& why) {
    throw Error(ErrorCode::io, fmt::format("{} '{}' cannot be written: {}", output.option, output.path, why));
  };
  std::error_code problem;
  if (fs::is_directory(output.path, problem)) refuse("it is a directory");
  fs::path directory = fs::path(output.path).parent_path();
  if (directory.empty()) directory = ".";
  if (!fs::exists(directory, problem)) refuse(fmt::format("there is no directory '{}'", directory.string()));
  if (!fs::is_directory(directory, problem)) refuse(fmt::format("'{}' is not a directory", directory.string()));
  if (!fs::exists(output.path, problem) || fs::is_regular_file(output.path, problem))
    if (access(directory.c_str(), W_OK) != 0)
      refuse(fmt::format("no file can be made in '{}': {}", directory.string(), std::strerror(errno)));
}

}  // namespace vergence::cli
