// SPDX-License-Identifier: Apache-2.0
// Man pages and completion scripts: they hold what help holds, and their shell can read them.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>

#include "cli/program.hpp"

namespace vergence::cli_test {
namespace {

/// What a shell command prints, and how it ended.
struct Printed {
  std::string text;
  int status = -1;
};
Printed shell(const std::string& command) {
  Printed printed;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return printed;
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) printed.text.append(buffer, count);
  printed.status = pclose(pipe);
  return printed;
}

bool has_program(const std::string& name) { return shell("command -v " + name).status == 0; }

class Manual : public testing::Test {
 protected:
  void SetUp() override {
    const Result result = scratch.run({"help", "--manual", "share"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "");
  }
  /// The completions that bash gives for these words, the last of which is being written.
  std::string bash(const std::string& words) const {
    return shell("cd '" + scratch.path("") +
                 "' && bash -c 'source share/bash-completion/completions/vergence; COMP_WORDS=(" + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _vergence; echo \"${COMPREPLY[*]}\"'")
        .text;
  }
  const Scratch scratch;
};

TEST_F(Manual, EveryCommandHasAPageWithAllItsOptions) {
  for (const char* command : {"stereo", "motion", "track", "eval", "eval-tracks", "diff", "synth", "devices", "presets",
                              "tune", "verify", "study", "help"}) {
    const std::string page = scratch.read(std::string("share/man/man1/vergence-") + command + ".1");
    EXPECT_TRUE(holds(page, ".SH NAME\nvergence\\-")) << command;
    std::istringstream help(scratch.run({command, "--help-all"}).out);
    int options = 0;
    for (std::string line; std::getline(help, line);) {
      const std::size_t at = line.find("--");
      if (!line.starts_with("  -") || at == std::string::npos) continue;
      std::string name;
      std::istringstream(line.substr(at)) >> name;
      for (std::size_t dash = name.find('-'); dash != std::string::npos; dash = name.find('-', dash + 2))
        name.insert(dash, "\\");
      EXPECT_TRUE(holds(page, "\\fB" + name + "\\fR")) << command << " " << name;
      ++options;
    }
    EXPECT_GE(options, 2) << command;
  }
  EXPECT_TRUE(holds(scratch.read("share/man/man1/vergence.1"), "vergence\\-eval\\-tracks\\fR(1)"));
}

TEST_F(Manual, RoffFindsNoFault) {
  if (!has_program("groff")) GTEST_SKIP() << "groff is missing: the pages are not formatted";
  const Printed printed = shell("cd '" + scratch.path("share/man/man1") + "' && groff -man -Tutf8 -ww -z *.1");
  EXPECT_EQ(printed.status, 0);
  EXPECT_EQ(printed.text, "");
}

TEST_F(Manual, BashCompletesCommandsOptionsWordsAndFiles) {
  scratch.write("left.png", "");
  EXPECT_EQ(bash("vergence st"), "stereo study\n");
  EXPECT_EQ(bash("vergence stereo --speckle"), "--speckle-size --speckle-range\n");
  EXPECT_EQ(bash("vergence stereo --preset q"), "quality quality-window\n");
  EXPECT_EQ(bash("vergence stereo --preset = q"), "quality quality-window\n");
  EXPECT_EQ(bash("vergence stereo --border \"\""), "partial invalid\n");
  EXPECT_EQ(bash("vergence stereo le"), "left.png\n");
  EXPECT_EQ(bash("vergence stereo -o le"), "left.png\n");
  EXPECT_EQ(bash("vergence stereo --threads le"), "\n");
  EXPECT_EQ(bash("vergence help mo"), "motion\n");
}

TEST_F(Manual, ZshAndFishReadTheirScripts) {
  int read = 0;
  if (has_program("zsh")) {
    EXPECT_EQ(shell("zsh -n '" + scratch.path("share/zsh/site-functions/_vergence") + "'").text, "");
    ++read;
  }
  if (has_program("fish")) {
    const std::string script = scratch.path("share/fish/vendor_completions.d/vergence.fish");
    EXPECT_TRUE(
        holds(shell("fish -c 'source " + script + "; complete -C \"vergence stereo --preset q\"'").text, "quality"));
    ++read;
  }
  if (read == 0) GTEST_SKIP() << "neither zsh nor fish is there";
}

TEST_F(Manual, IsWrittenOrRefusedAsAWhole) {
  EXPECT_EQ(scratch.run({"help", "stereo", "--manual", "share"}).status, 2);
  scratch.write("file", "");
  const Result refused = scratch.run({"help", "--manual", "file"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(holds(refused.err, "cannot make the directory file/man/man1")) << refused.err;
}

}  // namespace
}  // namespace vergence::cli_test
