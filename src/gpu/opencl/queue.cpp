// SPDX-License-Identifier: Apache-2.0
// gpu::Queue on OpenCL: copies through pinned memory, launches, and what they took.
#include "gpu/opencl/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "gpu/host_copy.hpp"
#include "gpu/opencl/event.hpp"
#include "gpu/opencl/memory.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::opencl {
namespace {

/// Pinned memory that rows pass through on their way up, so that the caller may change them at once.
class Staging {
 public:
  /// At least so many bytes at data().
  cl_int reserve(cl_context context, cl_command_queue queue, std::size_t bytes) {
    if (bytes <= bytes_) return CL_SUCCESS;
    release(queue);
    cl_int code = CL_SUCCESS;
    memory_ =
        MemoryHandle(calls().CreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code));
    if (code != CL_SUCCESS) return code;
    data_ = calls().EnqueueMapBuffer(queue, memory_.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr,
                                     nullptr, &code);
    if (code == CL_SUCCESS) bytes_ = bytes;
    return code;
  }
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  void release(cl_command_queue queue) {
    if (data_ != nullptr) calls().EnqueueUnmapMemObject(queue, memory_.get(), data_, 0, nullptr, nullptr);
    data_ = nullptr;
    bytes_ = 0;
    memory_ = MemoryHandle();
  }
  EventHandle busy;  ///< The copy that still reads this memory.

 private:
  MemoryHandle memory_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Bytes of a download that pinned memory makes faster: drivers write fewer at once.
constexpr std::size_t least_staged = std::size_t{64} << 10;

/// What the driver says of a kernel that it does not launch: CL_OUT_OF_RESOURCES names none of them.
std::string limits_of(cl_kernel kernel) {
  std::size_t items = 0;
  cl_ulong local = 0, own = 0;
  const auto ask = [kernel](cl_kernel_work_group_info what, auto& value) {
    return calls().GetKernelWorkGroupInfo(kernel, nullptr, what, sizeof(value), &value, nullptr) == CL_SUCCESS;
  };
  if (!ask(CL_KERNEL_WORK_GROUP_SIZE, items) || !ask(CL_KERNEL_LOCAL_MEM_SIZE, local) ||
      !ask(CL_KERNEL_PRIVATE_MEM_SIZE, own))
    return {};
  return fmt::format(" that takes {} bytes of local memory, {} private ones and groups of up to {} work-items", local,
                     own, items);
}

class OpenClQueue final : public Queue {
 public:
  OpenClQueue(std::shared_ptr<ContextHandle> context, cl_device_id device, std::string name, bool stages_downloads,
              std::shared_ptr<const PinnedRanges> pinned)
      : context_(std::move(context)),
        name_(std::move(name)),
        stages_downloads_(stages_downloads),
        pinned_(std::move(pinned)) {
    cl_int code = CL_SUCCESS;
    queue_ = QueueHandle(calls().CreateCommandQueue(context_->get(), device, CL_QUEUE_PROFILING_ENABLE, &code));
    check(code, "making a queue on " + name_);
  }
  ~OpenClQueue() override {
    calls().Finish(queue_.get());
    for (Staging& one : staging_) one.release(queue_.get());
    down_.release(queue_.get());
    for (Waiting& one : waiting_) one.stage.release(queue_.get());
    calls().Finish(queue_.get());
  }

