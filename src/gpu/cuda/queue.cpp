// SPDX-License-Identifier: Apache-2.0
// gpu::Queue on CUDA: one stream, pinned memory that rows pass through, and events.
#include "gpu/cuda/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/cuda/event.hpp"
#include "gpu/cuda/staging.hpp"
#include "gpu/cuda/timer.hpp"
#include "gpu/host_copy.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::cuda {
namespace {

class CudaQueue final : public Queue {
 public:
  explicit CudaQueue(std::shared_ptr<Context> context) : context_(std::move(context)), timer_(context_) {
    const Current here(*context_);
    StreamObject stream = nullptr;
    must(calls().StreamCreate(&stream, stream_non_blocking), "making a queue");
    stream_ = StreamHandle(context_, stream);
    for (Staging& stage : up_) stage.done = make_event(context_, event_without_timing);
    waiting_.reserve(8);
    for (EventHandle& part : arrived_) part = make_event(context_, event_without_timing);
  }
  ~CudaQueue() override {
    const Current here(*context_, std::nothrow);
    calls().StreamSynchronize(stream_.get());  // the memory that it works on goes next
  }

  void upload(Buffer& to, const Rows& rows, const void* from) override;
  void download(const Buffer& from, const Rows& rows, void* to) override;
  void start_download(const Buffer& from, const Rows& rows, void* to) override;
  void collect() override;
  void begin_capture(int key) override;
  void end_capture() override;
  void fill(Buffer& buffer, std::uint8_t value) override;
  void launch(const Kernel& kernel, Range groups, Range group, std::span<const Argument> arguments) override;

  void set(Event& event) override {
    const Current here = alive();
    must(calls().EventRecord(static_cast<CudaEvent&>(event).get(), stream_.get()), "recording an event");
  }
  void wait_for(const Event& event) override {
    const Current here = alive();
    must(calls().StreamWaitEvent(stream_.get(), static_cast<const CudaEvent&>(event).get(), 0),
         "waiting for another queue");
  }

  void finish() override {
    const Current here = alive();
    must(calls().StreamSynchronize(stream_.get()), "waiting for the device");
  }
  void measure(bool on) override { measures_ = on; }
  Timing timing() override {
    finish();
    const Current here = alive();
    must(timer_.settle(), "reading the device's clock");
    return timer_.take();
  }

 private:
  /// The context made current, unless an error has ended this queue.
  Current alive() {
    if (!dead_.empty())
      throw Error(ErrorCode::device, fmt::format("a queue of {} is not used any more, since {}: open the device anew",
                                                 context_->name(), dead_));
    return ending([this] { return Current(*context_); });
  }
  /// Runs what throws by itself: an Error(device) ends this queue's life.
  template <class Action>
  std::invoke_result_t<Action> ending(const Action& action) {
    try {
      return action();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::device) dead_ = error.what();
      throw;
    }
  }
  /// Errors of earlier commands come up in later calls.
  void must(Result code, const char* what) {
    if (code != success) refuse(code, what);
  }
  [[noreturn]] void refuse(Result code, const std::string& what) {
    drop_capture();
    const std::string place = fmt::format("{} on {}", what, context_->name());
    if (code != out_of_memory) dead_ = fmt::format("{} failed: {}", place, error_name(code));
    fail(code, place);
  }
  /// What the driver would not notice, or only as damage.
  [[noreturn]] void refuse(const std::string& what, const std::string& why) {
    drop_capture();
    dead_ = fmt::format("{} on {} failed: {}", what, context_->name(), why);
    throw Error(ErrorCode::device, dead_);
  }
  /// What was captured so far is dropped.
  void drop_capture() {
    GraphObject graph = nullptr;
    if (std::exchange(commands_, Commands::run) != Commands::captured) return;
    if (calls().StreamEndCapture(stream_.get(), &graph) == success && graph != nullptr) calls().GraphDestroy(graph);
  }
  /// Runs `command`, between two events where commands are timed.
  template <class Command>
  void timed(double Timing::*sum, const char* what, const Command& command) {
    if (measures_) start_timer();
    must(command(), what);
    if (measures_) must(timer_.stop(stream_.get(), sum), "recording an event");
  }
  void start_timer() {
    must(ending([this] { return timer_.start(stream_.get()); }), "recording an event");
  }
  void copy_up(DevicePointer to, const Rows& rows, const std::byte* from, std::size_t from_pitch);
  void copy_down(DevicePointer from, const Rows& rows, std::byte* to, std::size_t to_pitch);
  void require_inside(const Buffer& buffer, const Rows& rows, const char* what);
  std::byte* reserve(Staging& stage, std::size_t bytes);

