// SPDX-License-Identifier: Apache-2.0
// Clips from inputs and from the built-in scene; the reference's answers.
#include "motion-cuda/clip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/parallel.hpp"
#include "synth/scene.hpp"
#include "vergence/error.hpp"

namespace vergence::studies::motion_cuda {
namespace {

std::string text_of(Size size) { return fmt::format("{}x{}", size.width, size.height); }

/// How much of source pixel `i` lies in target pixel `to`, where `from` source pixels become `count`: in 1/count of a
/// pixel.
std::int64_t overlap(std::int64_t i, std::int64_t to, std::int64_t from, std::int64_t count) {
  return std::max<std::int64_t>(std::min((i + 1) * count, (to + 1) * from) - std::max(i * count, to * from), 0);
}

}  // namespace

std::vector<Clip> clips_of(const std::vector<Picture>& inputs, const Geometry& geometry) {
  std::vector<Clip> clips;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i == 0 || inputs[i].input != inputs[i - 1].input) clips.emplace_back();
    Clip& clip = clips.back();
    clip.geometry = geometry;
    clip.frames.push_back(inputs[i].pixels);
    if (clip.frames.back().size() != clip.size())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("clip '{}' changes from {} to {} pixels: give clips of one size each", inputs[i].name,
                              text_of(clip.size()), text_of(clip.frames.back().size())));
    clip.name = text_of(clip.size());
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    Clip& clip = clips[i];
    if (clip.steps() < 1)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("clip {} ({}) has one frame: at least two are needed", i + 1, clip.name));
    if (clip.block_count() == 0)
      throw Error(ErrorCode::invalid_argument, fmt::format("clip {} has frames of {}: a block of {} px does not fit",
                                                           i + 1, clip.name, geometry.block));
    if (!names.insert(clip.name).second) clip.name += fmt::format(" ({})", i + 1);
  }
  return clips;
}

void make_clips(const Settings& settings, std::vector<Picture>& inputs) {
  const int frames = settings.integer("frames", 1, 1000) + 1;
  int index = 0;
  for (const Size size : settings.sizes("sizes", 16, 16384)) {
    synth::SceneOptions options;
    options.size = size;
    options.frames = frames;
    options.noise_sigma = 1;
    options.samples = 1;
    const synth::Scene scene(options);
    for (int i = 0; i < frames; ++i)
      inputs.push_back({"scene " + text_of(size), std::move(scene.render(i).left), index});
    ++index;
  }
}

Image<std::uint8_t> scaled_down(ImageView<const std::uint8_t> picture, Size size) {
  if (size.width > picture.width() || size.height > picture.height())
    throw Error(ErrorCode::invalid_argument, fmt::format("scale is {}: the clip has {} and is scaled down only",
                                                         text_of(size), text_of(picture.size())));
  // The largest part of that shape, in whole pixels.
  std::int64_t width = picture.width(), height = width * size.height / size.width;
  if (height > picture.height()) {
    height = picture.height();
    width = height * size.width / size.height;
  }
  const auto left = static_cast<int>((picture.width() - width) / 2),
             top = static_cast<int>((picture.height() - height) / 2);
  const std::int64_t area = width * height;
  Image<std::uint8_t> scaled(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      std::int64_t sum = 0;
      for (std::int64_t v = y * height / size.height; v * size.height < (y + 1) * height; ++v)
        for (std::int64_t u = x * width / size.width; u * size.width < (x + 1) * width; ++u)
          sum += overlap(u, x, width, size.width) * overlap(v, y, height, size.height) *
                 picture(left + static_cast<int>(u), top + static_cast<int>(v));
      scaled(x, y) = static_cast<std::uint8_t>((sum + area / 2) / area);
    }
  return scaled;
}

std::vector<Size> scale_sizes(const Settings& settings) {
  static constexpr Field field{"scale", "LIST", "no", ""};
  const std::string& text = settings.text("scale");
  std::vector<Size> sizes;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    Settings word(std::span(&field, 1));
    word.set("scale", text.substr(at, end - at));
    sizes.push_back(word.text("scale") == "no" ? Size{} : word.size("scale", 8, 16384));
    at = end + 1;
  }
  return sizes;
}

void scale_inputs(const Settings& settings, std::vector<Picture>& inputs) {
  const std::vector<Size> sizes = scale_sizes(settings);
  for (Picture& picture : inputs) {
    const auto index = static_cast<std::size_t>(picture.input);
    if (index < sizes.size() && sizes[index] != Size{}) picture.pixels = scaled_down(picture.pixels, sizes[index]);
  }
}

int Truth::kind_of(const Variant& variant) {
  if (variant.zones) return zones;
  if (variant.is_step()) return variant.grid;
  return variant.unit == Unit::sad ? full_rows : full_columns;
}

/// A row of blocks.
void Truth::find(const Clip& clip, int kind, int step, int row, Field& field) {
  for (int column = 0; column < field.width(); ++column) {
    LabSearch search(clip.pair(step), clip.place(row * field.width() + column), clip.geometry, Code::vectors);
    if (kind == zones) {
      search.test_zones();
    } else if (kind == full_rows || kind == full_columns) {
      search.full(kind == full_rows ? exact::Scan::rows : exact::Scan::columns);
    } else if (kind == step_rows) {
      search.step();
    } else {
      Variant variant;
      variant.grid = kind;
      search.step(variant.exact_grid(), exact::Scan::columns);
    }
    field(column, row) = search.best();
  }
}

Truth::Truth(const Clip& clip, const std::vector<Variant>& variants, bool scalar) : clip_(clip) {
  std::set<int> kinds;
  for (const Variant& variant : variants) {
    kinds.insert(kind_of(variant));
    if (variant.has_host_blocks()) kinds.insert(full_rows);
  }
  if (scalar) kinds.insert({full_rows, step_rows, zones});
  const int rows = clip.blocks().height, count = clip.steps() * rows;
  Threads threads;
  for (const int kind : kinds) {
    std::vector<Field>& fields = fields_[kind];
    for (int i = 0; i < clip.steps(); ++i) fields.emplace_back(clip.blocks());
    threads.rows(count, 1, [&](int first, int last, int) {
      for (int i = first; i < last; ++i)
        find(clip, kind, i / rows, i % rows, fields[static_cast<std::size_t>(i / rows)]);
    });
  }
}

const exact::Match& Truth::expected(const Variant& variant, int step, int block) const {
  const bool by_host = variant.has_host_blocks() && !is_inner(clip_.size(), clip_.place(block), clip_.geometry);
  const Field& field = fields_.at(by_host ? full_rows : kind_of(variant))[static_cast<std::size_t>(step)];
  // Images know no constant access by column and row but this.
  return field(block % field.width(), block / field.width());
}

}  // namespace vergence::studies::motion_cuda
