// SPDX-License-Identifier: Apache-2.0
// Lists and opens the devices of both APIs by name.
#include "gpu/backend_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "gpu/bit_probe.hpp"
#include "gpu/devices.hpp"
#include "gpu/event.hpp"
#include "gpu/imgproc/filters.hpp"
#include "gpu/memory.hpp"
#include "gpu/motion/motion.hpp"
#include "gpu/motion/tuning.hpp"
#include "gpu/rectify/rectifier.hpp"
#include "gpu/stereo/match_tuning.hpp"
#include "gpu/stereo/stereo.hpp"
#include "gpu/track/track.hpp"
#include "gpu/tuning.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {
namespace {

std::string mebibytes(std::uint64_t bytes) {
  return bytes >> 30 >= 10 ? fmt::format("{} GiB", bytes >> 30) : fmt::format("{} MiB", bytes >> 20);
}

std::string describe(const Properties& p) {
  return fmt::format(
      "{}; {}, driver {}; {} compute units{}; memory {} ({} in one piece), local {} KiB; work-groups up to {}",
      p.device, p.api, p.driver, p.compute_units, p.clock_mhz > 0 ? fmt::format(" at {} MHz", p.clock_mhz) : "",
      mebibytes(p.global_memory), mebibytes(p.largest_buffer), (p.local_memory + 1023) >> 10, p.largest_group);
}

/// What the last bit probe of a device that can be opened found wrong.
std::string remembered_failure(const char* kind, const Found& found) {
  if (!found.available) return {};
  const Dialect dialect = kind == std::string_view("cuda") ? Dialect::cuda : Dialect::opencl;
  const std::string verdict = remembered_bit_probe(dialect, found.properties, DiskCache());
  return verdict == "passed" ? "" : verdict;
}

/// `absent` describes an API without a device.
std::vector<DeviceInfo> infos(const char* kind, const char* absent, const std::vector<Found>& found) {
  std::vector<DeviceInfo> all;
  all.reserve(found.size());
  for (const Found& one : found) {
    const Properties& p = one.properties;
    DeviceInfo& info = all.emplace_back();
    info = {one.name, kind, p.device.empty() ? absent : describe(p), one.available, one.reason, std::nullopt};
    if (const std::string failure = remembered_failure(kind, one); !failure.empty()) {
      info.available = false;
      info.reason = failure;
    }
    if (!p.device.empty())
      info.gpu = {p.device,         p.api,          p.driver,        p.compute_units, p.clock_mhz, p.global_memory,
                  p.largest_buffer, p.local_memory, p.largest_group, p.pci_address};
  }
  return all;
}

class BackendDevice final : public backend::Device, public backend::Tuner {
 public:
  BackendDevice(std::string name, std::string kind, std::shared_ptr<gpu::Device> device)
      : name_(std::move(name)),
        kind_(std::move(kind)),
        description_(describe(device->properties())),
        device_(std::move(device)),
        memory_(std::make_shared<MemoryOwner>(name_, device_)) {}
  const std::string& name() const override { return name_; }
  const std::string& kind() const override { return kind_; }
  const std::string& description() const override { return description_; }
  std::string pci_address() const override { return device_->properties().pci_address; }
  bool on_processor() const override { return device_->properties().is_cpu; }
  std::shared_ptr<void> pin(void* memory, std::size_t bytes) override { return device_->pin(memory, bytes); }
  bool enter() noexcept override { return device_->enter(); }
  void leave() noexcept override { device_->leave(); }
  const void* space() const override { return device_->native().context; }
  std::shared_ptr<backend::Memory> allocate(std::size_t bytes) override {
    return std::make_shared<Memory>(memory_, device_->allocate(bytes));
  }
  std::shared_ptr<backend::Memory> wrap(void* handle) override {
    return std::make_shared<Memory>(memory_, device_->wrap(handle));
  }
  NativeDevice native() const override { return device_->native(); }
  std::shared_ptr<backend::Event> record(void* stream) override {
    return std::make_shared<OwnedEvent>(memory_, device_->record(stream));
  }
  std::shared_ptr<backend::Event> wrap_event(void* handle) override {
    return std::make_shared<OwnedEvent>(memory_, device_->wrap_event(handle));
  }
  std::shared_ptr<backend::Event> new_event() override {
    return std::make_shared<OwnedEvent>(memory_, device_->new_event());
  }
  std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan) override {
    return gpu::make_stereo(plan, device_, best_tuning(plan, *device_, requested_));
  }
  std::unique_ptr<backend::Motion> make_motion(const MotionPlan& plan) override {
    try {
      return gpu::make_motion(plan, device_, best_tuning(plan, *device_, requested_));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      throw Error(error.code(),
                  fmt::format("device {} has too little memory for motion between frames of {}x{}: {}; use smaller "
                              "frames, larger blocks or device cpu",
                              name_, plan.size.width, plan.size.height, error.what()));
    }
  }

  std::unique_ptr<backend::Track> make_track(const TrackPlan& plan) override {
    const Properties& properties = device_->properties();
    if (!properties.has_doubles)
      throw Error(
          ErrorCode::unsupported,
          fmt::format("device {} ({}) computes no tracks: point tracking needs double precision ({}); use device cpu",
                      name_, properties.device, kind_ == "opencl" ? "cl_khr_fp64" : "64-bit floating point"));
    try {
      return gpu::make_track(plan, device_, best_track_tuning(*device_, requested_));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      throw Error(error.code(),
                  fmt::format("device {} has too little memory for tracks in frames of {}x{}: {}; use smaller frames "
                              "or device cpu",
                              name_, plan.size.width, plan.size.height, error.what()));
    }
  }

