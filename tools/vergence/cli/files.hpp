// SPDX-License-Identifier: Apache-2.0
// Names of output files: numbered names for streams, and everything about them that can be refused before the work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::cli {

class Command;

/// An output that was asked for.
struct OutputName {
  std::string option;  ///< "--color".
  std::string what;    ///< "coloured map": for people.
  std::string key;     ///< "color": in JSON.
  std::string path;
  bool per_frame = true;  ///< Written for every frame, with the frame's number where the name has a %d.
  bool grows = false;     ///< Without a number: grows from frame to frame as NAME.partial.
};

/// Is there one %d (or %4d, %04d) in the name?
bool has_frame_number(std::string_view path);
/// The name with the frame's number in place of %d; names without are returned as they are.
std::string frame_path(const std::string& path, std::int64_t frame);
/// --first: the number of a run's first output.
void add_first_option(Command command, std::optional<std::string>& first);
/// What is added to a frame's number in outputs, where the run begins with frame `number`. UsageError for no number.
std::int64_t output_shift(const std::optional<std::string>& first, std::int64_t number);
/// The range of the outputs' numbers.
FrameRange shifted(FrameRange frames, std::int64_t shift);
/// The numbers for which a file of that name exists, in order. The number stands in the file's name (check_number).
std::vector<std::int64_t> existing_numbers(const std::string& path);
/// A line where files of a numbered output stand beyond `last`, the last number of a run over all of its input; else
/// "".
std::string leftover_warning(const std::vector<OutputName>& outputs, std::int64_t last);
/// Of a numbered name: a line about files whose number is written in another way (07 under %d); "" where none is there.
std::string left_out_notice(const std::string& path);
/// Whether there are any, and all of them are files: not pipes, nor devices.
bool are_files(const std::vector<std::string>& names);
/// ".png", in lower case; "" where the name has no ending.
std::string ending(std::string_view path);

/// UsageError where the name's ending is not one of `endings` (".png .pfm").
void check_ending(const OutputName& output, std::string_view endings);
/// UsageError where an option is given without the output that it is about.
void require_output(const std::optional<std::string>& option, std::string_view name,
                    const std::optional<std::string>& output, std::string_view output_name);
/// UsageError where the name has a second number, or one in a directory's name.
void check_number(const OutputName& output);
/// UsageError where, in the frames of a run, two outputs would be one file, or one would overwrite one of `inputs`,
/// however the names are written. A numbered input is a file where one has this very name, else all files that it
/// stands for, those outside the frames of the run too.
void check_distinct(const std::vector<OutputName>& outputs, const std::vector<std::string>& inputs,
                    const FrameRange& frames);
/// Error(io) where a file cannot be made: its directory is missing or not writable, or the name is a directory's.
void check_writable(const OutputName& output);
/// Error(io) where `partial`, under which the output `path` grows, exists: it may be what another run writes.
void require_absent(const std::string& partial, const std::string& path);
/// check_number and check_writable of each, and require_absent of those that grow.
void check_names(const std::vector<OutputName>& outputs);
/// `outputs` and, where it was asked for, the file of --save-settings.
std::vector<OutputName> with_settings_file(std::vector<OutputName> outputs, const std::optional<std::string>& path);

/// "; what was written of frames 0 .. 3 stands: map_%d.png, map.mp4.partial", for an error; `first` and `last` are
/// numbers of outputs. Numbered files stand where they are not `held`.
std::string standing_files(const std::vector<OutputName>& outputs, std::int64_t first, std::int64_t last, bool held);

/// Runs it. An error says what stands of the frames before it.
template <class Run, class Standing>
auto naming_what_stands(Run run, Standing standing) {
  try {
    return run();
  } catch (const Error& error) {
    throw Error(error.code(), error.what() + standing(), error.field());
  }
}

}  // namespace vergence::cli
