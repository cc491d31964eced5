// SPDX-License-Identifier: Apache-2.0
// Names of output files.
#include "cli/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "cli/words.hpp"

namespace vergence::cli {
namespace {

namespace fs = std::filesystem;

/// A name with %d, %4d or %04d in it. Elsewhere in such a name, %% is a percent sign.
struct NumberedName {
  std::string before, after;
  std::size_t end = 0;  ///< Behind the number, in the name as it was given.
  int width = 0;
  bool zeros = false;
  std::string with(std::int64_t frame) const {
    return before + (zeros ? fmt::format("{:0{}}", frame, width) : fmt::format("{:{}}", frame, width)) + after;
  }
};

std::string with_percent_signs(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    plain.push_back(text[at]);
    if (text.substr(at, 2) == "%%") ++at;
  }
  return plain;
}

std::optional<NumberedName> find_number(std::string_view path) {
  for (std::size_t begin = path.find('%'); begin != std::string_view::npos; begin = path.find('%', begin + 1)) {
    if (path.substr(begin, 2) == "%%") {
      ++begin;
      continue;
    }
    NumberedName name;
    name.end = begin + 1;
    if (name.end < path.size() && path[name.end] == '0') {
      name.zeros = true;
      ++name.end;
    }
    // At most two digits, so that a name cannot ask for a gigabyte of zeros.
    for (int digits = 0; digits < 2 && name.end < path.size() && path[name.end] >= '0' && path[name.end] <= '9';
         ++digits, ++name.end)
      name.width = name.width * 10 + (path[name.end] - '0');
    if (name.end < path.size() && path[name.end] == 'd') {
      name.before = with_percent_signs(path.substr(0, begin));
      name.after = with_percent_signs(path.substr(++name.end));
      return name;
    }
  }
  return std::nullopt;
}

fs::path directory_of(const std::string& path, bool numbered) {
  const std::optional<NumberedName> name = numbered ? find_number(path) : std::nullopt;
  const fs::path directory = fs::path(name ? name->with(0) : path).parent_path();
  return directory.empty() ? fs::path(".") : directory;
}

/// A file, whatever names lead to it.
using FileId = std::pair<dev_t, ino_t>;

/// Of a regular file that exists.
std::optional<FileId> identify(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

/// A name whose directory is written in one way only, so that names of files that do not exist yet can be compared.
struct PlainName {
  std::string directory;
  std::string name;
};

PlainName plain_name(const std::string& path, bool numbered) {
  const fs::path directory = directory_of(path, numbered);
  std::error_code problem;
  const fs::path plain = fs::weakly_canonical(directory, problem);
  return {(problem ? directory : plain).string(), fs::path(path).filename().string()};
}

/// Of a name with a plain directory: where the file appears.
std::string plain_target(const std::string& path) {
  std::error_code problem;
  if (!fs::is_symlink(fs::symlink_status(path, problem))) return path;
  const PlainName end = plain_name(AtomicFile::target(path), false);
  return end.directory + '/' + end.name;
}

bool is_numbered(const OutputName& output) { return output.per_frame && has_frame_number(output.path); }

/// The frame in which a numbered name becomes `name`, if there is one.
std::optional<std::int64_t> frame_of(const std::string& numbered, const std::string& name) {
  const NumberedName parts = find_number(numbered).value();
  if (name.size() <= parts.before.size() + parts.after.size() || !name.starts_with(parts.before)) return std::nullopt;
  const char* begin = name.data() + parts.before.size();
  const char* const end = name.data() + name.size() - parts.after.size();
  while (begin != end && *begin == ' ') ++begin;
  std::int64_t frame = 0;
  const auto [stop, error] = std::from_chars(begin, end, frame);
  if (error != std::errc{} || stop != end || frame < 0 || parts.with(frame) != name) return std::nullopt;
  return frame;
}

/// The output's files that exist already, of the frames of a run.
std::vector<std::string> existing_files(const OutputName& output, const FrameRange& frames) {
  std::error_code problem;
  if (!is_numbered(output))
    return fs::exists(output.path, problem) ? std::vector{output.path} : std::vector<std::string>{};
  std::vector<std::string> files;
  for (const std::int64_t frame : existing_numbers(output.path))
    if (frame >= frames.first && (frames.last < 0 || frame <= frames.last))
      files.push_back(frame_path(output.path, frame));
  return files;
}

/// Frames whose names are compared: all of a run of usual length; of longer ones the beginning and, because names with
/// different numbers of zeros meet there, every frame whose number is one digit longer than the one before.
std::vector<std::int64_t> compared_frames(const FrameRange& frames) {
  constexpr std::int64_t beginning = 10'000;
  constexpr std::int64_t most = 1'000'000'000'000'000'000;
  const std::int64_t last = frames.last < 0 ? most : frames.last;
  std::vector<std::int64_t> compared;
  for (std::int64_t frame = frames.first; frame <= last && frame - frames.first < beginning; ++frame)
    compared.push_back(frame);
  for (std::int64_t frame = 10; frame <= last && frame <= most / 10; frame *= 10)
    if (frame - frames.first >= beginning) compared.push_back(frame);
  return compared;
}

[[noreturn]] void refuse_pair(const OutputName& a, const OutputName& b, const std::string& file) {
  throw UsageError(fmt::format("{} '{}' and {} '{}' would both write {}: give each its own name", a.option, a.path,
                               b.option, b.path, file));
}

/// Two outputs with one name, be it in different frames.
void check_names_differ(const std::vector<OutputName>& outputs, const FrameRange& frames) {
  if (outputs.size() < 2) return;
  const std::vector<std::int64_t> compared = compared_frames(frames);
  std::unordered_map<std::string, std::size_t> owners;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const PlainName plain = plain_name(outputs[i].path, is_numbered(outputs[i]));
    const auto claim = [&](const std::string& name) {
      const std::size_t owner = owners.try_emplace(plain_target(plain.directory + '/' + name), i).first->second;
      if (owner != i) refuse_pair(outputs[owner], outputs[i], name);
    };
    if (!is_numbered(outputs[i])) claim(plain.name);
    if (is_numbered(outputs[i]))
      for (const std::int64_t frame : compared) claim(frame_path(plain.name, frame));
  }
}

/// Outputs that lead to one file that exists, or to an input.
void check_files_differ(const std::vector<OutputName>& outputs, const std::vector<std::string>& inputs,
                        const FrameRange& frames) {
  std::map<FileId, std::string> read;
  for (const std::string& input : inputs)
    if (const std::optional<FileId> file = identify(input)) read.emplace(*file, input);
  struct stat status {};
  if (fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode))
    read.emplace(FileId{status.st_dev, status.st_ino}, "standard input");
  std::map<FileId, std::size_t> owners;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (const std::string& path : existing_files(outputs[i], frames)) {
      const std::optional<FileId> file = identify(path);
      if (!file) continue;
      if (const auto input = read.find(*file); input != read.end())
        throw UsageError(fmt::format("{} '{}' would overwrite the input '{}': give another name", outputs[i].option,
                                     outputs[i].path, input->second));
      const std::size_t owner = owners.try_emplace(*file, i).first->second;
      if (owner != i) refuse_pair(outputs[owner], outputs[i], path);
    }
}

