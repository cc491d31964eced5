// SPDX-License-Identifier: Apache-2.0
// From variants to kernels and ranges.
#include "stencil-energy/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vergence/error.hpp"

namespace vergence::studies::stencil_energy {
namespace {

constexpr Pass rows{"stencil_across_rows", true, false, true}, columns{"stencil_across_columns", false, false, true},
    down{"stencil_down", false, true, false}, whole{"stencil_one_pass", false, false, false};

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

void allow_only(const char* name, const std::vector<int>& values, std::initializer_list<int> allowed) {
  for (const int value : values)
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} has {}: allowed are {}", name, value, fmt::join(allowed, ", ")));
}

}  // namespace

const char* name_of(Form form) {
  static constexpr std::array names{"2P rows", "2P columns", "1P", "rows alone", "columns alone", "down alone"};
  return names[static_cast<std::size_t>(form)];
}

std::vector<Pass> passes_of(Form form) {
  switch (form) {
    case Form::two_rows:
      return {rows, down};
    case Form::two_columns:
      return {columns, down};
    case Form::one_pass:
      return {whole};
    case Form::rows_alone:
      return {rows};
    case Form::columns_alone:
      return {columns};
    case Form::down_alone:
      break;
  }
  return {down};
}

std::string file_of(const Pass& pass) {
  return fmt::format("stencil-energy/{}.cl", std::string_view(pass.kernel).substr(sizeof("stencil_") - 1));
}

gpu::Defines defines_of(const Variant& variant, int points) {
  gpu::Defines defines;
  defines.set("POINTS", points).set("WIDTH", variant.width).set("UNROLLED", variant.unrolled);
  return defines.set("SHUFFLED", variant.shuffled && !variant.is_scalar() ? 1 : 0);
}

Launch launch_of(const Variant& variant, const Pass& pass, Size size) {
  const auto width = static_cast<std::size_t>(variant.width), wide = static_cast<std::size_t>(size.width),
             high = static_cast<std::size_t>(size.height);
  const std::size_t vectors = quotient_up(wide, width), length = pass.along_rows ? vectors * width : high;
  std::size_t strip = variant.strip == 0 ? length : std::min(static_cast<std::size_t>(variant.strip), length);
  if (pass.along_rows) strip = quotient_up(strip, width) * width;
  const std::size_t items = pass.along_rows ? high : vectors, group = static_cast<std::size_t>(variant.group);
  return {{quotient_up(items, group), quotient_up(length, strip), 1}, {group, 1, 1}, static_cast<int>(strip)};
}

Choices::Choices(const Settings& settings)
    : widths(settings.integers("widths", 1, 16)),
      unrolls(settings.integers("unroll", 1, 8)),
      groups(settings.integers("groups", 1, 65536)),
      strips(settings.integers("strip", 0, 1 << 20)) {
  allow_only("widths", widths, {1, 4, 8, 16});
  allow_only("unroll", unrolls, {1, 2, 4, 8});
  static constexpr std::array<std::string_view, 2> names{"shuffles", "loads"};
  const std::vector<std::string> taps = settings.words("taps", names);
  shuffles = std::find(taps.begin(), taps.end(), "shuffles") != taps.end();
  loads = std::find(taps.begin(), taps.end(), "loads") != taps.end();
}

std::vector<Variant> Choices::ways(Form form) const {
  std::vector<Variant> all;
  Variant one;
  one.form = form;
  one.group = groups.front();
  one.strip = strips.front();
  for (const int width : widths) {
    one.width = width;
    for (const bool shuffled : {true, false}) {
      if (width == 1 ? shuffled : !(shuffled ? shuffles : loads)) continue;
      if (form == Form::down_alone && width > 1 && !shuffled && shuffles) continue;  // it has nothing to shuffle
      one.shuffled = shuffled;
      all.push_back(one);
    }
  }
  return all;
}

int Choices::paper_width() const {
  int best = 0;
  for (const int width : widths)
    if (width == 8 || best != 8) best = width == 8 ? 8 : std::max(best, width);
  return best;
}

Json what_of(const std::string& part, const std::string& on, Size size, int points, const Variant& variant) {
  return {{"part", part},
          {"on", on},
          {"size", fmt::format("{}x{}", size.width, size.height)},
          {"points", points},
          {"form", name_of(variant.form)},
          {"width", variant.width},
          {"taps", variant.is_scalar() || variant.form == Form::down_alone ? "-"
                   : variant.shuffled                                      ? "shuffles"
                                                                           : "loads"},
          {"unrolled", variant.unrolled},
          {"group", variant.group},
          {"strip", variant.strip}};
}

}  // namespace vergence::studies::stencil_energy
