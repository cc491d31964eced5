// SPDX-License-Identifier: Apache-2.0
// The loop over frames and blocks, and what is measured around it.
#include "motion-cuda/encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "motion-cuda/cost.hpp"
#include "motion-cuda/shares.hpp"

namespace vergence::studies::motion_cuda {
namespace {

/// By the device's clock, of all frames of a rung with a launch for each candidate; one of each frame at least.
constexpr int blocks_by_events = 16;

/// Border blocks on the host, a few candidates at a time.
class HostBlocks {
 public:
  HostBlocks(const Clip& clip, int step, Code code, const std::vector<int>& list, Truth::Field& field)
      : clip_(clip), frames_(clip.pair(step)), code_(code), list_(list), field_(field) {}
  void advance(std::int64_t count) {
    while (count > 0 && next_ < list_.size()) {
      const int block = list_[next_];
      if (!search_) {
        search_ = std::make_unique<LabSearch>(frames_, clip_.place(block), clip_.geometry, code_);
        left_ = clip_.geometry.candidates();
      }
      const int now = static_cast<int>(std::min<std::int64_t>(count, left_));
      count -= now;
      left_ -= now;
      if (search_->advance(now)) continue;
      field_(block % field_.width(), block / field_.width()) = search_->best();
      search_.reset();
      ++next_;
    }
  }
  void rest() { advance(static_cast<std::int64_t>(list_.size()) * clip_.geometry.candidates()); }

 private:
  const Clip& clip_;
  FramePair frames_;
  Code code_;
  const std::vector<int>& list_;
  Truth::Field& field_;
  std::unique_ptr<LabSearch> search_;
  std::size_t next_ = 0;
  int left_ = 0;
};

class Encoder {
 public:
  Encoder(DeviceSearch& search, const Clip& clip, const Truth& truth, const Variant& variant)
      : search_(search), clip_(clip), truth_(truth), variant_(variant), reconstruction_(clip.size(), 0) {}

  FrameCost frame(int step, const Plan& plan);
  /// Takes the reference's vectors: only the residue counts.
  void skip(int step);
  std::int64_t differing() const { return differing_; }
  std::uint64_t residue() const { return residue_; }

 private:
  /// Adds what was spent since the last call, times `factor`.
  void account(FrameCost& cost, double wall, double factor);
  void check(int step, const std::vector<int>& blocks);

