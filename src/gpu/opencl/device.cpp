// SPDX-License-Identifier: Apache-2.0
// gpu::Device on OpenCL.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

#include "gpu/devices.hpp"
#include "gpu/opencl/driver.hpp"
#include "gpu/opencl/event.hpp"
#include "gpu/opencl/memory.hpp"
#include "gpu/opencl/pinned.hpp"
#include "gpu/opencl/pocl.hpp"
#include "gpu/opencl/ptx.hpp"
#include "gpu/opencl/queue.hpp"
#include "gpu/program.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::opencl {
namespace {

/// Asks a device; keeps the first error that it answers with.
class Questions {
 public:
  explicit Questions(cl_device_id device) : device_(device) {}
  cl_int code() const { return code_; }

  std::string text(cl_device_info what) {
    std::size_t size = 0;
    note(calls().GetDeviceInfo(device_, what, 0, nullptr, &size));
    if (size == 0) return {};
    std::string text(size, '\0');
    note(calls().GetDeviceInfo(device_, what, size, text.data(), nullptr));
    text.resize(std::min(text.size(), text.find('\0')));
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }
  template <class T>
  T number(cl_device_info what) {
    T value{};
    note(calls().GetDeviceInfo(device_, what, sizeof(value), &value, nullptr));
    return value;
  }
  /// 0 where the question is not known.
  template <class T>
  T optional_number(cl_device_info what) {
    T value{};
    return calls().GetDeviceInfo(device_, what, sizeof(value), &value, nullptr) == CL_SUCCESS ? value : T{};
  }

  /// "0000:17:00.0"; empty, which is no error, where the driver does not say. By the extension cl_khr_pci_bus_info,
  /// else by NVIDIA's cl_nv_device_attribute_query.
  std::string pci_address() const {
    constexpr cl_device_info bus_info_khr = 0x410F, bus_nv = 0x4008, slot_nv = 0x4009, domain_nv = 0x400A;
    const auto ask = [this](cl_device_info what, auto& value) {
      return calls().GetDeviceInfo(device_, what, sizeof(value), &value, nullptr) == CL_SUCCESS;
    };
    std::array<cl_uint, 4> place{};  // domain, bus, device, function
    if (!ask(bus_info_khr, place)) {
      cl_uint slot = 0;
      if (!ask(bus_nv, place[1]) || !ask(slot_nv, slot)) return {};
      ask(domain_nv, place[0]);  // older drivers know one domain alone
      place[2] = slot >> 3;
      place[3] = slot & 7;
    }
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", place[0], place[1], place[2], place[3]);
  }

 private:
  void note(cl_int code) {
    if (code_ == CL_SUCCESS) code_ = code;
  }
  cl_device_id device_;
  cl_int code_ = CL_SUCCESS;
};

/// What "OpenCL 3.0 CUDA" says of the version.
std::string short_version(const std::string& version) {
  const std::size_t second = version.find(' ', version.find(' ') + 1);
  return version.substr(0, second);
}

/// NVIDIA's driver counts these bytes to what a kernel asks for, and launches none that asks for all that it states.
constexpr std::uint64_t nvidia_own_local_bytes = 4;

/// A device with what it says of itself, and why it cannot be used.
struct Candidate {
  cl_device_id device;
  Properties properties;
  bool is_gpu = false;
  std::string refusal;
};

Candidate ask(cl_device_id device) {
  Questions ask(device);
  Candidate one{device, {}, false, {}};
  Properties& p = one.properties;
  p.device = ask.text(CL_DEVICE_NAME);
  const std::string version = ask.text(CL_DEVICE_VERSION);
  p.api = short_version(version);
  p.is_pocl = is_pocl(version);
  p.driver = ask.text(CL_DRIVER_VERSION);
  p.pci_address = ask.pci_address();
  p.compute_units = static_cast<int>(ask.number<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS));
  p.clock_mhz = static_cast<int>(ask.number<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY));
  p.global_memory = ask.number<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  p.largest_buffer = ask.number<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  p.local_memory = ask.number<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  p.largest_group = ask.number<std::size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const auto type = ask.number<cl_device_type>(CL_DEVICE_TYPE);
  p.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  one.is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
  p.has_doubles = ask.number<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  p.is_nvidia = ask.text(CL_DEVICE_VENDOR).find("NVIDIA") != std::string::npos;
  if (p.is_nvidia) p.local_memory -= std::min(p.local_memory, nvidia_own_local_bytes);
  // cl_nv_device_attribute_query; who does not know it answers 0, as everybody before compute capability 8 would say
  // no.
  const cl_uint capability = p.is_nvidia ? ask.optional_number<cl_uint>(0x4000 /* compute capability, major */) : 0;
  p.has_warp_minimum = capability >= 8;
  p.has_packed_minimum = capability >= 9;
  const bool available = ask.number<cl_bool>(CL_DEVICE_AVAILABLE) == CL_TRUE;
  const bool has_compiler = ask.number<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE) == CL_TRUE;
  const bool little_endian = ask.number<cl_bool>(CL_DEVICE_ENDIAN_LITTLE) == CL_TRUE;
  if (ask.code() != CL_SUCCESS)
    one.refusal = "its driver does not answer a question about it: " + error_name(ask.code());
  else if (!available)
    one.refusal = "the driver says it is not available";
  else if (!has_compiler)
    one.refusal = "its driver has no compiler";
  else if (!little_endian)
    one.refusal = "it is big-endian";
  else if (p.largest_group < least_group)
    one.refusal =
        fmt::format("its work-groups hold at most {} work-items, {} are needed", p.largest_group, least_group);
  else if (p.local_memory < least_local_memory)
    one.refusal =
        fmt::format("its work-groups have {} bytes of local memory, {} are needed", p.local_memory, least_local_memory);
  else if (p.is_cpu && p.is_pocl)
    one.refusal = pocl_refusal();
  return one;
}

