// SPDX-License-Identifier: Apache-2.0
// A walk over RLE8 and RLE4. Two bytes are a run: how many pixels, and their value. A count of 0 means: the end of the
// row (0), of the picture (1), a step to the right and on (2), or so many pixels as they are (3 and more).
#include "io/bmp_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vergence::io {
namespace {

class RunWalk {
 public:
  RunWalk(std::span<const std::uint8_t> packed, const BmpRuns& form) : packed_(packed), form_(form) {}

  std::string problem() {
    while (packed_.size() >= 2) {
      const std::uint8_t count = packed_[0], value = packed_[1];
      packed_ = packed_.subspan(2);
      if (count == 0 && value == 1) return complete(1) ? "" : ends();
      if (row_ == form_.height) return leaves();
      if (const std::string wrong = count > 0 ? run(count) : escape(value); !wrong.empty()) return wrong;
    }
    return complete(form_.width) ? "" : ends();
  }

 private:
  /// The end of the picture may take the place of the last row's, which may skip pixels.
  bool complete(std::int64_t least_of_last_row) const {
    return row_ == form_.height || (row_ == form_.height - 1 && x_ >= least_of_last_row);
  }
  std::string run(std::uint8_t count) {
    // Some programs write rows with the pixels that fill them up to four bytes.
    const std::int64_t step = form_.bits == 8 ? 4 : 2;
    x_ += count;
    return x_ > (form_.width + step - 1) / step * step ? leaves() : "";
  }
  std::string escape(std::uint8_t value) {
    if (value == 0) {
      ++row_;
      x_ = 0;
      return "";
    }
    if (value == 2) {
      if (packed_.size() < 2) return ends();
      x_ += packed_[0];
      row_ += packed_[1];
      packed_ = packed_.subspan(2);
      return x_ >= form_.width || row_ >= form_.height ? leaves() : "";
    }
    const std::size_t bytes = (std::size_t{value} * form_.bits + 7) / 8;
    if (packed_.size() < bytes) return ends();
    packed_ = packed_.subspan(std::min(packed_.size(), bytes + bytes % 2));
    if (form_.bits == 8) return run(value);
    x_ += value;
    return x_ > form_.width ? leaves() : "";
  }
  std::string leaves() const {
    return fmt::format("its RLE{} data leave the picture behind {} of {} rows", form_.bits, row_, form_.height);
  }
  std::string ends() const {
    return fmt::format("its RLE{} data end behind {} of {} rows", form_.bits, row_, form_.height);
  }

  std::span<const std::uint8_t> packed_;
  BmpRuns form_;
  std::int64_t x_ = 0, row_ = 0;  ///< Rows as they are packed.
};

}  // namespace

std::string bmp_runs_problem(std::span<const std::uint8_t> packed, const BmpRuns& form) {
  return RunWalk(packed, form).problem();
}

}  // namespace vergence::io
