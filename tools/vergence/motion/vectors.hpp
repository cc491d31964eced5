// SPDX-License-Identifier: Apache-2.0
// Files of vectors: CSV, JSON, NPY, .flo; written field by field.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/beside.hpp"
#include "cli/strict.hpp"
#include "motion/lane.hpp"

namespace vergence::cli {

/// Columns behind cost, in their order.
struct VectorColumns {
  bool j = false;
  bool second_j = false;
  bool confidence = false;
  bool consistent = false;
};
/// "j,confidence"; throws UsageError.
VectorColumns parse_columns(const std::string& text);

/// What the files say of the run.
struct VectorContext {
  Size size;
  MotionOptions options;
  VectorColumns columns;
  bool strict = false;  ///< Numbered files get their names with commit().
};

/// A file of vectors under one name, which ends in .csv, .json, .npy or .flo. It is NAME.partial until commit().
class VectorFile {
 public:
  VectorFile() = default;
  VectorFile(const VectorFile&) = delete;
  VectorFile& operator=(const VectorFile&) = delete;
  virtual ~VectorFile() = default;
  virtual void write(std::int64_t frame, const std::vector<BlockField>& fields) = 0;
  virtual void commit() = 0;
};

std::unique_ptr<VectorFile> open_vectors(const std::string& path, const VectorContext& context);

/// One file per field, under the name with the frame's number in it.
class NumberedVectors {
 public:
  NumberedVectors(std::string pattern, const VectorContext& context)
      : pattern_(std::move(pattern)), context_(context), held_(context.strict) {}
  /// Under no WriteGuard. Several threads may write, each the file of a field, which gets its name at its turn.
  void write(std::int64_t frame, const std::vector<BlockField>& fields, const Turn& turn);
  void commit() { held_.commit(); }

 private:
  std::string pattern_;
  VectorContext context_;
  HeldFiles held_;
};

}  // namespace vergence::cli
