// SPDX-License-Identifier: Apache-2.0
// Frames by copies and without.
#include "stencil-energy/sharing.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "stencil-energy/variant.hpp"

namespace vergence::studies::stencil_energy {
namespace {

enum class Way { copies, driver, host };
constexpr std::array ways{Way::copies, Way::driver, Way::host};
constexpr std::array names{"copies", "CL_MEM_ALLOC_HOST_PTR", "CL_MEM_USE_HOST_PTR"};

struct Free {
  void operator()(float* memory) const { std::free(memory); }  // NOLINT: of aligned_alloc
};
using Memory = std::unique_ptr<float, Free>;

/// A picture in the host's memory, at a page, with what kernels may read beyond its end.
Memory host_memory(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  Memory memory(static_cast<float*>(std::aligned_alloc(page, (bytes + 16 + page - 1) / page * page)));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

/// A picture on its way to the device and a result on its way back.
class Exchange {
 public:
  Exchange(Bench& bench, const Pictures& pictures, Way way)
      : bench_(bench),
        pictures_(pictures),
        way_(way),
        bytes_(pictures.layout.bytes()),
        from_(host_memory(bytes_)),
        to_(host_memory(bytes_)) {
    std::memset(from_.get(), 0, bytes_);
    std::memset(to_.get(), 0, bytes_);
    if (way == Way::copies) {
      in_ = bench.device().allocate(bytes_);
      out_ = bench.device().allocate(bytes_);
    } else {
      in_ = bench.device().allocate_on_host(way == Way::host ? from_.get() : nullptr, bytes_);
      out_ = bench.device().allocate_on_host(way == Way::host ? to_.get() : nullptr, bytes_);
    }
    bench.queue().upload(*out_, packed_rows(bytes_, 1), pictures.poison.data());
    built_ = bench.build("stencil-energy/one_pass.cl", defines_of(variant_, pictures.points), "stencil_one_pass");
  }

  /// The host writes a frame where the device gets it from, which is not timed; the rest is what it takes until the
  /// host can read the result.
  Times frame() {
    gpu::Queue& queue = bench_.queue();
    Times times;
    if (way_ == Way::copies) {
      produce(from_.get());
      times.upload = milliseconds([&] {
        queue.upload(*in_, packed_rows(bytes_, 1), from_.get());
        queue.finish();
      });
    } else {
      void* mapped = nullptr;
      times.upload = milliseconds([&] { mapped = queue.map(*in_, true); });
      produce(static_cast<float*>(mapped));
      times.upload += milliseconds([&] {
        queue.unmap(*in_, mapped);
        queue.finish();
      });
    }
    times.kernel = milliseconds([&] {
      launch();
      queue.finish();
    });
    void* result = to_.get();
    times.download = milliseconds([&] {
      if (way_ == Way::copies)
        queue.download(*out_, packed_rows(bytes_, 1), to_.get());
      else
        result = queue.map(*out_, false);
    });
    got_.assign(static_cast<float*>(result), static_cast<float*>(result) + pictures_.layout.floats);
    if (way_ != Way::copies)
      times.download += milliseconds([&] {
        queue.unmap(*out_, result);
        queue.finish();
      });
    times.wall = times.upload + times.kernel + times.download;
    return times;
  }
  std::int64_t differing() const { return pictures_.differing(pictures_.after_whole, got_); }

 private:
  void launch() {
    const Layout& layout = pictures_.layout;
    const Launch launch = launch_of(variant_, passes_of(variant_.form).front(), layout.size);
    const gpu::Argument arguments[] = {
        *in_, *out_, layout.origin, layout.pitch, layout.size.width, layout.size.height, launch.strip, 1};
    bench_.queue().launch(*built_.kernel, launch.groups, launch.group, arguments);
  }
  void produce(float* to) const { std::memcpy(to, pictures_.in.data(), bytes_); }

  Bench& bench_;
  const Pictures& pictures_;
  Way way_;
  std::size_t bytes_;
  Memory from_, to_;
  std::vector<float> got_;
  std::unique_ptr<gpu::Buffer> in_, out_;
  Built built_;
  Variant variant_{Form::one_pass, 8, true, 1, 64, 0};
};

}  // namespace

void run_sharing(Context& context, Bench& bench, const Effort& effort) {
  for (const Size size : {Size{1920, 1080}, Size{640, 480}}) {
    const Pictures pictures(context.inputs.front().pixels, size, 25);
    for (const Way way : ways) {
      Cell cell;
      const Variant variant{Form::one_pass, 8, true, 1, 64, 0};
      cell.what = what_of("sharing", "device", size, 25, variant);
      cell.what["form"] = names[static_cast<std::size_t>(way)];
      if (effort.over()) cell.refused = time_is_over;
      if (cell.ran())
        bench.guard(cell, [&] {
          Exchange exchange(bench, pictures, way);
          exchange.frame();
          for (int i = 0; i < 3 * effort.launches; ++i) cell.runs.push_back(exchange.frame());
          cell.bytes_up = cell.bytes_down = pictures.layout.bytes();
          cell.differing = exchange.differing();
        });
      context.report.cells.push_back(std::move(cell));
      context.cell_done(context.report.cells.back());
    }
  }
}

}  // namespace vergence::studies::stencil_energy
