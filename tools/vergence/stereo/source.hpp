// SPDX-License-Identifier: Apache-2.0
// The pictures of `vergence stereo`.
#pragma once

#include <optional>
#include <string>

#include "cli/second_looks.hpp"
#include "stereo/run.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// How the layout cuts one picture that holds both views.
Halves halves_of(const std::string& layout);
/// UsageError where LEFT, RIGHT and --layout do not go together.
StereoSource open_source(const StereoArguments& arguments, const FrameRange& range);

/// Of a source that could be opened: where there is no file of its name, it is a sequence.
bool is_sequence(const std::string& path);

/// The files that are read, and the names that were given.
std::vector<std::string> input_files(const StereoArguments& arguments, const StereoSource& source);

/// The file that holds the reference picture of a frame in colour: a single picture, or one of a sequence. Frames of
/// videos are decoded as grey, and have none.
std::optional<std::string> coloured_file(const StereoArguments& arguments, const StereoSource& source,
                                         const StereoFrame& frame, StereoView reference);
/// The colours of that file, else the grey of the frame. The picture may be larger than the frame: reference_part says
/// where the reference is in it.
Image<Rgb> reference_colours(const StereoArguments& arguments, const StereoSource& source, const StereoFrame& frame,
                             StereoView reference);
Image<Rgb> grey_colours(const GreyPicture& picture);
Rect reference_part(const StereoArguments& arguments, Size frame, StereoView reference);

}  // namespace vergence::cli