  DeviceSearch& search_;
  const Clip& clip_;
  const Truth& truth_;
  const Variant& variant_;
  Truth::Field field_;
  Image<std::uint8_t> reconstruction_;
  std::int64_t differing_ = 0;
  std::uint64_t residue_ = 0;
};

void Encoder::account(FrameCost& cost, double wall, double factor) {
  cost.wall += wall * factor;
  cost.split += search_.take_split().scaled(factor);
  const gpu::Timing timing = search_.timing();
  cost.device.upload += timing.upload * factor;
  cost.device.kernel += timing.kernel * factor;
  cost.device.download += timing.download * factor;
}

void Encoder::check(int step, const std::vector<int>& blocks) {
  for (const int block : blocks)
    if (field_(block % field_.width(), block / field_.width()) != truth_.expected(variant_, step, block)) ++differing_;
}

void Encoder::skip(int step) {
  const Size blocks = clip_.blocks();
  field_ = Truth::Field(blocks);
  for (int i = 0; i < clip_.block_count(); ++i)
    field_(i % blocks.width, i / blocks.width) = truth_.expected(variant_, step, i);
  exact::reconstruct(clip_.pair(step).reference, field_, reconstruction_, clip_.geometry);
  residue_ += exact::residue(clip_.pair(step).current, reconstruction_);
}

FrameCost Encoder::frame(int step, const Plan& plan) {
  FrameCost cost;
  const FramePair frames = clip_.pair(step);
  const Size blocks = clip_.blocks();
  field_ = Truth::Field(blocks);
  for (int i = 0; i < clip_.block_count(); ++i)
    field_(i % blocks.width, i / blocks.width) = truth_.expected(variant_, step, i);
  // What is searched must be found anew.
  for (const Share* share : {&plan.device, &plan.host})
    for (const int i : share->searched) field_(i % blocks.width, i / blocks.width) = {clip_.geometry.reach + 1, 0, -1};
  search_.read(frames);
  search_.timing();
  search_.take_split();
  account(cost, milliseconds([&] { search_.send(step == 0); }), 1);

  HostBlocks host(clip_, step, variant_.host, plan.host.searched, field_);
  const int candidates = clip_.geometry.candidates();
  const auto calls =
      static_cast<std::int64_t>(plan.device.searched.size()) * (variant_.unit == Unit::sad ? candidates : 1);
  const std::int64_t each =
      calls == 0 ? 0 : (static_cast<std::int64_t>(plan.host.searched.size()) * candidates + calls - 1) / calls;
  const auto meanwhile = [&] {
    if (variant_.borders == Borders::overlapped) host.advance(each);
  };
  account(cost, milliseconds([&] {
            for (const int block : plan.device.searched)
              field_(block % blocks.width, block / blocks.width) = search_.search(clip_.place(block), meanwhile);
          }),
          plan.device.factor());
  account(cost, milliseconds([&] { host.rest(); }), plan.host.factor());
  cost.reconstruct =
      milliseconds([&] { exact::reconstruct(frames.reference, field_, reconstruction_, clip_.geometry); });
  cost.wall += cost.reconstruct;
  residue_ += exact::residue(frames.current, reconstruction_);
  check(step, plan.device.searched);
  check(step, plan.host.searched);
  return cost;
}

/// Frames one after the other, until the rung took its time; returns how many.
int time_frames(int most, const Effort& effort, const std::function<void(int)>& frame) {
  double spent = 0;
  int step = 0;
  while (step < most && (step == 0 || effort.cell_ms <= 0 || spent < effort.cell_ms)) {
    spent += milliseconds([&] { frame(step); });
    ++step;
  }
  return step;
}

/// By the device's clock: some frames, whose medians stand for the others. Blocks on the host are left out. Of a rung
/// with a launch for each candidate a few blocks of each are enough. Returns what launching and copying them took.
HostSplit measure_by_events(Cell& cell, DeviceSearch& search, const Clip& clip, const Truth& truth,
                            const Variant& variant, Effort effort) {
  const int most_launches = std::max(blocks_by_events / effort.event_frames, 1) * clip.geometry.candidates();
  effort.launches = effort.launches == 0 ? most_launches : std::min(effort.launches, most_launches);
  effort.launches_between = 1;
  search.measure(true);
  Encoder encoder(search, clip, truth, variant);
  std::size_t blocks = 0;
  std::vector<Times> measured;
  HostSplit split;
  const int timed = variant.clock_only ? clip.steps() : static_cast<int>(cell.runs.size());
  time_frames(std::min(timed, effort.event_frames), effort, [&](int step) {
    Plan plan = plan_of(clip, variant, effort, step);
    plan.host.searched.clear();
    blocks += plan.device.searched.size();
    const FrameCost cost = encoder.frame(step, plan);
    measured.push_back({cost.device.upload, cost.device.kernel, cost.device.download, 0});
    split += cost.split;
  });
  if (variant.clock_only) cell.runs.resize(measured.size());
  const Times middle = median_of(measured);
  for (std::size_t i = 0; i < cell.runs.size(); ++i) {
    const double wall = cell.runs[i].wall;
    cell.runs[i] = i < measured.size() ? measured[i] : middle;
    cell.runs[i].wall = wall;
  }
  cell.counts["event_frames"] = measured.size();
  cell.counts["event_blocks"] = blocks;
  cell.differing += encoder.differing();
  search.measure(false);
  return split.scaled(1 / static_cast<double>(measured.size()));
}

void describe_launches(Cell& cell, const DeviceSearch& search, const Variant& variant, const Geometry& geometry) {
  if (variant.unit != Unit::search)
    cell.local_bytes =
        sizeof(std::int32_t) * static_cast<std::size_t>(variant.unit == Unit::sad ? geometry.block : variant.lanes);
  const gpu::Range groups = search.groups();
  cell.local = search.group();
  cell.global = {groups.x * cell.local.x, groups.y * cell.local.y, 1};
}

const char* search_name(const Variant& variant) {
  return variant.is_step() ? "step" : variant.zones ? "zones" : "full";
}

class TimedVariant : public Timed {
 public:
  TimedVariant(Cell cell, Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant,
               const Effort& effort);
  void frame(int step) override;
  Cell finish() override;

