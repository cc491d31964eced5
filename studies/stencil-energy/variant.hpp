// SPDX-License-Identifier: Apache-2.0
// The variants of the study, and the launch configuration of each.
#pragma once

#include <string>
#include <vector>

#include "common/report.hpp"
#include "common/settings.hpp"
#include "gpu/program.hpp"
#include "stencil-energy/picture.hpp"

namespace vergence::studies::stencil_energy {

/// Which way over the picture. The last three are one pass of the others, timed by itself.
enum class Form { two_rows, two_columns, one_pass, rows_alone, columns_alone, down_alone };
/// "2P rows", "2P columns", "1P", "rows alone", "columns alone", "down alone".
const char* name_of(Form form);

struct Variant {
  Form form = Form::one_pass;
  int width = 8;         ///< Floats of a vector; 1: none.
  bool shuffled = true;  ///< Aligned loads and shuffles, or a load for each tap. Of no meaning for width 1.
  int unrolled = 1;
  int group = 64;  ///< Work-items.
  int strip = 0;   ///< Rows (of the pass along rows: pixels) that an item goes through; 0: all.

  /// Whether it is one of the paper's that has no vectors.
  bool is_scalar() const { return width == 1; }
  friend bool operator==(const Variant&, const Variant&) = default;
};

/// One kernel of a variant.
struct Pass {
  const char* kernel;  ///< "stencil_down"; its file is that without the first word.
  bool along_rows;
  bool from_between, to_between;  ///< Whether the picture between both passes is read, and written.
};
std::vector<Pass> passes_of(Form form);
std::string file_of(const Pass& pass);
gpu::Defines defines_of(const Variant& variant, int points);

/// How a pass is launched.
struct Launch {
  gpu::Range groups, group;
  int strip = 0;  ///< Pixels.
};
Launch launch_of(const Variant& variant, const Pass& pass, Size size);

/// What is to be varied; each list in the order in which it was given.
struct Choices {
  explicit Choices(const Settings& settings);
  std::vector<int> widths, unrolls, groups, strips;
  bool shuffles = true, loads = true;

  /// Ways of vectors and taps of a form, not unrolled, with the first group and strip.
  std::vector<Variant> ways(Form form) const;
  /// The vector size that rows of the paper are shown for: 8, or the largest that was chosen below.
  int paper_width() const;
};

/// Keys of a cell, the same for all parts of the study.
Json what_of(const std::string& part, const std::string& on, Size size, int points, const Variant& variant);

}  // namespace vergence::studies::stencil_energy
