// SPDX-License-Identifier: Apache-2.0
// `vergence study`: the published experiments on this machine's devices.
#include <CLI/CLI.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "signals.hpp"
#include "study_options.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

std::vector<Image<std::uint8_t>> read(const std::string& path, int most) {
  std::vector<Image<std::uint8_t>> frames;
  const auto add = [&](GreyPicture&& picture) {
    if (picture.depth != Depth::u8)
      throw Error(ErrorCode::unsupported, fmt::format("'{}' has 16 bits: studies take pictures of 8 bits", path));
    frames.push_back(std::move(picture.u8));
  };
  if (most == 1) {
    add(read_grey(path));
    return frames;
  }
  FrameSource source(path, {0, most - 1});
  while (std::optional<GreyPicture> frame = source.next()) add(std::move(*frame));
  return frames;
}

}  // namespace

void add_study(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "study", "Repeat a published experiment: every variant timed and compared with a reference");
  command->require_subcommand(0, 1);
  // Runs after that of the study, where one is named.
  command->callback([command] {
    if (command->get_subcommands().empty()) throw UsageError("no study is named: `vergence study --help` lists them");
  });
  add_studies(*command, action, read, [](const std::function<void()>& write) {
    const WriteGuard whole;
    write();
  });
}

}  // namespace vergence::cli
