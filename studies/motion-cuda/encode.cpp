// SPDX-License-Identifier: Apache-2.0
// The loop over frames and blocks, and what is measured around it.
#include "motion-cuda/encode.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace vergence::studies::motion_cuda {
namespace {

/// Blocks of one kind of which a part is searched.
struct Share {
  std::vector<int> all, searched;
  double factor() const {
    return searched.empty() ? 0 : static_cast<double>(all.size()) / static_cast<double>(searched.size());
  }
};

Share share_of(std::vector<int> all, int most) {
  Share share;
  for (const int i : spread(static_cast<int>(all.size()), most))
    share.searched.push_back(all[static_cast<std::size_t>(i)]);
  share.all = std::move(all);
  return share;
}

/// Who searches which blocks.
struct Plan {
  Share device, host;
};

Plan plan_of(const Clip& clip, const Variant& variant, const Effort& effort) {
  std::vector<int> device, host;
  for (int i = 0; i < clip.block_count(); ++i) {
    const bool goes = variant.borders == Borders::condition || is_inner(clip.size(), place_of(clip.blocks(), i));
    (goes ? device : host).push_back(i);
  }
  int most = effort.blocks;
  if (variant.unit == Unit::sad)
    most = most == 0 ? std::max(effort.launches / candidates, 1)
                     : std::min(most, std::max(effort.launches / candidates, 1));
  const double part =
      most == 0 || device.empty() ? 1 : std::min(1.0, static_cast<double>(most) / static_cast<double>(device.size()));
  const auto of_host = static_cast<int>(std::ceil(part * static_cast<double>(host.size())));
  Plan plan{share_of(std::move(device), most), {}};
  plan.host = share_of(std::move(host), most == 0 ? 0 : std::max(of_host, 1));
  return plan;
}

/// Border blocks on the host, a few candidates at a time.
class HostBlocks {
 public:
  HostBlocks(const FramePair& frames, Size blocks, const std::vector<int>& list, Truth::Field& field)
      : frames_(frames), blocks_(blocks), list_(list), field_(field) {}
  void advance(std::int64_t count) {
    while (count > 0 && next_ < list_.size()) {
      const int block = list_[next_];
      if (!search_) {
        search_ = std::make_unique<LabSearch>(frames_, place_of(blocks_, block));
        left_ = candidates;
      }
      const int now = static_cast<int>(std::min<std::int64_t>(count, left_));
      count -= now;
      left_ -= now;
      if (search_->advance(now)) continue;
      field_(block % blocks_.width, block / blocks_.width) = search_->best();
      search_.reset();
      ++next_;
    }
  }
  void rest() { advance(static_cast<std::int64_t>(list_.size()) * candidates); }

 private:
  FramePair frames_;
  Size blocks_;
  const std::vector<int>& list_;
  Truth::Field& field_;
  std::unique_ptr<LabSearch> search_;
  std::size_t next_ = 0;
  int left_ = 0;
};

/// What a frame took, extrapolated to all of its blocks.
struct FrameCost {
  double wall = 0, reconstruct = 0;
  HostSplit split;
  gpu::Timing device;
};

class Encoder {
 public:
  Encoder(DeviceSearch& search, const Clip& clip, const Truth& truth, const Variant& variant, const Plan& plan)
      : search_(search), clip_(clip), truth_(truth), variant_(variant), plan_(plan), reconstruction_(clip.size(), 0) {}

