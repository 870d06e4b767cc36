"""A hook of mkdocs that writes the reference of the routines into the pages of docs/reference.

It replaces each line of a page that starts with `:::`.

    ::: routine potrf              a routine: its forms, arguments and remarks, and its names in C and Python
    ::: rules batched.hpp          the comment at the top of a header
    ::: enumerations               the enumerations of types.hpp, with their names in C
    ::: struct queue               a structure: its fields and functions
    ::: status                     the status codes err_*
    ::: members version.h X Y      functions, types and macros of a header

Comments and declarations come from the XML files that Doxygen writes to build/doxygen (docs/site/Doxyfile). The
package doxmlparser, which the authors of Doxygen maintain, reads these files. Signatures in Python come from the
bindings in python/src (bindings.py), and the functions of talus.linalg from python/talus/linalg.py.
"""

import ast
import html
import logging
import re
import textwrap
from pathlib import Path

import doxmlparser
from bindings import signatures

ROOT = Path(__file__).resolve().parents[2]
FORMS = ("batched", "strided_batched", "vbatched")
DIRECTIVE = re.compile(r"^::: (\w+) ?(.*)$", re.MULTILINE)
log = logging.getLogger("mkdocs.hooks.reference")  # a child of "mkdocs", so that --strict counts its warnings


# ---- C and C++ from Doxygen's XML ------------------------------------------------------------------------


class Comment:
    def __init__(self, description):
        self.blocks = []  # (label, text); paragraphs have the label ""
        self.arguments = []  # (names, text)
        for paragraph in description.get_para():
            text = ""
            for part in paragraph.content_:
                if isinstance(part.value, str):
                    text += part.value
                elif part.name == "itemizedlist":
                    text += "".join(f"\n- {text_of(item)}" for item in part.value.get_listitem())
                elif part.name == "parameterlist":
                    for item in part.value.get_parameteritem():
                        self.arguments.append((names_of(item), text_of(item.get_parameterdescription())))
                elif part.name == "simplesect":
                    self.add("", text)
                    text = ""
                    self.add(part.value.get_title().get_valueOf_(), text_of(part.value))
            self.add("", text)

    def add(self, label, text):
        if text.strip():
            self.blocks.append((label, text.strip(" ")))


def text_of(description):
    return " ".join(" ".join(each.get_valueOf_() for each in description.get_para()).split())


def names_of(item):
    return [name.get_valueOf_() for each in item.get_parameternamelist() for name in each.get_parametername()]


def source_of(type):
    """Returns a type with the spaces that the headers have."""
    parts = [] if type is None else type.content_
    text = "".join(part.value if isinstance(part.value, str) else part.value.get_valueOf_() for part in parts)
    text = re.sub(r" ?\*", "*", text).replace("< ", "<").replace(" >", ">")
    return text.replace("*const", "* const").replace("const *", "const*")


class Member:
    def __init__(self, definition):
        self.name = definition.get_name()
        self.header = Path(definition.get_location().get_file()).name
        self.type = source_of(definition.get_type())
        self.is_template = definition.get_templateparamlist() is not None
        self.is_function = definition.get_kind() == "function"
        self.arguments = [
            (source_of(each.get_type()), each.get_declname()) for each in definition.get_param()
        ]
        self.enumerators = [(each.get_name(), value_of(each)) for each in definition.get_enumvalue()]
        self.value = value_of(definition)
        self.brief = text_of(definition.get_briefdescription())
        self.comment = Comment(definition.get_detaileddescription())
        if not self.comment.blocks:  # Doxygen takes a comment of one line as the brief description.
            self.comment.add("", self.brief)

    def place(self, argument):
        return [name for _, name in self.arguments].index(argument) + 1

    def prototype(self):
        arguments = [type if type == name else f"{type} {name}" for type, name in self.arguments]
        text = prototype_of(self.type, self.name, arguments)
        return "template <class T>\n" + text if self.is_template else text


def prototype_of(type, name, arguments):
    start = f"{type} {name}("
    # \0 stands for a space at which no line may end.
    arguments = [argument.replace(" ", "\0") for argument in arguments]
    lines = textwrap.wrap(", ".join(arguments) + ");", 90 - len(start))
    return start + ("\n" + " " * len(start)).join(lines).replace("\0", " ")


def value_of(definition):
    initializer = definition.get_initializer()
    return initializer.get_valueOf_().lstrip("= ") if initializer else ""


