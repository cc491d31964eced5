// SPDX-License-Identifier: Apache-2.0
// What the stand-in for NVIDIA's driver is made of: memory, streams, and the kernels that it can run.
#pragma once

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "gpu/cuda/driver.hpp"
#include "gpu/cuda_kernels.hpp"

namespace vergence::gpu::cuda {

struct OpaqueContext {};
struct OpaqueModule {};
struct OpaqueFunction {
  std::string name;
  std::vector<std::size_t> parameters;
};
/// One record of an event: who waits for it keeps it, whatever becomes of the event.
struct Record {
  StreamObject stream = nullptr;
  bool done = false;
  double time = 0;
};
struct OpaqueEvent {
  std::shared_ptr<Record> last;
  bool timed = false;
};
struct OpaqueGraph {
  std::deque<std::function<Result()>> commands;
};
struct OpaqueGraphExec {
  std::deque<std::function<Result()>> commands;
};
struct OpaqueStream {
  std::deque<std::function<Result()>> commands;
  GraphObject recorded = nullptr;  // commands go there while it is not null
};

namespace {  // one program includes this: libcuda.cpp

constexpr Result invalid_device = 101, invalid_image = 200, no_binary = 209;
constexpr Result illegal_address = 700;
constexpr std::size_t memory_size = std::size_t{1} << 30;

std::map<DevicePointer, std::size_t> memory;
std::map<void*, std::size_t> pinned;
std::set<void*> registered;  // of these, what is not ours
std::set<void*> objects;
OpaqueContext the_context;
int retained = 0;
bool initialised = false;
Result sticky = success;
double now_ms = 0;
thread_local int depth = 0;  // of the stack of contexts, which are all the one

OpaqueFunction functions[] = {{"add", {8, 8, 4, 8}}, {"scale", {8, 24}}, {"reverse", {8}}, {"stray", {8}}};

struct AtEnd {
  ~AtEnd() {
    if (memory.empty() && pinned.empty() && objects.empty() && retained == 0 && depth == 0) return;
    std::fprintf(stderr, "left: %zu buffers, %zu pinned, %zu objects, %d contexts, %d on the stack\n", memory.size(),
                 pinned.size(), objects.size(), retained, depth);
    _exit(70);
  }
} at_end;

Result ready() {
  if (!initialised) return uninitialised;
  if (depth == 0 || retained == 0) return invalid_context;
  return sticky;
}

template <class T>
Result answer(void* to, const T& value) {
  std::memcpy(to, &value, sizeof(value));
  return success;
}

bool inside(DevicePointer at, std::size_t bytes) {
  auto next = memory.upper_bound(at);
  if (next == memory.begin()) return false;
  --next;
  return at - next->first <= next->second && bytes <= next->second - (at - next->first);
}
bool inside_pinned(const void* at, std::size_t bytes) {
  for (const auto& [start, size] : pinned) {
    const auto offset = reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(start);
    if (offset <= size && bytes <= size - offset) return true;
  }
  return false;
}
void* host(DevicePointer at) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(at)); }
DevicePointer device(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }

/// The stream that a caller means: null, 1 and 2 are the default ones, which are one here.
OpaqueStream default_stream;
StreamObject meant(StreamObject stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 ? &default_stream : stream;
}

/// Runs commands until `record` is done, or all of them.
Result run(StreamObject stream, const Record* record = nullptr) {
  while (!stream->commands.empty() && (record == nullptr || !record->done)) {
    const std::function<Result()> command = std::move(stream->commands.front());
    stream->commands.pop_front();
    const Result code = command();
    if (code != success) sticky = code;
  }
  return sticky;
}

Result enqueue(StreamObject asked, std::function<Result()> command) {
  if (const Result code = ready(); code != success) return code;
  const StreamObject stream = meant(asked);
  if (stream != &default_stream && objects.count(stream) == 0) return invalid_handle;
  (stream->recorded != nullptr ? stream->recorded->commands : stream->commands).push_back(std::move(command));
  return success;
}

/// Both sides are looked at when the command runs, as a device would.
Result copy(StreamObject stream, DevicePointer device_side, const void* host_side, std::size_t bytes, bool up) {
  return enqueue(stream, [=]() -> Result {
    now_ms += 0.25;
    if (!inside(device_side, bytes) || !inside_pinned(host_side, bytes)) return illegal_address;
    if (up) std::memcpy(host(device_side), host_side, bytes);
    if (!up) std::memcpy(const_cast<void*>(host_side), host(device_side), bytes);
    return success;
  });
}

struct Launch {
  unsigned groups, group;
  std::vector<std::array<unsigned char, 256>> arguments;
  template <class T>
  T argument(std::size_t index) const {
    T value{};
    std::memcpy(&value, arguments[index].data(), sizeof(value));
    return value;
  }
};

Result run_add(const Launch& launch) {
  const auto in = launch.argument<DevicePointer>(0), out = launch.argument<DevicePointer>(1);
  const auto count = std::min<std::size_t>(launch.argument<unsigned>(2), std::size_t{launch.groups} * launch.group);
  if (!inside(in, count) || !inside(out, 4 * count)) return illegal_address;
  for (std::size_t i = 0; i < count; ++i)
    static_cast<std::int32_t*>(host(out))[i] =
        static_cast<unsigned char*>(host(in))[i] + static_cast<std::int32_t>(launch.argument<std::int64_t>(3));
  return success;
}

Result run_scale(const Launch& launch) {
  const auto data = launch.argument<DevicePointer>(0);
  const auto numbers = launch.argument<test::ScaleArguments>(1);
  const auto count = std::min(static_cast<std::size_t>(numbers.count), std::size_t{launch.groups} * launch.group);
  if (!inside(data, 4 * count)) return illegal_address;
  auto* const values = static_cast<std::int32_t*>(host(data));
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<std::int32_t>(values[i] * numbers.factor + numbers.terms[i % 2] + numbers.last);
  return success;
}

Result run_reverse(const Launch& launch) {
  const auto data = launch.argument<DevicePointer>(0);
  if (!inside(data, 4 * std::size_t{launch.groups} * launch.group)) return illegal_address;
  auto* const values = static_cast<std::int32_t*>(host(data));
  for (std::size_t g = 0; g < launch.groups; ++g)
    std::reverse(values + g * launch.group, values + (g + 1) * launch.group);
  return success;
}

template <class T>
Result make(T** out) {
  if (const Result code = ready(); code != success) return code;
  *out = new T();
  objects.insert(*out);
  return success;
}

/// Objects go even after an error that ended all else.
template <class T>
Result destroy(T* object) {
  if (depth == 0) return invalid_context;
  if (objects.erase(object) == 0) return invalid_handle;
  delete object;
  return success;
}

}  // namespace

}  // namespace vergence::gpu::cuda
