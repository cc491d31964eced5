// SPDX-License-Identifier: Apache-2.0
// gpu::Device on CUDA: which devices there are, memory, and programs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "gpu/cuda/context.hpp"
#include "gpu/cuda/driver.hpp"
#include "gpu/cuda/event.hpp"
#include "gpu/cuda/nvrtc.hpp"
#include "gpu/cuda/queue.hpp"
#include "gpu/devices.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::cuda {
namespace {

/// Why there is no device at all; empty, with their number, where there are some.
std::string devices_missing(int& count) {
  count = 0;
  if (!calls().missing.empty()) return calls().missing;
  Result code = calls().Init(0);
  if (code != success) return fmt::format("NVIDIA's driver cannot start: {}", error_name(code));
  code = calls().DeviceGetCount(&count);
  if (code != success) return fmt::format("NVIDIA's driver cannot count its devices: {}", error_name(code));
  return count > 0 ? std::string() : "NVIDIA's driver knows no device";
}

/// Asks a device; keeps the first error that it answers with.
class Questions {
 public:
  explicit Questions(DeviceOrdinal device) : device_(device) {}
  Result code() const { return code_; }
  int attribute(int what) {
    int value = 0;
    note(calls().DeviceGetAttribute(&value, what, device_));
    return value;
  }
  /// "0000:17:00.0"; empty, which is no error, where the driver does not say.
  std::string pci_address() const {
    int domain = 0, bus = 0, device = 0;
    const auto ask = [this](int what, int& value) {
      return calls().DeviceGetAttribute(&value, what, device_) == success;
    };
    if (!ask(pci_domain_id, domain) || !ask(pci_bus_id, bus) || !ask(pci_device_id, device)) return {};
    return fmt::format("{:04x}:{:02x}:{:02x}.0", domain, bus, device);
  }
  std::string name() {
    std::array<char, 256> name{};
    note(calls().DeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device_));
    return name.data();
  }
  std::size_t memory() {
    std::size_t bytes = 0;
    note(calls().DeviceTotalMem(&bytes, device_));
    return bytes;
  }

 private:
  void note(Result code) {
    if (code_ == success) code_ = code;
  }
  DeviceOrdinal device_;
  Result code_ = success;
};

Properties properties_of(Questions& ask) {
  Properties p;
  p.device = ask.name();
  p.pci_address = ask.pci_address();
  p.global_memory = ask.memory();
  p.api = "CUDA " + version_text(driver_version());
  p.driver = version_text(driver_version());
  if (nvrtc_available(nullptr)) p.driver += ", NVRTC " + version_text(nvrtc_version());
  p.architecture =
      fmt::format("sm_{}{}", ask.attribute(compute_capability_major), ask.attribute(compute_capability_minor));
  p.compute_units = ask.attribute(multiprocessor_count);
  p.clock_mhz = ask.attribute(clock_rate_khz) / 1000;
  p.largest_buffer = p.global_memory;
  p.local_memory = static_cast<std::uint64_t>(ask.attribute(max_shared_memory_per_block));
  p.largest_group = static_cast<std::size_t>(ask.attribute(max_threads_per_block));
  p.is_nvidia = true;
  p.has_warp_minimum = ask.attribute(compute_capability_major) >= 8;
  p.has_packed_minimum = ask.attribute(compute_capability_major) >= 9;
  return p;
}

std::string refusal(Questions& ask, const Properties& properties) {
  const int mode = ask.attribute(compute_mode);
  if (ask.code() != success) return "its driver does not answer a question about it: " + error_name(ask.code());
  if (mode == compute_mode_prohibited) return "its compute mode is 'prohibited': nvidia-smi -c 0 allows it";
  std::string reason;
  nvrtc_supports(properties.architecture, &reason);
  return reason;
}

Found found_at(int index) {
  Found found{fmt::format("cuda:{}", index), {}, false, {}};
  DeviceOrdinal device = 0;
  if (const Result code = calls().DeviceGet(&device, index); code != success) {
    found.reason = fmt::format("NVIDIA's driver does not give it: {}", error_name(code));
    return found;
  }
  Questions ask(device);
  found.properties = properties_of(ask);
  found.reason = refusal(ask, found.properties);
  found.available = found.reason.empty();
  return found;
}

template <class T>
T number_at(std::span<const std::byte> code, std::size_t offset) {
  T value{};
  if (offset <= code.size() && sizeof(T) <= code.size() - offset) std::memcpy(&value, code.data() + offset, sizeof(T));
  return value;
}