  std::unique_ptr<backend::Filters> make_filters(Size size) override { return gpu::make_filters(size, device_); }
  std::unique_ptr<backend::Rectifier> make_rectifier(std::shared_ptr<const RectifyPlan> plan) override {
    return gpu::make_rectifier(std::move(plan), device_);
  }

  backend::Tuner* tuner() override { return this; }
  std::vector<backend::TuningEntry> entries() const override {
    const Properties& properties = device_->properties();
    std::vector<backend::TuningEntry> all;
    list_entries(match_entries(), properties, all);
    list_entries(motion_entries(), properties, all);
    if (properties.has_doubles) list_entries(track_entries(), properties, all);
    return all;
  }
  std::shared_ptr<backend::Device> configured(const std::string& entry, const backend::Tuning& tuning) const override {
    for (const backend::TuningEntry& one : entries()) {
      if (one.name != entry) continue;
      if (std::find(one.candidates.begin(), one.candidates.end(), tuning) == one.candidates.end()) break;
      auto device = std::make_shared<BackendDevice>(name_, kind_, device_);
      device->requested_ = {entry, tuning};
      return device;
    }
    throw Error(ErrorCode::invalid_argument,
                fmt::format("'{}' is no candidate of {} on device {}", text_of(tuning), entry, name_));
  }
  std::string folder() const override { return tuning_folder(*device_); }
  void keep(const std::string& entry, const backend::Tuning& tuning) override { keep_tuning(*device_, entry, tuning); }

 private:
  std::string name_, kind_, description_;
  std::shared_ptr<gpu::Device> device_;
  std::shared_ptr<MemoryOwner> memory_;
  RequestedTuning requested_;
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// The index of the device that `which` names.
int choose(std::string_view kind, std::string_view which, const std::vector<Found>& found) {
  int number = 0;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), number);
  if (!which.empty() && error == std::errc() && end == which.data() + which.size()) return number;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].available && lower(found[i].properties.device).find(lower(which)) != std::string::npos)
      return static_cast<int>(i);
  const bool any = std::any_of(found.begin(), found.end(), [](const Found& one) { return one.available; });
  if (!any) throw Error(ErrorCode::device, fmt::format("device {} is absent: {}", kind, found.front().reason));
  std::string names;
  for (const Found& one : found)
    if (!one.properties.device.empty())
      names.append(names.empty() ? "" : ", ").append(fmt::format("{} ({})", one.name, one.properties.device));
  throw Error(ErrorCode::not_found, fmt::format("no {} device is called '{}': there are {}", kind, which, names));
}

/// The bit probe, once in the life of the process for devices that cannot be told apart.
void prove_once(Device& device, const std::string& name) {
  static std::mutex mutex;
  static std::set<std::string> proved;
  const DiskCache cache = DiskCache::of(device);
  const std::string key = cache.key(device.properties(), "");
  const std::lock_guard lock(mutex);
  if (proved.contains(key)) return;
  require_bit_probe(device, name, cache);
  proved.insert(key);
}

std::unique_ptr<backend::Device> open_device(const char* kind, std::string_view which, const DeviceOptions& options,
                                             const std::vector<Found>& found,
                                             std::shared_ptr<gpu::Device> (*open)(int)) {
  if (options.threads != 0)
    throw Error(ErrorCode::unsupported,
                fmt::format("threads is {}: device {} has none to choose, leave it at 0", options.threads, kind));
  if (!options.simd.empty())
    throw Error(ErrorCode::unsupported,
                fmt::format("simd is '{}': device {} has no SIMD targets, leave it empty", options.simd, kind));
  const int index = choose(kind, which, found);
  std::shared_ptr<Device> device = open(index);
  device->use_cache(options.kernel_cache);
  const std::string name = fmt::format("{}:{}", kind, index);
  prove_once(*device, name);
  return make_device(name, kind, std::move(device));
}

}  // namespace

std::unique_ptr<backend::Device> make_device(std::string name, std::string kind, std::shared_ptr<Device> device) {
  return std::make_unique<BackendDevice>(std::move(name), std::move(kind), std::move(device));
}

std::string cache_folder_problem() { return DiskCache().problem(); }

std::vector<DeviceInfo> opencl_infos() { return infos("opencl", "devices with OpenCL 1.2", opencl::find()); }
std::vector<DeviceInfo> cuda_infos() { return infos("cuda", "NVIDIA GPUs", cuda::find()); }

std::unique_ptr<backend::Device> open_opencl(std::string_view which, const DeviceOptions& options) {
  return open_device("opencl", which, options, opencl::find(), opencl::open);
}
std::unique_ptr<backend::Device> open_cuda(std::string_view which, const DeviceOptions& options) {
  return open_device("cuda", which, options, cuda::find(), cuda::open);
}

Opened open_by_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  const std::string_view which = colon == std::string_view::npos ? "" : name.substr(colon + 1);
  if (kind != "opencl" && kind != "cuda")
    throw Error(ErrorCode::not_found,
                fmt::format("'{}' names no GPU API: give opencl or cuda, or one device of theirs (opencl:0)", name));
  const bool is_opencl = kind == "opencl";
  const int index = choose(kind, which, is_opencl ? opencl::find() : cuda::find());
  Opened opened{fmt::format("{}:{}", kind, index), is_opencl ? opencl::open(index) : cuda::open(index)};
  prove_once(*opened.device, opened.name);
  return opened;
}

}  // namespace vergence::gpu
