// SPDX-License-Identifier: Apache-2.0
// gpu::Queue on CUDA: one stream, pinned memory that rows pass through, and events.
#include "gpu/cuda/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <type_traits>

#include "gpu/cuda/timer.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::cuda {
namespace {

constexpr std::size_t max_parameters = 32;

/// Pinned memory: the device copies from and to it at full speed, while the host goes on.
struct Staging {
  PinnedHandle memory;
  std::size_t bytes = 0;
  EventHandle done;     ///< Of the copy that last used the memory.
  bool in_use = false;  ///< That copy may still be running.
};

/// Copies rows between host memory and packed rows.
void copy_rows(std::byte* to, std::ptrdiff_t to_pitch, const std::byte* from, std::ptrdiff_t from_pitch,
               std::size_t row_bytes, std::size_t count) {
  const auto packed = static_cast<std::ptrdiff_t>(row_bytes);
  if (to_pitch == packed && from_pitch == packed) {
    std::memcpy(to, from, row_bytes * count);
    return;
  }
  for (std::size_t y = 0; y < count; ++y) {
    const auto row = static_cast<std::ptrdiff_t>(y);
    std::memcpy(to + row * to_pitch, from + row * from_pitch, row_bytes);
  }
}

/// Rows without gaps are one long row.
Rows joined(Rows rows) {
  if (rows.count > 1 && rows.pitch != rows.row_bytes) return rows;
  rows.row_bytes *= rows.count;
  rows.pitch = rows.row_bytes;
  rows.count = 1;
  return rows;
}

class CudaQueue final : public Queue {
 public:
  explicit CudaQueue(std::shared_ptr<Context> context) : context_(std::move(context)), timer_(context_) {
    const Current here(*context_);
    StreamObject stream = nullptr;
    must(calls().StreamCreate(&stream, stream_non_blocking), "making a queue");
    stream_ = StreamHandle(context_, stream);
    for (Staging& stage : up_) stage.done = make_event(context_, event_without_timing);
    for (EventHandle& piece : pieces_) piece = make_event(context_, event_without_timing);
  }
  ~CudaQueue() override {
    const Current here(*context_, std::nothrow);
    calls().StreamSynchronize(stream_.get());  // the memory that it works on goes next
  }

