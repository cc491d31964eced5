// SPDX-License-Identifier: Apache-2.0
// Devices: what can do the work, and why something cannot. Read image.hpp first, device_image.hpp next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vergence {

namespace detail {
struct HandleAccess;
}

/// What the driver of an OpenCL or CUDA device says of it.
struct GpuInfo {
  std::string device;                ///< "NVIDIA H200"
  std::string api;                   ///< "OpenCL 3.0", "CUDA 13.0"
  std::string driver;                ///< Version; with CUDA that of the compiler too.
  int compute_units = 0;             ///< Multiprocessors, or cores.
  int clock_mhz = 0;                 ///< The highest; 0 = the driver does not say.
  std::uint64_t memory = 0;          ///< Bytes.
  std::uint64_t largest_buffer = 0;  ///< Bytes in one piece.
  std::uint64_t local_memory = 0;    ///< Bytes that a work-group may use.
  std::size_t largest_group = 0;     ///< Work-items of a work-group.
  std::string pci_address{};         ///< "0000:17:00.0"; empty where the driver does not say.
};

/// One line of `Device::list()`.
struct DeviceInfo {
  std::string name;         ///< What Device's constructor takes: "reference", "cpu", ...
  std::string kind;         ///< "reference", "cpu", "opencl" or "cuda".
  std::string description;  ///< For people: instruction sets, cores.
  bool available = false;
  std::string reason;            ///< Why it is not available: absent, or it failed its bit probe; empty where it is.
  std::optional<GpuInfo> gpu{};  ///< Of OpenCL and CUDA devices, those that cannot be used too.
};

/// How a device is opened.
struct DeviceOptions {
  /// Threads that the device `cpu` may use; 0 = one per core. Range 0..1024. Changes speed and nothing else.
  int threads = 0;
  /// SIMD target that the device `cpu` must use ("SSSE3", "SSE4", "AVX2", "AVX3", "AVX3_DL", "NEON", ...); empty = the
  /// best one of this machine. A target that this machine or this build lacks is refused by name.
  std::string simd{};
  /// Whether OpenCL and CUDA devices may keep files in the cache folder (VERGENCE_CACHE, else $XDG_CACHE_HOME/vergence,
  /// else ~/.cache/vergence) and read them: compiled kernels, passed bit probes, tunings. Off: all is compiled and
  /// probed anew, and nothing is tuned. Changes speed and nothing else. Other devices keep no files and refuse `false`.
  bool kernel_cache = true;
};

/// Where the time of an object that works on an OpenCL or CUDA device went.
struct DeviceTimes {
  double compile_ms = 0;  ///< Compiling kernels, by the host's clock; 0 where all were in the cache.
  int compiled = 0;       ///< Programs that were compiled.
  int cached = 0;         ///< Programs that were found in the cache.
  /// Copies to the device, kernels (those that move rows within the device too), and copies from it, by the device's
  /// own clock, while measuring was on.
  double upload_ms = 0, kernel_ms = 0, download_ms = 0;

  /// The sum of what several objects, or several calls, took.
  DeviceTimes& operator+=(const DeviceTimes& more) {
    compile_ms += more.compile_ms;
    compiled += more.compiled;
    cached += more.cached;
    upload_ms += more.upload_ms;
    kernel_ms += more.kernel_ms;
    download_ms += more.download_ms;
    return *this;
  }
};

/// What the API of an OpenCL or CUDA device calls it, for programs that use that API themselves. Valid as long as a
/// copy of the Device lives.
struct NativeDevice {
  void* context = nullptr;  ///< cl_context; with CUDA the CUcontext, the primary one, which the CUDA runtime uses.
  void* device = nullptr;   ///< cl_device_id; null with CUDA.
  int ordinal = -1;         ///< CUdevice; -1 with OpenCL.
};