class Headers:
    def __init__(self, folder):
        self.files, self.structs, members = {}, {}, {}
        for path in sorted(folder.glob("*.xml")):
            if path.name in ("index.xml", "Doxyfile.xml"):
                continue
            for compound in doxmlparser.compound.parse(str(path), True).get_compounddef():
                comment = Comment(compound.get_detaileddescription())
                sections = compound.get_sectiondef()
                found = [Member(each) for section in sections for each in section.get_memberdef()]
                if compound.get_kind() == "struct":
                    self.structs[compound.get_compoundname().split("::")[-1]] = comment, found
                else:
                    members.update({(each.header, each.name): each for each in found})
                if compound.get_kind() == "file":
                    self.files[compound.get_compoundname()] = comment
        self.members = members
        functions = {key: each for key, each in members.items() if each.is_function}
        self.c = c_prototypes()
        self.functions = {name: each for (header, name), each in functions.items() if "batched" in header}
        names = [routine_of(name) for name in self.functions if not name.endswith("_work")]
        self.routines = list(dict.fromkeys(names))

    def of(self, header):
        return [each for (file, _), each in self.members.items() if file == header]

    def enumerations(self):
        """Yields each enumeration of C++ and the enumerators of its counterpart in C.

        Counterparts have equal values, and both headers declare the enumerations in the same order."""
        c = [each for each in self.of("talus.h") if each.enumerators]
        for each in self.of("types.hpp"):
            if each.enumerators:
                same = next((other for other in c if values_of(other) == values_of(each)), None)
                if same:
                    c.remove(same)
                else:
                    log.warning(f"talus.h has no enumeration with the values of talus::{each.name}")
                yield each, same.enumerators if same else each.enumerators

    def in_c(self, name):
        """Returns the names of a function in talus.h, one for each precision."""
        return [each for letter in "sdcz" if (each := f"talus_{letter}{name}") in self.c]


def c_prototypes():
    """Returns {name: prototype} of the routines in C, in each precision, in the order of talus_routines.h."""
    types = {
        "s": ("float", "float"),
        "d": ("double", "double"),
        "c": ("talus_complex_float", "float"),
        "z": ("talus_complex_double", "double"),
    }
    prototypes, letters = {}, "sdcz"
    text = Path("include/talus/talus_routines.h").read_text()
    for match in re.finditer(r"^#.*|^TALUS_C_API (\w+) TALUS_C_NAME\((\w+)\)\(([^)]*)\);", text, re.M):
        if match[0].startswith("#"):
            letters = "cz" if "TALUS_C_IS_COMPLEX" in match[0] else "sdcz"
            continue
        for letter in letters:
            element, real = types[letter]
            arguments = match[3].replace("TALUS_C_T", element).replace("TALUS_C_REAL", real)
            name = f"talus_{letter}{match[2]}"
            arguments = [" ".join(each.split()) for each in arguments.split(",")]
            prototypes[name] = prototype_of(match[1], name, arguments)
    return prototypes


def values_of(enumeration):
    return [value for _, value in enumeration.enumerators]


def routine_of(name):
    return re.sub("_(?:strided_)?v?batched$", "", name)


# ---- Python ------------------------------------------------------------------------------------------


def python_names():
    """Returns {routine: (its signature, the functions of talus.linalg that call it)}."""
    linalg = ast.parse((ROOT / "python/talus/linalg.py").read_text()).body
    uses = {}  # function of linalg.py: the names in it and in the functions that it calls
    for function in linalg:
        if isinstance(function, ast.FunctionDef):
            nodes = list(ast.walk(function))
            uses[function.name] = {node.id for node in nodes if isinstance(node, ast.Name)} | {
                ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)
            }
    for _ in uses:
        for names in uses.values():
            names.update(*(uses[name] for name in list(names) if name in uses))
    found = {}
    for name, parameters in signatures().items():
        users = [user for user, names in uses.items() if f"_talus.{name}" in names]
        found[name] = (
            f"talus.{name}({parameters})",
            [user for user in users if not re.match("_|.*_ex$", user)],
        )
    return found


# ---- HTML --------------------------------------------------------------------------------------------

TOKENS = r"""
    `(?P<quoted>[^`]+)`
  | ⟦(?P<formula>[^⟧]+)⟧
  | \b(?P<routine>(?:ROUTINES)(?:_(?:strided_)?v?batched)?)\b
  | (?P<code>
        (?:\w+::)+\w+(?:<[\w:]+>)?(?:\(\))?                                    # queue::work
      | \b\w+_[A-Za-z]\w+\b(?:\[\w+\])? | \b(?:stride|op)_[A-Z]\b              # info_array, n_max, stride_A
      | \b(?:ld[a-z]\d*|[knm]2?|nrhs|inc[xy]|ipiv|info|[ABCRxy]|A_b)\[[^];]+\] # lda[b]
      | (?<![-\w])(?:ld[a-z]\d*|nrhs|inc[xy]|ipiv|info|uplo|q\.where)\b)
"""


