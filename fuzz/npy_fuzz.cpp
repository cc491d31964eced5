// SPDX-License-Identifier: Apache-2.0
// Any bytes as an NPY file.
#include "io/npy.hpp"

#include "map_consumers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vergence::fuzz::check_raster(std::as_bytes(std::span(data, size)),
                               [](vergence::io::ByteReader& reader) { return vergence::io::read_npy(reader).raster; });
  return 0;
}
