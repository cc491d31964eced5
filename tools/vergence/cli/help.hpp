// SPDX-License-Identifier: Apache-2.0
// What is known about commands and their options, as plain data: help, man pages and shell completion are made from it.
#pragma once

#include <string>
#include <vector>

namespace vergence::cli {

/// An option, or an argument such as LEFT.
struct OptionHelp {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument its one word.
  std::string value;               ///< What stands for the value, "FILE"; empty where the option takes none.
  std::string text;                ///< What it does, its unit, range and default.
  std::string group;               ///< Its heading.
  std::vector<std::string> choices;
  bool is_argument = false;
  bool is_required = false;
};

/// What no option's text says, below a heading of its own; lines are broken where they shall be.
struct NoteHelp {
  std::string heading;  ///< "Settings files".
  std::string text;
};

/// What the short help says of an option: one line, without the default, which follows from the option's own text.
struct BriefHelp {
  std::string name;  ///< "--output".
  std::string text;
};

/// A command, or the program itself.
struct CommandHelp {
  std::string name;     ///< "vergence stereo".
  std::string summary;  ///< One line.
  std::string text;     ///< Paragraphs below it; may be empty.
  std::string footer;   ///< Examples; may be empty.
  std::vector<OptionHelp> options;
  std::vector<NoteHelp> notes;
  /// The short help: what stands above its options, and these, in its order. Without options it shows all.
  std::string brief;
  std::vector<BriefHelp> common;
  std::vector<CommandHelp> commands;
};

/// The last word of the name: "stereo".
std::string short_name(const CommandHelp& command);
/// "vergence stereo [OPTIONS] LEFT [RIGHT]".
std::string usage_line(const CommandHelp& command);
/// The option of that name; throws std::out_of_range where there is none.
const OptionHelp& option_named(const CommandHelp& command, const std::string& name);

/// Options under one heading.
struct OptionGroup {
  std::string heading;
  std::vector<const OptionHelp*> options;
};
/// All options but arguments, in the order in which their headings first appear.
std::vector<OptionGroup> option_groups(const CommandHelp& command);

/// Help for a terminal of 80 columns: the options most used, on 23 lines at most, or all of them.
std::string short_help(const CommandHelp& command);
std::string full_help(const CommandHelp& command);

}  // namespace vergence::cli
