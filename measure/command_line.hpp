// The command line of a program: its options, its help, what it refuses. command_line.cpp does the work with CLI11,
// which no other file includes: it would take six seconds to compile.
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

/// Looks at an option's value, and may change it. Returns the complaint, which stands behind the option's name, or
/// nothing.
using value_check = std::function<std::string(std::string& value)>;

/// An option that is being declared. It belongs to its command line; copies are the same option.
class option {
 public:
  explicit option(CLI::Option* cli) : cli_(cli) {}

  option& in_group(const std::string& heading);  ///< of the help
  option& of_type(const std::string& word);      ///< INT, FILE, ...: in the help, and for completion
  option& shown_as(const std::string& text);     ///< in the help in place of type, choices and default
  option& shows_default();                       ///< the value that the variable has now
  std::string default_text() const;              ///< if it is shown
  option& between_commas();                      ///< a list
  option& takes(int values);                     ///< so many, one after the other
  option& one_of(const std::vector<std::string>& choices);
  option& one_of_numbers(const std::vector<int>& choices);
  template <class Value>
  option& within(Value least, Value most);  ///< int, std::int64_t, double
  option& positive();
  option& existing_file();
  option& passes(const value_check& check);         ///< after the checks before it
  option& rewritten_by(const value_check& change);  ///< before all checks
  option& needs(option other);
  option& excludes(option other);

 private:
  CLI::Option* cli_;
};

/// For rewritten_by: makes a number of bytes of "2MB" and the like. 1 kB is 1024 bytes, or with `kb_is_1000` 1000;
/// 1 KiB is always 1024.
value_check size_in_bytes(bool kb_is_1000);

class command_line {
 public:
  command_line(const std::string& description, const std::string& program);
  ~command_line();

  /// A positional argument, or --name, or -n,--name. Value: std::string, int, std::int64_t, std::uint64_t, double,
  /// std::vector<std::string>.
  template <class Value>
  option add(const std::string& name, Value& value, const std::string& text);
  option add_flag(const std::string& name, bool& value, const std::string& text);
  option add_version(const std::function<std::string()>& version, const std::string& text);
  void
  add_completion();  ///< --completion bash|zsh|fish, which the help leaves out: the build installs what it prints
  void help_text(const std::string& text);
  void footer(const std::string& text);
  void column_width(int characters);  ///< of the options in the help

  /// Sets the variables. Nothing: go on. Else the program's exit status, and all is said: 0 after --help and the like,
  /// 2 for what is wrong.
  std::optional<int> parse(int argc, char** argv);

  const std::string& program() const { return program_; }
  std::set<std::string> given() const;  ///< names of the options that the user gave

 private:
  std::string program_;
  std::unique_ptr<CLI::App> cli_;
};

}  // namespace talus::measure