/// The devices of one platform; where there is an error, none, and the reason in `problem`.
std::vector<cl_device_id> devices_of(cl_platform_id platform, std::string& problem) {
  std::array<char, 64> name{};
  calls().GetPlatformInfo(platform, CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
  if (std::string fatal = std::string_view(name.data()) == "Portable Computing Language" ? fatal_environment() : "";
      !fatal.empty()) {
    if (problem.empty()) problem = std::move(fatal);
    return {};
  }
  cl_uint count = 0;
  cl_int code = calls().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  std::vector<cl_device_id> devices(code == CL_SUCCESS ? count : 0);
  if (!devices.empty()) code = calls().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
  if (code == CL_SUCCESS) return devices;
  if (code != CL_DEVICE_NOT_FOUND && problem.empty())
    problem = "an OpenCL driver cannot list its devices: " + error_name(code);
  return {};
}

/// All devices of all platforms, GPUs first, then by name: the order of platforms varies from run to run. What kept
/// any from being listed goes to `problem`.
std::vector<Candidate> candidates(std::string& problem) {
  problem = small_address_space();
  if (problem.empty()) problem = calls().missing;
  if (!problem.empty()) return {};
  constexpr cl_int no_platform = -1001;  // of the extension cl_khr_icd
  cl_uint count = 0;
  cl_int code = calls().GetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(code == CL_SUCCESS ? count : 0);
  if (!platforms.empty()) code = calls().GetPlatformIDs(count, platforms.data(), nullptr);
  if (code != CL_SUCCESS && code != no_platform) {
    problem = "the OpenCL loader cannot list its drivers: " + error_name(code);
    return {};
  }
  std::vector<Candidate> all;
  for (const cl_platform_id platform : platforms)
    for (const cl_device_id device : devices_of(platform, problem)) all.push_back(ask(device));
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(!a.is_gpu, a.properties.device) < std::pair(!b.is_gpu, b.properties.device);
  });
  if (all.empty() && problem.empty()) {
    problem =
        "the OpenCL loader knows no device: install a driver, which names itself in /etc/OpenCL/vendors (for "
        "processors: pocl-opencl-icd)";
    if (const std::string hidden = hidden_drivers(); !hidden.empty())
      problem = "the OpenCL loader knows no device: " + hidden;
    else if (const std::string folder = unusable_cache_folder(); !folder.empty())
      problem = fmt::format(
          "the OpenCL loader knows no device: PoCL, the driver for processors, gives none where its cache folder {} "
          "cannot be written: set POCL_CACHE_DIR, XDG_CACHE_HOME or HOME to one that can; or no driver is installed",
          folder);
  }
  return all;
}

class OpenClKernel final : public Kernel {
 public:
  explicit OpenClKernel(KernelHandle kernel) : kernel_(std::move(kernel)) {}
  cl_kernel get() const { return kernel_.get(); }

 private:
  KernelHandle kernel_;
};

class OpenClProgram final : public Program {
 public:
  explicit OpenClProgram(ProgramHandle program) : program_(std::move(program)) {}
  std::unique_ptr<Kernel> kernel(const std::string& name) override {
    cl_int code = CL_SUCCESS;
    KernelHandle kernel(calls().CreateKernel(program_.get(), name.c_str(), &code));
    check(code, "finding kernel " + name);
    return std::make_unique<OpenClKernel>(std::move(kernel));
  }

