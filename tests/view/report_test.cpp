// SPDX-License-Identifier: Apache-2.0
// `vergence report`: one page with all in it.
#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/program.hpp"
#include "inspect/scene.hpp"

namespace vergence::view_test {
namespace {

using cli_test::holds;
using cli_test::Scratch;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void write_pair(const Scratch& scratch, const std::string& left) {
  scratch.write(left, cli_test::left_pgm(80, 40, 5));
  scratch.write("right.pgm", cli_test::right_pgm(80, 40));
  scratch.write("truth.pfm", cli_test::flat_pfm(80, 40, 5));
}

TEST(ReportPage, HoldsPicturesScoresAndHashOfTheRun) {
  const Scratch scratch;
  write_pair(scratch, "left.pgm");
  const cli_test::Result made =
      scratch.run({"report", "out.html", "left.pgm", "right.pgm", "--truth", "truth.pfm", "--window", "5"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.out, "wrote   out.html\n");
  const std::string page = scratch.read("out.html");
  // Left, right, disparity, error: each begins with a PNG's first bytes, 89 50 4E 47 0D 0A 1A 0A.
  EXPECT_EQ(count_of(page, "src=\"data:image/png;base64,iVBORw0KGgo"), 4U);
  EXPECT_EQ(count_of(page, "src="), 4U) << "nothing else is loaded";
  EXPECT_FALSE(holds(page, "http://") || holds(page, "https://") || holds(page, "<script"));
  // Both find the range of disparities; the command line on the page names it.
  const cli_test::Result own =
      scratch.run({"stereo", "left.pgm", "right.pgm", "--truth", "truth.pfm", "--window", "5", "--json"});
  const auto report = nlohmann::json::parse(own.out);
  EXPECT_TRUE(holds(page, report["hash"].get<std::string>()));
  const auto disparities = report["settings"]["disparities"].get<int>();
  EXPECT_NE(disparities, 64) << "that of the preset";
  EXPECT_TRUE(holds(page, "vergence stereo left.pgm right.pgm --truth truth.pfm --window 5x5 --disparities " +
                              std::to_string(disparities)));
  EXPECT_TRUE(holds(page, "<tr><th>window</th><td>5x5 px</td></tr>"));
}

/// As `stereo` does, on standard error and on the page.
TEST(ReportPage, TellsWhatIsDoubtful) {
  const Scratch scratch;
  const auto write = [&](const std::string& name, bool right, double rows = 0) {
    const Image<std::uint8_t> picture = inspect_test::view(right, 0, rows);
    scratch.write(name,
                  cli_test::pgm(picture.width(), picture.height(), 255, [&](int x, int y) { return picture(x, y); }));
  };
  write("left.pgm", false);
  write("right.pgm", true);
  write("lower.pgm", true, 5);
  const auto report = [&](const std::string& a, const std::string& b, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"report", "out.html", a, b, "--disparities", "32", "--window", "5"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch.run(words);
  };
  const cli_test::Result good = report("left.pgm", "right.pgm");
  EXPECT_EQ(good.err, "");
  EXPECT_FALSE(holds(scratch.read("out.html"), "<h2>Warnings</h2>"));
  const std::vector<std::pair<std::string, std::string>> doubtful{{"lower.pgm", "the pair is not rectified"},
                                                                  {"left.pgm", "left and right are the same picture"}};
  for (const auto& [right, words] : doubtful) {
    const cli_test::Result told = report("left.pgm", right);
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_TRUE(holds(told.err, words)) << told.err;
    const std::string page = scratch.read("out.html");
    EXPECT_TRUE(holds(page, "<h2>Warnings</h2>") && holds(page, words));
    const std::string before = page;
    EXPECT_EQ(report("left.pgm", right, {"--strict"}).status, 1);
    EXPECT_EQ(scratch.read("out.html"), before);
  }
  scratch.write("truth.pfm", cli_test::flat_pfm(240, 180, 96));
  EXPECT_TRUE(holds(report("left.pgm", "right.pgm", {"--truth", "truth.pfm"}).err, "truth truth.pfm "));
}

TEST(ReportPage, NamesCannotWriteHtml) {
  const Scratch scratch;
  write_pair(scratch, "<b>&\".pgm");
  ASSERT_EQ(scratch.run({"report", "out.html", "<b>&\".pgm", "right.pgm"}).status, 0);
  const std::string page = scratch.read("out.html");
  EXPECT_FALSE(holds(page, "<b>"));
  EXPECT_TRUE(holds(page, "<h1>&lt;b&gt;&amp;&quot;.pgm, right.pgm</h1>"));
  EXPECT_EQ(count_of(page, "src="), 3U) << "no truth, no error";
}

TEST(ReportPage, WrongOutputsAreRefused) {
  const Scratch scratch;
  write_pair(scratch, "left.pgm");
  const auto status = [&](const std::string& out) {
    const cli_test::Result result = scratch.run({"report", out, "left.pgm", "right.pgm"});
    EXPECT_TRUE(holds(result.err, out)) << result.err;
    return result.status;
  };
  EXPECT_EQ(status("out.pdf"), 2);
  EXPECT_EQ(status("nowhere/out.html"), 1);
  EXPECT_EQ(scratch.run({"report"}).status, 2);
  EXPECT_EQ(scratch.run({"report", "out.html", "left.pgm", "right.pgm", "--window", "4"}).status, 2);
  EXPECT_FALSE(scratch.has("out.html"));
}

}  // namespace
}  // namespace vergence::view_test
