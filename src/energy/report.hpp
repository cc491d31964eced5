// SPDX-License-Identifier: Apache-2.0
// From readings to a sum: what is counted, what is within something else, what was too short.
#pragma once

#include <vector>

#include "vergence/energy.hpp"

namespace vergence::energy {

/// A run must last so many update intervals of every counter in the sum; its sum is then off by at most 1 in so many.
inline constexpr double least_intervals = 20;

/// The report of a run of `seconds`. Rules in docs/energy.md.
EnergyReport make_report(double seconds, std::vector<EnergyReading> readings, std::vector<MissingEnergy> missing);

}  // namespace vergence::energy