  FrameCost frame(int step);
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
  const Plan& plan_;
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
  exact::reconstruct(clip_.pair(step).reference, field_, reconstruction_);
  residue_ += exact::residue(clip_.pair(step).current, reconstruction_);
}

FrameCost Encoder::frame(int step) {
  FrameCost cost;
  const FramePair frames = clip_.pair(step);
  const Size blocks = clip_.blocks();
  field_ = Truth::Field(blocks);
  for (int i = 0; i < clip_.block_count(); ++i)
    field_(i % blocks.width, i / blocks.width) = truth_.expected(variant_, step, i);
  // What is searched must be found anew.
  for (const Share* share : {&plan_.device, &plan_.host})
    for (const int i : share->searched) field_(i % blocks.width, i / blocks.width) = {reach + 1, 0, -1};
  search_.read(frames);
  search_.timing();
  search_.take_split();
  account(cost, milliseconds([&] { search_.send(step == 0); }), 1);

  HostBlocks host(frames, blocks, plan_.host.searched, field_);
  const auto calls =
      static_cast<std::int64_t>(plan_.device.searched.size()) * (variant_.unit == Unit::sad ? candidates : 1);
  const std::int64_t each =
      calls == 0 ? 0 : (static_cast<std::int64_t>(plan_.host.searched.size()) * candidates + calls - 1) / calls;
  const auto meanwhile = [&] {
    if (variant_.borders == Borders::overlapped) host.advance(each);
  };
  account(cost, milliseconds([&] {
            for (const int block : plan_.device.searched)
              field_(block % blocks.width, block / blocks.width) = search_.search(place_of(blocks, block), meanwhile);
          }),
          plan_.device.factor());
  account(cost, milliseconds([&] { host.rest(); }), plan_.host.factor());
  cost.reconstruct = milliseconds([&] { exact::reconstruct(frames.reference, field_, reconstruction_); });
  cost.wall += cost.reconstruct;
  residue_ += exact::residue(frames.current, reconstruction_);
  check(step, plan_.device.searched);
  check(step, plan_.host.searched);
  return cost;
}

double rounded(double ms) { return std::round(ms * 1e4) / 1e4; }

/// Means over the frames, in ms per frame.
Json counts_of(const std::vector<FrameCost>& costs) {
  FrameCost mean;
  for (const FrameCost& cost : costs) {
    mean.split += cost.split;
    mean.reconstruct += cost.reconstruct;
    mean.wall += cost.wall;
  }
  const double share = 1 / static_cast<double>(costs.size());
  const HostSplit split = mean.split.scaled(share);
  return Json{{"launch_ms", rounded(split.launch)},
              {"copy_ms", rounded(split.copy)},
              {"wait_ms", rounded(split.wait)},
              {"cpu_ms", rounded(mean.wall * share - split.launch - split.copy - split.wait)},
              {"reconstruct_ms", rounded(mean.reconstruct * share)},
              {"launches", split.launches},
              {"copies", split.copies}};
}

/// Of cells of one search: residues over the same frames can be compared.
void add_sizes(Json& counts, const Clip& clip, int frames, std::size_t searched, std::uint64_t residue) {
  counts["search"] = "";
  counts["frames"] = frames;
  counts["blocks"] = clip.block_count();
  counts["searched"] = searched;
  counts["residue"] = residue;
}

void measure(Cell& cell, Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant,
             const Effort& effort) {
  std::unique_ptr<DeviceSearch> search;
  cell.setup_ms = milliseconds([&] { search = std::make_unique<DeviceSearch>(bench, variant, clip.size()); });
  cell.compile_ms = search->built().compile_ms;
  cell.code_bytes = search->built().code_bytes;
  cell.code_kind = search->built().code_kind;
  const Plan plan = plan_of(clip, variant, effort);
  const bool sampled = plan.device.searched.size() < plan.device.all.size();
  const int frames = variant.unit == Unit::sad && sampled ? 1 : clip.steps();
  {  // a first block that is not counted
    search->read(clip.pair(0));
    search->send(true);
    if (!plan.device.searched.empty() && variant.unit != Unit::sad)
      search->search(place_of(clip.blocks(), plan.device.searched.front()), [] {});
  }
  std::vector<FrameCost> costs;
  std::uint64_t residue = 0;
  for (const bool by_events : {false, true}) {
    if (by_events && !effort.by_events) break;
    search->measure(by_events);
    Encoder encoder(*search, clip, truth, variant, plan);
    for (int step = 0; step < frames; ++step) {
      const FrameCost cost = encoder.frame(step);
      if (by_events) {
        Times& times = cell.runs[static_cast<std::size_t>(step)];
        times.upload = cost.device.upload;
        times.kernel = cost.device.kernel;
        times.download = cost.device.download;
      } else {
        cell.runs.push_back({0, 0, 0, cost.wall});
        costs.push_back(cost);
      }
    }
    for (int step = frames; step < clip.steps(); ++step) encoder.skip(step);
    cell.differing += encoder.differing();
    residue = encoder.residue();
  }
  Json counts = counts_of(costs);
  const HostSplit split = [&] {
    HostSplit sum;
    for (const FrameCost& cost : costs) sum += cost.split;
    return sum.scaled(1 / static_cast<double>(costs.size()));
  }();
  cell.launches = static_cast<int>(split.launches);
  cell.bytes_up = split.bytes_up;
  cell.bytes_down = split.bytes_down;
  add_sizes(counts, clip, clip.steps(), plan.device.searched.size() + plan.host.searched.size(), residue);
  counts["search"] = variant.is_step() ? "step" : "full";
  counts["timed_frames"] = frames;
  counts["on_host"] = plan.host.all.size();
  if (variant.unit != Unit::search)
    cell.local_bytes =
        sizeof(std::int32_t) * static_cast<std::size_t>(variant.unit == Unit::sad ? block_side : variant.lanes);
  const gpu::Range groups = search->groups();
  cell.local = search->group();
  cell.global = {groups.x * cell.local.x, groups.y * cell.local.y, 1};
  cell.counts = std::move(counts);
}

bool can_pin(const Bench& bench) { return HostMemory(bench.device(), 1, true).is_pinned(); }

std::string refusal(const Bench& bench, const Variant& variant) {
  if (variant.shuffles && !bench.properties().is_nvidia)
    return "does not fit: shuffles within warps are written for NVIDIA's compilers";
  if (variant.unit == Unit::search && !variant.is_step() &&
      (span % variant.group.width != 0 || span / variant.streams % variant.group.height != 0))
    return "does not fit: groups do not divide 128x128 candidates";
  const auto items = [&]() -> gpu::Range {
    if (variant.unit == Unit::shared) return {static_cast<std::size_t>(variant.lanes), 1, 1};
    if (variant.unit == Unit::sad) return {block_side, 1, 1};
    const auto grid = static_cast<std::size_t>(variant.grid);
    if (variant.is_step()) return {grid, grid, 1};
    return {static_cast<std::size_t>(variant.group.width), static_cast<std::size_t>(variant.group.height), 1};
  }();
  if (std::string too_large = bench.refusal(items, 0); !too_large.empty()) return too_large;
  if (variant.rung == "pinned" && !can_pin(bench)) return "does not fit: this API pins no memory that exists already";
  return {};
}

}  // namespace