/// Outputs that are frames of a numbered input which the run does not read.
void check_unread_frames(const std::vector<OutputName>& outputs, const std::vector<std::string>& inputs,
                         const FrameRange& frames) {
  std::map<FileId, std::size_t> written;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (const std::string& path : existing_files(outputs[i], frames))
      if (const std::optional<FileId> file = identify(path)) written.emplace(*file, i);
  if (written.empty()) return;
  std::error_code problem;
  for (const std::string& input : inputs) {
    if (!has_frame_number(input) || fs::exists(input, problem)) continue;
    for (const std::int64_t number : existing_numbers(input)) {
      const std::string path = frame_path(input, number);
      const std::optional<FileId> file = identify(path);
      const auto output = file ? written.find(*file) : written.end();
      if (output == written.end()) continue;
      const OutputName& name = outputs[output->second];
      throw UsageError(
          fmt::format("{} '{}' would overwrite '{}', a frame of the input '{}' that this run does not "
                      "read: give another name",
                      name.option, name.path, path, input));
    }
  }
}

}  // namespace

bool has_frame_number(std::string_view path) { return find_number(path).has_value(); }

std::string frame_path(const std::string& path, std::int64_t frame) {
  const std::optional<NumberedName> name = find_number(path);
  return name ? name->with(frame) : path;
}

