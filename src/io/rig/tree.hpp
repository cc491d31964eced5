// SPDX-License-Identifier: Apache-2.0
// A small YAML, JSON or XML file as one tree of names, lists and words. libyaml and pugixml parse; sizes are bounded.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vergence::io::rig {

class Tree;

/// A word of a file for messages: its start, without what is no letter.
std::string shown(std::string_view word);

/// A place in a tree, which must outlive it.
class Entry {
 public:
  Entry(const Tree& tree, std::size_t index, std::string path) : tree_(&tree), index_(index), path_(std::move(path)) {}

  /// What stands below `key`; nothing where this holds no names, or not that one.
  std::optional<Entry> find(std::string_view key) const;
  /// The first of several spellings that is there.
  std::optional<Entry> find_any(std::initializer_list<std::string_view> keys) const;
  /// The first spelling that is there; else an Error that names all of them.
  Entry require(std::initializer_list<std::string_view> keys) const;

  /// The word, such as "pinhole"; an Error where this is none.
  const std::string& word() const;
  /// One number; all numbers of a list, of lists in it, of words apart by blanks, or of a matrix (rows, cols, data).
  double number() const;
  std::vector<double> numbers() const;
  /// As many as that; an Error that says how many there are.
  std::vector<double> numbers(std::size_t count) const;
  /// A length in px, 0 .. 1e9.
  int pixels() const;

  /// "cam0.intrinsics".
  const std::string& path() const { return path_; }
  /// Throws Error(bad_data): `cannot read "file": line N: cam0.intrinsics reason`.
  [[noreturn]] void fail(const std::string& reason) const;
  const std::string& file() const;

 private:
  const Tree* tree_;
  std::size_t index_;
  std::string path_;
};

class Tree {
 public:
  /// YAML (JSON is of that form) or XML, by the first letter. Throws Error(bad_data) with the line where it is neither.
  Tree(std::string_view text, std::string file);

  Entry root() const { return {*this, 0, ""}; }

  enum class Kind { word, list, names };
  struct Node {
    Kind kind = Kind::word;
    int line = 0;
    std::string word;
    std::vector<std::string> keys;      ///< Of names, one for each child.
    std::vector<std::size_t> children;  ///< Of lists and names.
  };
  const Node& node(std::size_t index) const { return nodes_[index]; }
  const std::string& file() const { return file_; }

 private:
  void parse_yaml(std::string_view text);
  void parse_xml(std::string_view text);

  std::vector<Node> nodes_;  ///< The first one is the root.
  std::string file_;
};

}  // namespace vergence::io::rig
