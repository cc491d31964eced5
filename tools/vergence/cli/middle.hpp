// SPDX-License-Identifier: Apache-2.0
// The median of what looks measure.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace vergence::cli {

/// Of at least one value; of an even number the upper one of both in the middle.
template <class Value>
Value middle_of(std::vector<Value> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace vergence::cli
