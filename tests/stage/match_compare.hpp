// SPDX-License-Identifier: Apache-2.0
// Cases of `match` by a backend and by the reference: every map is the same, and no byte outside is touched. Each
// failure prints the case. SUITE names the fixture (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "plan/stereo/plan.hpp"
#include "reference/stereo/stages.hpp"
#include "stage/match_run.hpp"
#include "verify/stereo_cases.hpp"

namespace vergence::test {
namespace {

/// Skips, with the reasons, where the backend has no device.
class SUITE : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    if (devices_under_test(0, reasons).empty()) GTEST_SKIP() << reasons;
  }
};

/// A case, and the plan by which it is matched.
struct Planned {
  const StereoCase& stereo_case;
  StereoPlan plan;
};

/// By each backend that make_backends(maps that can be asked for) gives, twice with the pictures exchanged: nothing of
/// the first pair may be left in what the backend keeps.
template <class P, class T, class MakeBackends>
void compare_on(const Planned& planned, const Image<P>& left_picture, const Image<P>& right_picture,
                const MakeBackends& make_backends) {
  const StereoCase& stereo_case = planned.stereo_case;
  const StereoPlan& plan = planned.plan;
  const Size size = plan.size;
  const unsigned costs_fit = plan.max_cost < no_cost ? all : unsigned{confidence};
  const GuardedMap<P> left(left_picture.view(), 1), right(right_picture.view(), 4);
  MatchRun<T> expected(size), exchanged(size);
  reference::match<P, T>(plan, left.view(), right.view(), choose(expected.views(), costs_fit));
  reference::match<P, T>(plan, right.view(), left.view(), choose(exchanged.views(), costs_fit));
  for (MatchBackend& backend : make_backends(costs_fit)) {
    MatchRun<T> got(size), got_exchanged(size);
    const auto choice = [&](MatchRun<T>& run) { return choose(run.views(), backend.wanted); };
    backend.template run<P, T>(plan, left.view(), right.view(), choice(got), choice(got_exchanged));
    std::string text = first_difference(expected, got, backend.wanted);
    if (text.empty()) text = first_difference(exchanged, got_exchanged, backend.wanted);
    if (text.empty() && !testing::Test::HasFailure()) continue;
    ADD_FAILURE() << describe(stereo_case) << "; " << backend.name << ", maps " << backend.wanted << ": " << text;
    return;
  }
}

/// On every device of the backend, in the configurations that the seed says.
template <class P, class T>
void compare(const Planned& planned, const Image<P>& left, const Image<P>& right) {
  const auto backends = [&](unsigned possible) { return match_backends(planned.stereo_case, possible); };
  compare_on<P, T>(planned, left, right, backends);
}

void expect_equal(const Planned& planned) {
  const StereoCase& stereo_case = planned.stereo_case;
  const bool wide = planned.plan.wide || stereo_case.seed % 4 == 3;
  if (stereo_case.options.depth == Depth::u8) {
    if (wide)
      compare<std::uint8_t, std::int32_t>(planned, stereo_case.left8, stereo_case.right8);
    else
      compare<std::uint8_t, std::int16_t>(planned, stereo_case.left8, stereo_case.right8);
  } else {
    if (wide)
      compare<std::uint16_t, std::int32_t>(planned, stereo_case.left16, stereo_case.right16);
    else
      compare<std::uint16_t, std::int16_t>(planned, stereo_case.left16, stereo_case.right16);
  }
}
void expect_equal(const StereoCase& stereo_case) {
  expect_equal({stereo_case, make_stereo_plan(stereo_case.size, stereo_case.options, stereo_case.masks())});
}

/// As many of the cases as the backend has time for, evenly spread, until one fails.
void check(const std::vector<StereoCase>& cases) {
  const int all = static_cast<int>(cases.size()), count = cases_to_run(1, all);
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i)
    expect_equal(cases[static_cast<std::size_t>(static_cast<std::int64_t>(i + 1) * all / count - 1)]);
}

/// The cases that `make` makes of the seeds of a range; skips where there is no device.
template <class Make>
void check_seeds(const std::pair<int, int>& range, const Make& make) {
  std::string reasons;
  if (devices_under_test(0, reasons).empty()) GTEST_SKIP() << reasons;
  const auto [first, last] = range;
  std::printf("seeds %d .. %d\n", first, last);
  for (int seed = first; seed <= last && !testing::Test::HasFailure(); ++seed) expect_equal(make(seed));
}

}  // namespace
}  // namespace vergence::test
