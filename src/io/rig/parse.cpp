// SPDX-License-Identifier: Apache-2.0
// Trees of YAML and JSON by libyaml's events, of XML by pugixml.
#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <map>
#include <pugixml.hpp>

#include "io/bytes.hpp"
#include "io/rig/tree.hpp"

namespace vergence::io::rig {
namespace {

constexpr std::size_t deepest = 32;
constexpr std::size_t most_names = 1000;     // of one level
constexpr std::size_t most_nodes = 200'000;  // files of OpenCV may hold all points of their boards
constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

[[noreturn]] void fail_line(const std::string& file, std::size_t line, const std::string& reason) {
  fail_read(ErrorCode::bad_data, file, fmt::format("line {}: {}", line, reason));
}

/// libyaml's parser and its latest event, freed whatever happens.
class YamlEvents {
 public:
  YamlEvents(std::string_view text, const std::string& file) : file_(file) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~YamlEvents() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  const yaml_event_t& next() {
    yaml_event_delete(&event_);
    event_ = {};
    if (yaml_parser_parse(&parser_, &event_) == 0) {
      if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
      fail_line(file_, parser_.problem_mark.line + 1,
                fmt::format("it is not YAML: {}", parser_.problem != nullptr ? parser_.problem : "unknown reason"));
    }
    return event_;
  }

 private:
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  const std::string& file_;
};

std::string text_of(const yaml_char_t* letters, std::size_t length) {
  return {reinterpret_cast<const char*>(letters), length};
}

/// Puts nodes where they belong: a name waits for its value.
class Builder {
 public:
  Builder(std::vector<Tree::Node>& nodes, const std::string& file) : nodes_(nodes), file_(file) {}

  bool open() const { return !open_.empty(); }
  void begin(Tree::Kind kind, int line) {
    if (open_.size() == deepest) fail_line(file_, static_cast<std::size_t>(line), "it is nested too deeply");
    open_.push_back({add(kind, line, {}), {}, false});
  }
  std::size_t end() {
    const std::size_t index = open_.back().node;
    open_.pop_back();
    return index;
  }
  /// A word, or the name of what comes next.
  std::size_t word(std::string text, int line) {
    if (open() && nodes_[open_.back().node].kind == Tree::Kind::names && !open_.back().named) {
      open_.back().name = std::move(text);
      open_.back().named = true;
      return 0;
    }
    return add(Tree::Kind::word, line, std::move(text));
  }
  /// What is there already, once more.
  void again(std::size_t index, int line) { attach(index, line); }

 private:
  struct Level {
    std::size_t node;
    std::string name;
    bool named;
  };

  std::size_t add(Tree::Kind kind, int line, std::string text) {
    if (nodes_.size() == most_nodes) fail_line(file_, static_cast<std::size_t>(line), "it holds too many values");
    Tree::Node node;
    node.kind = kind;
    node.line = line;
    node.word = std::move(text);
    nodes_.push_back(std::move(node));
    attach(nodes_.size() - 1, line);
    return nodes_.size() - 1;
  }

  void attach(std::size_t index, int line) {
    if (!open()) return;
    Level& level = open_.back();
    Tree::Node& parent = nodes_[level.node];
    if (parent.kind == Tree::Kind::names) {
      if (!level.named) fail_line(file_, static_cast<std::size_t>(line), "a name must be a word");
      if (std::find(parent.keys.begin(), parent.keys.end(), level.name) != parent.keys.end())
        fail_line(file_, static_cast<std::size_t>(line),
                  fmt::format("{} is there twice: leave one of them", shown(level.name)));
      if (parent.keys.size() == most_names) fail_line(file_, static_cast<std::size_t>(line), "it holds too many names");
      parent.keys.push_back(std::move(level.name));
      level.named = false;
    }
    parent.children.push_back(index);
  }

