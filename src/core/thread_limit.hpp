// SPDX-License-Identifier: Apache-2.0
// Whether the system lets threads start, asked before oneTBB needs them.
#pragma once

namespace vergence {

/// Throws Error(out_of_memory) unless `count` threads can run at a time, this one included. oneTBB, which starts its
/// own only when work comes, ends the program where the system refuses one.
void require_threads(int count);

}  // namespace vergence
