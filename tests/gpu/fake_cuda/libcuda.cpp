// SPDX-License-Identifier: Apache-2.0
// A stand-in for NVIDIA's driver, so that our side of CUDA runs where there is no GPU: a device "Fake GPU" in host
// memory. Commands wait in their stream until somebody waits for them, as late as a real device may run them, so that
// memory that is used again too early shows. Every address and object is checked, each call wants a current context,
// and a process that ends with anything left ends with exit code 70. It runs the kernels of cuda_test.cpp by name.
#include "gpu/fake_cuda/machine.hpp"

namespace vergence::gpu::cuda {

extern "C" {

Result cuInit(unsigned flags) {
  initialised = true;
  return flags == 0 ? success : invalid_value;
}
Result cuDriverGetVersion(int* version) {
  *version = 13000;
  return success;
}
/// NVRTC asks for this and does without.
Result cuGetExportTable(const void**, const void*) { return not_found; }
Result cuGetErrorName(Result code, const char** name) {
  static const std::map<Result, const char*> names = {
      {uninitialised, "CUDA_ERROR_NOT_INITIALIZED"}, {invalid_value, "CUDA_ERROR_INVALID_VALUE"},
      {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},   {invalid_device, "CUDA_ERROR_INVALID_DEVICE"},
      {invalid_image, "CUDA_ERROR_INVALID_IMAGE"},   {invalid_context, "CUDA_ERROR_INVALID_CONTEXT"},
      {no_binary, "CUDA_ERROR_NO_BINARY_FOR_GPU"},   {invalid_handle, "CUDA_ERROR_INVALID_HANDLE"},
      {not_found, "CUDA_ERROR_NOT_FOUND"},           {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  if (names.count(code) == 0) return invalid_value;
  *name = names.at(code);
  return success;
}
Result cuGetErrorString(Result, const char** text) {
  *text = "as the fake driver says";
  return success;
}
Result cuDeviceGetCount(int* count) {
  *count = 1;
  return initialised ? success : uninitialised;
}
Result cuDeviceGet(DeviceOrdinal* out, int index) {
  *out = index;
  return index == 0 ? success : invalid_device;
}
Result cuDeviceGetName(char* name, int size, DeviceOrdinal) {
  std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU");
  return success;
}
Result cuDeviceGetAttribute(int* value, int what, DeviceOrdinal) {
  static const std::map<int, int> values = {{max_threads_per_block, 1024},
                                            {max_shared_memory_per_block, 48 << 10},
                                            {clock_rate_khz, 1'000'000},
                                            {multiprocessor_count, 2},
                                            {compute_mode, 0},
                                            {pci_domain_id, 1},
                                            {pci_bus_id, 0x17},
                                            {pci_device_id, 2},
                                            {compute_capability_major, 9},
                                            {compute_capability_minor, 0}};
  if (values.count(what) == 0) return invalid_value;
  *value = values.at(what);
  return success;
}
Result cuDeviceTotalMem_v2(std::size_t* bytes, DeviceOrdinal) {
  *bytes = memory_size;
  return success;
}
Result cuDevicePrimaryCtxRetain(ContextObject* context, DeviceOrdinal) {
  ++retained;
  *context = &the_context;
  return success;
}
Result cuDevicePrimaryCtxRelease_v2(DeviceOrdinal) { return --retained < 0 ? invalid_context : success; }
Result cuCtxPushCurrent_v2(ContextObject context) {
  if (retained == 0 || context != &the_context) return invalid_context;
  ++depth;
  return success;
}
Result cuCtxGetCurrent(ContextObject* context) {
  *context = depth > 0 ? &the_context : nullptr;
  return success;
}
Result cuCtxPopCurrent_v2(ContextObject* context) {
  if (depth == 0) return invalid_context;
  --depth;
  *context = depth > 0 ? &the_context : nullptr;
  return success;
}

/// The image is for sm_90: compilers of CUDA 13 write that into the second byte of the ELF flags, older ones into the
/// first.
Result cuModuleLoadData(ModuleObject* module, const void* image) {
  const auto* const bytes = static_cast<const unsigned char*>(image);
  if (std::memcmp(bytes, "\x7f\x45LF", 4) != 0) return invalid_image;
  if (bytes[bytes[8] >= 8 ? 49 : 48] != 90) return no_binary;
  return make(module);
}
Result cuModuleUnload(ModuleObject module) { return destroy(module); }
Result cuModuleGetFunction(FunctionObject* function, ModuleObject module, const char* name) {
  if (objects.count(module) == 0) return invalid_handle;
  for (OpaqueFunction& one : functions) {
    if (one.name != name) continue;
    *function = &one;
    return ready();
  }
  return not_found;
}
Result cuFuncGetParamInfo(FunctionObject function, std::size_t index, std::size_t* offset, std::size_t* size) {
  if (index >= function->parameters.size()) return invalid_value;
  *offset = 8 * index;
  *size = function->parameters[index];
  return success;
}

Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *free = *total = memory_size;
  for (const auto& [start, size] : memory) *free -= size;
  return ready();
}
Result cuMemAlloc_v2(DevicePointer* pointer, std::size_t bytes) {
  if (const Result code = ready(); code != success) return code;
  if (bytes == 0) return invalid_value;
  if (bytes > memory_size) return out_of_memory;
  *pointer = device(std::malloc(bytes));
  memory[*pointer] = bytes;
  return success;
}
Result cuMemFree_v2(DevicePointer pointer) {
  if (depth == 0) return invalid_context;
  if (memory.erase(pointer) == 0) return invalid_value;
  std::free(host(pointer));
  return success;
}
Result cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  if (const Result code = ready(); code != success) return code;
  if (bytes > memory_size) return out_of_memory;
  *pointer = std::malloc(bytes);
  pinned[*pointer] = bytes;
  return success;
}
Result cuMemFreeHost(void* pointer) {
  if (depth == 0) return invalid_context;
  if (pinned.erase(pointer) == 0) return invalid_value;
  std::free(pointer);
  return success;
}

Result cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {
  if (const Result code = ready(); code != success) return code;
  if (flags != 0 || pinned.count(pointer) != 0) return invalid_value;
  pinned[pointer] = bytes;
  registered.insert(pointer);
  return success;
}
Result cuMemHostUnregister(void* pointer) {
  if (depth == 0) return invalid_context;
  if (registered.erase(pointer) == 0) return invalid_value;
  pinned.erase(pointer);
  return success;
}
Result cuPointerGetAttribute(void* value, int attribute, DevicePointer pointer) {
  if (const Result code = ready(); code != success) return code;
  for (const auto& [first, bytes] : memory) {
    if (pointer < first || pointer - first >= bytes) continue;
    if (attribute == pointer_memory_type) return answer(value, MemoryType::device);
    if (attribute == pointer_device_ordinal) return answer(value, int{0});
    if (attribute == pointer_range_start) return answer(value, first);
    if (attribute == pointer_range_size) return answer(value, bytes);
  }
  if (attribute != pointer_memory_type) return invalid_value;
  for (const auto& [first, bytes] : pinned) {
    const auto begin = reinterpret_cast<DevicePointer>(first);
    if (pointer < begin || pointer - begin >= bytes) continue;
    return answer(value, MemoryType::host);
  }
  return invalid_value;
}

/// Zeros for what is not known.
Result cuPointerGetAttributes(unsigned count, int* attributes, void** values, DevicePointer pointer) {
  if (const Result code = ready(); code != success) return code;
  for (unsigned i = 0; i < count; ++i) {
    const bool is_word = attributes[i] == pointer_range_start || attributes[i] == pointer_range_size;
    if (cuPointerGetAttribute(values[i], attributes[i], pointer) != success) std::memset(values[i], 0, is_word ? 8 : 4);
  }
  return success;
}

Result cuStreamBeginCapture_v2(StreamObject stream, int mode) {
  if (const Result code = ready(); code != success) return code;
  if (mode != capture_of_this_thread || stream->recorded != nullptr) return invalid_value;
  return make(&stream->recorded);
}
Result cuStreamEndCapture(StreamObject stream, GraphObject* graph) {
  if (const Result code = ready(); code != success) return code;
  if (stream->recorded == nullptr) return invalid_value;
  *graph = std::exchange(stream->recorded, nullptr);
  return success;
}
Result cuGraphInstantiateWithFlags(GraphExecObject* executable, GraphObject graph, unsigned long long flags) {
  if (flags != 0) return invalid_value;
  const Result code = make(executable);
  if (code == success) (*executable)->commands = graph->commands;
  return code;
}
Result cuGraphLaunch(GraphExecObject executable, StreamObject stream) {
  for (const auto& command : executable->commands)
    if (const Result code = enqueue(stream, command); code != success) return code;
  return ready();
}
Result cuGraphDestroy(GraphObject graph) { return destroy(graph); }
Result cuGraphExecDestroy(GraphExecObject executable) { return destroy(executable); }

Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void* from, std::size_t bytes, StreamObject stream) {
  return copy(stream, to, from, bytes, true);
}
Result cuMemcpyDtoHAsync_v2(void* to, DevicePointer from, std::size_t bytes, StreamObject stream) {
  return copy(stream, from, to, bytes, false);
}
Result cuMemcpy2DAsync_v2(const Copy2D* all, StreamObject stream) {
  const Copy2D c = *all;
  const bool up = c.to.type == MemoryType::device;
  if (up == (c.from.type == MemoryType::device)) return invalid_value;
  if (c.from.pitch < c.width_bytes || c.to.pitch < c.width_bytes || c.from.x_bytes + c.from.y + c.to.x_bytes + c.to.y)
    return invalid_value;
  const CopySide &device_side = up ? c.to : c.from, &host_side = up ? c.from : c.to;
  for (std::size_t y = 0; y < c.height; ++y) {
    const Result code = copy(stream, device_side.device + y * device_side.pitch,
                             static_cast<char*>(host_side.host) + y * host_side.pitch, c.width_bytes, up);
    if (code != success) return code;
  }
  return success;
}
Result cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t bytes, StreamObject stream) {
  return enqueue(stream, [=]() -> Result {
    if (!inside(to, bytes)) return illegal_address;
    std::memset(host(to), value, bytes);
    return success;
  });
}

