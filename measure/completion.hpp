// What bash, zsh and fish are told of a program's options, so that they complete them: read off the options
// themselves.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "measure/text.hpp"

namespace talus::measure {

/// One option, or one positional argument, as completion sees it.
struct completed_option {
  std::vector<std::string> names;  ///< with their dashes; none: positional
  std::string words;               ///< what it is, in a few words
  enum class kind { flag, choice, file, folder, other } takes = kind::other;
  std::vector<std::string> choices;
  bool is_list = false;  ///< of choices, between commas

  explicit completed_option(const CLI::Option& option) : words(first_words(option.get_description())) {
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    const std::string type = option.get_type_name();  // with what its validators say: TEXT:{s,d,c,z}
    const std::size_t open = type.find('{'), close = type.find('}');
    is_list = option.get_delimiter() == ',';
    if (option.get_items_expected_max() == 0) {
      takes = kind::flag;
    } else if (open != std::string::npos && close != std::string::npos) {
      takes = kind::choice;
      choices = split(type.substr(open + 1, close - open - 1), ',');
    } else if (type.rfind("FILE", 0) == 0) {
      takes = kind::file;
    } else if (type.rfind("DIR", 0) == 0) {
      takes = kind::folder;
    }
  }

 private:
  /// A list of choices has no room for more than the head of a sentence.
  static std::string first_words(const std::string& description) {
    std::string text = description.substr(0, description.find("; "));
    text = text.substr(0, text.find(". "));
    constexpr std::size_t most = 72;
    if (text.size() > most) text = text.substr(0, text.rfind(' ', most)) + " ...";
    return text;
  }
};

/// With a backslash before each character of `special`.
inline std::string escaped(const std::string& text, const std::string& special) {
  std::string all;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) all += '\\';
    all += c;
  }
  return all;
}

/// Between single quotes, as bash and zsh read them.
inline std::string quoted(const std::string& text) {
  std::string inside;
  for (const char c : text) inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + inside + "'";
}

inline std::string bash_completion(const std::string& program, const std::vector<completed_option>& options) {
  using kind = completed_option::kind;
  std::string function = "_" + program, cases;
  std::replace(function.begin(), function.end(), '-', '_');
  std::vector<std::string> names, arguments, files, folders, others;
  for (const completed_option& o : options) {
    names.insert(names.end(), o.names.begin(), o.names.end());
    if (o.names.empty()) {
      arguments.insert(arguments.end(), o.choices.begin(), o.choices.end());
    } else if (o.takes == kind::choice) {
      cases += "    " + joined(o.names, " | ") + ") words=" + quoted(joined(o.choices, " ")) + " ;;\n";
    } else if (o.takes != kind::flag) {
      auto& like = o.takes == kind::file ? files : o.takes == kind::folder ? folders : others;
      like.insert(like.end(), o.names.begin(), o.names.end());
    }
  }
  const auto add_case = [&](const std::vector<std::string>& of, const std::string& action) {
    if (!of.empty()) cases += "    " + joined(of, " | ") + ")\n      " + action + "return ;;\n";
  };
  const std::string paths = " -- \"$current\"); ";
  add_case(files, "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f" + paths);
  add_case(folders, "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d" + paths);
  add_case(others, "");
  return function + R"(() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words prefix=''
  [ "$current" != = ] || current=''
  [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
  case $current in
    -*) words=)" +
         quoted(joined(names, " ")) + R"( ;;
    *) words=)" +
         quoted(joined(arguments, " ")) + R"( ;;
  esac
  case $before in
)" + cases +
         R"(  esac
  case $current in *,*) prefix=${current%,*}, ;; esac
  mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "${current##*,}")
}
complete -F )" +
         function + " " + program + "\n";
}

inline std::string zsh_completion(const std::string& program, const std::vector<completed_option>& options) {
  using kind = completed_option::kind;
  std::string text = "#compdef " + program + "\n_arguments";
  const auto add = [&](const std::string& name, const completed_option& o) {
    std::string value;
    if (o.takes == kind::choice) {
      value = o.is_list ? ":value:_sequence compadd - " + joined(o.choices, " ")
                        : ":value:(" + joined(o.choices, " ") + ")";
    } else if (o.takes != kind::flag) {
      value = ":value:";
      value += o.takes == kind::file ? "_files" : o.takes == kind::folder ? "_files -/" : " ";
    }
    const std::string what =
        name.empty() ? "" : (value.empty() ? "[" : "=[") + escaped(o.words, "[]:\\") + "]";
    text += " \\\n  " + quoted(name + what + value);
  };
  for (const completed_option& o : options) {
    if (o.names.empty()) add("", o);
    for (const std::string& name : o.names) add(name, o);
  }
  return text + "\n";
}

inline std::string fish_completion(const std::string& program, const std::vector<completed_option>& options) {
  using kind = completed_option::kind;
  std::string text;
  for (const completed_option& o : options) {
    text += "complete -c " + program;
    for (const std::string& name : o.names)
      text += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (o.takes == kind::file || o.takes == kind::folder) {
      text += " -rF";
    } else {
      text += o.takes == kind::flag || o.names.empty() ? " -f" : " -x";
    }
    if (o.takes == kind::choice) text += " -a '" + joined(o.choices, " ") + "'";
    text += " -d '" + escaped(o.words, "\\'") + "'\n";
  }
  return text;
}

/// The file that tells a shell, bash, zsh or fish, how to complete the program's options.
inline std::string completion(const CLI::App& app, const std::string& shell) {
  std::vector<completed_option> options;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) options.emplace_back(*option);  // those without a group are hidden
  }
  const std::string head =
      shell == "zsh" ? "" : "# Written by " + app.get_name() + " --completion " + shell + "\n";
  return head + (shell == "bash"  ? bash_completion(app.get_name(), options)
                 : shell == "zsh" ? zsh_completion(app.get_name(), options)
                                  : fish_completion(app.get_name(), options));
}

}  // namespace talus::measure