 private:
  Cell cell_;
  const Clip& clip_;
  const Truth& truth_;
  Variant variant_;
  Effort effort_;
  std::unique_ptr<DeviceSearch> search_;
  std::unique_ptr<Encoder> encoder_;
  Plan first_;
  std::vector<FrameCost> costs_;
};

TimedVariant::TimedVariant(Cell cell, Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant,
                           const Effort& effort)
    : cell_(std::move(cell)), clip_(clip), truth_(truth), variant_(variant), effort_(effort) {
  cell_.setup_ms = milliseconds([&] { search_ = std::make_unique<DeviceSearch>(bench, variant_, clip); });
  cell_.compile_ms = search_->built().compile_ms;
  cell_.code_bytes = search_->built().code_bytes;
  cell_.code_kind = search_->built().code_kind;
  encoder_ = std::make_unique<Encoder>(*search_, clip_, truth_, variant_);
  first_ = plan_of(clip_, variant_, effort_, 0);
  // a first block that is not counted
  search_->read(clip_.pair(0));
  search_->send(true);
  if (!first_.device.searched.empty() && variant_.unit != Unit::sad)
    search_->search(clip_.place(first_.device.searched.front()), [] {});
}

void TimedVariant::frame(int step) {
  if (variant_.clock_only) return;
  costs_.push_back(encoder_->frame(step, plan_of(clip_, variant_, effort_, step)));
  cell_.runs.push_back({0, 0, 0, costs_.back().wall});
}

Cell TimedVariant::finish() {
  const auto frames = static_cast<int>(costs_.size());
  for (int step = frames; step < clip_.steps(); ++step) encoder_->skip(step);
  cell_.differing += encoder_->differing();
  Json counts = frames > 0 ? counts_of(costs_) : Json::object();
  HostSplit split;
  for (const FrameCost& cost : costs_) split += cost.split;
  if (frames > 0) split = split.scaled(1 / static_cast<double>(frames));
  add_sizes(counts, clip_, clip_.steps(), first_.device.searched.size() + first_.host.searched.size(),
            encoder_->residue());
  counts["search"] = search_name(variant_);
  counts["timed_frames"] = frames;
  counts["on_host"] = first_.host.all.size();
  describe_launches(cell_, *search_, variant_, clip_.geometry);
  cell_.counts = std::move(counts);
  if (effort_.event_frames > 0) {
    const HostSplit by_clock = measure_by_events(cell_, *search_, clip_, truth_, variant_, effort_);
    if (frames == 0) split = by_clock;
  }
  cell_.launches = static_cast<int>(split.launches);
  cell_.bytes_up = split.bytes_up;
  cell_.bytes_down = split.bytes_down;
  return std::move(cell_);
}

/// A variant that the device cannot run.
class Refused : public Timed {
 public:
  explicit Refused(Cell cell) : cell_(std::move(cell)) {}
  void frame(int) override {}
  Cell finish() override { return std::move(cell_); }

 private:
  Cell cell_;
};

bool can_pin(const Bench& bench) { return HostMemory(bench.device(), 1, true).is_pinned(); }

std::string refusal(const Bench& bench, const Variant& variant, const Geometry& geometry) {
  if (variant.shuffles && !bench.properties().is_nvidia)
    return "does not fit: shuffles within warps are written for NVIDIA's compilers";
  const int span = geometry.span();
  if (variant.unit == Unit::search && variant.is_full() &&
      (span % variant.group.width != 0 || span / variant.streams % variant.group.height != 0))
    return fmt::format("does not fit: groups do not divide {}x{} candidates", span, span);
  const auto items = [&]() -> gpu::Range {
    if (variant.unit == Unit::shared) return {static_cast<std::size_t>(variant.lanes), 1, 1};
    if (variant.unit == Unit::sad) return {static_cast<std::size_t>(geometry.block), 1, 1};
    const auto grid = static_cast<std::size_t>(variant.grid);
    if (variant.is_step()) return {grid, grid, 1};
    return {static_cast<std::size_t>(variant.group.width), static_cast<std::size_t>(variant.group.height), 1};
  }();
  if (std::string too_large = bench.refusal(items, 0); !too_large.empty()) return too_large;
  if (variant.rung == "pinned" && !can_pin(bench)) return "does not fit: this API pins no memory";
  return {};
}

}  // namespace

Json what_of(const Clip& clip, const Variant& variant, const std::string& device) {
  return Json{{"clip", clip.name},
              {"rung", variant.rung},
              {"on", device},
              {"streams", variant.streams},
              {"lanes", variant.unit == Unit::shared ? variant.lanes : 0},
              {"group", variant.unit == Unit::search && variant.is_full()
                            ? std::to_string(variant.group.width) + "x" + std::to_string(variant.group.height)
                            : "-"},
              {"pinned", variant.pinned},
              {"host", variant.has_host_blocks() ? name_of(variant.host) : "-"}};
}

namespace {

Cell empty_cell(const Bench& bench, const Clip& clip, const Variant& variant) {
  Cell cell;
  cell.what = what_of(clip, variant, "device");
  cell.what["pinned"] = variant.pinned && can_pin(bench);
  cell.refused = refusal(bench, variant, clip.geometry);
  return cell;
}

}  // namespace

std::unique_ptr<Timed> start_encode(Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant,
                                    const Effort& effort) {
  Cell cell = empty_cell(bench, clip, variant);
  if (!cell.ran()) return std::make_unique<Refused>(std::move(cell));
  return std::make_unique<TimedVariant>(std::move(cell), bench, clip, truth, variant, effort);
}

Cell encode(Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant, const Effort& effort) {
  Cell cell = empty_cell(bench, clip, variant);
  if (cell.ran())
    bench.guard(cell, [&] {
      TimedVariant timed(cell, bench, clip, truth, variant, effort);
      if (!variant.clock_only) time_frames(clip.steps(), effort, [&](int step) { timed.frame(step); });
      cell = timed.finish();
    });
  return cell;
}

}  // namespace vergence::studies::motion_cuda
