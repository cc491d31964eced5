// SPDX-License-Identifier: Apache-2.0
// The built-in scene: pairs and video with everything that is true about them.
#include "synth/scene.hpp"

#include <nanobind/stl/optional.h>

#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "arrays.hpp"
#include "process.hpp"
#include "synth.hpp"

namespace vergence::python {
namespace {

/// A copy as an array of `channels` values of type T a pixel (0: no axis of channels); None where there is none.
template <class T, class Pixel>
nb::object copied(const Image<Pixel>& image, std::int64_t channels = 0) {
  if (image.empty()) return nb::none();
  static_assert(sizeof(Pixel) % sizeof(T) == 0);
  const std::int64_t height = image.height(), width = image.width();
  const NewArray made = channels == 0 ? new_memory(element_type<T>(), {height, width})
                                      : new_memory(element_type<T>(), {height, width, channels});
  const std::size_t row = sizeof(Pixel) * static_cast<std::size_t>(width);
  for (int y = 0; y < image.height(); ++y)
    std::memcpy(static_cast<std::byte*>(made.data) + row * static_cast<std::size_t>(y), image.row(y), row);
  return made.object;
}

nb::dict render(const synth::Scene& scene, int index) {
  check_process();
  const synth::SceneFrame frame = without_gil([&] { return scene.render(index); });
  nb::dict all;
  all["left"] = copied<std::uint8_t>(frame.left);
  all["right"] = copied<std::uint8_t>(frame.right);
  all["left_rgb"] = copied<std::uint8_t>(frame.left_rgb, 3);
  all["right_rgb"] = copied<std::uint8_t>(frame.right_rgb, 3);
  all["disparity"] = copied<float>(frame.disparity_left);
  all["disparity_right"] = copied<float>(frame.disparity_right);
  all["visible"] = copied<std::uint8_t>(frame.visible_left);
  all["visible_right"] = copied<std::uint8_t>(frame.visible_right);
  all["region"] = copied<std::uint8_t>(frame.region_left);
  all["flow"] = copied<float>(frame.flow, 2);
  all["flow_visible"] = copied<std::uint8_t>(frame.flow_visible);
  return all;
}

void make_scene(synth::Scene* self, const nb::handle& size, std::uint64_t seed, int frames,
                std::optional<double> min_disparity, std::optional<double> max_disparity, double noise_sigma,
                double gain, double offset, int samples, bool color) {
  check_process();
  synth::SceneOptions options;
  options.size = to_size(size, "size");
  options.seed = seed;
  options.min_disparity = min_disparity;
  options.max_disparity = max_disparity;
  options.frames = frames;
  options.noise_sigma = noise_sigma;
  options.gain = gain;
  options.offset = offset;
  options.samples = samples;
  options.color = color;
  new (self) synth::Scene(options);
}

}  // namespace

void register_synth(nb::module_& module) {
  nb::class_<synth::Scene>(
      module, "Scene",
      R"(A ray-traced room as rectified pair and video, with its exact truth; the same bits on every machine.

Parameters
----------
size : tuple[int, int]
    (height, width).
seed : int
    Chooses places, shapes, colours and textures.
frames : int
    Number of frames; each but the last has flow to the next one.
min_disparity, max_disparity : float, optional
    All disparities lie within these, px. Default: 4 and 60 px per 640 px of width.
noise_sigma : float
    Deviation of the noise in grey levels.
gain, offset : float
    Exposure of the right picture.
samples : int
    Rays per pixel and direction.
color : bool
    Also give the pictures in colour.

Examples
--------
>>> frame = vergence.Scene(size=(48, 64)).render()
>>> frame["left"].shape, frame["disparity"].dtype
((48, 64), dtype('float32'))
)")
      .def("__init__", make_scene, nb::kw_only(), nb::arg("size") = nb::make_tuple(480, 640), nb::arg("seed") = 1,
           nb::arg("frames") = 1, nb::arg("min_disparity") = nb::none(), nb::arg("max_disparity") = nb::none(),
           nb::arg("noise_sigma") = 0.0, nb::arg("gain") = 1.0, nb::arg("offset") = 0.0, nb::arg("samples") = 2,
           nb::arg("color") = false,
           nb::sig("def __init__(self, *, size: tuple[int, int] = (480, 640), seed: int = 1, frames: int = 1, "
                   "min_disparity: float | None = None, max_disparity: float | None = None, noise_sigma: float = 0.0, "
                   "gain: float = 1.0, offset: float = 0.0, samples: int = 2, color: bool = False) -> None"))
      .def("render", render, nb::arg("frame") = 0,
           nb::sig("def render(self, frame: int = 0) -> dict[str, numpy.ndarray | None]"),
           R"(One moment: 'left', 'right' (uint8), 'left_rgb', 'right_rgb' (with color), 'disparity', 'disparity_right'
(float32, px), 'visible', 'visible_right' (255 where the other picture sees it), 'region' (0 textured, 1 flat, 2
repetitive, 3 thin), 'flow' (float32, (height, width, 2), px) and 'flow_visible'.)")
      .def_prop_ro("focal_px", [](const synth::Scene& self) { return self.calibration().focal_px; })
      .def_prop_ro("baseline_m", [](const synth::Scene& self) { return self.calibration().baseline_m; });
}

}  // namespace vergence::python
