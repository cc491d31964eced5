// SPDX-License-Identifier: Apache-2.0
// The command line by means of CLI11.
#include "cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/help.hpp"
#include "cli/words.hpp"

namespace vergence::cli {
namespace {

/// Where a value is missing, nothing else may be taken for it: `--device ""` is a mistake.
void check_values(const CLI::App& program) {
  for (const CLI::App* command : program.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& value : option->results())
        if (value.empty() && !option->get_positional() && option->get_items_expected_max() != 0)
          throw UsageError(fmt::format("{} needs a value", option->get_name()));
}

}  // namespace

Option& Option::type(const std::string& word) {
  option_->type_name(word);
  return *this;
}

Option& Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::repeatable() {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

Option Command::add(const std::string& names, std::string& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add(const std::string& names, std::optional<std::string>& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  return Option(app_->add_option(names, values, help));
}

Option Command::add(const std::string& names, const std::function<void(const std::string&)>& take,
                    const std::string& help) {
  return Option(app_->add_option_function<std::string>(names, take, help));
}

Option Command::flag(const std::string& names, bool& value, const std::string& help) {
  return Option(app_->add_flag(names, value, help));
}

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::run(const Action& action) {
  app_->callback([chosen = chosen_, action] { *chosen = action; });
}

void Command::take_anything() { app_->allow_extras(); }

Program::Program(const std::string& name, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_help_flag("-h,--help", "Show this help");
  app_->require_subcommand(0, 1);
}

Program::~Program() = default;

Command Program::add(const std::string& name, const std::string& description) {
  return {app_->add_subcommand(name, description), &chosen_};
}

Action Program::parse(int argc, char** argv) {
  try {
    parse_words(*app_, argc, argv);
    check_values(*app_);
  } catch (const CLI::Success&) {
    shows_help_ = true;
    return [text = app_->help()] {
      print_text(text);
      finish_stdout(/*reader_may_leave=*/true);
      return success;
    };
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain_mistake(*app_, error));
  }
  return chosen_;
}

}  // namespace vergence::cli
