// SPDX-License-Identifier: Apache-2.0
// What a GPU API must offer: memory, programs, and a queue. Launch code is written once against this; gpu/opencl and
// gpu/cuda hold the only calls of their APIs. Every call throws Error(device) or Error(out_of_memory), naming the call,
// the API's own code and the device; after Error(device) a queue cannot be used: every further call throws the same
// error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gpu/kernel_codes.hpp"
#include "vergence/device.hpp"

namespace vergence::gpu {

/// What is known of a device.
struct Properties {
  std::string device;                ///< "NVIDIA H200"
  std::string api;                   ///< "OpenCL 3.0", "CUDA 13.0"
  std::string driver;                ///< Version; part of the key of compiled programs.
  std::string pci_address;           ///< "0000:17:00.0"; empty where the driver does not say.
  std::string architecture;          ///< What programs are compiled for: "sm_90"; empty where the driver alone knows.
  int compute_units = 0;             ///< Multiprocessors, or cores.
  int clock_mhz = 0;                 ///< Largest; 0 where unknown.
  std::uint64_t global_memory = 0;   ///< Bytes.
  std::uint64_t largest_buffer = 0;  ///< Bytes in one allocation.
  std::uint64_t local_memory = 0;    ///< Bytes that one group may declare, or be launched with.
  std::size_t largest_group = 0;     ///< Work-items.
  bool is_cpu = false;               ///< Work-items are loops on a CPU.
  bool is_pocl = false;              ///< Its compiler needs gpu/opencl/pocl.hpp.
  bool is_nvidia = false;            ///< Understands PTX in kernels.
  bool has_warp_minimum = false;     ///< Finds the least word of a warp by one instruction.
  bool has_packed_minimum = false;   ///< Compares two 16-bit integers at once, and counts bits by matrix units.
  bool has_doubles = true;           ///< Of 64 bits.
};

/// Which prelude a kernel's text gets.
enum class Dialect { opencl, cuda };

/// Where a buffer lies: buffers of one device share bytes where `block` is the same and their bytes from `start` on
/// meet.
struct Place {
  const void* block = nullptr;
  std::uint64_t start = 0;
  bool writable = true;
};

/// Memory on the device.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::size_t bytes() const = 0;
  /// What the API calls it: a CUdeviceptr, a cl_mem.
  virtual void* handle() const { return nullptr; }
  virtual Place place() const { return {this, 0, true}; }
};

/// A function of a loaded program.
class Kernel {
 public:
  virtual ~Kernel() = default;
};

/// A loaded program.
class Program {
 public:
  virtual ~Program() = default;
  virtual std::unique_ptr<Kernel> kernel(const std::string& name) = 0;
};

/// A structure of scalars that kernels take by value: one of a header in gpu/shared. Every byte of it is a member's, so
/// that host and kernel cannot lay it out differently.
template <class T>
concept KernelStructure = std::is_aggregate_v<T> && std::is_class_v<T> && std::is_trivially_copyable_v<T> &&
    std::has_unique_object_representations_v<T>;

/// One argument of a kernel: a buffer, an integer or a structure of integers, which is copied, or local memory (one
/// such argument at most, the last; see LOCAL_ARGUMENT in the preludes).
class Argument {
 public:
  /// Bytes of the largest value. OpenCL promises 1024 for all parameters of a kernel.
  static constexpr std::size_t largest_value = 256;
  enum class Kind { buffer, value, local };
  Argument(const Buffer& buffer) : kind_(Kind::buffer), buffer_(&buffer) {}  // NOLINT(google-explicit-constructor)
  Argument(std::int32_t value) : Argument(&value, sizeof(value)) {}          // NOLINT(google-explicit-constructor)
  Argument(std::uint32_t value) : Argument(&value, sizeof(value)) {}         // NOLINT(google-explicit-constructor)
  Argument(std::int64_t value) : Argument(&value, sizeof(value)) {}          // NOLINT(google-explicit-constructor)
  template <KernelStructure T>
  Argument(const T& value) : Argument(&value, sizeof(value)) {  // NOLINT(google-explicit-constructor)
    static_assert(sizeof(T) <= largest_value);
  }
  /// `bytes` of local memory, whose contents are undefined when a group begins.
  static Argument local(std::size_t bytes) {
    Argument argument(nullptr, 0);
    argument.kind_ = Kind::local;
    argument.size_ = bytes;
    return argument;
  }

  Kind kind() const { return kind_; }
  const Buffer& buffer() const { return *buffer_; }
  const void* value() const { return value_.data(); }
  std::size_t size() const { return size_; }

 private:
  Argument(const void* value, std::size_t size) : kind_(Kind::value), size_(size) {
    if (size > 0) std::memcpy(value_.data(), value, size);
  }
  Kind kind_;
  const Buffer* buffer_ = nullptr;
  std::size_t size_ = 0;
  alignas(8) std::array<std::byte, largest_value> value_{};  ///< Its first size_ bytes.
};