  std::shared_ptr<Context> context_;
  Timer timer_;
  std::array<Staging, 4> up_;  ///< In turn: both pictures of two frames may be on their way.
  std::size_t next_ = 0;
  Staging down_;
  std::array<EventHandle, Parts::most> arrived_;  ///< Parts of a download.
  HostCopy host_copy_;
  /// Downloads that were started: their rows wait in `stage` until they are collected.
  struct Waiting {
    Staging stage;
    Rows rows{};
    void* to = nullptr;  ///< Null where the rows go straight to pinned memory.
  };
  std::vector<Waiting> waiting_;  ///< Kept, with their memory; the first `started_` are under way.
  std::size_t started_ = 0;
  std::map<int, GraphExecHandle> graphs_;  ///< Captured, by key.
  int key_ = 0;
  /// Between begin_capture and end_capture: whether commands run at once, are captured, or are left out, since the
  /// graph of their key holds them.
  enum class Commands { run, captured, left_out } commands_ = Commands::run;
  std::string dead_;  ///< The error that ended this queue's life.
  bool measures_ = false;
  StreamHandle stream_;  ///< Goes first.
};

void CudaQueue::require_inside(const Buffer& buffer, const Rows& rows, const char* what) {
  const std::size_t size = buffer.bytes();
  const bool overlap = rows.count > 1 && rows.pitch < rows.row_bytes;
  const bool inside =
      rows.offset <= size && rows.row_bytes <= size - rows.offset &&
      (rows.count == 1 || rows.pitch == 0 || rows.count - 1 <= (size - rows.offset - rows.row_bytes) / rows.pitch);
  if (overlap || !inside)
    refuse(what, fmt::format("{} rows of {} bytes, with a stride of {}, at byte {} do not fit a buffer of {} bytes",
                             rows.count, rows.row_bytes, rows.pitch, rows.offset, size));
}

/// Memory of at least so many bytes that nothing uses any more.
std::byte* CudaQueue::reserve(Staging& stage, std::size_t bytes) {
  if (stage.in_use) must(calls().EventSynchronize(stage.done.get()), "waiting for an upload");
  stage.in_use = false;
  if (bytes > stage.bytes) {
    stage.memory = PinnedHandle();
    stage.bytes = 0;
    void* memory = nullptr;
    const Result code = calls().MemHostAlloc(&memory, bytes, 0);
    if (code != success) refuse(code, fmt::format("allocating {} bytes of pinned memory for copies", bytes));
    stage.memory = PinnedHandle(context_, memory);
    stage.bytes = bytes;
  }
  return static_cast<std::byte*>(stage.memory.get());
}

void CudaQueue::copy_up(DevicePointer to, const Rows& rows, const std::byte* from, std::size_t from_pitch) {
  timed(&Timing::upload, "uploading", [&] {
    if (rows.pitch == rows.row_bytes && from_pitch == rows.row_bytes)
      return calls().MemcpyHtoDAsync(to, from, rows.row_bytes * rows.count, stream_.get());
    Copy2D copy;
    copy.from.host = const_cast<std::byte*>(from);  // the driver only reads it
    copy.from.pitch = rows.count > 1 ? from_pitch : rows.row_bytes;
    copy.to.type = MemoryType::device;
    copy.to.device = to;
    copy.to.pitch = rows.count > 1 ? rows.pitch : rows.row_bytes;
    copy.width_bytes = rows.row_bytes;
    copy.height = rows.count;
    return calls().Memcpy2DAsync(&copy, stream_.get());
  });
}

