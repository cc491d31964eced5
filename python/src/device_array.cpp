// SPDX-License-Identifier: Apache-2.0
// The class DeviceArray: its memory, the events of the work on it, and how other packages get it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "device.hpp"
#include "process.hpp"
#include "vergence/error.hpp"

namespace vergence::python {
namespace {

nb::tuple shape_of(const DeviceArray& array) {
  nb::list shape;
  for (const std::int64_t length : array.shape) shape.append(length);
  return nb::tuple(shape);
}

nb::object get(const DeviceArray& array) {
  check_process();
  const NewArray made = new_memory(array.type, {array.bytes() / array.type.bytes});
  without_gil([&, written = array.written, memory = array.memory] {
    written.wait();
    memory.read(made.data, static_cast<std::size_t>(array.bytes()));
  });
  return made.object.attr("reshape")(shape_of(array));
}

void require_cuda(const DeviceArray& array) {
  check_process();
  if (array.device.kind() != "cuda")
    throw Error(
        ErrorCode::unsupported,
        fmt::format("this array lies on {}, and other packages take CUDA memory alone: use .get(), which copies "
                    "it to host memory",
                    array.device.name()));
}

/// Names the legacy default stream, which waits for the work on the array, as the one that who takes it waits for.
nb::dict cuda_interface(DeviceArray& array) {
  require_cuda(array);
  array.written.make_wait(reinterpret_cast<void*>(legacy_stream));
  array.lent = DeviceArray::Lent::elsewhere;
  nb::dict interface;
  interface["shape"] = shape_of(array);
  interface["typestr"] = fmt::format("<{}{}", array.type.kind, array.type.bytes);
  interface["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.memory.handle()), false);
  interface["version"] = 3;
  interface["strides"] = nb::none();
  interface["stream"] = legacy_stream;
  return interface;
}

[[noreturn]] void refuse_tensor(const char* why) {
  PyErr_SetString(PyExc_BufferError, why);
  throw nb::python_error();
}

/// The stream of __dlpack__(stream=...); nothing for -1, with which the caller orders the work itself.
std::optional<std::uintptr_t> stream_of(const nb::kwargs& keywords) {
  const nb::object stream = keywords.contains("stream") ? nb::object(keywords["stream"]) : nb::none();
  if (stream.is_none()) return legacy_stream;
  std::int64_t number = 0;
  if (!nb::try_cast(stream, number))
    throw WrongType("stream is of type " + name_of_type(stream) + ": None or an int is needed, as DLPack has it");
  if (number == -1) return std::nullopt;
  if (number < 1)
    refuse(
        fmt::format("stream is {}: DLPack knows -1 (no order), 1 (the legacy default stream), 2 (the thread's) and "
                    "CUDA's handles of streams",
                    number));
  return static_cast<std::uintptr_t>(number);
}

nb::object dlpack(const nb::object& self, const nb::kwargs& keywords) {
  auto& array = nb::cast<DeviceArray&>(self);
  require_cuda(array);
  const int ordinal = array.device.native().ordinal;
  if (keywords.contains("copy") && nb::handle(keywords["copy"]).is(Py_True))
    refuse_tensor("a DeviceArray is given as it lies: copy it where it is taken");
  if (keywords.contains("dl_device") && !nb::handle(keywords["dl_device"]).is_none() &&
      !nb::object(keywords["dl_device"]).equal(nb::make_tuple(nb::device::cuda::value, ordinal)))
    refuse_tensor("a DeviceArray is given where it lies: copy it to the other device where it is taken");
  const std::optional<std::uintptr_t> stream = stream_of(keywords);
  if (stream) array.written.make_wait(reinterpret_cast<void*>(*stream));
  if (stream != legacy_stream)
    array.lent = DeviceArray::Lent::elsewhere;
  else if (array.lent == DeviceArray::Lent::never)
    array.lent = DeviceArray::Lent::to_legacy_stream;
  const std::vector<std::size_t> shape(array.shape.begin(), array.shape.end());
  nb::ndarray<> made(array.memory.handle(), shape.size(), shape.data(), self, nullptr, tensor_type(array.type),
                     nb::device::cuda::value, ordinal);
  return nb::cast(made);  // of no package: the capsule
}

}  // namespace

DeviceArray::~DeviceArray() {
  const std::shared_ptr<SpareMemory> spare = home.lock();
  if (memory.empty() || spare == nullptr || lent == Lent::elsewhere) return;
  try {
    read.push_back(written);
    // Who worked on it there may still do so.
    if (lent == Lent::to_legacy_stream) read.push_back(device.record(reinterpret_cast<void*>(legacy_stream)));
    spare->keep({std::move(memory), static_cast<std::size_t>(bytes()), std::move(read)});
  } catch (const std::exception&) {  // the device is lost, or this is a forked child: the memory goes
    return;
  }
}

std::int64_t DeviceArray::bytes() const {
  std::int64_t count = type.bytes;
  for (const std::int64_t length : shape) count *= length;
  return count;
}

void DeviceArray::set_written(const DeviceEvent& done) {
  written = done;
  read.clear();
}

void DeviceArray::add_read(const DeviceEvent& done) {
  constexpr std::size_t many = 4;
  if (read.size() >= many) std::erase_if(read, [](const DeviceEvent& one) { return one.is_done(); });
  read.push_back(done);
}

void SpareMemory::keep(One one) {
  constexpr std::size_t most = 8;  // maps that a matcher gives
  if (all_.size() >= most) all_.erase(all_.begin());
  all_.push_back(std::move(one));
}

SpareMemory::One SpareMemory::take(std::size_t bytes) {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const One& one) { return one.bytes == bytes; });
  if (found == all_.end()) return {};
  One one = std::move(*found);
  all_.erase(found);
  return one;
}

