// SPDX-License-Identifier: Apache-2.0
// gpu::Device on OpenCL.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gpu/devices.hpp"
#include "gpu/opencl/driver.hpp"
#include "gpu/opencl/queue.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::opencl {
namespace {

std::string text_of(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (calls().GetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (calls().GetDeviceInfo(device, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(std::min(text.size(), text.find('\0')));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

template <class T>
T number_of(cl_device_id device, cl_device_info what) {
  T value{};
  calls().GetDeviceInfo(device, what, sizeof(value), &value, nullptr);
  return value;
}

/// What "OpenCL 3.0 CUDA" says of the version.
std::string short_version(const std::string& version) {
  const std::size_t second = version.find(' ', version.find(' ') + 1);
  return version.substr(0, second);
}

Properties properties_of(cl_device_id device) {
  Properties p;
  p.device = text_of(device, CL_DEVICE_NAME);
  p.api = short_version(text_of(device, CL_DEVICE_VERSION));
  p.driver = text_of(device, CL_DRIVER_VERSION);
  p.compute_units = static_cast<int>(number_of<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS));
  p.clock_mhz = static_cast<int>(number_of<cl_uint>(device, CL_DEVICE_MAX_CLOCK_FREQUENCY));
  p.global_memory = number_of<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  p.largest_buffer = number_of<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  p.local_memory = number_of<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  p.largest_group = number_of<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  p.is_cpu = (number_of<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  p.is_nvidia = text_of(device, CL_DEVICE_VENDOR).find("NVIDIA") != std::string::npos;
  return p;
}

/// All devices of all platforms, GPUs first, then by name: the order of platforms varies from run to run.
std::vector<cl_device_id> all_devices() {
  std::vector<cl_device_id> all;
  if (!calls().missing.empty()) return all;
  cl_uint count = 0;
  if (calls().GetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return all;
  std::vector<cl_platform_id> platforms(count);
  if (calls().GetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return all;
  for (const cl_platform_id platform : platforms) {
    cl_uint devices = 0;
    if (calls().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) != CL_SUCCESS) continue;
    const std::size_t first = all.size();
    all.resize(first + devices);
    if (calls().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices, all.data() + first, nullptr) != CL_SUCCESS)
      all.resize(first);
  }
  std::vector<std::pair<std::pair<bool, std::string>, cl_device_id>> keyed;
  for (const cl_device_id device : all) {
    const bool gpu = (number_of<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
    keyed.push_back({{!gpu, text_of(device, CL_DEVICE_NAME)}, device});
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = keyed[i].second;
  return all;
}

std::string refusal(cl_device_id device) {
  if (number_of<cl_bool>(device, CL_DEVICE_AVAILABLE) == CL_FALSE) return "the driver says it is not available";
  if (number_of<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE) return "its driver has no compiler";
  if (number_of<cl_bool>(device, CL_DEVICE_ENDIAN_LITTLE) == CL_FALSE) return "it is big-endian";
  return {};
}

class OpenClBuffer final : public Buffer {
 public:
  OpenClBuffer(MemoryHandle memory, std::size_t bytes) : memory_(std::move(memory)), bytes_(bytes) {}
  std::size_t bytes() const override { return bytes_; }
  cl_mem get() const { return memory_.get(); }

 private:
  MemoryHandle memory_;
  std::size_t bytes_;
};

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
  explicit OpenClDevice(cl_device_id device) : device_(device), properties_(properties_of(device)) {
    cl_int code = CL_SUCCESS;
    context_ = std::make_shared<ContextHandle>(calls().CreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    check(code, "opening " + properties_.device);
  }

  const Properties& properties() const override { return properties_; }
  Dialect dialect() const override { return Dialect::opencl; }

  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    if (bytes > properties_.largest_buffer)
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("{} gives at most {} MiB in one piece, {} MiB are needed", properties_.device,
                              properties_.largest_buffer >> 20, bytes >> 20));
    cl_int code = CL_SUCCESS;
    MemoryHandle memory(
        calls().CreateBuffer(context_->get(), CL_MEM_READ_WRITE, (bytes + 16) / 16 * 16, nullptr, &code));
    check(code, fmt::format("allocating {} bytes on {}", bytes, properties_.device));
    return std::make_unique<OpenClBuffer>(std::move(memory), bytes);
  }

  std::unique_ptr<Queue> make_queue() override { return opencl::make_queue(context_, device_, properties_.device); }

  std::vector<std::byte> compile(const std::string& text) override {
    const char* source = text.c_str();
    const std::size_t length = text.size();
    cl_int code = CL_SUCCESS;
    const ProgramHandle program(calls().CreateProgramWithSource(context_->get(), 1, &source, &length, &code));
    check(code, "giving a kernel's text to " + properties_.device);
    if (calls().BuildProgram(program.get(), 1, &device_, "-cl-std=CL1.2", nullptr, nullptr) != CL_SUCCESS)
      throw Error(ErrorCode::device,
                  fmt::format("{} cannot compile a kernel: {}", properties_.device, message(program)));
    std::size_t size = 0;
    check(calls().GetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr),
          "asking for a program's size");
    std::vector<std::byte> binary(size);
    unsigned char* data = reinterpret_cast<unsigned char*>(binary.data());  // NOLINT: as the API wants
    check(calls().GetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof(unsigned char*), static_cast<void*>(&data),
                                 nullptr),
          "asking for a program");
    return binary;
  }

  std::unique_ptr<Program> load(std::span<const std::byte> machine_code) override {
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
  /// The compiler's first error, or all it said.
  std::string message(const ProgramHandle& program) const {
    std::size_t size = 0;
    calls().GetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    calls().GetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    log.resize(std::min(log.size(), log.find('\0')));
    const std::size_t error = log.find("error:");
    if (error == std::string::npos) return log.substr(0, 400);
    const std::size_t begin = log.rfind('\n', error);
    return log.substr(begin == std::string::npos ? 0 : begin + 1, log.find('\n', error) - begin - 1);
  }

  cl_device_id device_;
  Properties properties_;
  std::shared_ptr<ContextHandle> context_;
};

}  // namespace

cl_mem memory_of(const Buffer& buffer) { return static_cast<const OpenClBuffer&>(buffer).get(); }
cl_kernel kernel_of(const Kernel& kernel) { return static_cast<const OpenClKernel&>(kernel).get(); }

std::vector<Found> find() {
  std::vector<Found> found;
  if (!calls().missing.empty()) return {{"opencl", {}, false, calls().missing}};
  for (const cl_device_id device : all_devices()) {
    const std::string reason = refusal(device);
    found.push_back({fmt::format("opencl:{}", found.size()), properties_of(device), reason.empty(), reason});
  }
  if (found.empty())
    found.push_back({"opencl",
                     {},
                     false,
                     "the OpenCL loader knows no device: install a driver, which names itself in /etc/OpenCL/vendors "
                     "(for processors: pocl-opencl-icd)"});
  return found;
}

std::shared_ptr<Device> open(int index) {
  const std::vector<cl_device_id> all = all_devices();
  if (index < 0 || index >= static_cast<int>(all.size()))
    throw Error(
        ErrorCode::device,
        fmt::format("there is no device opencl:{}: {}", index,
                    all.empty() ? find().front().reason : fmt::format("opencl:0 to opencl:{} exist", all.size() - 1)));
  const cl_device_id device = all[static_cast<std::size_t>(index)];
  const std::string reason = refusal(device);
  if (!reason.empty())
    throw Error(ErrorCode::device,
                fmt::format("opencl:{} ({}) cannot be used: {}", index, text_of(device, CL_DEVICE_NAME), reason));
  return std::make_shared<OpenClDevice>(device);
}

}  // namespace vergence::gpu::opencl
