// SPDX-License-Identifier: Apache-2.0
// Runs the rows of table III.
#include "stencil-energy/trackers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/parallel.hpp"
#include "stencil-energy/published_device.hpp"
#include "stencil-energy/tracker.hpp"
#include "vergence/error.hpp"

namespace vergence::studies::stencil_energy {
namespace {

Stream stream_of(const Context& context) {
  std::vector<ImageView<const std::uint8_t>> clip;
  for (const Picture& picture : context.inputs) clip.push_back(picture.pixels);
  const Stream stream(clip);
  for (const ImageView<const std::uint8_t>& frame : clip)
    if (frame.size() != stream.size())
      throw Error(ErrorCode::invalid_argument, "the clip's frames differ in size: give a clip of one size");
  return stream;
}

void add(Context& context, Cell cell) {
  context.report.cells.push_back(std::move(cell));
  context.cell_done(context.report.cells.back());
}

/// The published tracker's rows of one number of strongest pixels.
class PublishedRows {
 public:
  PublishedRows(Context& context, const Effort& effort, Joules& joules, const Stream& stream,
                const Following& following)
      : context_(context), effort_(effort), joules_(joules), stream_(stream), following_(following) {}

  /// The program itself, over frames that one core does in bearable time.
  void single(const Stream& stream, const char* clip, int frames, int rounds, int energy) {
    Following few = following_;
    few.frames = frames;
    const Tracker tracker{"exact-sdvbs", "one core", "one core", Worker::processor, 0};
    std::vector<std::pair<float, float>> places;
    Cell cell = measure_tracker(
        effort_, joules_, stream, tracker, few, {rounds, energy, false}, [&] { return make_exact(stream, few); },
        &places);
    cell.counts["clip"] = clip;
    if (clip == drifting_clip) expected_ = places;
    add(context_, std::move(cell));
  }
  void on(const gpu::Opened& prepare, const gpu::Opened& update, const std::map<std::string, Variant>& filters,
          Worker worker, int energy) {
    const Tracker tracker{"published", prepare.name, update.name, worker, 0};
    std::vector<std::pair<float, float>> places;
    const Variant& chosen = filters.at(prepare.name);
    Cell cell = measure_tracker(
        effort_, joules_, stream_, tracker, following_, {effort_.launches, energy, true},
        [&] {
          return make_published(stream_, following_, {prepare, update, chosen});
        },
        &places);
    cell.counts["clip"] = drifting_clip;
    cell.counts["prepare_on"] = prepare.device->properties().device;
    cell.counts["update_on"] = update.device->properties().device;
    cell.counts["unrolled"] = chosen.unrolled;
    cell.counts["group"] = chosen.group;
    if (cell.ran()) compare(cell, places);
    add(context_, std::move(cell));
  }
  static constexpr const char* drifting_clip = "drifting";

 private:
  /// Devices have the same bits; the program adds in another order, so that its places may be a little apart.
  void compare(Cell& cell, const std::vector<std::pair<float, float>>& places) {
    constexpr double tolerance = 0.05;
    cell.counts["features_compared"] = places.size();
    cell.counts["from_program_px"] = farthest(places, expected_);
    const bool apart = farthest(places, expected_) < 0 || farthest(places, expected_) > tolerance;
    if (last_.is_null()) last_ = cell.counts["last"];
    cell.differing = apart || last_ != cell.counts["last"] ? 1 : cell.differing;
  }