DeviceArray new_device_array(const Device& device, const ElementType& type, std::vector<std::int64_t> shape,
                             const std::shared_ptr<SpareMemory>& spare) {
  DeviceArray array(device, {}, type, std::move(shape));
  const auto bytes = static_cast<std::size_t>(array.bytes());
  if (spare != nullptr) {
    SpareMemory::One one = spare->take(bytes);
    array.memory = std::move(one.memory);
    array.read = std::move(one.uses);
    array.home = spare;
  }
  if (array.memory.empty()) array.memory = device.allocate(bytes);
  return array;
}

void register_device_array(nb::module_& module) {
  nb::class_<DeviceArray>(
      module, "DeviceArray",
      "An array in the memory of an OpenCL or CUDA device, made by Device.put, or the result of a "
      "call whose\npictures lie there. On CUDA devices PyTorch, CuPy and JAX take it without a copy "
      "(DLPack, __cuda_array_interface__); their\nstreams wait for the work that writes it, the host does not.")
      .def_prop_ro("shape", shape_of, nb::sig("def shape(self) -> tuple[int, ...]"), "Lengths of the axes.")
      .def_prop_ro(
          "dtype", [](const DeviceArray& array) { return to_text(array.type); }, "Type of the elements: 'uint8', ...")
      .def_prop_ro(
          "device", [](const DeviceArray& array) { return array.device; }, "Where it lies.")
      .def("get", get, nb::sig("def get(self) -> numpy.ndarray"),
           "A copy in host memory; waits for the work that writes the array.")
      .def_prop_ro("__cuda_array_interface__", cuda_interface)
      .def("__dlpack__", dlpack)
      .def("__dlpack_device__",
           [](const DeviceArray& array) {
             require_cuda(array);
             return nb::make_tuple(nb::device::cuda::value, array.device.native().ordinal);
           })
      .def("__repr__", [](const DeviceArray& array) {
        return fmt::format("<DeviceArray {} {} on {}>", nb::cast<std::string>(nb::repr(shape_of(array))),
                           to_text(array.type), array.device.name());
      });
}

}  // namespace vergence::python
