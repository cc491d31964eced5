// SPDX-License-Identifier: Apache-2.0
// The sum of the counters: what is a part of what, what makes a sum impossible, and the measures, by hand calculation.
#include "energy/report.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace vergence::energy {
namespace {

EnergyReading rapl(const std::string& name, std::optional<double> joules, const std::string& within = {}) {
  return {{name, "RAPL", "zone", "", within, 0.001, false}, joules, 10, false, joules ? "" : "it broke"};
}
EnergyReading board(const std::string& place, std::optional<double> joules) {
  return {{"H200", "NVML", place, "", "", 0.1, false}, joules, 10, false, joules ? "" : "it broke"};
}

/// Names of what is part of the sum.
std::string counted(const EnergyReport& report) {
  std::string names;
  for (const EnergyReading& one : report.counters)
    if (one.counted) names += one.counter.name + (one.counter.source == "NVML" ? "/" + one.counter.place : "") + " ";
  return names;
}

TEST(EnergyReport, SumsPackagesMemoryAndEveryBoard) {
  const EnergyReport report =
      make_report(10,
                  {rapl("package-0", 100), rapl("package-0/core", 60, "package-0"), rapl("package-0/dram", 7),
                   rapl("package-1", 50), board("a", 1000), board("b", 300)},
                  {{"RAPL package-2", "why"}});
  EXPECT_EQ(counted(report), "package-0 package-0/dram package-1 H200/a H200/b ");
  EXPECT_DOUBLE_EQ(report.joules.value(), 1457);
  EXPECT_EQ(report.reason, "");
  EXPECT_EQ(report.counters[1].note, "within package-0");
  EXPECT_EQ(report.missing.size(), 1U);
  // 157 J of counters that are updated every ms, 1300 J every 100 ms, in 10 s.
  EXPECT_NEAR(report.uncertainty, (157 * 0.0001 + 1300 * 0.01) / 1457, 1e-12);
}

TEST(EnergyReport, PartsCountWhereTheirWholeIsMissing) {
  const EnergyReport report = make_report(10, {rapl("package-0/core", 60, "package-0")}, {{"RAPL package-0", "why"}});
  EXPECT_DOUBLE_EQ(report.joules.value(), 60);
}

TEST(EnergyReport, ThePlatformTakesThePlaceOfItsParts) {
  const std::vector<EnergyReading> parts{rapl("package-0", 100), rapl("package-0/core", 60, "package-0"),
                                         rapl("package-0/dram", 7)};
  const auto with = [&](std::initializer_list<EnergyReading> more) {
    std::vector<EnergyReading> all = parts;
    all.insert(all.end(), more);
    return make_report(10, all, {});
  };
  EXPECT_EQ(counted(with({rapl("psys", 150)})), "psys ");
  EXPECT_DOUBLE_EQ(with({rapl("psys", 150)}).joules.value(), 150);
  EXPECT_EQ(with({rapl("psys", 150)}).counters[0].note, "within psys");
  EXPECT_EQ(with({rapl("psys", 150)}).counters[1].note, "within package-0");
  // One that counts less than what it contains, or nothing, is none.
  for (const double psys : {106.0, 0.0}) {
    const EnergyReport report = with({rapl("psys", psys)});
    EXPECT_DOUBLE_EQ(report.joules.value(), 107);
    EXPECT_EQ(report.counters[3].note, "not summed: it counted less than its parts");
  }
  const EnergyReport broken = with({rapl("psys", std::nullopt)});
  EXPECT_DOUBLE_EQ(broken.joules.value(), 107);
  EXPECT_EQ(broken.counters[3].note, "it broke");
  // Whether it contains the boards is not known.
  const EnergyReport boards = with({rapl("psys", 1200), board("a", 1000)});
  EXPECT_DOUBLE_EQ(boards.joules.value(), 1107);
  EXPECT_NE(boards.counters[3].note.find("up to the machine's maker"), std::string::npos);
}

TEST(EnergyReport, IsWholeOrAbsent) {
  const EnergyReport broken = make_report(10, {rapl("package-0", 5), board("a", std::nullopt)}, {});
  EXPECT_FALSE(broken.joules);
  EXPECT_EQ(broken.reason, "NVML H200: it broke");
  const EnergyReport part = make_report(10, {rapl("package-0", 5), rapl("c", std::nullopt, "package-0")}, {});
  EXPECT_DOUBLE_EQ(part.joules.value(), 5) << "what is no part of the sum may fail";
  EXPECT_EQ(part.counters[1].note, "it broke");
  const EnergyReport stuck = make_report(10, {rapl("package-0", 0), rapl("package-0/dram", 1)}, {});
  EXPECT_EQ(stuck.reason, "RAPL package-0: the counter did not move in 10 s");
  EXPECT_DOUBLE_EQ(make_report(10, {rapl("package-0", 1), rapl("package-0/dram", 0)}, {}).joules.value(), 1);
}

TEST(EnergyReport, WithoutCountersItSaysWhatWasSought) {
  const EnergyReport report = make_report(1, {}, {{"RAPL", "no folder"}, {"NVML", "no library"}});
  EXPECT_FALSE(report.joules);
  EXPECT_EQ(report.reason, "RAPL: no folder; NVML: no library");
  EXPECT_FALSE(energy_figures(report, 5));
}

TEST(EnergyReport, ARunMustLastTwentyRenewals) {
  EXPECT_TRUE(make_report(0.02, {rapl("package-0", 1)}, {}).joules);
  const EnergyReport rapl_short = make_report(0.0199, {rapl("package-0", 1)}, {});
  EXPECT_FALSE(rapl_short.joules);
  EXPECT_DOUBLE_EQ(rapl_short.needed_seconds, 0.02);
  EXPECT_TRUE(make_report(2, {board("a", 1)}, {}).joules);
  const EnergyReport both = make_report(0.01, {rapl("package-0", 1), board("a", 0)}, {});
  EXPECT_FALSE(both.joules);
  EXPECT_DOUBLE_EQ(both.needed_seconds, 2);
  EXPECT_EQ(both.reason, "the run took 0.01 s, too short for NVML H200, which is updated every 0.1 s: 2 s are needed");
}

TEST(EnergyReport, SlowReadingsAddToTheUncertainty) {
  EnergyReading slow = board("a", 10);
  slow.seconds = 10.5;
  EXPECT_NEAR(make_report(10, {slow}, {}).uncertainty, 0.06, 1e-12);
}

/// Table III of the paper, column SC: 200 frames, 510.2 J, 17.0 frames/s; it prints 0.4 frames/s per watt and 6002.3.
TEST(EnergyFigures, AreThoseOfThePaper) {
  EnergyReport report;
  report.seconds = 200 / 17.0;
  report.joules = 510.2;
  const EnergyFigures figures = energy_figures(report, 200, 2e9).value();
  EXPECT_NEAR(figures.frames_per_watt, 0.392, 5e-4);
  EXPECT_NEAR(figures.energy_delay, 6002.35, 0.01);
  EXPECT_NEAR(figures.joules_per_frame, 2.551, 1e-9);
  EXPECT_NEAR(figures.watts, 43.367, 1e-3);
  EXPECT_NEAR(figures.mflop_per_joule.value(), 2000 / 510.2, 1e-12);
  EXPECT_FALSE(energy_figures(report, 200)->mflop_per_joule);
}

TEST(EnergyFigures, NeedASumAndAFrame) {
  EnergyReport report;
  report.seconds = 1;
  EXPECT_FALSE(energy_figures(report, 1));
  report.joules = 0;
  EXPECT_FALSE(energy_figures(report, 1));
  report.joules = 1;
  EXPECT_TRUE(energy_figures(report, 1));
  EXPECT_FALSE(energy_figures(report, 0));
}

}  // namespace
}  // namespace vergence::energy