void add_first_option(Command command, std::optional<std::string>& first) {
  command
      .add("--first", first,
           "Number of the first frame in outputs, the others follow [0 .. 10^12; default: that of the input, whose "
           "numbers outputs keep]")
      .type("N")
      .group("Outputs");
}

std::int64_t output_shift(const std::optional<std::string>& first, std::int64_t number) {
  return first ? parse_integer("--first", *first, 0, 1'000'000'000'000) - number : 0;
}

FrameRange shifted(FrameRange frames, std::int64_t shift) {
  frames.first += shift;
  if (frames.last >= 0) frames.last += shift;
  return frames;
}

std::vector<std::int64_t> existing_numbers(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  std::vector<std::int64_t> numbers;
  std::error_code problem;
  fs::directory_iterator entry(directory_of(path, true), problem);
  for (; !problem && entry != fs::directory_iterator{}; entry.increment(problem))
    if (const std::optional<std::int64_t> number = frame_of(name, entry->path().filename().string()))
      numbers.push_back(*number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string leftover_warning(const std::vector<OutputName>& outputs, std::int64_t last) {
  for (const OutputName& output : outputs) {
    if (!output.per_frame || !has_frame_number(output.path)) continue;
    const std::vector<std::int64_t> numbers = existing_numbers(output.path);
    const auto beyond = std::upper_bound(numbers.begin(), numbers.end(), last);
    if (beyond == numbers.end() || *beyond != last + 1) continue;  // what follows a gap has another reason
    return fmt::format(
        "{} '{}': {} file{} beyond this run's last one, {}, such as {}, {} left of a longer run, and would be taken "
        "for this one's: remove {}",
        output.option, output.path, numbers.end() - beyond, numbers.end() - beyond == 1 ? "" : "s",
        frame_path(output.path, last), frame_path(output.path, last + 1), numbers.end() - beyond == 1 ? "is" : "are",
        numbers.end() - beyond == 1 ? "it" : "them");
  }
  return "";
}

std::string left_out_notice(const std::string& path) {
  const std::optional<NumberedName> name = find_number(fs::path(path).filename().string());
  if (!name) return "";
  std::int64_t count = 0;
  std::string first;
  std::error_code problem;
  fs::directory_iterator entry(directory_of(path, true), problem);
  for (; !problem && entry != fs::directory_iterator{}; entry.increment(problem)) {
    const std::string file = entry->path().filename().string();
    if (file.size() <= name->before.size() + name->after.size() || !file.starts_with(name->before) ||
        !file.ends_with(name->after))
      continue;
    const char* const end = file.data() + file.size() - name->after.size();
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(file.data() + name->before.size(), end, number);
    if (error != std::errc{} || stop != end || number < 0 || name->with(number) == file) continue;
    if (count++ == 0 || file < first) first = file;
  }
  if (count == 0) return "";
  return fmt::format("{} file{} left out of {}, such as {}: write all numbers in one way", count,
                     count == 1 ? " is" : "s are", path, first);
}

bool are_files(const std::vector<std::string>& names) {
  std::error_code problem;
  const auto is_file = [&problem](const std::string& name) { return fs::is_regular_file(name, problem); };
  return !names.empty() && std::all_of(names.begin(), names.end(), is_file);
}

std::string ending(std::string_view path) { return in_lower_case(fs::path(path).extension().string()); }

void check_ending(const OutputName& output, std::string_view endings) {
  const std::string own = ending(output.path);
  if (!own.empty() && holds_word(endings, own)) return;
  throw UsageError(fmt::format("{} is '{}': its name must end in one of {}", output.option, output.path, endings));
}

void require_output(const std::optional<std::string>& option, std::string_view name,
                    const std::optional<std::string>& output, std::string_view output_name) {
  if (option && !output) throw UsageError(fmt::format("{} needs {}: it does nothing without", name, output_name));
}

void check_number(const OutputName& output) {
  const std::optional<NumberedName> name = output.per_frame ? find_number(output.path) : std::nullopt;
  if (!name) return;
  const std::string behind = output.path.substr(name->end);
  if (has_frame_number(behind))
    throw UsageError(fmt::format("{} is '{}': one %d is allowed, the frame's number", output.option, output.path));
  if (behind.find('/') != std::string::npos)
    throw UsageError(fmt::format("{} is '{}': the frame's number must stand in the file's name, not in a directory's",
                                 output.option, output.path));
}

void check_distinct(const std::vector<OutputName>& outputs, const std::vector<std::string>& inputs,
                    const FrameRange& frames) {
  check_files_differ(outputs, inputs, frames);
  check_unread_frames(outputs, inputs, frames);
  check_names_differ(outputs, frames);
}

void check_writable(const OutputName& output) {
  const auto refuse = [&output](const std::string& why) {
    throw Error(ErrorCode::io, fmt::format("{} '{}' cannot be written: {}", output.option, output.path, why));
  };
  std::error_code problem;
  if (fs::is_directory(output.path, problem)) refuse("it is a directory, give a file name");
  const std::string target = AtomicFile::target(output.path);
  if (fs::is_symlink(fs::symlink_status(target, problem)))
    refuse("its symbolic links lead in a circle, mend them or give another name");
  const fs::path directory = directory_of(target, is_numbered(output));
  if (!fs::exists(directory, problem))
    refuse(fmt::format("there is no directory '{}', create it or give another name", directory.string()));
  if (!fs::is_directory(directory, problem))
    refuse(fmt::format("'{}' is not a directory, give another name", directory.string()));
  if (!fs::exists(output.path, problem) || fs::is_regular_file(output.path, problem))
    if (access(directory.c_str(), W_OK) != 0)
      refuse(fmt::format("no file can be made in '{}' ({}), choose a place that you may write to", directory.string(),
                         std::strerror(errno)));
}

void require_absent(const std::string& partial, const std::string& path) {
  std::error_code problem;
  if (fs::exists(fs::symlink_status(partial, problem)))
    throw Error(ErrorCode::io,
                fmt::format("cannot write {}: {} exists: another run writes it, or has left it: wait, or move it away",
                            path, partial));
}

void check_names(const std::vector<OutputName>& outputs) {
  for (const OutputName& output : outputs) {
    check_number(output);
    check_writable(output);
    if (output.grows && !is_numbered(output)) require_absent(AtomicFile::target(output.path) + ".partial", output.path);
  }
}

std::vector<OutputName> with_settings_file(std::vector<OutputName> outputs, const std::optional<std::string>& path) {
  if (path) outputs.push_back({"--save-settings", "settings", "settings", *path, false});
  return outputs;
}

std::string standing_files(const std::vector<OutputName>& outputs, std::int64_t first, std::int64_t last, bool held) {
  std::string names, begun;
  const auto add = [&names](const std::string& name) { names += fmt::format("{}{}", names.empty() ? "" : ", ", name); };
  for (const OutputName& output : outputs) {
    std::error_code problem;
    const std::string partial = AtomicFile::target(output.path) + ".partial";
    if (is_numbered(output) && !held) add(output.path);
    if (!output.grows || is_numbered(output) || !fs::exists(partial, problem)) continue;
    add(partial);
    begun += (begun.empty() ? "" : ", ") + partial;
  }
  if (names.empty()) return "";
  // Of several outputs, one may have failed at the first frame, behind others that hold it.
  if (last < first)
    return begun.empty() ? ""
                         : fmt::format("; what was begun stays, and no run begins it anew while it exists: {}", begun);
  return fmt::format("; what was written of {} stands: {}",
                     first == last ? fmt::format("frame {}", first) : fmt::format("frames {} .. {}", first, last),
                     names);
}

}  // namespace vergence::cli