 private:
  ProgramHandle program_;
};

class OpenClDevice final : public Device {
 public:
  OpenClDevice(cl_device_id device, Properties properties) : device_(device), properties_(std::move(properties)) {
    cl_int code = CL_SUCCESS;
    context_ = std::make_shared<ContextHandle>(calls().CreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    check(code, "opening " + properties_.device);
    alignment_ = std::max<std::size_t>(Questions(device_).number<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8, 16);
  }

  const Properties& properties() const override { return properties_; }
  Dialect dialect() const override { return Dialect::opencl; }

  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    if (bytes > properties_.largest_buffer)
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("{} gives at most {} MiB in one piece, {} MiB are needed", properties_.device,
                              properties_.largest_buffer >> 20, bytes >> 20));
    // Drivers take the memory when it is first used, and fail then, if they do, somewhere.
    auto share = std::make_unique<Share>(taken_, bytes, properties_);
    cl_int code = CL_SUCCESS;
    MemoryHandle memory(
        calls().CreateBuffer(context_->get(), CL_MEM_READ_WRITE, (bytes + 16) / 16 * 16, nullptr, &code));
    check(code, fmt::format("allocating {} bytes on {}", bytes, properties_.device));
    return std::make_unique<OpenClBuffer>(std::move(memory), bytes, std::move(share));
  }
  std::unique_ptr<Buffer> allocate_on_host(void* memory, std::size_t bytes) override {
    auto share = std::make_unique<Share>(taken_, bytes, properties_);
    const cl_mem_flags where = memory == nullptr ? CL_MEM_ALLOC_HOST_PTR : CL_MEM_USE_HOST_PTR;
    cl_int code = CL_SUCCESS;
    MemoryHandle made(calls().CreateBuffer(context_->get(), CL_MEM_READ_WRITE | where, readable(bytes), memory, &code));
    check(code, fmt::format("making a buffer of {} bytes of the host on {}", bytes, properties_.device));
    return std::make_unique<OpenClBuffer>(std::move(made), bytes, std::move(share));
  }
  std::unique_ptr<Buffer> wrap(void* handle) override {
    return wrap_memory(handle, context_->get(), properties_.device);
  }
  std::unique_ptr<Buffer> part(const Buffer& buffer, std::size_t offset, std::size_t bytes) override {
    return part_of_memory(static_cast<const OpenClBuffer&>(buffer), offset, bytes, alignment_, properties_.device);
  }
  NativeDevice native() const override { return {context_->get(), device_, -1}; }

  std::unique_ptr<Event> new_event() override { return std::make_unique<OpenClEvent>(context_, properties_.device); }
  std::unique_ptr<Event> record(void* stream) override {
    auto event = std::make_unique<OpenClEvent>(context_, properties_.device);
    event->record(static_cast<cl_command_queue>(stream));
    return event;
  }
  std::unique_ptr<Event> wrap_event(void* handle) override {
    auto event = std::make_unique<OpenClEvent>(context_, properties_.device);
    event->wrap(static_cast<cl_event>(handle));
    return event;
  }
  std::unique_ptr<Queue> make_queue() override {
    return opencl::make_queue(context_, device_, properties_.device, properties_.is_cpu, pinned_);
  }
  std::shared_ptr<std::byte> pinned_memory(std::size_t bytes) override {
    return opencl::pinned_memory(context_, device_, properties_.device, pinned_, bytes);
  }

  std::vector<std::byte> compile(const std::string& text) override {
    const std::shared_ptr<void> alone = properties_.is_pocl ? pocl_lock(text) : nullptr;
    const ProgramHandle program = build(text);
    if (properties_.is_pocl && !pocl_gives_binaries()) return as_code(text);
    std::size_t size = 0;
    check(calls().GetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr),
          "asking for a program's size");
    std::vector<std::byte> binary(size);
    unsigned char* data = reinterpret_cast<unsigned char*>(binary.data());  // NOLINT: as the API wants
    check(calls().GetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof(unsigned char*), static_cast<void*>(&data),
                                 nullptr),
          "asking for a program");
    return properties_.is_nvidia ? limit_registers(std::move(binary), registers_of(text)) : binary;
  }

  std::unique_ptr<Program> load(std::span<const std::byte> machine_code) override {
    if (const std::string text = text_of(machine_code); !text.empty()) {
      const std::shared_ptr<void> alone = pocl_lock(text);
      return std::make_unique<OpenClProgram>(build(text));
    }
    const auto* const data = reinterpret_cast<const unsigned char*>(machine_code.data());  // NOLINT: as the API wants
    const std::size_t size = machine_code.size();
    cl_int status = CL_SUCCESS, code = CL_SUCCESS;
    ProgramHandle program(calls().CreateProgramWithBinary(context_->get(), 1, &device_, &size,
                                                          const_cast<const unsigned char**>(&data), &status, &code));
    check(code, "loading a program on " + properties_.device);
    check(calls().BuildProgram(program.get(), 1, &device_, "-cl-std=CL1.2", nullptr, nullptr),
          "finishing a loaded program on " + properties_.device);
    return std::make_unique<OpenClProgram>(std::move(program));
  }

 private:
  /// The program of a text; Error(device) with the compiler's first error.
  ProgramHandle build(const std::string& text) {
    const char* source = text.c_str();
    const std::size_t length = text.size();
    cl_int code = CL_SUCCESS;
    ProgramHandle program(calls().CreateProgramWithSource(context_->get(), 1, &source, &length, &code));
    check(code, "giving a kernel's text to " + properties_.device);
    // Without -w PoCL counts its compiler's warnings on standard error.
    code = calls().BuildProgram(program.get(), 1, &device_, "-cl-std=CL1.2 -w", nullptr, nullptr);
    if (code == CL_BUILD_PROGRAM_FAILURE)
      throw Error(ErrorCode::device, fmt::format("{} cannot compile a kernel: {}{}", properties_.device,
                                                 with_places(text, message(program)), cure_of_compiling()));
    check(code, "compiling a kernel for " + properties_.device);
    return program;
  }
  /// What keeps PoCL from compiling any kernel; else "".
  std::string cure_of_compiling() const {
    const std::string folder = properties_.is_pocl ? unusable_cache_folder() : "";
    if (folder.empty()) return "";
    return fmt::format("; its cache folder {} cannot be written: set POCL_CACHE_DIR to one that can", folder);
  }
  /// The compiler's first error, or all it said.
  std::string message(const ProgramHandle& program) const {
    std::size_t size = 0;
    calls().GetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    calls().GetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    log.resize(std::min(log.size(), log.find('\0')));
    const std::size_t error = log.find("error:");
    if (error == std::string::npos) {
      std::replace(log.begin(), log.end(), '\n', ' ');
      return log.substr(0, 400);
    }
    const std::size_t begin = log.rfind('\n', error);
    return log.substr(begin == std::string::npos ? 0 : begin + 1, log.find('\n', error) - begin - 1);
  }

  cl_device_id device_;
  Properties properties_;
  std::shared_ptr<std::atomic<std::uint64_t>> taken_ = std::make_shared<std::atomic<std::uint64_t>>(0);  ///< Bytes.
  std::size_t alignment_ = 16;  ///< Of a sub-buffer's begin, in bytes.
  std::shared_ptr<ContextHandle> context_;
  std::shared_ptr<PinnedRanges> pinned_ = std::make_shared<PinnedRanges>();
};

}  // namespace

