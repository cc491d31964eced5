// SPDX-License-Identifier: Apache-2.0
// Powercap zones: names, parts, sockets, two views of one zone, and everything that can be missing.
#include "energy/rapl.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "energy/powercap_tree.hpp"

namespace vergence::energy {
namespace {

using Words = std::vector<std::string>;
using test::PowercapTree;

Words names(const Sources& sources) {
  Words all;
  for (const auto& counter : sources.counters) all.push_back(counter->about().name);
  return all;
}

const EnergyCounter& about(const Sources& sources, const std::string& name) {
  for (const auto& counter : sources.counters)
    if (counter->about().name == name) return counter->about();
  ADD_FAILURE() << name << " is not there";
  static const EnergyCounter none{};
  return none;
}

std::string only_reason(const Sources& sources) {
  EXPECT_EQ(sources.missing.size(), 1U);
  return sources.missing.empty() ? "" : sources.missing[0].what + ": " + sources.missing[0].reason;
}

/// Not root, whom permissions do not keep out.
class AsNobody {
 public:
  AsNobody() : changed_(geteuid() == 0 && seteuid(65534) == 0) {}
  ~AsNobody() {
    if (changed_ && seteuid(0) != 0) std::abort();
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  bool changed_;
};

TEST(Rapl, TwoSocketsWithTheirParts) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 1);
  tree.zone("intel-rapl:0:0", "core", 2);
  tree.zone("intel-rapl:0:1", "uncore", 3);
  tree.zone("intel-rapl:0:2", "dram", 4);
  tree.zone("intel-rapl:1", "package-1", 5);
  tree.zone("intel-rapl:1:0", "core", 6);
  tree.zone("intel-rapl:2", "psys", 7);
  tree.zone("intel-rapl:10", "package-2", 8);
  std::filesystem::create_directory(tree.path("intel-rapl"));  // the control type itself
  tree.zone("dtpm:0", "soc", 9);                               // another one
  tree.zone("intel-rapl:x", "odd", 9);
  const Sources found = find_rapl(tree.path());
  EXPECT_EQ(names(found), (Words{"package-0", "package-0/core", "package-0/uncore", "package-0/dram", "package-1",
                                 "package-1/core", "psys", "package-2"}));
  EXPECT_TRUE(found.missing.empty());
  EXPECT_EQ(about(found, "package-0").within, "");
  EXPECT_EQ(about(found, "package-0/core").within, "package-0");
  EXPECT_EQ(about(found, "package-0/uncore").within, "package-0");
  EXPECT_EQ(about(found, "package-0/dram").within, "") << "memory lies beside its package";
  EXPECT_EQ(about(found, "package-1/core").within, "package-1");
  EXPECT_EQ(about(found, "psys").within, "");
  EXPECT_EQ(about(found, "package-1").source, "RAPL");
  EXPECT_EQ(about(found, "package-1").place, tree.path("intel-rapl:1"));
  for (const auto& counter : found.counters) EXPECT_TRUE(counter->wraps());
}

TEST(Rapl, AZoneThatIsShownTwiceIsTakenOnce) {
  const PowercapTree tree;
  tree.zone("intel-rapl-mmio:0", "package-0", 1);
  tree.zone("intel-rapl-mmio:0:0", "dram", 1);
  EXPECT_EQ(names(find_rapl(tree.path())), (Words{"package-0", "package-0/dram"}));
  tree.zone("intel-rapl:0", "package-0", 1);
  tree.zone("intel-rapl:0:0", "core", 1);
  const Sources found = find_rapl(tree.path());
  EXPECT_EQ(names(found), (Words{"package-0", "package-0/core", "package-0/dram"}));
  EXPECT_EQ(about(found, "package-0").place, tree.path("intel-rapl:0"));
}

TEST(Rapl, ReadsMicrojoules) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 9'000'000, 10'000'000);
  const Sources found = find_rapl(tree.path());
  ASSERT_EQ(found.counters.size(), 1U);
  Counter& counter = *found.counters[0];
  counter.start();
  tree.set("intel-rapl:0", 500'000);
  counter.look();
  EXPECT_DOUBLE_EQ(counter.reading().joules.value(), 1.5);
  std::filesystem::remove(tree.path("intel-rapl:0/energy_uj"));
  counter.look();
  EXPECT_FALSE(counter.reading().joules);
  EXPECT_EQ(counter.reading().note, tree.path("intel-rapl:0/energy_uj") + " cannot be read: No such file or directory");
}

