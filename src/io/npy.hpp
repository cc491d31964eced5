// SPDX-License-Identifier: Apache-2.0
// NPY, NumPy's file for one array (versions 1, 2 and 3 of its format).
#pragma once

#include <optional>

#include "io/bytes.hpp"
#include "io/raster.hpp"

namespace vergence::io {

struct NpyArray {
  Raster raster;
  /// The invalid disparity (1/16 px) that our own files note after the header's dictionary, as a Python comment.
  std::optional<int> invalid;
};

bool looks_like_npy(std::string_view start);
/// Arrays of two dimensions, or of three whose last one is 1 or 3; unsigned and signed 16 and 32 bits, unsigned 8,
/// float 32 and 64, either byte order; two-dimensional ones in C or Fortran order. Everything else is refused by name.
NpyArray read_npy(ByteReader& reader);

/// As the public write_npy; `invalid` is noted where given.
void write_npy_noted(const std::string& path, ImageView<const std::int16_t> map, int invalid);
void write_npy_noted(const std::string& path, ImageView<const std::int32_t> map, int invalid);

}  // namespace vergence::io