  void upload(Buffer& to, const Rows& rows, const void* from) override;
  void download(const Buffer& from, const Rows& rows, void* to) override;
  void fill(Buffer& buffer, std::uint8_t value) override;
  void launch(const Kernel& kernel, Range groups, Range group, std::span<const Argument> arguments) override;

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
  /// The context made current, unless this queue is dead.
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
    const std::string place = fmt::format("{} on {}", what, context_->name());
    if (code != out_of_memory) dead_ = fmt::format("{} failed: {}", place, error_name(code));
    fail(code, place);
  }
  /// What the driver would not notice, or only as damage.
  [[noreturn]] void refuse(const std::string& what, const std::string& why) {
    dead_ = fmt::format("{} on {} failed: {}", what, context_->name(), why);
    throw Error(ErrorCode::device, dead_);
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
  void require_inside(const Buffer& buffer, const Rows& rows, const char* what);
  std::byte* reserve(Staging& stage, std::size_t bytes);

  std::shared_ptr<Context> context_;
  Timer timer_;
  std::array<Staging, 4> up_;  ///< In turn: both pictures of two frames may be on their way.
  std::size_t next_ = 0;
  Staging down_;
  std::array<EventHandle, 8> pieces_;  ///< Of a download: one is copied out while the next arrives.
  std::string dead_;                   ///< The error that ended this queue's life.
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
    refuse(what, fmt::format("{} rows of {} bytes, {} apart, at byte {} do not fit a buffer of {} bytes", rows.count,
                             rows.row_bytes, rows.pitch, rows.offset, size));
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

void CudaQueue::upload(Buffer& to, const Rows& rows, const void* from) {
  const Current here = alive();
  if (rows.count == 0 || rows.row_bytes == 0) return;
  require_inside(to, rows, "uploading");
  Staging& stage = up_[next_];
  next_ = (next_ + 1) % up_.size();
  std::byte* const data = reserve(stage, rows.row_bytes * rows.count);
  copy_rows(data, static_cast<std::ptrdiff_t>(rows.row_bytes), static_cast<const std::byte*>(from), rows.host_pitch,
            rows.row_bytes, rows.count);
  const DevicePointer target = static_cast<const CudaBuffer&>(to).get() + rows.offset;
  const Rows block = joined(rows);
  try {
    timed(&Timing::upload, "uploading", [&] {
      if (block.count == 1) return calls().MemcpyHtoDAsync(target, data, block.row_bytes, stream_.get());
      Copy2D copy;
      copy.from.host = data;
      copy.from.pitch = block.row_bytes;
      copy.to.type = MemoryType::device;
      copy.to.device = target;
      copy.to.pitch = block.pitch;
      copy.width_bytes = block.row_bytes;
      copy.height = block.count;
      return calls().Memcpy2DAsync(&copy, stream_.get());
    });
    must(calls().EventRecord(stage.done.get(), stream_.get()), "recording an event");
  } catch (...) {
    calls().StreamSynchronize(stream_.get());  // no event tells when the memory is free again
    throw;
  }
  stage.in_use = true;
}

void CudaQueue::download(const Buffer& from, const Rows& rows, void* to) {
  const Current here = alive();
  if (rows.count == 0 || rows.row_bytes == 0) {
    must(calls().StreamSynchronize(stream_.get()), "waiting for the device");
    return;
  }
  require_inside(from, rows, "downloading");
  constexpr std::size_t worth_a_piece = 512 << 10;
  std::byte* const data = reserve(down_, rows.row_bytes * rows.count);
  const std::size_t wanted = rows.row_bytes * rows.count / worth_a_piece;
  const std::size_t pieces = std::min(std::clamp<std::size_t>(wanted, 1, pieces_.size()), rows.count);
  const auto first_row = [&](std::size_t piece) { return rows.count * piece / pieces; };
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t first = first_row(i);
    Rows piece = rows;
    piece.count = first_row(i + 1) - first;
    const Rows block = joined(piece);
    const DevicePointer source = static_cast<const CudaBuffer&>(from).get() + rows.offset + first * rows.pitch;
    std::byte* const target = data + first * rows.row_bytes;
    timed(&Timing::download, "downloading", [&] {
      if (block.count == 1) return calls().MemcpyDtoHAsync(target, source, block.row_bytes, stream_.get());
      Copy2D copy;
      copy.from.type = MemoryType::device;
      copy.from.device = source;
      copy.from.pitch = block.pitch;
      copy.to.host = target;
      copy.to.pitch = block.row_bytes;
      copy.width_bytes = block.row_bytes;
      copy.height = block.count;
      return calls().Memcpy2DAsync(&copy, stream_.get());
    });
    must(calls().EventRecord(pieces_[i].get(), stream_.get()), "recording an event");
  }
  for (std::size_t i = 0; i < pieces; ++i) {
    must(calls().EventSynchronize(pieces_[i].get()), "downloading");
    const std::size_t first = first_row(i);
    copy_rows(static_cast<std::byte*>(to) + static_cast<std::ptrdiff_t>(first) * rows.host_pitch, rows.host_pitch,
              data + first * rows.row_bytes, static_cast<std::ptrdiff_t>(rows.row_bytes), rows.row_bytes,
              first_row(i + 1) - first);
  }
}

void CudaQueue::fill(Buffer& buffer, std::uint8_t value) {
  const Current here = alive();
  if (buffer.bytes() == 0) return;
  timed(&Timing::kernel, "filling memory", [&] {
    return calls().MemsetD8Async(static_cast<const CudaBuffer&>(buffer).get(), value, buffer.bytes(), stream_.get());
  });
}

void CudaQueue::launch(const Kernel& kernel, Range groups, Range group, std::span<const Argument> arguments) {
  const Current here = alive();
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

CudaKernel::CudaKernel(std::shared_ptr<ModuleHandle> module, FunctionObject function, std::string name)
    : module_(std::move(module)),
      function_(function),
      name_(std::move(name)),
      sizes_known_(calls().FuncGetParamInfo != nullptr) {
  std::size_t offset = 0, size = 0;
  Result code = success;
  while (sizes_known_ && code == success) {
    code = calls().FuncGetParamInfo(function_, sizes_.size(), &offset, &size);
    if (code == success) sizes_.push_back(size);
    if (code != success && code != invalid_value) sizes_known_ = false;
  }
}

std::string CudaKernel::refusal(std::span<const Argument> arguments) const {
  std::size_t index = 0;
  for (const Argument& argument : arguments) {
    if (argument.kind() == Argument::Kind::local) continue;
    const std::size_t size = argument.kind() == Argument::Kind::buffer ? sizeof(DevicePointer) : argument.size();
    if (sizes_known_ && index < sizes_.size() && size != sizes_[index])
      return fmt::format("argument {} has {} bytes, {} takes {}", index, size, name_, sizes_[index]);
    ++index;
  }
  if (sizes_known_ && index != sizes_.size())
    return fmt::format("{} arguments, {} takes {}", index, name_, sizes_.size());
  if (index > max_parameters) return fmt::format("{} arguments, at most {} are possible", index, max_parameters);
  return {};
}

std::unique_ptr<Queue> make_queue(std::shared_ptr<Context> context) {
  return std::make_unique<CudaQueue>(std::move(context));
}

}  // namespace vergence::gpu::cuda
