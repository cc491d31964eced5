// SPDX-License-Identifier: Apache-2.0
// The energy counters of NVIDIA's boards, through the driver's library NVML, opened at run time: neither building nor
// starting needs it.
#pragma once

#include <string>
#include <vector>

#include "energy/counter.hpp"

namespace vergence::energy {

/// A counter for each board that NVML knows. Those whose PCI address is in `boards` are marked; addresses that NVML
/// does not know are missed by name.
Sources find_nvml(const std::string& library, const std::vector<std::string>& boards);

/// An address on the PCI bus in the one form in which addresses are compared: "0000:17:00.0", from that and from NVML's
/// "00000000:17:00.0", upper or lower case; empty where it is none.
std::string pci_address(const std::string& text);

}  // namespace vergence::energy