std::vector<int> spread(int count, int most) {
  std::vector<int> chosen;
  const int wanted = most == 0 ? count : std::min(count, most);
  // The middles of equal parts.
  for (int i = 0; i < wanted; ++i)
    chosen.push_back(static_cast<int>((std::int64_t{2} * i + 1) * count / (std::int64_t{2} * wanted)));
  return chosen;
}

Json what_of(const Clip& clip, const Variant& variant, const std::string& device) {
  return Json{{"clip", clip.name},
              {"rung", variant.rung},
              {"on", device},
              {"streams", variant.streams},
              {"lanes", variant.unit == Unit::shared ? variant.lanes : 0},
              {"group", variant.unit == Unit::search && !variant.is_step()
                            ? std::to_string(variant.group.width) + "x" + std::to_string(variant.group.height)
                            : "-"},
              {"pinned", variant.pinned}};
}

Cell encode(Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant, const Effort& effort) {
  Cell cell;
  cell.what = what_of(clip, variant, "device");
  cell.what["pinned"] = variant.pinned && can_pin(bench);
  cell.refused = refusal(bench, variant);
  if (cell.ran()) bench.guard(cell, [&] { measure(cell, bench, clip, truth, variant, effort); });
  return cell;
}

Cell encode_scalar(const Clip& clip, const Truth& truth, bool step, const Effort& effort) {
  Cell cell;
  Variant variant;
  variant.rung = step ? "step-scalar" : "scalar";
  cell.what = what_of(clip, variant, "host");
  cell.what["group"] = "-";
  const Size blocks = clip.blocks();
  const std::vector<int> searched = spread(clip.block_count(), effort.blocks);
  const int frames = step ? clip.steps() : std::min(clip.steps(), effort.baseline_frames);
  Image<std::uint8_t> reconstruction(clip.size(), 0);
  std::vector<FrameCost> costs;
  std::uint64_t residue = 0;
  for (int i = 0; i < clip.steps(); ++i) {
    const Truth::Field& truth_field = step ? truth.step_search(i) : truth.full(i);
    Truth::Field field(blocks);
    for (int block = 0; block < clip.block_count(); ++block)
      field(block % blocks.width, block / blocks.width) = truth_field(block % blocks.width, block / blocks.width);
    FrameCost cost;
    const FramePair pair = clip.pair(i);
    if (i < frames) {
      cost.wall = milliseconds([&] {
        for (const int block : searched) {
          LabSearch search(pair, place_of(blocks, block));
          if (step)
            search.step();
          else
            search.advance(candidates);
          field(block % blocks.width, block / blocks.width) = search.best();
        }
      });
      cost.wall *= static_cast<double>(clip.block_count()) / static_cast<double>(searched.size());
      for (const int block : searched)
        if (field(block % blocks.width, block / blocks.width) !=
            truth_field(block % blocks.width, block / blocks.width))
          ++cell.differing;
    }
    cost.reconstruct = milliseconds([&] { exact::reconstruct(pair.reference, field, reconstruction); });
    residue += exact::residue(pair.current, reconstruction);
    if (i >= frames) continue;  // its residue counts, its time does not
    cost.wall += cost.reconstruct;
    cell.runs.push_back({0, 0, 0, cost.wall});
    costs.push_back(cost);
  }
  cell.counts = counts_of(costs);
  add_sizes(cell.counts, clip, clip.steps(), searched.size(), residue);
  cell.counts["search"] = step ? "step" : "full";
  cell.counts["timed_frames"] = frames;
  return cell;
}

}  // namespace vergence::studies::motion_cuda