def mathematics(text):
    text = html.escape(text, quote=False).replace("||", "‖").replace("&lt;=", "≤").replace("&gt;=", "≥")
    text = re.sub(r"(\b[A-Za-z]|\btau|‖)_([a-z0-9])\b", r"\1<sub>\2</sub>", text)
    text = re.sub(r"\b([A-Z])(\d\d)\b", r"\1<sub>\2</sub>", text)
    return re.sub(r"\^(-?\w+)", lambda match: f"<sup>{match[1].replace('-', '−')}</sup>", text)


def code(name):
    return f"<code>{html.escape(name)}</code>"


def without_places(text):
    """Returns the description of an argument without its number in the strided form."""

    def rest(match):
        return f" ({match[1]})" if match[1] else ""

    return re.sub(r"\s*\(strided: [^();]*;?\s*((?:[^()]|\([^()]*\))*)\)", rest, text).strip()


def paragraphs(words):
    """Returns a paragraph and the list after it. A line that starts with `- ` is an item of the list."""
    first, *items = words.split("\n- ")
    paragraph = f"<p>{first}</p>\n" if first.strip() else ""
    return paragraph + ("<ul>" + "".join(f"<li>{each}</li>" for each in items) + "</ul>\n" if items else "")


def table(kind, head, rows):
    head = "<thead><tr>" + "".join(f"<th>{each}</th>" for each in head) + "</tr></thead>" if head else ""
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="reference {kind}"><table>{head}<tbody>\n{body}\n</tbody></table></div>\n\n'


