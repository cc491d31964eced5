// SPDX-License-Identifier: Apache-2.0
// The stages that work on disparity maps on the CPU. Each gives the bytes of the function of the same name in
// reference/postfilter/stages.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/context.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

/// Scratch memory of one filter; sized by the picture, never by what is in it, and reused: nothing is allocated per
/// frame.
struct SpeckleScratch {
  Image<std::int32_t> links;            ///< Union-find over the runs of all rows.
  Image<std::uint64_t> starts, joined;  ///< Bit rows: first pixels of runs, and all their others.
  Image<std::byte> work;                ///< One row for each band of rows.

  /// Has room for pictures of this size with this many threads; allocates only where it had not.
  void reserve(Size size, int threads);
  std::size_t bytes() const;
};
template <class T>
void source(const StereoPlan& plan, Context& context, ImageView<T> disparity);
template <class T>
void speckle(const StereoPlan& plan, Context& context, SpeckleScratch& scratch, ImageView<T> disparity);
template <class T>
void median(const StereoPlan& plan, Context& context, ImageView<const T> in, ImageView<T> out);
/// As SpeckleScratch.
struct FillScratch {
  Image<std::byte> work;             ///< One row for each worker.
  Image<std::int32_t> rows;          ///< background: where each row is filled from.
  Image<std::int32_t> above, below;  ///< nearest: for each block of rows, the next valid pixels outside it.

  /// Has room for what the plan's filling needs with this many threads; allocates only where it had not.
  void reserve(const StereoPlan& plan, int threads);
  std::size_t bytes() const;
};
template <class T>
void fill(const StereoPlan& plan, Context& context, FillScratch& scratch, ImageView<const T> in, ImageView<T> out);

}  // namespace vergence::cpu
