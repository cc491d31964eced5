// SPDX-License-Identifier: Apache-2.0
// Frames that are kept, and which kind of scene a command line asks for.
#include "view/scene.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/command.hpp"
#include "view/input.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t most_kept_bytes = std::size_t{256} << 20;

}  // namespace

std::size_t bytes_of(const ViewFrame& frame) {
  const auto bytes = [](const auto& image) {
    return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
  };
  const auto grey = [&](const GreyPicture& picture) { return bytes(picture.u8) + bytes(picture.u16); };
  return grey(frame.pair.left) + grey(frame.pair.right) + bytes(frame.left) + bytes(frame.right) + bytes(frame.truth) +
         bytes(frame.flow);
}

std::shared_ptr<const ViewFrame> ViewScene::frame(std::int64_t number) {
  const std::int64_t last = first_frame() + frames() - 1;
  if (number < first_frame() || number > last)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("frame is {}: allowed are {} .. {}", number, first_frame(), last), "frame");
  const std::lock_guard lock(mutex_);
  for (auto one = kept_.begin(); one != kept_.end(); ++one) {
    if (one->first != number) continue;
    kept_.splice(kept_.begin(), kept_, one);
    return one->second;
  }
  kept_.emplace_front(number, std::make_shared<const ViewFrame>(load(number)));
  std::size_t bytes = 0;
  for (const auto& one : kept_) bytes += bytes_of(*one.second);
  // The two that were asked for last stay: motion needs both.
  for (; kept_.size() > 2 && bytes > most_kept_bytes; kept_.pop_back()) bytes -= bytes_of(*kept_.back().second);
  return kept_.front().second;
}

std::unique_ptr<ViewScene> open_view_scene(const StereoArguments& read, const StereoArguments& told,
                                           const std::optional<std::string>& flow) {
  const auto refuse_flow = [&flow](std::string_view what) {
    if (flow) throw UsageError(fmt::format("--flow is for videos and sequences of files, and {}", what));
  };
  if (plain_live_options(read.live)) {
    refuse_flow("--stream says that the source is live");
    return open_live_scene(read);
  }
  if (!read.left.empty()) return open_file_scene(read, told, flow);
  refuse_flow("the built-in scene needs none");
  return open_built_in_scene(read);
}

}  // namespace vergence::cli
