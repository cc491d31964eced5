// SPDX-License-Identifier: Apache-2.0
// The pictures of `vergence stereo`.
#pragma once

#include "stereo/run.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// UsageError where LEFT, RIGHT and --layout do not go together.
StereoSource open_source(const StereoArguments& arguments, const FrameRange& range);

/// Of a source that could be opened: where there is no file of its name, it is a sequence.
bool is_sequence(const std::string& path);

/// The files that are read, and the names that were given.
std::vector<std::string> input_files(const StereoArguments& arguments, const StereoSource& source);

/// Colours of single pictures; streams are decoded as grey, and their colours are grey. The picture may be larger than
/// the frame: reference_part says where the reference is in it.
Image<Rgb> reference_colours(const StereoArguments& arguments, const StereoSource& source, const StereoFrame& frame,
                             StereoView reference);
Rect reference_part(const StereoArguments& arguments, const StereoSource& source, Size frame, StereoView reference);

}  // namespace vergence::cli
