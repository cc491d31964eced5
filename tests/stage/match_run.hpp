// SPDX-License-Identifier: Apache-2.0
// The maps of one run of `match` in memory that notices writes outside them, and what two runs differ in.
#pragma once

#include <cstdint>
#include <string>

#include "plan/stereo/match_maps.hpp"
#include "verify/guarded_map.hpp"

namespace vergence::test {

/// Everything `match` writes, in memory that notices writes outside the maps.
template <class T>
struct MatchRun {
  GuardedMap<T> disparity;
  GuardedMap<std::uint8_t> confidence;
  GuardedMap<std::uint32_t> cost, second_cost, before, after;

  explicit MatchRun(Size size)
      : disparity(size, 3), confidence(size, 5), cost(size, 1), second_cost(size, 0), before(size, 2), after(size, 7) {}
  MatchMaps<T> views() {
    return {disparity.view(), confidence.view(), cost.view(), second_cost.view(), before.view(), after.view()};
  }
};

/// Which maps a run asks for: what is not asked for takes other paths through the code.
enum Wanted : unsigned { disparity_alone = 0, confidence = 1, cost = 2, second = 4, neighbours = 8, all = 15 };

template <class T>
MatchMaps<T> choose(MatchMaps<T> views, unsigned wanted) {
  if ((wanted & confidence) == 0) views.confidence = {};
  if ((wanted & cost) == 0) views.cost = {};
  if ((wanted & second) == 0) views.second_cost = {};
  if ((wanted & neighbours) == 0) views.cost_before = views.cost_after = {};
  return views;
}

template <class V>
std::string map_difference(const char* name, const GuardedMap<V>& expected, const GuardedMap<V>& got) {
  if (!got.intact()) return std::string("memory around map ") + name + " was changed";
  const auto a = expected.view(), b = got.view();
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (a(x, y) != b(x, y))
        return std::string("map ") + name + " at x " + std::to_string(x) + ", y " + std::to_string(y) + " is " +
               std::to_string(b(x, y)) + ", must be " + std::to_string(a(x, y));
  return {};
}

template <class T>
std::string first_difference(const MatchRun<T>& expected, const MatchRun<T>& got, unsigned wanted) {
  std::string text = map_difference("disparity", expected.disparity, got.disparity);
  const auto add = [&](unsigned bit, const char* name, const auto& one, const auto& two) {
    if (text.empty() && (wanted & bit) != 0) text = map_difference(name, one, two);
  };
  add(confidence, "confidence", expected.confidence, got.confidence);
  add(cost, "cost", expected.cost, got.cost);
  add(second, "second_cost", expected.second_cost, got.second_cost);
  add(neighbours, "cost_before", expected.before, got.before);
  add(neighbours, "cost_after", expected.after, got.after);
  return text;
}

}  // namespace vergence::test
