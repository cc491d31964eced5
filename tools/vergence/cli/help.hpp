// SPDX-License-Identifier: Apache-2.0
// How help is laid out, and how mistakes on the command line are explained.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vergence::cli {

/// Two columns: names, then descriptions wrapped at 100 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_help(const CLI::App* program, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

/// The mistake in one line, with the name that was probably meant.
std::string explain_mistake(const CLI::App& program, const CLI::ParseError& error);

}  // namespace vergence::cli