  void upload(Buffer& to, const Rows& rows, const void* from) override {
    if (rows.count == 0 || rows.row_bytes == 0) return;
    alive();
    if (pinned_->hold(from, rows)) {
      const EventHandle event(write(to, rows, static_cast<const std::byte*>(from)));
      if (measures_) {
        wait(event.get());
        add(event.get(), timing_.upload);
      }
      return;
    }
    Staging& stage = staging_[next_];
    next_ = (next_ + 1) % staging_.size();
    if (cl_event busy = stage.busy.get(); busy != nullptr)
      must(calls().WaitForEvents(1, &busy), "waiting for an upload");
    stage.busy = EventHandle();
    must(stage.reserve(context_->get(), queue_.get(), rows.row_bytes * rows.count), "reserving memory for copies");
    const Parts parts(rows);
    for (std::size_t i = 0; i < parts.count(); ++i) {
      const Rows part = parts.rows(i);
      host_copy_.pack(stage.data() + parts.packed_at(i), part, parts.host(static_cast<const std::byte*>(from), i));
      stage.busy = EventHandle(write(to, part, stage.data() + parts.packed_at(i)));
      if (parts.count() > 1) must(calls().Flush(queue_.get()), "uploading");  // it begins while the next part is copied
      if (!measures_) continue;
      wait(stage.busy.get());
      add(stage.busy.get(), timing_.upload);
    }
  }

  void download(const Buffer& from, const Rows& rows, void* to) override {
    if (rows.count == 0 || rows.row_bytes == 0) return;
    alive();
    const std::size_t bytes = rows.row_bytes * rows.count;
    if (!stages_downloads_ || bytes < least_staged || pinned_->hold(to, rows)) {
      const EventHandle event(read(from, rows, to, rows.host_pitch, CL_TRUE));
      if (measures_) add(event.get(), timing_.download);
      return;
    }
    must(down_.reserve(context_->get(), queue_.get(), bytes), "reserving memory for copies");
    const Parts parts(rows);
    std::array<EventHandle, Parts::most> arrived;
    for (std::size_t i = 0; i < parts.count(); ++i)
      arrived[i] = EventHandle(read(from, parts.rows(i), down_.data() + parts.packed_at(i),
                                    static_cast<std::ptrdiff_t>(rows.row_bytes), CL_FALSE));
    must(calls().Flush(queue_.get()), "downloading");
    for (std::size_t i = 0; i < parts.count(); ++i) {
      wait(arrived[i].get());
      if (measures_) add(arrived[i].get(), timing_.download);
      host_copy_.unpack(parts.host(static_cast<std::byte*>(to), i), parts.rows(i), down_.data() + parts.packed_at(i));
    }
  }

  void start_download(const Buffer& from, const Rows& rows, void* to) override {
    if (rows.count == 0 || rows.row_bytes == 0) return;
    alive();
    if (started_ == waiting_.size()) waiting_.emplace_back();
    Waiting& one = waiting_[started_];
    const bool is_pinned = pinned_->hold(to, rows);
    if (!is_pinned)
      must(one.stage.reserve(context_->get(), queue_.get(), rows.row_bytes * rows.count),
           "reserving memory for copies");
    const cl_event event =
        read(from, rows, is_pinned ? to : one.stage.data(), static_cast<std::ptrdiff_t>(rows.row_bytes), CL_FALSE);
    one.stage.busy = EventHandle(event);
    one.rows = rows;
    one.to = is_pinned ? nullptr : to;
    ++started_;
    must(calls().Flush(queue_.get()), "downloading");
  }

  void collect() override {
    const std::size_t count = std::exchange(started_, 0);  // also where it fails: the caller does not ask again
    if (count > 0) alive();
    for (std::size_t i = 0; i < count; ++i) {
      Waiting& one = waiting_[i];
      wait(one.stage.busy.get());
      if (measures_) add(one.stage.busy.get(), timing_.download);
      one.stage.busy = EventHandle();
      if (one.to == nullptr) continue;
      host_copy_.unpack(one.to, one.rows, one.stage.data());
    }
  }

  void flush() override {
    alive();
    must(calls().Flush(queue_.get()), "starting commands");
  }