cl_kernel kernel_of(const Kernel& kernel) { return static_cast<const OpenClKernel&>(kernel).get(); }

std::vector<Found> find() {
  std::string problem;
  std::vector<Found> found;
  for (const Candidate& one : candidates(problem))
    found.push_back({fmt::format("opencl:{}", found.size()), one.properties, one.refusal.empty(), one.refusal});
  if (!problem.empty()) found.push_back({"opencl", {}, false, problem});
  return found;
}

std::shared_ptr<Device> open(int index) {
  std::string problem;
  const std::vector<Candidate> all = candidates(problem);
  if (index < 0 || index >= static_cast<int>(all.size())) {
    const std::string there = all.empty() ? "" : fmt::format("opencl:0 to opencl:{} exist", all.size() - 1);
    const char* const between = there.empty() || problem.empty() ? "" : "; ";
    throw Error(ErrorCode::device, fmt::format("there is no device opencl:{}: {}{}{}", index, there, between, problem));
  }
  const Candidate& one = all[static_cast<std::size_t>(index)];
  if (!one.refusal.empty())
    throw Error(ErrorCode::device,
                fmt::format("opencl:{} ({}) cannot be used: {}", index, one.properties.device, one.refusal));
  return std::make_shared<OpenClDevice>(one.device, one.properties);
}

}  // namespace vergence::gpu::opencl