/// Memory of an OpenCL or CUDA device, for pictures and maps that stay there: see device_image.hpp. A small handle:
/// copies share the memory, which goes with the last of them and of the images in it. Several threads may use it at
/// once for different bytes. See DeviceImage for an example.
///
/// ```cpp
/// const Device device("opencl:0");
/// const DeviceMemory memory = device.allocate(4096);
/// const std::vector<std::uint8_t> bytes(4096, 7);
/// memory.write(bytes.data(), bytes.size());
/// void* buffer = memory.handle();  // the cl_mem
/// ```
class DeviceMemory {
 public:
  /// No memory.
  DeviceMemory() = default;

  bool empty() const { return impl_ == nullptr; }
  std::size_t bytes() const;
  /// What the API calls it: a CUDA device pointer (CUdeviceptr), a cl_mem. Null where empty.
  void* handle() const;
  /// Copy from and to host memory; done when they return. Work of other queues or streams on these bytes must have
  /// ended. Throw Error(invalid_argument) where the memory is too small, and Error(device).
  void write(const void* from, std::size_t bytes, std::size_t offset = 0) const;
  void read(void* to, std::size_t bytes, std::size_t offset = 0) const;

 private:
  friend struct detail::HandleAccess;
  struct Impl;
  explicit DeviceMemory(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

/// A point in the work of an OpenCL or CUDA device, which comes once all work before it has been done: what a call
/// waits for on the device, and what tells that its work is done (StereoMatcher::submit, StereoRectifier::submit). A
/// small handle: copies mean the same point. It may outlive the Device that gave it; several threads may use it at
/// once. After a lost device, and where work before it failed, its calls throw Error(device). An empty event has always
/// come.
///
/// ```cpp
/// const Device device("cuda:0");
/// StereoMatcher matcher(device, {640, 480});
/// StereoInput pair;   // DeviceImages that the program draws in a stream of its own
/// StereoOutput maps;  // and DeviceImages that it shows there
/// void* const stream = nullptr;  // a CUstream; null: the legacy default stream
/// const DeviceEvent drawn = device.record(stream);
/// const DeviceEvent matched = matcher.submit(pair, maps, {&drawn, 1});
/// matched.make_wait(stream);  // what the stream is given from now on finds whole maps
/// ```
class DeviceEvent {
 public:
  /// Has come.
  DeviceEvent() = default;

  bool empty() const { return impl_ == nullptr; }
  /// What the API calls it, a CUevent or a cl_event, as long as a copy of this lives; null where empty.
  void* handle() const;
  /// Whether it has come; waits for nothing.
  bool is_done() const;
  /// Waits for it on the host.
  void wait() const;
  /// What is given to a CUDA stream (CUstream; null: the legacy default stream) or to an OpenCL command queue from now
  /// on waits for it, on the device. The host goes on at once. Throws Error(invalid_argument) for a stream or a queue
  /// of another context than the device's, for a stream that is being captured as a graph, and for a null queue.
  void make_wait(void* stream) const;

 private:
  friend struct detail::HandleAccess;
  struct Impl;
  explicit DeviceEvent(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

/// A device to run on. A small handle: copies share the device, which lives as long as the last of them and of the
/// objects made on it. Every device gives the same bits of disparities, vectors, tracks and filtered
/// pictures. Several threads may use one Device, or copies of it, at once;
/// the objects made on it (matchers, estimators, trackers) by one thread each at a time. A moved-from Device may be
/// destroyed or assigned to, and nothing else. A process that was forked after its parent had asked for OpenCL or CUDA
/// devices has none (Error(device)); what it destroys there is left to the parent.
///
/// ```cpp
/// for (const DeviceInfo& info : Device::list())
///   if (!info.available) static_cast<void>(info.reason);
/// const Device device("cpu", {.threads = 4});
/// const std::string text = device.name() + ": " + device.description();
/// ```
class Device {
 public:
  /// Opens a device by name: `reference`, `cpu`; `opencl` or `cuda`, the first one that can be used; `cuda:0`, by index
  /// as listed; `cuda:h200`, the first whose name contains that text, in upper or lower case. Digits alone are always
  /// an index. An empty name means the environment variable VERGENCE_DEVICE, and where that is unset, "cpu".
  ///
  /// Throws Error(not_found) for an unknown name (the text lists the known ones), Error(device) where the device is
  /// absent or fails its bit probe, Error(invalid_argument) for an option outside its range, and Error(unsupported) for
  /// an option that this device does not have. Never falls back to another device.
  explicit Device(std::string_view name = {}, const DeviceOptions& options = {});

  const std::string& name() const;
  const std::string& kind() const;
  const std::string& description() const;
  /// Where a GPU sits on the PCI bus, "0000:17:00.0": tells which of a machine's energy counters is its own
  /// (EnergyOptions::boards). Empty for devices on the processor and where the driver does not say.
  std::string pci_address() const;
  /// The part of the machine's memory and cores (NUMA node) that the PCI bus of a GPU is attached to, as Linux says;
  /// -1 where it does not, and for devices on the processor.
  int numa_node() const;
  /// Whether the processor's cores do its work: `reference`, `cpu`, and OpenCL devices of the processor.
  bool on_processor() const;

  /// Pins host memory as long as the returned object lives: a CUDA device then copies pictures from and maps to it at
  /// the full speed of the link, without a copy in between, and reads pictures in it until the frame was waited for.
  /// Memory that the CUDA runtime pinned serves as well. Null, and no harm, on devices that have no such thing; throws
  /// Error(device) or Error(out_of_memory) where the system refuses. `data` is the first of `bytes` bytes.
  std::shared_ptr<void> pin(void* data, std::size_t bytes) const;

  /// New memory on an OpenCL or CUDA device, not initialised, of at least 1 byte (else Error(invalid_argument)). Throws
  /// Error(out_of_memory), Error(device), and Error(unsupported) on devices that work in host memory.
  DeviceMemory allocate(std::size_t bytes) const;
  /// Memory that the caller has made. CUDA: a device pointer (CUdeviceptr, or what cudaMalloc gave) into memory of this
  /// device; the memory reaches from there to the end of its allocation, and the caller frees it once nothing here uses
  /// it any more. OpenCL: a cl_mem buffer, or sub-buffer, made in native().context (another context's is refused; so is
  /// CL_MEM_WRITE_ONLY); it is retained. Throws Error(invalid_argument) for what is no such memory, Error(unsupported)
  /// on devices that work in host memory.
  DeviceMemory wrap(void* handle) const;
  /// Throws Error(unsupported) on devices that work in host memory.
  NativeDevice native() const;
  /// The event that comes after all that the caller has given so far to a CUDA stream (CUstream; null: the legacy
  /// default stream) or to an OpenCL command queue, which is flushed. Throws Error(invalid_argument) for a stream or a
  /// queue of another context than native().context, for a stream that is being captured as a graph, and for a null
  /// queue; Error(device); Error(unsupported) on devices that work in host memory. A handle that is none is undefined
  /// behaviour, as in the API itself.
  DeviceEvent record(void* stream) const;
  /// An event that the caller has made. CUDA: a CUevent, of which the record at the time of each call counts; the
  /// caller destroys it once no call that is to wait for it will be made any more. OpenCL: a cl_event of
  /// native().context, which is retained. Throws Error(invalid_argument) for null and for a cl_event of another
  /// context, Error(unsupported) on devices that work in host memory.
  DeviceEvent wrap_event(void* handle) const;

  /// All devices this build knows, those that are absent too, with the reason. Loads the drivers of OpenCL and CUDA,
  /// and opens and probes each device at its first call: seconds where kernels must be compiled. Any thread may call
  /// it.
  static std::vector<DeviceInfo> list();
  /// The SIMD targets compiled into `cpu` that this machine can run, best first.
  static std::vector<std::string> simd_targets();

 private:
  friend struct detail::HandleAccess;
  struct Impl;
  explicit Device(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

}  // namespace vergence
