// SPDX-License-Identifier: Apache-2.0
// The reference stages that work on disparity maps: THE SPECIFICATION, scalar and single-threaded, written to be read
// and never optimised. T is the type of a map (int16_t, int32_t).
#pragma once

#include "plan/stereo/plan.hpp"
#include "vergence/image.hpp"

namespace vergence::reference {

template <class T>
void source(const StereoPlan& plan, ImageView<T> disparity);
template <class T>
void speckle(const StereoPlan& plan, ImageView<T> disparity);
template <class T>
void median(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out);
template <class T>
void fill(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out);

}  // namespace vergence::reference
