// SPDX-License-Identifier: Apache-2.0
// What is encoded, and what must come out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/study.hpp"
#include "motion-cuda/variant.hpp"

namespace vergence::studies::motion_cuda {

/// Frames of one size, at least two.
struct Clip {
  std::string name;  ///< "416x240"
  std::vector<ImageView<const std::uint8_t>> frames;
  Geometry geometry{};

  Size size() const { return frames.front().size(); }
  Size blocks() const { return exact::blocks(size(), geometry); }
  int block_count() const { return blocks().width * blocks().height; }
  int steps() const { return static_cast<int>(frames.size()) - 1; }  ///< Frames that are searched.
  Place place(int block) const { return place_of(blocks(), block, geometry); }
  FramePair pair(int step) const {
    return {frames[static_cast<std::size_t>(step) + 1], frames[static_cast<std::size_t>(step)]};
  }
};

/// The clips that lie in the inputs one after the other. Error(invalid_argument) where one has fewer than two frames,
/// frames of different sizes, or no whole block.
std::vector<Clip> clips_of(const std::vector<Picture>& inputs, const Geometry& geometry = {});

/// Clips of the built-in scene, one for each size of the setting `sizes`.
void make_clips(const Settings& settings, std::vector<Picture>& inputs);
/// Takes the middle of a picture, in the shape of `size`, and averages it down to that: exact areas, rounded once.
Image<std::uint8_t> scaled_down(ImageView<const std::uint8_t> picture, Size size);
/// The setting `scale`: a size for each clip, 0x0 for "no".
std::vector<Size> scale_sizes(const Settings& settings);
/// Applies it to the clips; those beyond its end stay as they are.
void scale_inputs(const Settings& settings, std::vector<Picture>& inputs);

/// What must be found in a clip: by the scalar program with vectors, which tests compare with the reference.
class Truth {
 public:
  using Field = Image<exact::Match>;
  /// Computes what `variants` have to be compared with, and the program's own searches.
  Truth(const Clip& clip, const std::vector<Variant>& variants, bool scalar);

  /// What a variant must find for a block: in the order of columns where the device finds the least of 16384 results or
  /// of a grid, in the order of rows where the host compares one SAD after the other.
  const exact::Match& expected(const Variant& variant, int step, int block) const;
  /// The program's.
  const Field& full(int step) const { return fields_.at(full_rows)[static_cast<std::size_t>(step)]; }
  const Field& step_search(int step) const { return fields_.at(step_rows)[static_cast<std::size_t>(step)]; }
  const Field& test_zones(int step) const { return fields_.at(zones)[static_cast<std::size_t>(step)]; }

 private:
  /// Then grids by their size, in columns.
  static constexpr int full_rows = 0, full_columns = 1, step_rows = 2, zones = 99;
  static int kind_of(const Variant& variant);
  static void find(const Clip& clip, int kind, int step, int row, Field& field);
  Clip clip_;
  std::map<int, std::vector<Field>> fields_;
};

}  // namespace vergence::studies::motion_cuda
