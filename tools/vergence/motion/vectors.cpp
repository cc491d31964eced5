// SPDX-License-Identifier: Apache-2.0
// Files of vectors. Numbers are written with fmt, which knows no locale.
#include "motion/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/json_rows.hpp"
#include "cli/signals.hpp"
#include "motion/settings.hpp"

namespace vergence::cli {
namespace {

std::vector<std::string> column_names(const VectorColumns& columns) {
  std::vector<std::string> names{"frame", "x", "y", "width", "height", "dx", "dy", "cost"};
  if (columns.j) names.emplace_back("j");
  if (columns.second_j) names.emplace_back("second_j");
  if (columns.confidence) names.emplace_back("confidence");
  if (columns.consistent) names.emplace_back("consistent");
  return names;
}

/// Quarter pixels as pixels: "-1.25".
void add_pixels(std::string& text, int quarters) {
  const int size = quarters < 0 ? -quarters : quarters;
  text += fmt::format("{}{}.{:02}", quarters < 0 ? "-" : "", size / 4, size % 4 * 25);
}

/// The numbers of one block, with commas between them.
void add_block(std::string& text, std::int64_t frame, const BlockField& field, int x, int y,
               const VectorContext& context, std::string_view none) {
  const int left = x * field.block.width;
  const int top = y * field.block.height;
  text += fmt::format("{},{},{},{},{},", frame, left, top, std::min(field.block.width, context.size.width - left),
                      std::min(field.block.height, context.size.height - top));
  add_pixels(text, field.vectors(x, y).dx);
  text += ',';
  add_pixels(text, field.vectors(x, y).dy);
  text += fmt::format(",{}", field.cost(x, y));
  if (context.columns.j) text += fmt::format(",{}", field.j(x, y));
  if (context.columns.second_j) {
    if (field.second_j(x, y) == no_motion_cost)
      text += fmt::format(",{}", none);
    else
      text += fmt::format(",{}", field.second_j(x, y));
  }
  if (context.columns.confidence) text += fmt::format(",{}", field.confidence(x, y));
  if (context.columns.consistent) text += fmt::format(",{}", field.consistent(x, y));
}

class CsvFile final : public VectorFile {
 public:
  CsvFile(const std::string& path, const VectorContext& context)
      : context_(context), file_(path, AtomicFile::Mode::stream) {
    file_.write(fmt::format("{}\n", fmt::join(column_names(context.columns), ",")));
  }
  void write(std::int64_t frame, const std::vector<BlockField>& fields) override {
    std::string text;
    for (const BlockField& field : fields)
      for (int y = 0; y < field.vectors.height(); ++y) {
        text.clear();
        for (int x = 0; x < field.vectors.width(); ++x) {
          add_block(text, frame, field, x, y, context_, "");
          text += '\n';
        }
        file_.write(text);
      }
    file_.flush();
  }
  void commit() override { file_.commit(); }

 private:
  VectorContext context_;
  AtomicFile file_;
};

class JsonFile final : public VectorFile {
 public:
  JsonFile(const std::string& path, const VectorContext& context)
      : context_(context), rows_(path, head(context), "vectors") {}
  void write(std::int64_t frame, const std::vector<BlockField>& fields) override {
    std::string text;
    for (const BlockField& field : fields)
      for (int y = 0; y < field.vectors.height(); ++y) {
        text.clear();
        for (int x = 0; x < field.vectors.width(); ++x) {
          rows_.begin_row(text);
          add_block(text, frame, field, x, y, context_, "null");
          text += ']';
        }
        rows_.write(text);
      }
    rows_.flush();
  }
  void commit() override { rows_.commit(); }

 private:
  static Json head(const VectorContext& context) {
    Json head = json_report();
    head["settings"] = motion_settings_json(context.options);
    head["size"] = Json{{"width", context.size.width}, {"height", context.size.height}};
    head["columns"] = column_names(context.columns);
    return head;
  }

  VectorContext context_;
  JsonRows rows_;
};

class NpyFile final : public VectorFile {
 public:
  NpyFile(const std::string& path, Size grid) : writer_(path, {grid.height, grid.width, 2}) {}
  void write(std::int64_t /*frame*/, const std::vector<BlockField>& fields) override {
    const Image<MotionVector>& vectors = fields.front().vectors;
    values_.clear();
    for (int y = 0; y < vectors.height(); ++y)
      for (int x = 0; x < vectors.width(); ++x) {
        values_.push_back(vectors(x, y).dx);
        values_.push_back(vectors(x, y).dy);
      }
    writer_.write(values_);
  }
  void commit() override { writer_.commit(); }

 private:
  NpyWriter writer_;
  std::vector<std::int16_t> values_;
};

class FloFile final : public VectorFile {
 public:
  FloFile(std::string path, Size size) : path_(std::move(path)), size_(size) {}
  /// As dense_motion, whole. The rows of a block are alike.
  void write(std::int64_t /*frame*/, const std::vector<BlockField>& fields) override {
    const BlockField& field = fields.front();
    std::vector<FlowVector> row(static_cast<std::size_t>(size_.width));
    write_flo(path_, size_, [&](int y) {
      for (int x = 0; y % field.block.height == 0 && x < size_.width; x += field.block.width) {
        const MotionVector& vector = field.vectors(x / field.block.width, y / field.block.height);
        const FlowVector flow{static_cast<float>(vector.dx) / 4, static_cast<float>(vector.dy) / 4};
        std::fill_n(row.begin() + x, std::min(field.block.width, size_.width - x), flow);
      }
      return row.data();
    });
  }
  void commit() override {}

 private:
  std::string path_;
  Size size_;
};

}  // namespace

VectorColumns parse_columns(const std::string& text) {
  VectorColumns columns;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word == "j")
      columns.j = true;
    else if (word == "second-j")
      columns.second_j = true;
    else if (word == "confidence")
      columns.confidence = true;
    else
      throw UsageError(
          fmt::format("--columns is '{}': allowed are j, second-j, confidence, with commas between them", text));
  }
  return columns;
}

std::unique_ptr<VectorFile> open_vectors(const std::string& path, const VectorContext& context) {
  const std::string kind = ending(path);
  if (kind == ".csv") return std::make_unique<CsvFile>(path, context);
  if (kind == ".json") return std::make_unique<JsonFile>(path, context);
  if (kind == ".npy") return std::make_unique<NpyFile>(path, grid_of(context.size, context.options.block));
  return std::make_unique<FloFile>(path, context.size);
}

void NumberedVectors::write(std::int64_t frame, const std::vector<BlockField>& fields, const Turn& turn) {
  const std::string path = frame_path(pattern_, frame);
  if (ending(path) != ".flo") turn();  // the others grow, and a later one must not be left where an earlier one fails
  FileGroup group;
  {
    const WriteGuard guard;
    const std::unique_ptr<VectorFile> file = open_vectors(held_.place(path), context_);
    file->write(frame, fields);
    file->commit();
  }
  turn();
  const WriteGuard guard;
  group.commit();
  if (!context_.strict) is_whole(pattern_, path);
}

}  // namespace vergence::cli