TEST(Rapl, WithoutARangeAFallIsNoTurn) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 5);
  std::filesystem::remove(tree.path("intel-rapl:0/max_energy_range_uj"));
  const Sources found = find_rapl(tree.path());
  ASSERT_EQ(found.counters.size(), 1U);
  found.counters[0]->start();
  tree.set("intel-rapl:0", 4);
  found.counters[0]->look();
  EXPECT_EQ(found.counters[0]->reading().note, "the counter fell from 5 to 4: it was set back");
}

TEST(Rapl, NothingThereIsSaid) {
  const PowercapTree tree;
  EXPECT_EQ(only_reason(find_rapl(tree.path("nowhere"))), "RAPL: " + tree.path("nowhere") + " is not there");
  EXPECT_EQ(only_reason(find_rapl(tree.path())), "RAPL: " + tree.path() + " has no RAPL zone");
  tree.write("file", "");
  EXPECT_NE(only_reason(find_rapl(tree.path("file"))).find("cannot be listed: Not a directory"), std::string::npos);
}

TEST(Rapl, CountersThatMayNotBeReadAreNamedWithTheCure) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 1);
  tree.zone("intel-rapl:0:0", "core", 1);
  std::filesystem::permissions(tree.path("intel-rapl:0/energy_uj"), std::filesystem::perms(0000));
  const AsNobody nobody;
  const Sources found = find_rapl(tree.path());
  EXPECT_EQ(names(found), Words{"package-0/core"});
  EXPECT_EQ(only_reason(found), "RAPL package-0: " + tree.path("intel-rapl:0/energy_uj") +
                                    " cannot be read: Permission denied (run as root, or let root allow it: chmod a+r "
                                    "on that file)");
}

TEST(Rapl, BrokenZonesAreNamedAndTheOthersTaken) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 1);
  std::filesystem::create_symlink(tree.path("nowhere"), tree.path("intel-rapl:1"));  // as in some containers
  int number = 2;
  for (const char* const text : {"", "12 J", "-5", "1e9", "99999999999999999999"}) {
    const std::string zone = "intel-rapl:" + std::to_string(number);
    tree.zone(zone, "package-" + std::to_string(number), 1);
    tree.write(zone + "/energy_uj", text);
    ++number;
  }
  tree.zone("intel-rapl:7", "package-7", 1);
  std::filesystem::remove(tree.path("intel-rapl:7/energy_uj"));
  std::filesystem::create_directory(tree.path("intel-rapl:7/energy_uj"));
  const Sources found = find_rapl(tree.path());
  EXPECT_EQ(names(found), Words{"package-0"});
  ASSERT_EQ(found.missing.size(), 7U);
  EXPECT_EQ(found.missing[0].what, "RAPL intel-rapl:1");
  EXPECT_EQ(found.missing[0].reason, tree.path("intel-rapl:1/name") + " cannot be read: No such file or directory");
  EXPECT_EQ(found.missing[1].what, "RAPL package-2");
  EXPECT_EQ(found.missing[2].reason,
            tree.path("intel-rapl:3/energy_uj") + " holds '12 J', which is no number of microjoules");
  EXPECT_EQ(found.missing[6].reason, tree.path("intel-rapl:7/energy_uj") + " cannot be read: Is a directory");
}

}  // namespace
}  // namespace vergence::energy
