// SPDX-License-Identifier: Apache-2.0
// Each call of OpenCL and CUDA fails once, for lack of memory and for good: the backend says so in one Error, a queue
// is dead afterwards or goes on, and every object of the API is given back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "gpu/cuda/driver.hpp"
#include "gpu/cuda/nvrtc.hpp"
#include "gpu/cuda_kernels.hpp"
#include "gpu/devices.hpp"
#include "gpu/injected_calls.hpp"
#include "gpu/opencl/driver.hpp"
#include "support/fault_count.hpp"
#include "vergence/error.hpp"

namespace vergence::test {
namespace {

constexpr unsigned time_limit_s = 240;  ///< For one call: what hangs ends the program.

const char* const opencl_kernels =
    R"(kernel void add(global const uchar* in, global int* out, int count, long term) {
  const int i = get_global_id(0);
  if (i < count) out[i] = in[i] + (int)term;
}
kernel void reverse(global int* data, local int* group) {
  group[get_local_id(0)] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = group[get_local_size(0) - 1 - get_local_id(0)];
}
)";

constexpr std::size_t items = 1024, group = 64;

/// A device from its opening to the result of two kernels, step by step; a step that failed may be done again.
struct Work {
  const char* text;
  std::shared_ptr<gpu::Device> (*open)(int);
  std::shared_ptr<void> (*make_stream)(const gpu::Device&);  ///< One of the caller's own.
  std::shared_ptr<gpu::Device> device{};
  std::unique_ptr<gpu::Queue> queue{};
  std::unique_ptr<gpu::Buffer> in{}, out{};
  std::unique_ptr<gpu::Program> program{};
  std::unique_ptr<gpu::Kernel> add{}, reverse{};
  std::shared_ptr<void> stream{};
  std::vector<std::uint8_t> pixels = std::vector<std::uint8_t>(items);
  bool in_queue = false;  ///< The step under way is one of the queue.

  void prepare() {
    if (device == nullptr) device = open(0);
    if (queue == nullptr) queue = device->make_queue();
    if (in == nullptr) in = device->allocate(items);
    if (out == nullptr) out = device->allocate(4 * items);
    if (program == nullptr) program = device->load(device->compile(text));
    if (add == nullptr) add = program->kernel("add");
    if (reverse == nullptr) reverse = program->kernel("reverse");
    if (stream == nullptr) stream = make_stream(*device);
  }

  /// What is wrong with the result; empty where it is right.
  std::string run() {
    const std::unique_ptr<gpu::Event> before = device->record(stream.get()), after = device->new_event();
    in_queue = true;
    queue->wait_for(*before);
    std::iota(pixels.begin(), pixels.end(), std::uint8_t{3});
    std::vector<std::int32_t> got(items, -1), expected(items);
    queue->measure(true);
    queue->fill(*out, 0xFF);
    queue->upload(*in, {0, 32, 32, 32, items / 32}, pixels.data());                       // without gaps
    queue->upload(*in, {16, 64, 32, 16, items / 64}, pixels.data() + pixels.size() / 2);  // with gaps
    queue->launch(*add, {items / group}, {group},
                  std::vector<gpu::Argument>{*in, *out, static_cast<std::int32_t>(items), std::int64_t{5}});
    queue->launch(*reverse, {items / group}, {group},
                  std::vector<gpu::Argument>{*out, gpu::Argument::local(4 * group)});
    queue->download(*out, {0, 256, 256, 256, 4 * items / 256}, got.data());
    const gpu::Timing timing = queue->timing();
    queue->measure(false);
    queue->set(*after);
    queue->finish();
    in_queue = false;
    after->make_wait(stream.get());
    const bool came = after->is_done();
    after->wait();
    if (!came) return "work that was waited for is not done";
    std::vector<std::uint8_t> written = pixels;
    for (std::size_t y = 0; y < items / 64; ++y)
      for (std::size_t x = 0; x < 16; ++x) written[64 * y + 16 + x] = pixels[items / 2 + 32 * y + x];
    for (std::size_t i = 0; i < items; ++i) expected[i / group * group + group - 1 - i % group] = written[i] + 5;
    if (timing.kernel < 0 || timing.upload < 0) return "negative times";
    return got == expected ? "" : "wrong result";
  }

  /// Every call of a dead queue.
  void expect_dead() {
    const auto expect = [](const char* what, const auto& call) {
      try {
        call();
        ADD_FAILURE() << what << " went through";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::device) << what;
        EXPECT_NE(std::string(error.what()).find("not used any more"), std::string::npos)
            << what << ": " << error.what();
      }
    };
    std::vector<std::int32_t> values(items);
    const gpu::Rows rows{0, items, items, items, 1};
    expect("upload", [&] { queue->upload(*in, rows, pixels.data()); });
    expect("download", [&] { queue->download(*in, rows, values.data()); });
    expect("fill", [&] { queue->fill(*in, 0); });
    expect("launch", [&] { queue->launch(*reverse, {1}, {1}, std::vector<gpu::Argument>{*out}); });
    expect("finish", [&] { queue->finish(); });
    expect("timing", [&] { queue->timing(); });
  }
};

/// An API with its table of calls hooked, or not.
struct Api {
  const char* text;
  std::shared_ptr<gpu::Device> (*open)(int);
  std::shared_ptr<void> (*make_stream)(const gpu::Device&);
  void (*hook)(bool);
  int memory_code, device_code;
};