void CudaQueue::upload(Buffer& to, const Rows& rows, const void* from) {
  const Current here = alive();
  if (rows.count == 0 || rows.row_bytes == 0) return;
  require_inside(to, rows, "uploading");
  const DevicePointer target = static_cast<const CudaBuffer&>(to).get();
  if (is_pinned(from, rows)) {
    copy_up(target + rows.offset, rows, static_cast<const std::byte*>(from), static_cast<std::size_t>(rows.host_pitch));
    return;
  }
  Staging& stage = up_[next_];
  next_ = (next_ + 1) % up_.size();
  std::byte* const data = reserve(stage, rows.row_bytes * rows.count);
  const Parts parts(rows);
  try {
    for (std::size_t i = 0; i < parts.count(); ++i) {
      const Rows part = parts.rows(i);
      host_copy_.pack(data + parts.packed_at(i), part, parts.host(static_cast<const std::byte*>(from), i));
      copy_up(target + part.offset, part, data + parts.packed_at(i), rows.row_bytes);
    }
    must(calls().EventRecord(stage.done.get(), stream_.get()), "recording an event");
  } catch (...) {
    calls().StreamSynchronize(stream_.get());  // no event tells when the memory is free again
    throw;
  }
  stage.in_use = true;
}

void CudaQueue::copy_down(DevicePointer from, const Rows& rows, std::byte* to, std::size_t to_pitch) {
  timed(&Timing::download, "downloading", [&] {
    if (rows.pitch == rows.row_bytes && to_pitch == rows.row_bytes)
      return calls().MemcpyDtoHAsync(to, from, rows.row_bytes * rows.count, stream_.get());
    Copy2D copy;
    copy.from.type = MemoryType::device;
    copy.from.device = from;
    copy.from.pitch = rows.count > 1 ? rows.pitch : rows.row_bytes;
    copy.to.host = to;
    copy.to.pitch = rows.count > 1 ? to_pitch : rows.row_bytes;
    copy.width_bytes = rows.row_bytes;
    copy.height = rows.count;
    return calls().Memcpy2DAsync(&copy, stream_.get());
  });
}

void CudaQueue::start_download(const Buffer& from, const Rows& rows, void* to) {
  const Current here = alive();
  if (rows.count == 0 || rows.row_bytes == 0) return;
  require_inside(from, rows, "downloading");
  if (started_ == waiting_.size()) {
    waiting_.emplace_back();
    waiting_.back().stage.done = make_event(context_, event_without_timing);
  }
  Waiting& one = waiting_[started_];
  one.rows = rows;
  one.to = is_pinned(to, rows) ? nullptr : to;
  const DevicePointer source = static_cast<const CudaBuffer&>(from).get() + rows.offset;
  if (one.to == nullptr)
    copy_down(source, rows, static_cast<std::byte*>(to), static_cast<std::size_t>(rows.host_pitch));
  else
    copy_down(source, rows, reserve(one.stage, rows.row_bytes * rows.count), rows.row_bytes);
  one.stage.in_use = true;  // also where the event cannot be recorded: that ends the queue
  ++started_;
  must(calls().EventRecord(one.stage.done.get(), stream_.get()), "recording an event");
}

void CudaQueue::collect() {
  const std::size_t count = std::exchange(started_, 0);  // also where it fails: the caller does not ask again
  if (count == 0) return;
  const Current here = alive();
  for (std::size_t i = 0; i < count; ++i) {
    Waiting& one = waiting_[i];
    must(calls().EventSynchronize(one.stage.done.get()), "downloading");
    one.stage.in_use = false;
    if (one.to == nullptr) continue;
    host_copy_.unpack(one.to, one.rows, static_cast<const std::byte*>(one.stage.memory.get()));
  }
}

/// A graph is launched in the time of one kernel. Timed commands need events between them, so they are run one by one.
void CudaQueue::begin_capture(int key) {
  const Current here = alive();
  drop_capture();  // of a frame that was given up
  key_ = key;
  if (measures_ || !calls().graphs) return;
  if (graphs_.find(key) != graphs_.end()) {
    commands_ = Commands::left_out;
    return;
  }
  must(calls().StreamBeginCapture(stream_.get(), capture_of_this_thread), "capturing commands");
  commands_ = Commands::captured;
}

void CudaQueue::end_capture() {
  const Current here = alive();
  if (commands_ == Commands::captured) {
    commands_ = Commands::run;
    GraphObject graph = nullptr;
    must(calls().StreamEndCapture(stream_.get(), &graph), "capturing commands");
    const GraphHandle owner(context_, graph);
    GraphExecObject executable = nullptr;
    must(calls().GraphInstantiate(&executable, graph, 0), "instantiating a captured graph");
    graphs_[key_] = GraphExecHandle(context_, executable);
    commands_ = Commands::left_out;
  }
  if (std::exchange(commands_, Commands::run) == Commands::left_out)
    must(calls().GraphLaunch(graphs_[key_].get(), stream_.get()), "launching a captured graph");
}

