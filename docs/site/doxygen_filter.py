#!/usr/bin/env python3
"""Translates the comments of a public header into Doxygen's commands: the INPUT_FILTER of docs/site/Doxyfile.

The headers are formatted as plain text. A comment documents every declaration up to the next blank line. The
first paragraph states the operation. Then come the numbered arguments, remarks, and labelled paragraphs:

    /// 4 A_array, 5 lda  n-by-n factors, only read      @param A_array,lda n-by-n factors, only read
    /// Cost      2 n^2 nrhs flops                       @par Cost
                                                         2 n^2 nrhs flops

"Arguments as for X, except:" copies the arguments of X that the comment does not list.

The output has the same number of lines, so a warning of Doxygen gives the line of the header. This script
also compares the number of each argument with the declaration, and writes warnings in the same form.
"""

import re
import sys

ARGUMENTS = re.compile(r"(\d+ \w+(?:(?:, | \.\.\. )\d+ \w+)*)(?:\s{2,}(.*))?$")  # 4 A_array, 5 lda  text
AS_FOR = re.compile(r"Arguments as for (\w+)\b.*:$")
LABELLED = re.compile(r"(Cost|Numerics|Source)\s{2,}(.*)$")
ENTRY = re.compile(r"  +(\S+(?: \S+)*)  +(\S.*)$")  # a name and its text, in the comment at the top of a file
DECLARATION = re.compile(r"template <class T>$|TALUS_API|int ")
UNNAMED = re.compile(r"((?:^|[(,])\s*)(uplo|op|side|diag|form|schur)(?=,)")  # a parameter with a type only
FORMULA = re.compile(r"[\w)\]] :?= |\^| - ")
WORD = re.compile(r"(?!alpha|beta|min|max)\b[a-z]{3}|::|: ")


def escaped(text):
    """Returns the text with escapes, so that Doxygen prints it unchanged."""
    text = re.sub(r'[\\@&$#<>%"]', r"\\\g<0>", re.sub(r"\s+", " ", text.strip()))
    return text.replace("::", r"\::").replace("--", r"\--")


def with_formulas(text):
    """Returns the escaped text with brackets around each formula.

    A formula fills a line or has two spaces before and after it."""
    parts = re.split(r"(\s{2,}|\n)", text.strip())
    for i, part in enumerate(parts):
        if FORMULA.search(part) and not WORD.search(part):
            parts[i] = re.sub(r"^(.*?)([.,:;]?)$", r"⟦\1⟧\2", part)
    return escaped("".join(parts))


def parameter(names, text):
    """Returns a @param command. Doxygen requires a description."""
    return f"@param {','.join(names)} {with_formulas(text) or '&mdash;'}"


def labelled(name):
    """Returns the start of a labelled paragraph. The command is an alias in docs/site/Doxyfile."""
    return f"@labelled{{{escaped(name)}}} ".replace(",", r"\,")


class Function:
    def __init__(self, declaration):
        self.name, arguments = re.search(r"(\w+)\(([^()]*)\)", declaration).groups()
        self.arguments = [re.findall(r"\w+", each)[-1] for each in arguments.split(",") if each.strip()]

    def place(self, argument):
        return self.arguments.index(argument) + 1 if argument in self.arguments else None


class Comment:
    """A /// comment and the functions that it documents."""

    def __init__(self, lines, functions, known, warn):
        self.functions, self.warn = functions, warn
        self.described = {}  # argument: (the arguments that share a description, the description)
        self.brief, self.out = "", [""] * len(lines)
        item = None  # number of its first line, its kind, its text
        for number, line in enumerate([*lines, ""]):
            starts = None
            if (match := ARGUMENTS.match(line)) and (not item or isinstance(item[1], list)):
                starts = [number, self.names_of(number, match[1]), match[2] or ""]
            elif match := LABELLED.match(line):
                starts = [number, labelled(match[1]), match[2]]
            elif line.startswith("- "):
                starts = [number, "- ", line[2:]]
            elif line.strip() and not item:
                starts = [number, "", line]
            if item and (starts or not line.strip()):
                self.finish(*item)
                item = None
            if starts:
                item = starts
            elif item:
                item[2] += "\n" + line
        for number, line in enumerate(lines):
            if match := AS_FOR.match(line):
                self.out[number] = self.inherited(known.get(match[1], {}))
        if functions:
            known[functions[0].name.replace("_batched", "")] = self.described

    def names_of(self, number, text):
        """Returns the names in `4 A_array, 5 lda`. `1 form ... 13 lda22` stands for 13 names."""
        function, names = self.functions[0], []
        for between, place, name in re.findall(r"(, | \.\.\. |^)(\d+) (\w+)", text):
            self.check(number, function, name, place)
            if between == " ... ":
                names += function.arguments[len(names) : int(place) - 1]
            names.append(name)
        return names

    def check(self, number, function, name, place):
        """Warns if the argument has another number. Doxygen itself warns of an unknown name."""
        if function.place(name) not in (None, int(place)):
            self.warn(number, f"{name} is argument {function.place(name)} of {function.name}, not {place}")

    def check_strided(self, number, names, text):
        """Checks `(strided: 8)`, `(strided: 9, 10)` and `(strided: A, lda, stride_A are 4, 5, 6 and ...)`."""
        text = " ".join(" ".join(re.findall(r"\(strided: ([^()]*)", text)).split())
        lists = re.findall(r"(?<![.] )\b((?:\w+, )*\w+) are ((?:\d+, )*\d+)", text)
        if re.fullmatch(r"[\d, ]+", text):
            lists.append((", ".join(names), text))
        for function in self.functions[1:2]:
            for listed, places in lists:
                for name, place in zip(listed.split(", "), places.split(", ")):
                    self.check(number, function, name, place)

    def finish(self, number, kind, text):
        if isinstance(kind, list):
            self.check_strided(number, kind, text)
            self.out[number] = parameter(kind, text)
            self.described.update(dict.fromkeys(kind, (kind, text)))
        else:
            self.out[number] = kind + with_formulas(text)
            self.brief = self.brief or with_formulas(text)

    def inherited(self, known):
        """Returns @param commands for the arguments that only another comment lists."""
        out = []
        for name in self.functions[0].arguments:
            if name in known and name not in self.described:
                together, text = known[name]
                missing = set(self.functions[0].arguments) - set(self.described)
                names = [each for each in together if each in missing]
                out.append(parameter(names, text))
                self.described.update(dict.fromkeys(names, (names, text)))
        return " ".join(out)

    def for_other(self, function):
        """Returns a one-line comment for a further function of the group, such as the strided form."""
        groups, previous = [], None
        for name in function.arguments if self.described else []:
            names, text = self.described.get(name) or self.described.get(name + "_array") or (None, "")
            if groups and (names is previous or name.startswith("stride_")):
                groups[-1][0].append(name)
            else:
                groups.append(([name], text))
                previous = names
        return f"/** {' '.join([self.brief, *(parameter(*group) for group in groups)])} */ "


