// SPDX-License-Identifier: Apache-2.0
// Blocks are divided between the device and the host, and chosen where not all are searched.
#include "motion-cuda/shares.hpp"

#include <algorithm>
#include <cmath>

namespace vergence::studies::motion_cuda {
namespace {

Share share_of(std::vector<int> all, const std::vector<int>& chosen) {
  Share share;
  for (const int i : chosen) share.searched.push_back(all[static_cast<std::size_t>(i)]);
  share.all = std::move(all);
  return share;
}

}  // namespace

Plan plan_of(const Clip& clip, const Variant& variant, const Effort& effort, int step) {
  std::vector<int> device, host;
  for (int i = 0; i < clip.block_count(); ++i) {
    const bool inner = is_inner(clip.size(), clip.place(i), clip.geometry);
    if (!inner && !effort.borders) continue;
    (inner || !variant.has_host_blocks() ? device : host).push_back(i);
  }
  int most = effort.blocks;
  const bool is_between = variant.rung == "sad-flat" || variant.rung == "sad-block" || variant.rung == "sad-area";
  const int launches = is_between ? effort.launches_between : effort.launches;
  if (variant.unit == Unit::sad && launches > 0) {
    const int allowed = std::max(launches / clip.geometry.candidates(), 1);
    most = most == 0 ? allowed : std::min(most, allowed);
  }
  const double part =
      most == 0 || device.empty() ? 1 : std::min(1.0, static_cast<double>(most) / static_cast<double>(device.size()));
  const auto of_host = static_cast<int>(std::ceil(part * static_cast<double>(host.size())));
  const auto choose = [&](std::size_t count, int wanted) {
    const auto all = static_cast<int>(count);
    return variant.unit == Unit::sad ? in_turn(all, wanted, step) : spread(all, wanted);
  };
  const std::vector<int> on_device = choose(device.size(), most);
  std::vector<int> on_host = choose(host.size(), most == 0 ? 0 : std::max(of_host, 1));
  // Plain code takes seconds for the border blocks of a large frame. Beside a device's work a part would not do.
  if (variant.host == Code::plain && variant.borders == Borders::host && effort.baseline_blocks > 0)
    on_host = in_turn(static_cast<int>(host.size()), effort.baseline_blocks, step);
  return {share_of(std::move(device), on_device), share_of(std::move(host), on_host)};
}

std::vector<int> spread(int count, int most) {
  std::vector<int> chosen;
  const int wanted = most == 0 ? count : std::min(count, most);
  // The middles of equal parts.
  for (int i = 0; i < wanted; ++i)
    chosen.push_back(static_cast<int>((std::int64_t{2} * i + 1) * count / (std::int64_t{2} * wanted)));
  return chosen;
}

std::vector<int> in_turn(int count, int most, int step) {
  const int every = most == 0 || most >= count ? 1 : (count + most - 1) / most;
  std::vector<int> chosen;
  for (int i = step % every; i < count; i += every) chosen.push_back(i);
  return chosen;
}

}  // namespace vergence::studies::motion_cuda
