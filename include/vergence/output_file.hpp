// SPDX-License-Identifier: Apache-2.0
// Files that are written piece by piece and appear whole or not at all (target vergence::io). Read before: error.hpp;
// next: io.hpp, which includes this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vergence {

/// Writes a file that appears whole or not at all: bytes go to a temporary file in the same directory, commit() flushes
/// it to the disk and renames it. Without commit (an exception, say) the destructor removes it. A target that exists
/// and is no regular file (/dev/null, a pipe) is written directly. Symbolic links are followed.
///
/// ```cpp
/// AtomicFile file("report.csv");
/// file.write("frame,disparity\n");
/// file.write("0,12.5\n");
/// file.commit();  // now there is a report.csv
/// ```
class AtomicFile {
 public:
  enum class Mode {
    whole,  ///< A hidden temporary name, removed on failure.
    /// PATH.partial, kept (and closed) on failure, because what a long run wrote is worth having; removed where it was
    /// never flushed.
    stream,
  };
  /// Throws Error(io) naming the path, also where PATH.partial of a stream exists: it may be what another run is
  /// writing or what is left of one.
  explicit AtomicFile(const std::string& path, Mode mode = Mode::whole);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Where a file of that name appears: symbolic links are followed, those that lead to nothing yet too.
  static std::string target(const std::string& path);

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Hands what was written so far to the operating system (streams).
  void flush();
  /// Replaces bytes that were written: those from `offset` on, which must all exist. Error(io) where the target is no
  /// regular file.
  void rewrite(std::int64_t offset, std::string_view bytes);
  /// What end_all() writes behind the last flush, if there was one: for streams whose format needs an end.
  void end_with(std::string bytes);
  /// May be called once; nothing can be written after it.
  void commit();

  /// For a process that ends at once, from any thread, even where another one hangs in a write: removes the temporary
  /// files of all that are not committed, cuts streams to their last flush and ends them, and returns the streams'
  /// PATH.partial. After it no AtomicFile can be opened or committed: such calls wait for ever.
  static std::vector<std::string> end_all();

 private:
  friend class FileGroup;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Files that appear together or not at all, as far as a file system can do that: while one exists,
/// AtomicFile::commit() of the same thread leaves the renaming to the group's commit(), which comes when all of them
/// are on the disk. Without it (an exception, say) the destructor removes them; streams stay PATH.partial. Of several
/// groups, the innermost takes a file, and its commit() hands it to the next one.
///
/// ```cpp
/// FileGroup group;
/// AtomicFile report("report.csv"), notes("notes.txt");
/// report.write("frame,disparity\n");
/// report.commit();
/// notes.write("12 frames\n");
/// notes.commit();
/// group.commit();  // now there are a report.csv and a notes.txt
/// ```
class FileGroup {
 public:
  FileGroup();
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;
  ~FileGroup();

  /// Throws Error(io) where a file cannot be renamed; it names those that were.
  void commit();

 private:
  friend class AtomicFile;
  std::vector<std::unique_ptr<AtomicFile::Impl>> files_;
  FileGroup* outer_;
};

/// An .npy array of int16 or float64 that grows along its first axis, in constant memory. It is PATH.partial until
/// commit(), with a header that is true after every write.
///
/// ```cpp
/// NpyWriter points("points.npy", {2}, NpyWriter::Type::f64);
/// points.write_entries({0.5, 1.5, 10.25, 20});  // two points
/// points.write_entries({7, 8});
/// points.commit();  // now there is a points.npy of 3 x 2 numbers
/// ```
class NpyWriter {
 public:
  /// `entry` is the shape of what write() adds: at least one number, each at least 1.
  enum class Type { i16, f64 };
  NpyWriter(const std::string& path, std::vector<int> entry, Type type = Type::i16);
  /// Adds one entry, in C order; throws Error(invalid_argument) where the number of values is not the entry's, or their
  /// type not that of the array.
  void write(const std::vector<std::int16_t>& values);
  /// The same for any number of entries, none included.
  void write_entries(const std::vector<double>& values);
  void commit();

 private:
  std::string header() const;
  std::string path_;
  template <class T>
  void append(const std::vector<T>& values, std::int64_t entries);
  std::size_t entry_values() const;
  std::vector<int> entry_;
  Type type_ = Type::i16;
  std::int64_t entries_ = 0;
  AtomicFile file_;
};

}  // namespace vergence