  void set(Event& event) override {
    alive();
    cl_event marker = nullptr;
    must(calls().EnqueueMarkerWithWaitList(queue_.get(), 0, nullptr, &marker), "recording an event");
    static_cast<OpenClEvent&>(event).set(EventHandle(marker));
    must(calls().Flush(queue_.get()), "starting commands");  // another queue waits for what has begun
  }
  void wait_for(const Event& event) override {
    alive();
    const cl_event marker = static_cast<const OpenClEvent&>(event).get();
    if (marker == nullptr) return;
    must(calls().EnqueueBarrierWithWaitList(queue_.get(), 1, &marker, nullptr), "waiting for another queue");
  }

  void fill(Buffer& buffer, std::uint8_t value) override {
    alive();
    if (buffer.bytes() == 0) return;
    must(calls().EnqueueFillBuffer(queue_.get(), memory_of(buffer), &value, 1, 0, buffer.bytes(), 0, nullptr, nullptr),
         "filling memory");
  }

  void* map(Buffer& buffer, bool writes) override {
    alive();
    cl_int code = CL_SUCCESS;
    void* const mapped = calls().EnqueueMapBuffer(queue_.get(), memory_of(buffer), CL_TRUE,
                                                  writes ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ, 0,
                                                  buffer.bytes(), 0, nullptr, nullptr, &code);
    must(code, "mapping memory");
    return mapped;
  }
  void unmap(Buffer& buffer, void* mapped) override {
    alive();
    must(calls().EnqueueUnmapMemObject(queue_.get(), memory_of(buffer), mapped, 0, nullptr, nullptr),
         "unmapping memory");
  }

  void launch(const Kernel& kernel, Range groups, Range group, std::span<const Argument> arguments) override {
    alive();
    const cl_kernel object = kernel_of(kernel);
    for (std::size_t i = 0; i < arguments.size(); ++i) set(object, static_cast<cl_uint>(i), arguments[i]);
    const std::array<std::size_t, 3> local{group.x, group.y, group.z};
    const std::array<std::size_t, 3> global{groups.x * group.x, groups.y * group.y, groups.z * group.z};
    cl_event event = nullptr;
    const cl_int code = calls().EnqueueNDRangeKernel(queue_.get(), object, 3, nullptr, global.data(), local.data(), 0,
                                                     nullptr, measures_ ? &event : nullptr);
    if (code != CL_SUCCESS) must(code, ("launching a kernel" + limits_of(object)).c_str());
    if (measures_) kernels_.emplace_back(event);
  }

  void finish() override {
    alive();
    must(calls().Finish(queue_.get()), "waiting for the device");
  }

  void measure(bool on) override { measures_ = on; }
  Timing timing() override {
    finish();
    for (const EventHandle& event : kernels_) add(event.get(), timing_.kernel);
    kernels_.clear();
    return std::exchange(timing_, Timing{});
  }

 private:
  struct Region {
    std::array<std::size_t, 3> origin, size;
  };
  /// Starts to copy packed rows, which must stay as they are until the event.
  cl_event write(Buffer& to, const Rows& rows, const std::byte* packed) {
    cl_event event = nullptr;
    if (rows.count == 1 || rows.pitch == rows.row_bytes) {
      must(calls().EnqueueWriteBuffer(queue_.get(), memory_of(to), CL_FALSE, rows.offset, rows.row_bytes * rows.count,
                                      packed, 0, nullptr, &event),
           "uploading");
      return event;
    }
    const Region region = region_of(rows);
    const std::array<std::size_t, 3> host{0, 0, 0};
    must(calls().EnqueueWriteBufferRect(queue_.get(), memory_of(to), CL_FALSE, region.origin.data(), host.data(),
                                        region.size.data(), rows.pitch, 0, rows.row_bytes, 0, packed, 0, nullptr,
                                        &event),
         "uploading");
    return event;
  }
  /// Copies rows down, or starts to where `blocks` is CL_FALSE.
  cl_event read(const Buffer& from, const Rows& rows, void* to, std::ptrdiff_t to_pitch, cl_bool blocks) {
    cl_event event = nullptr;
    if (rows.count == 1 || (rows.pitch == rows.row_bytes && to_pitch == static_cast<std::ptrdiff_t>(rows.row_bytes))) {
      must(calls().EnqueueReadBuffer(queue_.get(), memory_of(from), blocks, rows.offset, rows.row_bytes * rows.count,
                                     to, 0, nullptr, &event),
           "downloading");
      return event;
    }
    const Region region = region_of(rows);
    const std::array<std::size_t, 3> host{0, 0, 0};
    must(calls().EnqueueReadBufferRect(queue_.get(), memory_of(from), blocks, region.origin.data(), host.data(),
                                       region.size.data(), rows.pitch, 0, static_cast<std::size_t>(to_pitch), 0, to, 0,
                                       nullptr, &event),
         "downloading");
    return event;
  }
  static Region region_of(const Rows& rows) {
    return {{rows.offset % rows.pitch, rows.offset / rows.pitch, 0}, {rows.row_bytes, rows.count, 1}};
  }

