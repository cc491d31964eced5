// SPDX-License-Identifier: Apache-2.0
// What help says of files that several commands have in common. Lines are short enough for a man page.
#include "cli/notes.hpp"

#include "cli/program.hpp"

namespace vergence::cli {

void add_settings_note(Command command, const std::string& example) {
  command.note("Settings files",
               "A settings file is a JSON object. Its member \"settings\" is an object of\n"
               "options, without their hyphens, and their values: numbers, words, true and\n"
               "false. Options that it lacks keep the preset's values:\n"
               "\n"
               "  " +
                   example +
                   "\n"
                   "\n"
                   "The option --save-settings FILE writes one that holds all of them; the output\n"
                   "of --json is one, too.");
}

void add_partial_note(Command command, const std::string& more) {
  command.note("Partial files",
               "A file that grows from frame to frame is NAME.partial until the run ends\n"
               "well. Where an error or a signal ends it, NAME.partial stays, and can be read\n"
               "up to the last frame that was whole. Rename it to use it. No run overwrites\n"
               "it: delete it, or move it away, once no run writes it any more. Files of\n"
               "single frames are NAME.partial.ENDING meanwhile with --strict; those that a\n"
               "signal left may be deleted." +
                   (more.empty() ? "" : "\n" + more));
}

}  // namespace vergence::cli