void CudaQueue::download(const Buffer& from, const Rows& rows, void* to) {
  const Current here = alive();
  if (rows.count == 0 || rows.row_bytes == 0) {
    must(calls().StreamSynchronize(stream_.get()), "waiting for the device");
    return;
  }
  require_inside(from, rows, "downloading");
  if (is_pinned(to, rows)) {
    copy_down(static_cast<const CudaBuffer&>(from).get() + rows.offset, rows, static_cast<std::byte*>(to),
              static_cast<std::size_t>(rows.host_pitch));
    must(calls().StreamSynchronize(stream_.get()), "downloading");
    return;
  }
  std::byte* const data = reserve(down_, rows.row_bytes * rows.count);
  const Parts parts(rows);
  for (std::size_t i = 0; i < parts.count(); ++i) {
    const Rows part = parts.rows(i);
    copy_down(static_cast<const CudaBuffer&>(from).get() + part.offset, part, data + parts.packed_at(i),
              rows.row_bytes);
    must(calls().EventRecord(arrived_[i].get(), stream_.get()), "recording an event");
  }
  for (std::size_t i = 0; i < parts.count(); ++i) {
    must(calls().EventSynchronize(arrived_[i].get()), "downloading");
    host_copy_.unpack(parts.host(static_cast<std::byte*>(to), i), parts.rows(i), data + parts.packed_at(i));
  }
}

void CudaQueue::fill(Buffer& buffer, std::uint8_t value) {
  const Current here = alive();
  if (buffer.bytes() == 0 || commands_ == Commands::left_out) return;
  timed(&Timing::kernel, "filling memory", [&] {
    return calls().MemsetD8Async(static_cast<const CudaBuffer&>(buffer).get(), value, buffer.bytes(), stream_.get());
  });
}

void CudaQueue::launch(const Kernel& kernel, Range groups, Range group, std::span<const Argument> arguments) {
  const Current here = alive();
  if (commands_ == Commands::left_out) return;
  const auto& function = static_cast<const CudaKernel&>(kernel);
  std::string wrong = function.refusal(arguments);
  for (const std::size_t count : {groups.x, groups.y, groups.z, group.x, group.y, group.z})
    if (count == 0 || count > INT_MAX) wrong = fmt::format("{} groups or work-items in a row", count);
  std::array<DevicePointer, max_parameters> pointers{};
  std::array<void*, max_parameters> parameters{};
  std::size_t local_bytes = 0, used = 0;
  for (const Argument& argument : arguments.first(std::min(arguments.size(), max_parameters))) {
    if (argument.kind() == Argument::Kind::local) {
      local_bytes = argument.size();
    } else if (argument.kind() == Argument::Kind::buffer) {
      pointers[used] = static_cast<const CudaBuffer&>(argument.buffer()).get();
      parameters[used] = &pointers[used];
      ++used;
    } else {
      parameters[used++] = const_cast<void*>(argument.value());  // the driver only reads it
    }
  }
  if (local_bytes > INT_MAX) wrong = fmt::format("{} bytes of local memory", local_bytes);
  const auto describe = [&] {
    return fmt::format("launching {} ({} x {} x {} groups of {} x {} x {}, {} bytes of local memory)", function.name(),
                       groups.x, groups.y, groups.z, group.x, group.y, group.z, local_bytes);
  };
  if (!wrong.empty()) refuse(describe(), wrong);
  const auto narrow = [](std::size_t value) { return static_cast<unsigned>(value); };
  if (measures_) start_timer();
  const Result code = calls().LaunchKernel(function.get(), narrow(groups.x), narrow(groups.y), narrow(groups.z),
                                           narrow(group.x), narrow(group.y), narrow(group.z), narrow(local_bytes),
                                           stream_.get(), parameters.data(), nullptr);
  if (code != success) refuse(code, describe());
  if (measures_) must(timer_.stop(stream_.get(), &Timing::kernel), "recording an event");
}

}  // namespace

std::unique_ptr<Queue> make_queue(std::shared_ptr<Context> context) {
  return std::make_unique<CudaQueue>(std::move(context));
}

}  // namespace vergence::gpu::cuda
