#include "measure/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>

namespace talus::measure {

option& option::in_group(const std::string& heading) {
  cli_->group(heading);
  return *this;
}
option& option::of_type(const std::string& word) {
  cli_->type_name(word);
  return *this;
}
option& option::shown_as(const std::string& text) {
  cli_->option_text(text);
  return *this;
}
option& option::shows_default() {
  cli_->capture_default_str();
  return *this;
}
std::string option::default_text() const { return cli_->get_default_str(); }
option& option::between_commas() {
  cli_->delimiter(',');
  return *this;
}
option& option::takes(int values) {
  cli_->expected(values);
  return *this;
}
option& option::one_of(const std::vector<std::string>& choices) {
  cli_->check(CLI::IsMember(choices));
  return *this;
}
option& option::one_of_numbers(const std::vector<int>& choices) {
  cli_->check(CLI::IsMember(choices));
  return *this;
}
template <class Value>
option& option::within(Value least, Value most) {
  cli_->check(CLI::Range(least, most));
  return *this;
}
template option& option::within(int, int);
template option& option::within(std::int64_t, std::int64_t);
template option& option::within(double, double);
option& option::positive() {
  cli_->check(CLI::PositiveNumber);
  return *this;
}
option& option::existing_file() {
  cli_->check(CLI::ExistingFile);
  return *this;
}
option& option::passes(const value_check& check) {
  cli_->check(CLI::Validator(check, ""));
  return *this;
}
option& option::rewritten_by(const value_check& change) {
  cli_->transform(CLI::Validator(change, ""));
  return *this;
}
option& option::needs(option other) {
  cli_->needs(other.cli_);
  return *this;
}
option& option::excludes(option other) {
  cli_->excludes(other.cli_);
  return *this;
}

value_check size_in_bytes(bool kb_is_1000) {
  return [as_size = CLI::AsSizeValue(kb_is_1000)](std::string& text) { return as_size(text); };
}

command_line::command_line(const std::string& description, const std::string& program)
    : program_(program), cli_(std::make_unique<CLI::App>(description, program)) {}
command_line::~command_line() = default;

template <class Value>
option command_line::add(const std::string& name, Value& value, const std::string& text) {
  return option(cli_->add_option(name, value, text));
}
template option command_line::add(const std::string&, std::string&, const std::string&);
template option command_line::add(const std::string&, int&, const std::string&);
template option command_line::add(const std::string&, std::int64_t&, const std::string&);
template option command_line::add(const std::string&, std::uint64_t&, const std::string&);
template option command_line::add(const std::string&, double&, const std::string&);
template option command_line::add(const std::string&, std::vector<std::string>&, const std::string&);

option command_line::add_flag(const std::string& name, bool& value, const std::string& text) {
  return option(cli_->add_flag(name, value, text));
}

option command_line::add_version(const std::function<std::string()>& version, const std::string& text) {
  return option(cli_->set_version_flag("--version", version, text));
}

void command_line::help_text(const std::string& text) { cli_->set_help_flag("-h,--help", text); }
void command_line::footer(const std::string& text) { cli_->footer(text); }
void command_line::column_width(int characters) {
  cli_->get_formatter()->column_width(static_cast<std::size_t>(characters));
}

std::optional<int> command_line::parse(int argc, char** argv) {
  try {
    cli_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return cli_->exit(error) == 0 ? 0 : 2;
  }
  return {};
}

std::set<std::string> command_line::given() const {
  std::set<std::string> names;
  for (const CLI::Option* const one : cli_->get_options()) {
    if (one->count() > 0) names.insert(one->get_name());
  }
  return names;
}

}  // namespace talus::measure
