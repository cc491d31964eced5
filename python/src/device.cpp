// SPDX-License-Identifier: Apache-2.0
// The classes Device, DeviceInfo and DeviceArray, and what asks all devices.
#include "device.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "process.hpp"
#include "vergence/disparity_range.hpp"
#include "vergence/error.hpp"
#include "vergence/verify.hpp"

namespace vergence::python {
namespace {

/// NVRTC of a Python package is loaded before CUDA looks for it.
void load_packages(std::string_view name) {
  if (name.find("cuda") != name.npos) nb::module_::import_("vergence._cuda").attr("load_nvrtc")();
}

Device open_device(const std::string& name, const DeviceOptions& options) {
  check_process();
  const char* const usual = std::getenv("VERGENCE_DEVICE");  // what an empty name stands for
  load_packages(name.empty() && usual != nullptr ? usual : name);
  return without_gil([&] { return Device(name, options); });
}

std::vector<DeviceInfo> devices() {
  check_process();
  load_packages("cuda");
  return without_gil([] { return Device::list(); });
}

nb::dict verify_device(const nb::handle& device, std::uint64_t seed, int cases) {
  const Device opened = to_device(device);
  const VerifyReport report = without_gil([&] { return verify(opened, seed, cases); });
  nb::dict result;
  result["cases"] = report.cases;
  result["differences"] = report.differences;
  result["first"] = report.first;
  result["hash"] = fmt::format("{:016x}", report.hash);
  result["left_out"] = verify_leaves_out(opened);
  return result;
}

nb::object find_range(const nb::handle& left, const nb::handle& right, const nb::handle& device, int max_value) {
  const Device opened = to_device(device);
  const Array left_array(left, "left picture", Array::Access::read);
  const Array right_array(right, "right picture", Array::Access::read);
  const bool bytes = picture(left_array, opened).holds<const std::uint8_t>();
  std::optional<DisparityRange> range;
  if (bytes) {
    const auto a = left_array.view<const std::uint8_t>(), b = right_array.view<const std::uint8_t>();
    range = without_gil([&] { return find_disparity_range(opened, a, b); });
  } else {
    const auto a = left_array.view<const std::uint16_t>(), b = right_array.view<const std::uint16_t>();
    range = without_gil([&] { return find_disparity_range(opened, a, b, max_value); });
  }
  if (!range) return nb::none();
  return nb::make_tuple(range->first, range->count());
}

std::string describe(const DeviceInfo& info) {
  return info.available ? fmt::format("<{}: {}>", info.name, info.description)
                        : fmt::format("<{}: not available: {}>", info.name, info.reason);
}

DeviceArray put(const Device& device, const nb::handle& object) {
  check_process();
  const Array array(object, "array", Array::Access::read);
  if (std::string_view("uifbc").find(array.type().kind) == std::string_view::npos)
    throw WrongType("array holds no plain numbers, which alone go to a device: pass an array of numbers");
  const void* const data = array.whole();
  std::vector<std::int64_t> shape;
  for (int i = 0; i < array.dimensions(); ++i) shape.push_back(array.length(i));
  DeviceArray made = new_device_array(device, array.type(), std::move(shape));
  without_gil([&] { made.memory.write(data, static_cast<std::size_t>(made.bytes())); });
  return made;
}

constexpr const char* device_text = R"(A device to run on: ``reference``, ``cpu``, ``opencl:0``, ``cuda:0``, ...

Every device gives the same bits. ``opencl`` and ``cuda`` take the first one that can be used, ``cuda:h200`` the first
whose name contains that text; an empty name is that of the environment variable VERGENCE_DEVICE, else ``cpu``. Several
threads may use one Device.

Parameters
----------
name : str
threads : int
    Threads that ``cpu`` may use; 0 = one per core. Changes speed and nothing else.
simd : str
    SIMD target that ``cpu`` must use, such as ``AVX2``; empty = the best one.
kernel_cache : bool
    Whether OpenCL and CUDA devices keep compiled kernels in the cache folder.

Raises
------
NotFoundError
    There is no device of that name.
DeviceError
    The device is absent or failed its bit probe.

Examples
--------
>>> vergence.Device("cpu", threads=2).kind
'cpu'
)";

void register_info(nb::module_& module) {
  nb::class_<DeviceInfo>(module, "DeviceInfo", "One line of devices().")
      .def_ro("name", &DeviceInfo::name, "What Device and every device= take.")
      .def_ro("kind", &DeviceInfo::kind, "'reference', 'cpu', 'opencl' or 'cuda'.")
      .def_ro("description", &DeviceInfo::description, "For people: instruction sets, cores.")
      .def_ro("available", &DeviceInfo::available)
      .def_ro("reason", &DeviceInfo::reason, "Why it is not available; empty where it is.")
      .def("__repr__", describe);
}

void register_functions(nb::module_& module) {
  module.def(
      "devices", devices, nb::sig("def devices() -> list[DeviceInfo]"),
      "All devices, those that are absent too, with the reason. The first call loads drivers and probes devices, "
      "which may take seconds.");
  module.def(
      "verify", verify_device, nb::arg("device") = "cpu", nb::kw_only(), nb::arg("seed") = 1, nb::arg("cases") = 50,
      nb::sig("def verify(device: Device | str = 'cpu', *, seed: int = 1, cases: int = 50) -> dict[str, object]"),
      "Proves on this machine that a device gives the bytes of ``reference``: random inputs and settings go "
      "through all\nstages on both. The dict holds cases, differences (0 is right), first (the first "
      "difference), hash and left_out.");
  module.def(
      "find_disparity_range", find_range, nb::arg("left").none(), nb::arg("right").none(), nb::kw_only(),
      nb::arg("device") = "cpu", nb::arg("max_value") = 65535,
      nb::sig("def find_disparity_range(left: numpy.ndarray, right: numpy.ndarray, *, device: Device | str = 'cpu', "
              "max_value: int = 65535) -> tuple[int, int] | None"),
      "The options (min_disparity, disparities) that cover what a rectified pair shows, by a coarse match; None where "
      "nobody\ncan tell. Things smaller than some pixels of a picture of 320 px width are not seen.");
}

}  // namespace

