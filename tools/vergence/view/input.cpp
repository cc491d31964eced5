// SPDX-License-Identifier: Apache-2.0
// Opens what the command line names as pairs or as a single video.
#include "view/input.hpp"

#include <string>
#include <utility>

#include "cli/command.hpp"
#include "stereo/source.hpp"

namespace vergence::cli {
namespace {

Image<Rgb> part_of(ImageView<const Rgb> picture, const Rect& part) {
  Image<Rgb> copy(part.width, part.height);
  for (int y = 0; y < part.height; ++y)
    for (int x = 0; x < part.width; ++x) copy(x, y) = picture(part.x + x, part.y + y);
  return copy;
}

}  // namespace

bool gives_pairs(const StereoArguments& arguments) { return arguments.right || arguments.layout != "pair"; }

ViewInput::ViewInput(const StereoArguments& arguments, const FrameRange& range) : arguments_(&arguments) {
  try {
    open(range);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range is beyond the end
    throw;
  }
}

void ViewInput::open(const FrameRange& range) {
  if (gives_pairs(*arguments_))
    pairs_.emplace(open_source(*arguments_, range));
  else
    video_.emplace(arguments_->left, range);
}

ViewInput::ViewInput(const StereoArguments& arguments, const std::atomic<bool>& stop) : arguments_(&arguments) {
  FrameSourceOptions options;
  options.standard_input = arguments.left == "-";
  options.live = plain_live_options(arguments.live);
  options.live->stop = &stop;
  const std::string name = options.standard_input ? "standard input" : arguments.left;
  const FrameRange all;
  as_usage([&] {
    if (const Halves halves = halves_of(arguments.layout); halves != Halves::none)
      pairs_.emplace(name, halves == Halves::columns ? StereoLayout::side_by_side : StereoLayout::top_bottom, all,
                     options);
    else
      video_.emplace(name, all, options);
  });
}

std::optional<StereoFrame> ViewInput::next() {
  if (pairs_) return pairs_->next();
  const std::int64_t number = video_->number();
  std::optional<GreyPicture> picture = video_->next();
  if (!picture) return std::nullopt;
  StereoFrame frame;
  frame.index = number;
  frame.left = std::move(*picture);
  return frame;
}

Image<Rgb> ViewInput::colours(const StereoFrame& frame, StereoView view) const {
  if (video_) return video_->is_sequence() ? read_rgb(video_->name()) : grey_colours(frame.left);
  Image<Rgb> all = reference_colours(*arguments_, *pairs_, frame, view);
  const Rect part = reference_part(*arguments_, frame.left.size(), view);
  return part.width == all.width() && part.height == all.height() ? std::move(all) : part_of(all.view(), part);
}

}  // namespace vergence::cli