/// Whether this is an ELF file for CUDA that ends where its headers say or later: the driver is told no length, and
/// would read past the end of a truncated one. Offsets as in the ELF-64 specification.
bool whole_cubin(std::span<const std::byte> code) {
  constexpr std::size_t header_size = 64, section_size = 64;
  constexpr std::uint16_t machine_cuda = 190;
  constexpr std::uint32_t section_nobits = 8;
  if (code.size() < header_size || std::memcmp(code.data(), "\x7f\x45LF\x02", 5) != 0) return false;
  if (number_at<std::uint16_t>(code, 18) != machine_cuda) return false;
  const std::uint64_t size = code.size();
  const auto inside = [size](std::uint64_t offset, std::uint64_t bytes) {
    return offset <= size && bytes <= size - offset;
  };
  const auto programs = number_at<std::uint64_t>(code, 32), sections = number_at<std::uint64_t>(code, 40);
  const auto program_size = number_at<std::uint16_t>(code, 54), programs_count = number_at<std::uint16_t>(code, 56);
  const auto sections_count = number_at<std::uint16_t>(code, 60);
  if (number_at<std::uint16_t>(code, 58) != section_size || !inside(sections, section_size * sections_count) ||
      !inside(programs, std::uint64_t{program_size} * programs_count))
    return false;
  for (std::size_t i = 0; i < sections_count; ++i) {
    const std::size_t at = static_cast<std::size_t>(sections) + i * section_size;
    if (number_at<std::uint32_t>(code, at + 4) != section_nobits &&
        !inside(number_at<std::uint64_t>(code, at + 24), number_at<std::uint64_t>(code, at + 32)))
      return false;
  }
  return true;
}

/// Bytes from `pointer` to the end of the allocation that it points into; Error(invalid_argument) where that is none of
/// this device's. The device's context is current.
std::size_t wrapped_bytes(DevicePointer pointer, DeviceOrdinal device, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::invalid_argument, fmt::format("memory {:#x} cannot be used on {}: {}", pointer, name, why));
  };
  if (pointer == 0) refuse("it is a null pointer, give a device pointer");
  unsigned type = 0;
  int ordinal = -1;
  DevicePointer start = 0;
  std::size_t bytes = 0;
  std::array<int, 4> questions{pointer_memory_type, pointer_device_ordinal, pointer_range_start, pointer_range_size};
  std::array<void*, 4> answers{&type, &ordinal, &start,
                               &bytes};  // one call, and zeros for what the driver does not know
  const Result code = calls().PointerGetAttributes(questions.size(), questions.data(), answers.data(), pointer);
  if (code != success) refuse(fmt::format("the driver says nothing of it: {}", error_name(code)));
  if (type == 0) refuse("the driver does not know it as its own");
  if (type != static_cast<unsigned>(MemoryType::device))
    refuse("it is no device memory; pictures in host memory are given as ImageViews");
  if (ordinal != device) refuse(fmt::format("it is memory of device {}", ordinal));
  if (start == 0 || bytes == 0) refuse("the driver does not say where it ends");
  return static_cast<std::size_t>(start + bytes - pointer);
}

class CudaProgram final : public Program {
 public:
  CudaProgram(std::shared_ptr<ModuleHandle> module, std::shared_ptr<Context> context)
      : module_(std::move(module)), context_(std::move(context)) {}

  std::unique_ptr<Kernel> kernel(const std::string& name) override {
    const Current here(*context_);
    FunctionObject function = nullptr;
    const Result code = calls().ModuleGetFunction(&function, module_->get(), name.c_str());
    if (code != success) fail(code, fmt::format("finding kernel {} on {}", name, context_->name()));
    return std::make_unique<CudaKernel>(module_, function, name);
  }

 private:
  std::shared_ptr<ModuleHandle> module_;
  std::shared_ptr<Context> context_;
};

class CudaDevice final : public Device {
 public:
  CudaDevice(DeviceOrdinal device, Properties properties)
      : properties_(std::move(properties)),
        ordinal_(device),
        context_(std::make_shared<Context>(device, properties_.device)),
        events_(std::make_shared<EventPool>(context_)) {}

  const Properties& properties() const override { return properties_; }
  Dialect dialect() const override { return Dialect::cuda; }

