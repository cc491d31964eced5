// SPDX-License-Identifier: Apache-2.0
// A published benchmark's feature tracker, faults included: the baseline of the study of its OpenCL versions. Nothing
// here is how points should be followed: its steps go away from the solution; studies/published/exact_sdvbs.md
// names each fault.
#pragma once

#include <functional>
#include <vector>

#include "vergence/image.hpp"

namespace vergence::reference::exact_sdvbs {

/// One of the benchmark's data sets.
struct Settings {
  int window = 4;  ///< Half the side of a patch; corners are summed over window x window.
  int features = 1600;
  int iterations = 20;
  int frames = 2;
  float accuracy = 0.03F;
};

/// In px; (-1, -1) is a slot of the list that no feature filled.
struct Feature {
  float x = 0;
  float y = 0;
  friend bool operator==(const Feature&, const Feature&) = default;
};

/// A frame's two levels, and their gradients, whose sign is the wrong one.
struct Levels {
  std::vector<Image<float>> pictures, dx, dy;
};
Levels levels(ImageView<const std::uint8_t> frame);

/// Features of a frame, strongest first.
std::vector<Feature> detect(const Levels& frame, const Settings& settings);
/// What is left of them in the next frame.
std::vector<Feature> follow(const Levels& previous, const Levels& next, const std::vector<Feature>& features,
                            const Settings& settings);

/// The program: `frame(k)` gives frame k = 1 .. settings.frames, the first one twice.
std::vector<Feature> track(const std::function<Image<std::uint8_t>(int)>& frame, const Settings& settings);

}  // namespace vergence::reference::exact_sdvbs
