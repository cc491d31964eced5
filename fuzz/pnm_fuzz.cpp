// SPDX-License-Identifier: Apache-2.0
// Any bytes as a PNM file.
#include "io/pnm.hpp"
#include "map_consumers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vergence::fuzz::check_raster(std::as_bytes(std::span(data, size)), vergence::io::read_pnm);
  return 0;
}