  Context& context_;
  const Effort& effort_;
  Joules& joules_;
  const Stream& stream_;
  Following following_;
  std::vector<std::pair<float, float>> expected_;
  Json last_;
};

}  // namespace

void run_published(Context& context, const Effort& effort, Joules& joules) {
  const Settings& settings = context.settings;
  const Stream given = stream_of(context);
  const std::vector<Image<std::uint8_t>> frames =
      drifting(given.frame(0), settings.integer("drift", 0, 100), settings.integer("clip-frames", 1, 10000));
  const Stream stream(std::vector<ImageView<const std::uint8_t>>(frames.begin(), frames.end()));
  const int count = settings.integer("frames", 1, 100000),
            slow = std::min(count, settings.integer("slow-frames", 1, 100000));
  std::string why;
  const gpu::Opened& device = context.device;
  std::optional<gpu::Opened> processor;
  if (device.device->properties().is_cpu)
    processor = device;
  else if (const auto found = find_processor(why))
    processor = *found;
  context.report.notes["processor_device"] =
      processor ? device_json(processor->name, processor->device->properties()) : Json(why);
  const std::vector<int> strongest = settings.integers("strongest", 1, 1000000);
  std::map<std::string, Variant> filters;
  for (const int number : strongest) {
    const bool first = number == strongest.front();
    const int less = first ? 1 : 5, few = std::max(slow / less, 1);  // where features are many, fewer frames will do
    const Following following{settings.integers("windows", 1, 63).front(), number, std::max(count / less, few), few};
    PublishedRows rows(context, effort, joules, stream, following);
    const int energy = first ? count : 0;
    rows.single(stream, PublishedRows::drifting_clip, few, effort.launches, energy);
    if (first) rows.single(given, "as given", few, effort.launches, 0);
    const gpu::Opened* const other = processor ? &*processor : nullptr;
    for (const gpu::Opened* const one : {&device, other})
      if (one != nullptr && filters.count(one->name) == 0 && !effort.over())
        filters[one->name] = search_filters(*one, stream.frame(0), {following.window, number, 20, count, 0.03F});
    const bool two = processor && processor->name != device.name;
    if (effort.over()) return;
    if (processor) rows.on(*processor, *processor, filters, Worker::processor, energy);
    if (device.device->properties().is_cpu) continue;
    rows.on(device, device, filters, Worker::board, energy);
    if (!two) continue;
    rows.on(*processor, device, filters, Worker::both, energy);
    rows.on(device, *processor, filters, Worker::both, energy);
  }
}

void run_given(Context& context, const Effort& effort, Joules& joules) {
  const Settings& settings = context.settings;
  const Stream given = stream_of(context);
  const int frames = settings.integer("slow-frames", 1, 100000);
  const Following following{settings.integers("windows", 1, 63).front(),
                            settings.integers("strongest", 1, 1000000).front(), frames, frames};
  PublishedRows(context, effort, joules, given, following).single(given, "as given", frames, effort.launches, 0);
}

void run_ours(Context& context, const Effort& effort, Joules& joules) {
  const Settings& settings = context.settings;
  const Stream stream = stream_of(context);
  const std::vector<int> windows = settings.integers("windows", 1, 63),
                         features = settings.integers("features", 1, 100000);
  const int frames = settings.integer("frames", 1, 100000),
            slow = std::min(frames, settings.integer("slow-frames", 1, 100000)),
            sweep = settings.integer("sweep-frames", 0, 100000);
  const std::string device = context.device.name;
  const Worker on_device = context.device.device->properties().is_cpu ? Worker::processor : Worker::board;
  std::map<std::tuple<int, int, int>, Json> ends;
  const auto measure = [&](const Tracker& tracker, const Following& following, const Rounds& rounds) {
    Cell cell = measure_tracker(effort, joules, stream, tracker, following, rounds, [&] {
      return make_ours(stream, following, tracker.prepare, tracker.update, tracker.threads);
    });
    if (cell.ran()) {
      Json& end = ends[{following.window, following.features, following.frames}];
      if (end.is_null()) end = cell.counts["last"];
      cell.differing = end == cell.counts["last"] ? 0 : 1;  // tracks are the same on all devices
    }
    return cell;
  };
  const Following first{windows.front(), features.front(), frames, 0};
  Following trial = first, few = first;
  trial.frames = std::min(frames, 20);
  few.frames = slow;
  std::vector<Tracker> mappings{{"ours", "cpu", "cpu", Worker::processor},
                                {"ours", device, device, on_device},
                                {"ours", "cpu", device, Worker::both},
                                {"ours", device, "cpu", Worker::both}};
  double best = 0;
  Tracker chosen = mappings.front();
  for (const Tracker& tracker : mappings) {
    add(context, measure(tracker, first, {effort.launches, frames, true}));
    const Cell tried = measure(tracker, trial, {1, 0, true});
    if (!tried.ran() || tried.counts["frames_per_s"].number() <= best) continue;
    best = tried.counts["frames_per_s"].number();
    chosen = tracker;
  }
  Cell automatic = measure(chosen, first, {effort.launches, 0, true});
  automatic.what["on"] = "auto";
  automatic.counts["chosen"] = chosen.on();
  add(context, std::move(automatic));
  for (int threads = 1, all = Threads().count(); threads <= all; threads *= 2)
    add(context, measure({"ours", "cpu", "cpu", Worker::processor, threads}, few, {effort.launches, 0, true}));
  if (sweep == 0) return;
  for (const int window : windows)
    for (const int number : features)
      for (const Tracker& tracker : {mappings[0], mappings[1]}) {
        const Following one{window, number, sweep, 0};
        add(context, measure(tracker, one, {effort.launches, 0, true}));
      }
}

}  // namespace vergence::studies::stencil_energy