/// One failure; `memory`: for lack of it. An Error that came out is counted.
void fail_once(const Api& api, int n, bool memory, int& reported) {
  injection = {};
  injection.fail_at = n;
  injection.code = memory ? api.memory_code : api.device_code;
  {
    Work work{api.text, api.open, api.make_stream};
    std::optional<Error> first;
    try {
      work.prepare();
      EXPECT_EQ(work.run(), "") << "a failure that nobody noticed";  // such as that of a question that has a default
    } catch (const Error& error) {
      first = error;
    }
    ASSERT_NE(injection.failed, "");
    reported += first ? 1 : 0;
    if (first) {
      const bool named = std::string(first->what()).find(std::to_string(injection.code)) != std::string::npos;
      EXPECT_TRUE(named) << first->what();
      EXPECT_TRUE(!work.in_queue || first->code() == (memory ? ErrorCode::out_of_memory : ErrorCode::device))
          << first->what();
    }
    if (first && work.in_queue && first->code() == ErrorCode::device) {
      work.expect_dead();
      work.queue.reset();
      work.in_queue = false;
    }
    try {
      work.prepare();
      EXPECT_EQ(work.run(), "");
    } catch (const Error& error) {
      ADD_FAILURE() << "after " << (first ? first->what() : "nothing") << ": " << error.what();
    }
  }
  EXPECT_EQ(injection.living, 0) << "left behind";
}

void walk(const Api& api) {
  static_cast<void>(api.make_stream(*api.open(0)));  // looks up the real calls
  api.hook(true);
  alarm(time_limit_s);
  injection = {};
  int calls = 0, reported = 0;
  {
    Work work{api.text, api.open, api.make_stream};
    work.prepare();
    EXPECT_EQ(work.run(), "");
    calls = injection.calls;  // those of destructors do not count: nothing could be done about them
  }
  EXPECT_EQ(injection.living, 0);
  EXPECT_GT(calls, 40);
  for (int n = 1; n <= calls && !testing::Test::HasFailure(); ++n)
    for (const bool memory : {true, false}) {
      alarm(time_limit_s);  // anew: on a busy machine all calls together may take longer
      fail_once(api, n, memory, reported);
      EXPECT_FALSE(testing::Test::HasFailure())
          << "call " << n << " of " << calls << " (" << injection.failed << "), code " << injection.code;
    }
  alarm(0);
  print_faults("a call of a GPU's interface", 2 * calls, reported);
  injection = {};
  api.hook(false);
}

/// By the real calls, as a program makes it, which do not count.
std::shared_ptr<void> opencl_stream(const gpu::Device& device) {
  static const gpu::opencl::Calls real = gpu::opencl::calls();
  const NativeDevice native = device.native();
  cl_int code = CL_SUCCESS;
  const cl_command_queue queue = real.CreateCommandQueue(static_cast<cl_context>(native.context),
                                                         static_cast<cl_device_id>(native.device), 0, &code);
  EXPECT_EQ(code, CL_SUCCESS);
  return {queue, [](cl_command_queue made) {
            real.Finish(made);
            real.ReleaseCommandQueue(made);
          }};
}
/// The legacy default stream.
std::shared_ptr<void> cuda_stream(const gpu::Device& /*device*/) {
  return {reinterpret_cast<void*>(std::uintptr_t{1}), [](void*) {}};
}

void hook_opencl(bool on) {
  gpu::opencl::Calls& calls = gpu::opencl::changeable_calls();
#define VERGENCE_TEST_HOOK(member)                          \
  if (on)                                                   \
    Hook<&gpu::opencl::Calls::member>::put(calls, #member); \
  else                                                      \
    Hook<&gpu::opencl::Calls::member>::remove(calls);
  VERGENCE_OPENCL_CALLS(VERGENCE_TEST_HOOK)
#undef VERGENCE_TEST_HOOK
}

void hook_cuda(bool on) {
  gpu::cuda::Calls& calls = gpu::cuda::changeable_calls();
#define VERGENCE_TEST_HOOK(member, symbol, parameters)    \
  if (on)                                                 \
    Hook<&gpu::cuda::Calls::member>::put(calls, #member); \
  else                                                    \
    Hook<&gpu::cuda::Calls::member>::remove(calls);
  VERGENCE_CUDA_CALLS(VERGENCE_TEST_HOOK)
#undef VERGENCE_TEST_HOOK
}

TEST(OpenClFailures, EachCallOnce) {
  const std::vector<gpu::Found> found = gpu::opencl::find();
  if (!found.front().available) GTEST_SKIP() << found.front().reason;
  unsetenv("VERGENCE_POCL_BINARIES");  // calls for binaries are among those that fail
  constexpr int out_of_host_memory = -6, out_of_resources = -5;
  walk({opencl_kernels, gpu::opencl::open, opencl_stream, hook_opencl, out_of_host_memory, out_of_resources});
}

TEST(OpenClFailures, RefusedLaunchSaysWhatTheKernelTakes) {
  const std::vector<gpu::Found> found = gpu::opencl::find();
  if (!found.front().available) GTEST_SKIP() << found.front().reason;
  Work work{opencl_kernels, gpu::opencl::open, opencl_stream};
  work.prepare();
  try {
    work.queue->launch(*work.reverse, {1}, {items * items},
                       std::vector<gpu::Argument>{*work.out, gpu::Argument::local(4 * group)});
    ADD_FAILURE() << "no device takes groups of " << items * items;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device);
    EXPECT_NE(std::string(error.what()).find("bytes of local memory"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("groups of up to"), std::string::npos) << error.what();
  }
}

TEST(CudaFailures, EachCallOnce) {
  const std::vector<gpu::Found> found = gpu::cuda::find();
  if (!found.front().available) GTEST_SKIP() << found.front().reason;
  constexpr int launch_failed = 719;
  walk({cuda_kernels, gpu::cuda::open, cuda_stream, hook_cuda, gpu::cuda::out_of_memory, launch_failed});
}

}  // namespace
}  // namespace vergence::test
