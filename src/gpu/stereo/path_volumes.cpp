// SPDX-License-Identifier: Apache-2.0
// How large the volumes of semi-global matching are, and the refusal where they do not fit.
#include "gpu/stereo/path_volumes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "gpu/shared/stereo/paths.h"
#include "vergence/error.hpp"

namespace vergence::gpu {

/// The largest cost at the end of a path.
std::uint64_t most_of_path(const StereoPlan& plan) {
  return plan.max_window_cost + static_cast<std::uint64_t>(plan.options.p2);
}
std::size_t value_bytes(const StereoPlan& plan) {
  const std::uint64_t most = most_of_path(plan);
  return most <= 0xFF ? 1 : most <= 0xFFFF ? 2 : 4;
}

bool packs_paths(const StereoPlan& plan, const Properties& device, const MatchTuning& tuning) {
  // Levels stay below 2^15 with penalties, and with room to spare; and at most 32 work-items with 16 candidates each
  // share a pixel.
  // Given costs do not say where pictures show nothing.
  if (plan.masks != nullptr && keeps_costs(plan, true)) return false;
  return tuning.path_pairs && (!device.is_nvidia || device.has_packed_minimum) &&
         12 * most_of_path(plan) + static_cast<std::uint64_t>(plan.options.p2) < 0x8000 &&
         plan.options.disparities <= 512;
}

bool keeps_costs(const StereoPlan& plan, bool packed) {
  if (plan.rx > 0 || plan.ry > 0) return true;
  return packed && (plan.options.cost == StereoCost::sad || plan.options.cost == StereoCost::ssd);
}

namespace {

/// What the volumes of a plan take.
struct Need {
  std::uint64_t pixels, of_candidate, of_pixel;  ///< of_candidate, of_pixel: bytes in all volumes.
  std::uint64_t bytes() const { return pixels * of_pixel; }
};
Need need_of(const StereoPlan& plan, bool packed) {
  const std::uint64_t volumes = static_cast<std::uint64_t>(plan.options.paths) + (keeps_costs(plan, packed) ? 1 : 0);
  Need need{};
  need.pixels = static_cast<std::uint64_t>(plan.size.width) * static_cast<std::uint64_t>(plan.size.height);
  need.of_candidate = volumes * value_bytes(plan);
  need.of_pixel = need.of_candidate * static_cast<std::uint64_t>(PATHS_PLACES(plan.options.disparities));
  return need;
}

/// Of pictures and maps, about, for each pixel.
constexpr std::uint64_t other_bytes = 64;

/// What the device could do, of a plan that exceeds it.
std::string what_fits(const StereoPlan& plan, const Properties& device, const Need& need) {
  const std::uint64_t all = device.global_memory / need.pixels;  // for a pixel of this picture
  const std::uint64_t of_pixel = std::min(device.largest_buffer / need.pixels, all - std::min(all, other_bytes));
  const std::uint64_t disparities = of_pixel / need.of_candidate / 16 * 16;
  const std::uint64_t pixels =
      std::min(device.largest_buffer / need.of_pixel, device.global_memory / (need.of_pixel + other_bytes));
  const std::uint64_t rows = pixels / static_cast<std::uint64_t>(plan.size.width);
  if (disparities == 0 && rows == 0) return "neither 16 disparities nor one row of this width would fit";
  if (disparities == 0) return fmt::format("{} rows of this width would fit", rows);
  if (rows == 0) return fmt::format("{} disparities would fit", disparities);
  return fmt::format("{} disparities, or {} rows of this width, would fit", disparities, rows);
}

[[noreturn]] void refuse(const StereoPlan& plan, const Properties& device, const Need& need,
                         const std::string& problem) {
  throw Error(
      ErrorCode::out_of_memory,
      fmt::format("the costs of {} paths for {}x{} pixels and {} disparities take {} bytes in one piece: {}; {}",
                  plan.options.paths, plan.size.width, plan.size.height, plan.options.disparities, need.bytes(),
                  problem, what_fits(plan, device, need)));
}

}  // namespace

std::unique_ptr<Buffer> make_path_volumes(const StereoPlan& plan, Device& device, const MatchTuning& tuning) {
  const Properties& properties = device.properties();
  const std::uint64_t most = std::min(properties.largest_buffer, properties.global_memory);
  const Need need = need_of(plan, packs_paths(plan, properties, tuning));
  const std::uint64_t bytes = need.bytes();
  if (most == 0) return device.allocate(static_cast<std::size_t>(bytes));  // a device that only compiles
  if (bytes > most) refuse(plan, properties, need, fmt::format("{} gives at most {}", properties.device, most));
  try {
    return device.allocate(static_cast<std::size_t>(bytes));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    refuse(plan, properties, need, error.what());
  }
}

}  // namespace vergence::gpu