  bool enter() noexcept override { return calls().CtxPushCurrent(context_->get()) == success; }
  void leave() noexcept override {
    ContextObject popped = nullptr;
    calls().CtxPopCurrent(&popped);
  }

  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    const Current here(*context_);
    DevicePointer pointer = 0;
    const Result code = calls().MemAlloc(&pointer, (bytes + 16) / 16 * 16);
    if (code == out_of_memory) {
      std::size_t free = 0, total = 0;
      calls().MemGetInfo(&free, &total);
      throw Error(ErrorCode::out_of_memory, fmt::format("allocating {} bytes on {} failed: {}; {} of {} bytes are free",
                                                        bytes, context_->name(), error_name(code), free, total));
    }
    if (code != success) fail(code, fmt::format("allocating {} bytes on {}", bytes, context_->name()));
    return std::make_unique<CudaBuffer>(MemoryHandle(context_, pointer), bytes);
  }

  std::unique_ptr<Buffer> wrap(void* handle) override {
    const auto pointer = static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(handle));  // NOLINT
    const Current here(*context_);
    return std::make_unique<CudaBuffer>(pointer, wrapped_bytes(pointer, ordinal_, context_->name()));
  }
  std::unique_ptr<Buffer> part(const Buffer& buffer, std::size_t offset, std::size_t bytes) override {
    const auto& whole = static_cast<const CudaBuffer&>(buffer);
    const bool fits = offset <= whole.capacity() && readable(bytes) <= whole.capacity() - offset;
    if (!fits || (whole.get() + offset) % 16 != 0) return nullptr;
    return std::make_unique<CudaBuffer>(whole.get() + offset, bytes);
  }
  NativeDevice native() const override { return {context_->get(), nullptr, ordinal_}; }

  std::unique_ptr<Queue> make_queue() override { return cuda::make_queue(context_); }
  std::unique_ptr<Event> new_event() override {
    const Current here(*context_);
    return std::make_unique<CudaEvent>(events_);
  }
  std::unique_ptr<Event> record(void* stream) override {
    const Current here(*context_);
    auto event = std::make_unique<CudaEvent>(events_);
    event->record(static_cast<StreamObject>(stream));
    return event;
  }
  std::unique_ptr<Event> wrap_event(void* handle) override {
    if (handle == nullptr)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("a null pointer is no event for {}: give a CUevent", context_->name()));
    return std::make_unique<CudaEvent>(events_, static_cast<EventObject>(handle));
  }

  std::shared_ptr<void> pin(void* memory, std::size_t bytes) override {
    const Current here(*context_);
    const Result code = calls().MemHostRegister(memory, bytes, 0);
    if (code != success) fail(code, fmt::format("pinning {} bytes of host memory for {}", bytes, context_->name()));
    return {memory, [context = context_](void* pinned) {
              const Current current(*context, std::nothrow);
              calls().MemHostUnregister(pinned);
            }};
  }

  std::vector<std::byte> compile(const std::string& text) override {
    return nvrtc_compile(text, properties_.architecture);
  }

  std::unique_ptr<Program> load(std::span<const std::byte> code) override {
    if (!whole_cubin(code))
      throw Error(ErrorCode::device,
                  fmt::format("loading a program on {} failed: {} bytes that are not a complete cubin",
                              context_->name(), code.size()));
    const std::vector<std::byte> image(code.begin(), code.end());  // aligned as the driver wants it
    const Current here(*context_);
    ModuleObject object = nullptr;
    const Result result = calls().ModuleLoadData(&object, image.data());
    ModuleHandle owner(context_, object);
    if (result != success)
      fail(result, fmt::format("loading a program on {} ({})", context_->name(), properties_.architecture));
    return std::make_unique<CudaProgram>(std::make_shared<ModuleHandle>(std::move(owner)), context_);
  }

 private:
  Properties properties_;
  DeviceOrdinal ordinal_;
  std::shared_ptr<Context> context_;
  std::shared_ptr<EventPool> events_;
};

}  // namespace

std::vector<Found> find() {
  int count = 0;
  const std::string missing = devices_missing(count);
  if (!missing.empty()) return {{"cuda", {}, false, missing}};
  std::vector<Found> found;
  found.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) found.push_back(found_at(i));
  return found;
}

std::shared_ptr<Device> open(int index) {
  int count = 0;
  const std::string missing = devices_missing(count);
  if (!missing.empty() || index < 0 || index >= count)
    throw Error(ErrorCode::device,
                fmt::format("there is no device cuda:{}: {}", index,
                            missing.empty() ? fmt::format("cuda:0 to cuda:{} exist", count - 1) : missing));
  const Found found = found_at(index);
  if (!found.available)
    throw Error(ErrorCode::device,
                fmt::format("cuda:{} ({}) cannot be used: {}", index, found.properties.device, found.reason));
  DeviceOrdinal device = 0;
  if (const Result code = calls().DeviceGet(&device, index); code != success)
    fail(code, fmt::format("opening cuda:{}", index));
  return std::make_shared<CudaDevice>(device, found.properties);
}

}  // namespace vergence::gpu::cuda