/// Kernels may read up to here in a buffer of so many bytes.
constexpr std::size_t readable(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

/// Work-items in each dimension. Ranges of a launch count groups; a group has the shape that WORK_GROUP fixes.
struct Range {
  std::size_t x = 1, y = 1, z = 1;
};

/// Rows in host memory and in a buffer.
struct Rows {
  std::size_t offset;         ///< Of the first row in the buffer, in bytes.
  std::size_t pitch;          ///< From row to row in the buffer.
  std::ptrdiff_t host_pitch;  ///< From row to row in host memory.
  std::size_t row_bytes, count;
};

/// Milliseconds by the device's own clock since the queue was made or last asked.
struct Timing {
  double upload = 0, kernel = 0, download = 0;
};

/// A place in a queue's work that other queues of the device wait for, or in that of a caller's queue. It may outlive
/// queue and device. Calls throw Error(device) where work before it failed.
class Event {
 public:
  virtual ~Event() = default;
  /// What the API calls it: a CUevent, a cl_event. Null where it was never set.
  virtual void* handle() const { return nullptr; }
  /// Whether all before it has been done; of one that was never set, true.
  virtual bool is_done() { return true; }
  /// On the host.
  virtual void wait() {}
  /// What is given to a caller's stream or command queue from now on waits for it, on the device;
  /// Error(invalid_argument) for one of another context.
  virtual void make_wait(void* /*stream*/) {}
};

/// Work in order, one after the other.
class Queue {
 public:
  virtual ~Queue() = default;
  /// The host's rows may be changed as soon as this returns, but where they are pinned (Device::pin, pinned_memory):
  /// then as soon as the work after it was waited for.
  virtual void upload(Buffer& to, const Rows& rows, const void* from) = 0;
  /// Everything before has been done, and the rows have arrived, when this returns.
  virtual void download(const Buffer& from, const Rows& rows, void* to) = 0;
  /// The same, but the rows may arrive as late as with collect(); until then `to` stays where it is.
  virtual void start_download(const Buffer& from, const Rows& rows, void* to) { download(from, rows, to); }
  virtual void collect() {}
  /// Lets the device begin with what was given to it.
  virtual void flush() {}
  /// Between these two, launches and fills are always the same for one key, with the same arguments: a queue may
  /// capture them as a graph, and run the graph from then on. Nothing is said about what else happens between them.
  virtual void begin_capture(int /*key*/) {}
  virtual void end_capture() {}
  /// The event comes after all that was given to this queue so far; where it was set before does not matter any more.
  virtual void set(Event& /*event*/) { finish(); }
  /// What is given to this queue from now on waits, on the device, for what came before the event. One that was never
  /// set holds nothing up.
  virtual void wait_for(const Event& /*event*/) {}
  virtual void fill(Buffer& buffer, std::uint8_t value) = 0;
  /// All bytes of a buffer of Device::allocate_on_host, for the host to read, or to write anew, until unmap(). Waits
  /// for everything before.
  virtual void* map(Buffer& /*buffer*/, bool /*writes*/) { return nullptr; }
  virtual void unmap(Buffer& /*buffer*/, void* /*mapped*/) {}
  virtual void launch(const Kernel& kernel, Range groups, Range group, std::span<const Argument> arguments) = 0;
  /// Waits for all.
  virtual void finish() = 0;
  /// Timing costs an event per command: off until asked for.
  virtual void measure(bool on) = 0;
  virtual Timing timing() = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  /// Keeps host memory where it is, as long as what it returns lives, so that the device reads and writes it without a
  /// copy in between. Null where the API has no such thing.
  virtual std::shared_ptr<void> pin(void* /*memory*/, std::size_t /*bytes*/) { return nullptr; }
  /// The same where the API pins nothing that exists, but gives host memory that is: null where it gives none.
  virtual std::shared_ptr<std::byte> pinned_memory(std::size_t /*bytes*/) { return nullptr; }
  virtual const Properties& properties() const = 0;
  virtual Dialect dialect() const = 0;
  /// Until leave(), calls of this thread find the device as they need it, which each else has to see to. False where it
  /// cannot be had: each call then says why.
  virtual bool enter() noexcept { return false; }
  virtual void leave() noexcept {}
  /// Begins at a multiple of 16 bytes, and kernels may read, never write, up to the next such multiple after its end.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  /// Memory that the host can map (Queue::map): of the driver's own where `memory` is null, else these bytes of the
  /// host, which begin at a multiple of 4096, have as many more as kernels may read, and outlive the buffer. A device
  /// that shares memory with the host works in it, others copy. Null where the API has no such thing.
  virtual std::unique_ptr<Buffer> allocate_on_host(void* /*memory*/, std::size_t /*bytes*/) { return nullptr; }
  /// Memory that others have made, which may begin anywhere; Error(invalid_argument) where `handle` is none of this
  /// device's.
  virtual std::unique_ptr<Buffer> wrap(void* handle);
  /// The bytes of a buffer from `offset` on, for kernels as what allocate() gives; null where they do not begin as the
  /// API and kernels want it, or the memory ends too early. The buffer has so many bytes, and outlives its part.
  virtual std::unique_ptr<Buffer> part(const Buffer& /*buffer*/, std::size_t /*offset*/, std::size_t /*bytes*/) {
    return nullptr;
  }
  virtual NativeDevice native() const { return {}; }
  virtual std::unique_ptr<Queue> make_queue() = 0;
  virtual std::unique_ptr<Event> new_event() { return std::make_unique<Event>(); }
  /// The event after all that was given to a caller's stream or command queue so far, and an event of a caller's:
  /// Error(invalid_argument) for those of another context.
  virtual std::unique_ptr<Event> record(void* stream);
  virtual std::unique_ptr<Event> wrap_event(void* handle);
  /// Machine code for this device from assembled text (gpu/program.hpp); Error(device) with the compiler's first
  /// message, which names a .cl file and line.
  virtual std::vector<std::byte> compile(const std::string& text) = 0;
  /// The same machine code, ready to run; Error(device) where it is none of this device's.
  virtual std::unique_ptr<Program> load(std::span<const std::byte> code) = 0;

  /// Whether what is known of this device may be kept in the cache folder, and be read from there: gpu/disk_cache.hpp.
  bool uses_cache() const { return uses_cache_; }
  void use_cache(bool on) { uses_cache_ = on; }
  /// What was compiled for it since it was opened.
  KernelCodes& codes() { return codes_; }

 private:
  bool uses_cache_ = true;
  KernelCodes codes_;
};

}  // namespace vergence::gpu
