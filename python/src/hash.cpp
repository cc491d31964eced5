// SPDX-License-Identifier: Apache-2.0
// FNV-1a over 32-bit words, for vergence._hash: Python itself would take seconds for a picture.
#include "hash.hpp"

#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>

namespace nb = nanobind;

namespace vergence::python {
namespace {

using Words = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Continues a hash by the bytes of words, the lowest first, whatever this machine's order is.
std::uint64_t fnv1a(const Words& words, std::uint64_t state) {
  const std::uint32_t* const data = words.data();
  const std::size_t count = words.size();
  const nb::gil_scoped_release free;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t value = data[i];
    for (int byte = 0; byte < 4; ++byte) {
      state = (state ^ (value & 255u)) * 0x100000001B3u;
      value >>= 8;
    }
  }
  return state;
}

}  // namespace

void register_hash(nb::module_& module) {
  module.def("_fnv1a", fnv1a, nb::arg("words").noconvert(), nb::arg("state"),
             "Continues an FNV-1a hash of 64 bits by 32-bit words, lowest byte first: see vergence._hash.");
}

}  // namespace vergence::python