Device to_device(nb::handle value) {
  check_process();
  if (nb::isinstance<Device>(value)) return nb::cast<Device>(value);
  if (!nb::isinstance<nb::str>(value))
    throw WrongType("device is of type " + name_of_type(value) +
                    ": a name such as 'cpu' or a vergence.Device is needed");
  return open_device(nb::cast<std::string>(value), {});
}

void register_devices(nb::module_& module) {
  nb::class_<Device>(module, "Device", device_text)
      .def(
          "__init__",
          [](Device* self, const std::string& name, int threads, const std::string& simd, bool kernel_cache) {
            new (self) Device(open_device(name, {threads, simd, kernel_cache}));
          },
          nb::arg("name") = "", nb::kw_only(), nb::arg("threads") = 0, nb::arg("simd") = "",
          nb::arg("kernel_cache") = true)
      .def_prop_ro("name", &Device::name)
      .def_prop_ro("kind", &Device::kind, "'reference', 'cpu', 'opencl' or 'cuda'.")
      .def_prop_ro("description", &Device::description, "For people: instruction sets, cores.")
      .def_prop_ro("pci_address", &Device::pci_address, "'0000:17:00.0'; empty where nobody says.")
      .def_prop_ro("numa_node", &Device::numa_node, "Of the machine, that a GPU is attached to; -1 where nobody says.")
      .def("put", put, nb::arg("array").none(), nb::sig("def put(self, array: numpy.ndarray) -> DeviceArray"),
           "A copy of an array in the memory of this OpenCL or CUDA device.")
      .def("__repr__", [](const Device& device) { return fmt::format("vergence.Device('{}')", device.name()); });
  register_info(module);
  register_device_array(module);
  register_functions(module);
}

}  // namespace vergence::python
