// SPDX-License-Identifier: Apache-2.0
// Flow of which a part has another form: tiles that were put together, or steps of another rate.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "eval/flow_doubts.hpp"

namespace vergence::cli {
namespace {

using FlowForm = std::array<double, 2> (*)(double u, double v);
struct NamedForm {
  FlowForm of;
  const char* name;
};
constexpr std::array<NamedForm, 6> flow_forms{{
    {[](double u, double v) {
       return std::array{-u, -v};
     },
     "vectors of the opposite sign"},
    {[](double u, double v) {
       return std::array{-u, v};
     },
     "x of the opposite sign"},
    {[](double u, double v) {
       return std::array{u, -v};
     },
     "y of the opposite sign"},
    {[](double u, double v) {
       return std::array{v, u};
     },
     "x and y exchanged"},
    {[](double u, double v) {
       return std::array{2 * u, 2 * v};
     },
     "vectors of half the length"},
    {[](double u, double v) {
       return std::array{u / 2, v / 2};
     },
     "vectors of twice the length"},
}};

}  // namespace

/// At one side of a line through the picture, or of a step, one form is right, and at the other one the flow as it is.
std::string FlowDoubts::part(const std::string& truth) const {
  constexpr double most = 4, least = 0.1;  // px that a point counts for; in the mean of the part
  constexpr double left_of_part = 0.6;     // of the distances there
  constexpr std::size_t enough_of_part = 40, most_points = 2000;
  const std::size_t apart = pairs_.size() / most_points | 1;
  double last_step = 0;
  for (const Pair& pair : pairs_) last_step = std::max(last_step, pair.step_number);
  struct Split {
    double (*at)(const Pair&);
    double whole;
    const char *first, *second;
  };
  const std::array<Split, 3> splits{
      {{[](const Pair& pair) { return pair.x; }, static_cast<double>(size_.width), "left of x = {:.0f}",
        "right of x = {:.0f}"},
       {[](const Pair& pair) { return pair.y; }, static_cast<double>(size_.height), "above y = {:.0f}",
        "below y = {:.0f}"},
       {[](const Pair& pair) { return pair.step_number - 1; }, last_step, "up to step {:.0f}", "from step {:.0f} on"}}};
  struct Sides {
    std::array<double, 2> own{}, formed{};
    std::array<std::size_t, 2> points{};
  };
  double best = std::numeric_limits<double>::max();  // what is left of all distances
  std::string found;
  for (const Split& split : splits)
    for (const double share : {0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75})
      for (const NamedForm& form : flow_forms) {
        const double border = std::round(share * split.whole);
        Sides sides;
        for (std::size_t i = 0; i < pairs_.size(); i += apart) {
          const Pair& pair = pairs_[i];
          const std::size_t side = split.at(pair) < border ? 0 : 1;
          const auto [u, v] = form.of(pair.u, pair.v);
          sides.own[side] += std::min(std::hypot(pair.dx - pair.u, pair.dy - pair.v), most);
          sides.formed[side] += std::min(std::hypot(pair.dx - u, pair.dy - v), most);
          ++sides.points[side];
        }
        for (const std::size_t side : {0U, 1U}) {
          const std::size_t other = 1 - side;
          if (std::min(sides.points[0], sides.points[1]) < enough_of_part) continue;
          const auto count = static_cast<double>(sides.points[side]);
          if (sides.own[side] < least * count || sides.own[other] > left_of_part * sides.formed[other]) continue;
          const double left = sides.formed[side] + sides.own[other];
          if (sides.formed[side] > left_of_part * sides.own[side] || left >= best) continue;
          best = left;
          found = fmt::format(
              "truth {} seems to have {} {}: points there are off by {:.2g} px in the mean, and by {:.2g} px once that "
              "is undone, which elsewhere makes it worse: check what put the flow together",
              truth, form.name, fmt::format(fmt::runtime(side == 0 ? split.first : split.second), border),
              sides.own[side] / count, sides.formed[side] / count);
        }
      }
  return found;
}

}  // namespace vergence::cli