class Reference:
    def __init__(self, headers, pages):
        self.headers, self.pages, self.python = headers, pages, python_names()
        names = "|".join(sorted(headers.routines, key=len, reverse=True))
        self.tokens = re.compile(TOKENS.replace("ROUTINES", names), re.VERBOSE)
        self.page = self.subject = ""  # the page and the routine that are being written

    def words(self, text):
        """Returns HTML for the text of a comment: code for names, links for routines, indices and powers."""
        out, end = "", 0
        for match in self.tokens.finditer(text):
            out += mathematics(text[end : match.start()]) + self.token(
                match.lastgroup, match[match.lastgroup]
            )
            end = match.end()
        return out + mathematics(text[end:])

    def token(self, kind, name):
        if kind == "formula":
            return f'<span class="formula">{mathematics(name)}</span>'
        routine = routine_of(name)
        anchor = name if self.has_section(name) else routine
        if kind != "routine" or routine not in self.pages or routine == self.subject:
            return code(name)
        page = "" if self.pages[routine] == self.page else self.pages[routine] + ".html"
        return f'<a href="{page}#{anchor}">{code(name)}</a>'

    def comment(self, blocks):
        """Returns HTML: text without a label becomes paragraphs, and labelled text becomes tables."""
        out, rows = "", []
        for label, text in [*blocks, ("", "")]:
            if label:
                rows.append((self.words(label), self.words(text)))
                continue
            if rows:
                out += table("labelled", (), rows)
                rows = []
            if text:
                out += paragraphs(self.words(text)) + "\n"
        return out

    # ---- a routine

    def routine(self, name):
        if name not in self.headers.routines:
            log.warning(f"the headers have no routine {name}")
            return ""
        self.subject = name
        functions = {
            form: self.headers.functions[full]
            for form in FORMS
            if (full := f"{name}_{form}") in self.headers.functions
        }
        first = functions.get("batched", functions["vbatched"])
        out = (
            f"## {name} {{#{name}}}\n\n"
            + self.comment(first.comment.blocks[:1])
            + self.prototypes(name, functions)
        )
        out += self.arguments(first, functions.get("strided_batched")) + self.comment(
            first.comment.blocks[1:]
        )
        if self.has_section(f"{name}_vbatched"):
            vbatched = functions["vbatched"]
            out += f"### {name}_vbatched {{#{name}_vbatched}}\n\n" + self.comment(vbatched.comment.blocks[:1])
            out += self.arguments(vbatched) + self.comment(vbatched.comment.blocks[1:])
        out += self.names(name)
        self.subject = ""
        return out

    def has_section(self, name):
        """True for a vbatched form with a section of its own. gemm and gemv have no other form."""
        is_second = name.endswith("_vbatched") and routine_of(name) + "_batched" in self.headers.functions
        return is_second and bool(self.headers.functions[name].comment.arguments)

    def prototypes(self, name, functions):
        tabs = [(form, "cpp", function.prototype()) for form, function in functions.items()]
        c = [names for form in functions if (names := self.headers.in_c(f"{name}_{form}"))]
        double = [names[1] if len(names) > 2 else names[-1] for names in c]  # d of s, d, c, z; z of c, z
        tabs.append(("C", "c", "\n\n".join(self.headers.c[each] for each in double)))
        if name in self.python:
            tabs.append(("Python", "python", self.python[name][0]))
        blocks = [(title, f"```{language}\n{text}\n```\n\n") for title, language, text in tabs]
        return "".join(f'=== "{title}"\n\n' + textwrap.indent(block, "    ") for title, block in blocks)

    def arguments(self, function, strided=None):
        def places(function, names):
            return "<br>".join(f"{function.place(name)}&nbsp;{code(name)}" for name in names)

        rows = []
        for names, text in sorted(function.comment.arguments, key=lambda each: function.place(each[0][0])):
            row = [places(function, names), self.words(without_places(text))]
            if strided:
                known = {name for _, name in strided.arguments}
                same = {name if name in known else name.replace("_array", "") for name in names}
                groups = [group for group, _ in strided.comment.arguments if same & {*group}]
                row.insert(1, "<br>".join(places(strided, group) for group in groups))
            rows.append(row)
        head = ("batched", "strided_batched", "meaning") if strided else ("argument", "meaning")
        return table("arguments", head, rows) if rows else ""

    def names(self, name):
        rows = []
        for full in [f"{name}_{form}" for form in (*FORMS, "work", "vbatched_work")]:
            if full in self.headers.functions:
                c = self.headers.in_c(full)
                if len(c) not in (2, 4):  # c and z, or all
                    log.warning(f"talus.h does not declare {full} of each precision")
                arguments = ", ".join(argument for _, argument in self.headers.functions[full].arguments)
                cpp = f"{full}<T>({arguments})" if full.endswith("_work") else f"{full}<T>"
                rows.append((code(cpp), " ".join(code(each) for each in c)))
        if name in self.python:
            names = [f"talus.{name}", *(f"talus.linalg.{each}" for each in self.python[name][1])]
            rows.append(("in Python", " ".join(code(each) for each in names)))
        summary = "<summary>Names in C++, C and Python; scratch</summary>\n"
        return f'<details class="names">{summary}{table("names", (), rows).strip()}</details>\n\n'

    # ---- what routines share

    def rules(self, header):
        return self.comment(self.headers.files[header].blocks)

    def enumerations(self, _):
        out = ""
        for each, in_c in self.headers.enumerations():
            out += f"### {each.name} {{#{each.name}}}\n\n" + self.comment(each.comment.blocks)
            rows = [
                (f"{each.name}::{name}", c, value) for (name, value), (c, _) in zip(each.enumerators, in_c)
            ]
            out += table("values", ("C++", "C", "value"), [map(code, row) for row in rows])
        return out

    def struct(self, name):
        comment, members = self.headers.structs[name]
        fields, functions = [], []
        for each in members:
            words = self.words(each.brief)
            if each.is_function:
                functions.append((code(f"{name}::{each.name}"), code(f"talus_{name}_{each.name}"), words))
            else:
                fields.append((code(f"{each.type} {each.name}"), code(each.value), words))
        out = self.comment(comment.blocks) + table("values", ("field", "default", "meaning"), fields)
        return out + table("values", ("C++", "C", "meaning"), functions)

    def status(self, _):
        codes = [each for each in self.headers.of("types.hpp") if each.name.startswith("err_")]
        c = {value: name for each in self.headers.of("talus.h") for name, value in each.enumerators}
        rows = [
            (code(each.name), code(c.get(each.value, "")), each.value, self.words(each.brief))
            for each in codes
        ]
        return self.comment(codes[0].comment.blocks) + table("values", ("C++", "C", "value", "meaning"), rows)

    def members(self, words):
        header, *names = words.split()
        out = ""
        for each in (self.headers.members[header, name] for name in names):
            name = f"{each.name}<T>" if each.is_template else each.name
            declaration = each.prototype() if each.is_function else name
            out += f"```cpp\n{declaration}\n```\n\n" + self.comment(each.comment.blocks)
        return out


# ---- events of mkdocs ---------------------------------------------------------------------------------

reference = None


def on_files(files, config):
    global reference
    headers = Headers(ROOT / "build/doxygen/xml")
    pages = {}
    for page in files.documentation_pages():
        if page.src_uri.startswith("reference/"):
            lines = DIRECTIVE.findall(page.content_string)
            pages.update({name: Path(page.src_uri).stem for kind, name in lines if kind == "routine"})
    for routine in set(headers.routines) - set(pages):
        log.warning(f"{routine} is on no page of docs/reference")
    for name in headers.c:
        match = re.fullmatch(r"talus_[sdcz](\w+_(?:batched|work))", name)
        if match and match[1] not in headers.functions:
            log.warning(f"{name} is declared in talus.h, but no C++ header declares {match[1]}")
    reference = Reference(headers, pages)
    return files


def on_page_markdown(markdown, page, config, files):
    if not page.file.src_uri.startswith("reference/"):
        return markdown
    reference.page = Path(page.file.src_uri).stem
    return DIRECTIVE.sub(lambda match: getattr(reference, match[1])(match[2]), markdown)
