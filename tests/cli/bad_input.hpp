// SPDX-License-Identifier: Apache-2.0
// Bad input: a table of command lines, each with the status and the words it must end with, and nothing left behind.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace vergence::cli_test {

struct BadCase {
  std::string name;
  std::vector<std::string> arguments;
  int status = 0;
  /// Must all stand in the message.
  std::vector<std::string> words;
  RunOptions options = {};
};

inline void PrintTo(const BadCase& bad, std::ostream* stream) { *stream << bad.name; }

inline std::string case_name(const testing::TestParamInfo<BadCase>& info) { return info.param.name; }

/// One clear error, the status, and the directory as it was.
inline void expect_refused(const Scratch& scratch, const BadCase& bad) {
  const std::vector<std::string> before = scratch.listing();
  const Result result = scratch.run(bad.arguments, bad.options);
  EXPECT_EQ(result.status, bad.status) << result.err;
  EXPECT_EQ(result.err.rfind("vergence: ", 0), 0u) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  for (const std::string& word : bad.words)
    EXPECT_NE(result.err.find(word), std::string::npos) << "no '" << word << "' in: " << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(scratch.listing(), before);
}

/// Good and bad files of all kinds, in a directory of their own:
/// left.pgm right.pgm 40x20, disparity 3; left16.pgm right16.pgm the same with maxval 1023; small.pgm small.pfm 20x20;
/// good.png good.jpg; map.pfm truth.pfm mask.pgm 40x20; empty.* truncated.* text.* zero.* broken in the way they say;
/// a directory `dir`; settings files.
void make_files(const Scratch& scratch);

/// Runs the case: status, one line on stderr that starts with "vergence: " and holds the words, nothing on stdout, no
/// file made or changed.
void check_bad(const BadCase& bad);

class BadInput : public testing::TestWithParam<BadCase> {};

/// A limit that no picture fits: a full disk.
inline RunOptions full_disk() {
  RunOptions options;
  options.file_limit = 16;
  return options;
}

inline RunOptions out_to(const std::string& path) {
  RunOptions options;
  options.out_path = path;
  return options;
}

inline RunOptions with_environment(const std::string& name, const std::string& value) {
  RunOptions options;
  options.environment[name] = value;
  return options;
}

}  // namespace vergence::cli_test