  void alive() const {
    if (dead_)
      throw Error(ErrorCode::device, fmt::format("{} failed before and is not used any more: open it anew", name_));
  }
  void must(cl_int code, const char* what) {
    if (code == CL_SUCCESS) return;
    dead_ = code != CL_MEM_OBJECT_ALLOCATION_FAILURE && code != CL_OUT_OF_HOST_MEMORY;
    check(code, fmt::format("{} on {}", what, name_));
  }
  void set(cl_kernel kernel, cl_uint index, const Argument& argument) {
    cl_int code = CL_SUCCESS;
    if (argument.kind() == Argument::Kind::buffer) {
      const cl_mem memory = memory_of(argument.buffer());
      code = calls().SetKernelArg(kernel, index, sizeof(cl_mem), static_cast<const void*>(&memory));
    } else {
      code = calls().SetKernelArg(kernel, index, argument.size(),
                                  argument.kind() == Argument::Kind::local ? nullptr : argument.value());
    }
    if (code != CL_SUCCESS) must(code, fmt::format("setting argument {} of a kernel", index).c_str());
  }
  void wait(cl_event event) { must(calls().WaitForEvents(1, &event), "waiting for a command"); }
  static void add(cl_event event, double& sum) {
    cl_ulong begin = 0, end = 0;
    const auto ask = [event](cl_profiling_info what, cl_ulong& time) {
      return calls().GetEventProfilingInfo(event, what, sizeof(time), &time, nullptr) == CL_SUCCESS;
    };
    if (ask(CL_PROFILING_COMMAND_START, begin) && ask(CL_PROFILING_COMMAND_END, end) && begin <= end)
      sum += static_cast<double>(end - begin) * 1e-6;
  }

  std::shared_ptr<ContextHandle> context_;
  std::string name_;
  QueueHandle queue_;
  std::array<Staging, 4> staging_;
  HostCopy host_copy_;
  bool stages_downloads_;
  std::shared_ptr<const PinnedRanges> pinned_;
  Staging down_;
  std::size_t next_ = 0;
  /// Downloads that were started: their rows wait in `stage` until they are collected.
  struct Waiting {
    Staging stage;
    Rows rows{};
    void* to = nullptr;  ///< Null where the rows went straight to pinned memory.
  };
  std::vector<Waiting> waiting_;  ///< Kept, with their memory; the first `started_` are under way.
  std::size_t started_ = 0;
  bool dead_ = false, measures_ = false;
  std::vector<EventHandle> kernels_;
  Timing timing_;
};

}  // namespace

std::unique_ptr<Queue> make_queue(std::shared_ptr<ContextHandle> context, cl_device_id device, std::string name,
                                  bool is_cpu, std::shared_ptr<const PinnedRanges> pinned) {
  return std::make_unique<OpenClQueue>(std::move(context), device, std::move(name), !is_cpu, std::move(pinned));
}

}  // namespace vergence::gpu::opencl
