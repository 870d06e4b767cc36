// The command line of a program: its options, its help and its complaints. command_line.cpp implements it
// with CLI11. No other file includes CLI11, which takes five seconds to compile.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace talus::measure {

/// Checks an option's value and may change it. Returns a complaint, which is printed behind the option's
/// name, or an empty string.
using value_check = std::function<std::string(std::string& value)>;

/// Declares one option of a command line, which owns it. A copy declares the same option.
class option {
 public:
  explicit option(CLI::Option* cli) : cli_(cli) {}

  option& in_group(const std::string& heading);  ///< a part of the help
  option& of_type(const std::string& word);      ///< INT, FILE, ... in the help
  option& shown_as(const std::string& text);     ///< replaces type, choices and default in the help
  option& shows_default();                       ///< prints the variable's present value in the help
  std::string default_text() const;              ///< empty without shows_default
  option& between_commas();                      ///< reads a list
  option& takes(int values);                     ///< reads this number of values
  option& one_of(const std::vector<std::string>& choices);
  option& one_of_numbers(const std::vector<int>& choices);
  template <class Value>
  option& within(Value least, Value most);  ///< int, std::int64_t, double
  option& positive();
  option& existing_file();
  option& passes(const value_check& check);         ///< runs after earlier checks
  option& rewritten_by(const value_check& change);  ///< runs before all checks
  option& needs(option other);
  option& excludes(option other);

 private:
  CLI::Option* cli_;
};

/// For rewritten_by: converts a size such as "2MB" to bytes. 1 kB is 1024 bytes, or 1000 with `kb_is_1000`. 1
/// KiB is always 1024 bytes.
value_check size_in_bytes(bool kb_is_1000);

class command_line {
 public:
  command_line(const std::string& description, const std::string& program);
  ~command_line();

  /// Adds a positional argument (`name`) or an option (`--name`, `-n,--name`). A Value is a std::string, int,
  /// std::int64_t, std::uint64_t, double or std::vector<std::string>.
  template <class Value>
  option add(const std::string& name, Value& value, const std::string& text);
  option add_flag(const std::string& name, bool& value, const std::string& text);
  option add_version(const std::function<std::string()>& version, const std::string& text);
  void help_text(const std::string& text);
  void footer(const std::string& text);
  void column_width(int characters);  ///< width of the options' column in the help

  /// Sets the variables and returns nothing. Prints help, version or a complaint instead if the user asked
  /// for one or made a mistake, and returns the program's exit status: 0 or 2.
  std::optional<int> parse(int argc, char** argv);

  const std::string& program() const { return program_; }
  std::set<std::string> given() const;  ///< names of the options that the user gave

 private:
  std::string program_;
  std::unique_ptr<CLI::App> cli_;
};

}  // namespace talus::measure
