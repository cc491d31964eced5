// SPDX-License-Identifier: Apache-2.0
// The command line by means of CLI11.
#include "cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <utility>

#include "cli/help.hpp"
#include "cli/mistakes.hpp"
#include "cli/words.hpp"

namespace vergence::cli {

struct ProgramState {
  Action chosen;
  std::map<const CLI::App*, std::string> brief;
  std::map<const CLI::App*, std::vector<BriefHelp>> common;
  std::map<const CLI::Option*, std::vector<std::string>> choices;
  std::map<const CLI::App*, std::vector<NoteHelp>> notes;
};

namespace {

/// Where a value is missing, nothing else may be taken for it: `--device ""` is a mistake.
void check_values(const CLI::App& program) {
  for (const CLI::App* command : program.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& value : option->results())
        if (value.empty() && !option->get_positional() && option->get_items_expected_max() != 0)
          throw UsageError(fmt::format("{} needs a value", option->get_name()));
}

OptionHelp describe(const CLI::Option& option, const ProgramState& state) {
  OptionHelp help;
  help.is_argument = option.get_positional();
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  if (help.is_argument) help.names = {option.get_name()};
  if (option.get_items_expected_max() > 0) help.value = help.is_argument ? help.names[0] : option.get_type_name();
  help.text = option.get_description();
  help.group = option.get_group();
  help.is_required = option.get_required();
  const auto choices = state.choices.find(&option);
  if (choices != state.choices.end()) help.choices = choices->second;
  return help;
}

CommandHelp describe(const CLI::App& app, const std::string& parent, const ProgramState& state) {
  CommandHelp help;
  help.name = parent.empty() ? app.get_name() : parent + " " + app.get_name();
  const std::string description = app.get_description();
  const std::size_t end = description.find("\n\n");
  help.summary = description.substr(0, end);
  if (end != std::string::npos) help.text = description.substr(end + 2);
  help.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) help.options.push_back(describe(*option, state));
  const auto brief = state.brief.find(&app);
  if (brief != state.brief.end()) help.brief = brief->second;
  const auto common = state.common.find(&app);
  if (common != state.common.end()) help.common = common->second;
  const auto notes = state.notes.find(&app);
  if (notes != state.notes.end()) help.notes = notes->second;
  for (const CLI::App* command : app.get_subcommands({})) help.commands.push_back(describe(*command, help.name, state));
  return help;
}

/// The help of the command that was chosen, or of the command of that command.
CommandHelp describe_chosen(const CLI::App& program, const ProgramState& state) {
  const CLI::App* command = &program;
  std::string parent;
  while (!command->get_subcommands().empty()) {
    parent.append(parent.empty() ? "" : " ").append(command->get_name());
    command = command->get_subcommands().front();
  }
  return describe(*command, parent, state);
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

Option& Option::choices(std::vector<std::string> words) {
  state_.choices[option_] = std::move(words);
  return *this;
}

Option Command::add(const std::string& names, std::string& value, const std::string& help) {
  return {app_->add_option(names, value, help), state_};
}

Option Command::add(const std::string& names, std::optional<std::string>& value, const std::string& help) {
  return {app_->add_option(names, value, help), state_};
}

Option Command::add(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  return {app_->add_option(names, values, help), state_};
}

Option Command::add(const std::string& names, const std::function<void(const std::string&)>& take,
                    const std::string& help) {
  return {app_->add_option_function<std::string>(names, take, help), state_};
}

Option Command::flag(const std::string& names, bool& value, const std::string& help) {
  return {app_->add_flag(names, value, help), state_};
}

void Command::common(const std::string& brief, std::vector<BriefHelp> options) {
  state_.brief[app_] = brief;
  state_.common[app_] = std::move(options);
}

void Command::note(const std::string& heading, const std::string& text) {
  state_.notes[app_].push_back({heading, text});
}

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::run(const Action& action) {
  app_->callback([&state = state_, action] { state.chosen = action; });
}

void Command::take_anything() { app_->allow_extras(); }

Program::Program(const std::string& name, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)), state_(std::make_unique<ProgramState>()) {
  app_->set_help_flag("-h,--help", "Show the options most used");
  app_->set_help_all_flag("--help-all", "Show all options");
  app_->require_subcommand(0, 1);
}

Program::~Program() = default;

Command Program::all() { return {app_.get(), *state_}; }

Command Program::add(const std::string& name, const std::string& description) {
  return {app_->add_subcommand(name, description), *state_};
}

CommandHelp Program::help() const { return describe(*app_, "", *state_); }

Action Program::parse(int argc, char** argv) {
  try {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const CommandHelp all = help();
    const auto is_first = [&](const CommandHelp& command) { return short_name(command) == words.front(); };
    // A command's name behind an unknown word is not taken for the command: `man stereo`.
    if (!words.empty() && !words.front().starts_with('-') &&
        std::none_of(all.commands.begin(), all.commands.end(), is_first))
      throw UsageError(explain_word(all, words.front()));
    words = tidy_words(all, std::move(words));
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app_->parse(words);
    check_values(*app_);
  } catch (const CLI::Success& wanted) {
    shows_help_ = true;
    const CommandHelp help = describe_chosen(*app_, *state_);
    const bool all = dynamic_cast<const CLI::CallForAllHelp*>(&wanted) != nullptr;
    return [text = all ? full_help(help) : short_help(help)] {
      print_text(text);
      finish_stdout(/*reader_may_leave=*/true);
      return success;
    };
  } catch (const CLI::ParseError& error) {
    const CommandHelp help = describe_chosen(*app_, *state_);
    const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    const std::vector<std::string> extras = app_->remaining(true);
    // An input is missing, too, where its name was taken for an option.
    const bool is_cause = !extras.empty() && (is_extra || is_file_named_as_option(extras.front()));
    throw UsageError(is_cause ? explain_word(help, extras.front()) : explain_message(help, error.what()));
  }
  return state_->chosen;
}

}  // namespace vergence::cli
