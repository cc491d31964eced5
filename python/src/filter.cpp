// SPDX-License-Identifier: Apache-2.0
// Blur, gradients and half size.
#include "filter.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "device.hpp"
#include "process.hpp"
#include "results.hpp"
#include "vergence/filter.hpp"

namespace vergence::python {
namespace {

FilterBorder border_named(const std::string& name) {
  if (name == "mirror") return FilterBorder::mirror;
  if (name == "edge") return FilterBorder::edge;
  if (name == "zero") return FilterBorder::zero;
  if (name == "blank") return FilterBorder::blank;
  refuse(fmt::format("border is '{}': 'mirror', 'edge', 'zero' and 'blank' are known", name));
}

bool is_bytes(const Array& array) {
  array.check({element_type<std::uint8_t>(), element_type<float>()}, 2, ", (height, width)");
  return array.type() == element_type<std::uint8_t>();
}

FilterInput input(const Array& array) {
  if (is_bytes(array)) return array.view<const std::uint8_t>();
  return array.view<const float>();
}

class Filter {
 public:
  Filter(const Device& device, std::unique_ptr<PictureFilter> filter)
      : device_(device), filter_("PictureFilter", std::move(filter)) {}

  nb::object smooth(bool half, nb::handle object, nb::handle out, const std::string& border_name) {
    auto filter = filter_.use();
    const FilterBorder border = border_named(border_name);
    const Array array(object, "picture", Array::Access::read);
    const FilterInput in = input(array);
    const Size size = half ? filter->half_size() : filter->size();
    const Map map = needed_map(out, "output", array.type(), {size.height, size.width});
    const FilterOutput written =
        is_bytes(map.array) ? FilterOutput(map.array.view<std::uint8_t>()) : FilterOutput(map.array.view<float>());
    without_gil([&] { half ? filter->half(in, written, border) : filter->blur(in, written, border); });
    return map.object;
  }

  nb::tuple gradients(bool scharr, nb::handle object, nb::handle dx, nb::handle dy, const std::string& border_name) {
    auto filter = filter_.use();
    const FilterBorder border = border_named(border_name);
    const Array array(object, "picture", Array::Access::read);
    const FilterInput in = input(array);
    const bool bytes = is_bytes(array);
    const ElementType type = bytes ? element_type<std::int16_t>() : element_type<float>();
    const Size size = filter->size();
    const auto shape = {std::int64_t{size.height}, std::int64_t{size.width}};
    const Map across = map_of(dx, "dx", type, shape), down = map_of(dy, "dy", type, shape);
    const auto written = [bytes](const Map& map) -> FilterGradient {
      if (!map.wanted()) return {};
      if (bytes) return map.array.view<std::int16_t>();
      return map.array.view<float>();
    };
    const FilterGradient a = written(across), b = written(down);
    without_gil([&] { scharr ? filter->scharr(in, a, b, border) : filter->sobel(in, a, b, border); });
    return nb::make_tuple(across.object, down.object);
  }
  const PictureFilter& constant() const { return filter_.constant(); }
  const Device& device() const { return device_; }

 private:
  Device device_;
  Guarded<PictureFilter> filter_;
};

constexpr const char* gradient_text =
    "Gradients (dx, dy) across and down, int16 of bytes, float32 of floats, not scaled; False leaves one out, an array "
    "is written.";

}  // namespace

void register_filter(nb::module_& module) {
  const char* const smooth =
      "(self, picture: numpy.ndarray, out: numpy.ndarray | None = None, border: Literal['mirror', "
      "'edge', 'zero', 'blank'] = 'mirror') -> numpy.ndarray";
  const char* const gradient =
      "(self, picture: numpy.ndarray, dx: bool | numpy.ndarray = True, dy: bool | numpy.ndarray "
      "= True, border: Literal['mirror', 'edge', 'zero', 'blank'] = 'mirror') -> "
      "tuple[numpy.ndarray | None, numpy.ndarray | None]";
  const auto signature = [](const char* name, const char* rest) { return std::string("def ") + name + rest; };
  nb::class_<Filter>(module, "PictureFilter",
                     R"(Small filters of pictures of one size, uint8 or float32, with the same bits on every device.

Parameters
----------
device : Device or str
size : tuple[int, int]
    (height, width).
)")
      .def(
          "__init__",
          [](Filter* self, const nb::handle& device, const nb::handle& size) {
            const Size pixels = to_size(size, "size");
            const Device opened = to_device(device);
            auto filter = without_gil([&] { return std::make_unique<PictureFilter>(opened, pixels); });
            new (self) Filter(opened, std::move(filter));
          },
          nb::arg("device") = "cpu", nb::arg("size") = nb::none(),
          nb::sig("def __init__(self, device: Device | str = 'cpu', size: tuple[int, int] = ...) -> None"))
      .def(
          "blur",
          [](Filter& self, const nb::handle& in, const nb::handle& out, const std::string& border) {
            return self.smooth(false, in, out, border);
          },
          nb::arg("picture").none(), nb::arg("out") = nb::none(), nb::arg("border") = "mirror",
          nb::sig(signature("blur", smooth).c_str()), "Weights 1 4 6 4 1 (over 16) across, then down.")
      .def(
          "half",
          [](Filter& self, const nb::handle& in, const nb::handle& out, const std::string& border) {
            return self.smooth(true, in, out, border);
          },
          nb::arg("picture").none(), nb::arg("out") = nb::none(), nb::arg("border") = "mirror",
          nb::sig(signature("half", smooth).c_str()), "Every second pixel of every second row of the blurred picture.")
      .def(
          "sobel",
          [](Filter& self, const nb::handle& in, const nb::handle& dx, const nb::handle& dy,
             const std::string& border) { return self.gradients(false, in, dx, dy, border); },
          nb::arg("picture").none(), nb::arg("dx") = true, nb::arg("dy") = true, nb::arg("border") = "mirror",
          nb::sig(signature("sobel", gradient).c_str()), gradient_text)
      .def(
          "scharr",
          [](Filter& self, const nb::handle& in, const nb::handle& dx, const nb::handle& dy,
             const std::string& border) { return self.gradients(true, in, dx, dy, border); },
          nb::arg("picture").none(), nb::arg("dx") = true, nb::arg("dy") = true, nb::arg("border") = "mirror",
          nb::sig(signature("scharr", gradient).c_str()), gradient_text)
      .def_prop_ro(
          "size", [](const Filter& self) { return to_python(self.constant().size()); },
          nb::sig("def size(self) -> tuple[int, int]"), "(height, width).")
      .def_prop_ro("device", &Filter::device);
}

}  // namespace vergence::python