  std::vector<Tree::Node>& nodes_;
  const std::string& file_;
  std::vector<Level> open_;
};

/// OpenCV's sequences are elements called "_".
bool is_sequence(const pugi::xml_node& element) {
  const auto children = element.children();
  return std::all_of(children.begin(), children.end(), [](const pugi::xml_node& child) {
    return child.type() != pugi::node_element || std::string_view(child.name()) == "_";
  });
}

/// Lines of places that are asked for in order.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  int at(std::ptrdiff_t offset) {
    const auto end = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(offset, static_cast<std::ptrdiff_t>(at_),
                                                                         static_cast<std::ptrdiff_t>(text_.size())));
    line_ += static_cast<int>(std::count(text_.begin() + at_, text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = static_cast<std::ptrdiff_t>(end);
    return line_;
  }

 private:
  std::string_view text_;
  std::ptrdiff_t at_ = 0;
  int line_ = 1;
};

bool has_elements(const pugi::xml_node& element) {
  return !element.find_child([](const pugi::xml_node& n) { return n.type() == pugi::node_element; }).empty();
}

void add_element(Builder& builder, const pugi::xml_node& element, Lines& lines) {
  const int line = lines.at(element.offset_debug());
  if (!has_elements(element)) {
    builder.word(element.text().get(), line);
    return;
  }
  const bool sequence = is_sequence(element);
  builder.begin(sequence ? Tree::Kind::list : Tree::Kind::names, line);
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() != pugi::node_element) continue;
    if (!sequence) builder.word(child.name(), line);
    add_element(builder, child, lines);
  }
  builder.end();
}

}  // namespace

Tree::Tree(std::string_view text, std::string file) : file_(std::move(file)) {
  if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) fail_read(ErrorCode::bad_data, file_, "it is empty: give a calibration file");
  if (text[first] == '<')
    parse_xml(text);
  else
    parse_yaml(text);
  if (nodes_.empty() || nodes_[0].kind != Kind::names)
    fail_read(ErrorCode::bad_data, file_, "it holds no names with values: give a calibration file");
}

void Tree::parse_yaml(std::string_view text) {
  std::string copy(text);
  if (copy.starts_with("%YAML:")) copy[0] = '#';  // OpenCV's first line, which YAML does not know
  YamlEvents events(copy, file_);
  Builder builder(nodes_, file_);
  std::map<std::string, std::size_t> anchors;
  std::vector<std::string> waiting;  // anchors of what is open: it can be named once it is complete
  for (;;) {
    const yaml_event_t& event = events.next();
    const int line = static_cast<int>(event.start_mark.line) + 1;
    const auto name = [](const yaml_char_t* anchor) {
      return anchor == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(anchor));
    };
    if (event.type == YAML_MAPPING_START_EVENT || event.type == YAML_SEQUENCE_START_EVENT) {
      const bool names = event.type == YAML_MAPPING_START_EVENT;
      waiting.push_back(name(names ? event.data.mapping_start.anchor : event.data.sequence_start.anchor));
      builder.begin(names ? Kind::names : Kind::list, line);
    } else if (event.type == YAML_MAPPING_END_EVENT || event.type == YAML_SEQUENCE_END_EVENT) {
      const std::size_t index = builder.end();
      if (!waiting.back().empty()) anchors[waiting.back()] = index;
      waiting.pop_back();
    } else if (event.type == YAML_SCALAR_EVENT) {
      const auto& scalar = event.data.scalar;
      const std::size_t index = builder.word(text_of(scalar.value, scalar.length), line);
      if (scalar.anchor != nullptr && index != 0) anchors[name(scalar.anchor)] = index;
    } else if (event.type == YAML_ALIAS_EVENT) {
      const auto known = anchors.find(name(event.data.alias.anchor));
      if (known == anchors.end()) fail_line(file_, static_cast<std::size_t>(line), "an alias names nothing before it");
      builder.again(known->second, line);
    } else if (event.type == YAML_DOCUMENT_END_EVENT || event.type == YAML_STREAM_END_EVENT) {
      return;
    }
  }
}

void Tree::parse_xml(std::string_view text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!result)
    fail_line(file_, static_cast<std::size_t>(Lines(text).at(result.offset)),
              fmt::format("it is not XML: {}", result.description()));
  Builder builder(nodes_, file_);
  Lines lines(text);
  add_element(builder, document.document_element(), lines);
}

}  // namespace vergence::io::rig