def declarations(lines, first):
    """Returns the line numbers and the texts of the declarations from line `first` to the next blank line."""
    starts, texts = [], []
    for number in range(first, len(lines)):
        line = lines[number]
        if not line.strip() or line.startswith("///"):
            break
        if DECLARATION.match(line) and lines[number - 1] != "template <class T>":
            starts.append(number)
            texts.append("")
        if texts:
            texts[-1] += line + "\n"
    return starts, texts


def translate_cpp(lines, warn):
    out, number, known = list(lines), 0, {}
    while number < len(lines):
        if lines[number].startswith("///"):
            first = number
            while lines[number].startswith("///"):
                number += 1
            starts, texts = declarations(lines, number)
            functions = [Function(text) for text in texts]
            text = [re.sub("^/// ?", "", line) for line in lines[first:number]]
            comment = Comment(text, functions, known, lambda at, what, first=first: warn(first + at, what))
            out[first:number] = ["/// " + line for line in comment.out]
            for start, function in list(zip(starts, functions))[1:]:
                out[start] = comment.for_other(function) + out[start]
        else:
            code, mark, words = lines[number].partition("///< ")
            if mark:
                out[number] = code + mark + escaped(words)
            elif re.match(r"  \S.*;$", code) and re.match(r"  \S.*;$|struct|$", lines[number - 1]):
                out[number] += "  ///< &mdash;"  # a member that the comment of its structure documents
            number += 1
    return out


def translate_top(lines):
    """Translates the comment at the top of a C++ header: paragraphs, and entries in two columns."""
    out, columns = [], None
    for line in lines:
        text = re.sub("^// ?", "", line)
        match = ENTRY.match(text)
        if not text.startswith("  "):
            columns = None
        elif columns is None and match:
            columns = match.start(1), match.start(2)
        if columns and text[: columns[0]].isspace() and not text[columns[0]].isspace():
            name, words = text[: columns[1]], re.sub(r"(?<=\S)\s{2,}", "; ", text[columns[1] :])
            out.append(f"/// {labelled(name)}{escaped(words)}")
        else:
            out.append("/// " + escaped(text))
    return ["/// @this_file " + out[0][4:], *out[1:]]


def translate_c(text):
    """Gives each declaration the last comment before it. The first comment documents the file."""
    out, comment = "", ""
    for part in re.split(r"(^/\*.*?\*/$)", text, flags=re.DOTALL | re.MULTILINE):
        if part.startswith("/*"):
            words = escaped(re.sub(r"^ ?\*+", "", part[2:-2], flags=re.MULTILINE))
            out += ("" if comment else f"/** @this_file {words} */") + "\n" * part.count("\n")
            comment = f"/** {words} */ "
            continue
        for line in re.sub(r";( +)/\* ", r";\1/**< ", part).splitlines(keepends=True):
            documented = re.match(r"TALUS_C_API|enum|typedef|inline|#define TALUS_(?!\w*H$)", line)
            out += comment + line if documented else line
    return out


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".h"):
        print(translate_c(text), end="")
        return
    lines = [line if line.startswith("//") else UNNAMED.sub(r"\1\2 \2", line) for line in text.split("\n")]
    top = next(i for i, line in enumerate(lines) if not line.startswith("//"))

    def warn(number, what):
        print(f"{path}:{top + number + 1}: warning: {what}", file=sys.stderr)

    print("\n".join(translate_top(lines[:top]) + translate_cpp(lines[top:], warn)), end="")


main()