Result cuStreamCreate(StreamObject* stream, unsigned flags) {
  return flags == stream_non_blocking ? make(stream) : invalid_value;
}
Result cuStreamDestroy_v2(StreamObject stream) {
  if (objects.count(stream) != 0) run(stream);
  return destroy(stream);
}
Result cuStreamSynchronize(StreamObject stream) {
  if (const Result code = ready(); code != success) return code;
  return run(meant(stream));
}
Result cuStreamGetCtx(StreamObject stream, ContextObject* context) {
  if (const Result code = ready(); code != success) return code;
  if (meant(stream) != &default_stream && objects.count(stream) == 0) return invalid_handle;
  *context = &the_context;
  return success;
}
Result cuStreamIsCapturing(StreamObject stream, int* status) {
  *status = meant(stream)->recorded != nullptr ? 1 : capture_status_none;
  return ready();
}
Result cuEventCreate(EventObject* event, unsigned flags) {
  const Result code = make(event);
  if (code == success) (*event)->timed = flags == event_with_timing;
  return code;
}
Result cuEventDestroy_v2(EventObject event) { return destroy(event); }
Result cuEventRecord(EventObject event, StreamObject stream) {
  const auto record = std::make_shared<Record>(Record{meant(stream)});
  const Result code = enqueue(stream, [record]() -> Result {
    record->done = true;
    record->time = now_ms;
    return success;
  });
  if (code == success) event->last = record;
  return code;
}
Result cuEventQuery(EventObject event) {
  if (const Result code = ready(); code != success) return code;
  return event->last != nullptr && !event->last->done ? not_ready : success;
}
Result cuEventSynchronize(EventObject event) {
  if (const Result code = ready(); code != success) return code;
  const std::shared_ptr<Record> record = event->last;
  return record != nullptr && !record->done ? run(record->stream, record.get()) : success;
}
/// Waits for the record of this moment.
Result cuStreamWaitEvent(StreamObject stream, EventObject event, unsigned) {
  const std::shared_ptr<Record> record = event->last;
  if (record == nullptr) return ready();
  return enqueue(stream, [record]() -> Result { return record->done ? success : run(record->stream, record.get()); });
}
Result cuEventElapsedTime(float* milliseconds, EventObject start, EventObject end) {
  if (!start->timed || !end->timed) return invalid_handle;
  if (!start->last->done || !end->last->done) return not_ready;
  *milliseconds = static_cast<float>(end->last->time - start->last->time);
  return ready();
}

Result cuLaunchKernel(FunctionObject function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                      unsigned group_x, unsigned group_y, unsigned group_z, unsigned shared_bytes, StreamObject stream,
                      void** parameters, void** extra) {
  const std::uint64_t items = std::uint64_t{group_x} * group_y * group_z;
  if (items == 0 || items > 1024 || groups_x == 0 || groups_y != 1 || groups_z != 1 || shared_bytes > 48U << 10 ||
      extra != nullptr)
    return invalid_value;
  Launch launch{groups_x, group_x, {}};
  for (std::size_t i = 0; i < function->parameters.size(); ++i) {
    launch.arguments.emplace_back();
    std::memcpy(launch.arguments.back().data(), parameters[i], function->parameters[i]);
  }
  if (function->name == "reverse" && shared_bytes < 4 * group_x) return invalid_value;
  return enqueue(stream, [launch, name = function->name]() -> Result {
    now_ms += 0.5;
    if (name == "add") return run_add(launch);
    if (name == "scale") return run_scale(launch);
    return name == "reverse" ? run_reverse(launch) : illegal_address;
  });
}

}  // extern "C"

}  // namespace vergence::gpu::cuda
