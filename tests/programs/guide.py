#!/usr/bin/env python3
"""The guide and the README show tested code: each block of code in docs/guide and in README.md is part of the file of
examples/guide that the line before it names. Each of these files is shown, and every link leads to a file."""
import re
import sys
from pathlib import Path

source = Path(__file__).resolve().parents[2]
examples = source / "examples/guide"
LANGUAGES = {"c", "cmake", "cpp", "python", "sh"}
INCLUDED = re.compile(r'--8<-- "(.*)"')
LINK = re.compile(r"\]\(([^)#\s]*)(?:#[^)]*)?\)")


def blocks_of(page):
    """(number of the line, language, code, the last line with words before it) of each fenced block."""
    before, start, code = "", 0, []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```") and not start:
            start, language, code = number, line[3:].strip(), []
        elif line == "```" and start:
            yield start, language, code, before
            start = 0
        elif start:
            code.append(line)
        elif line.strip():
            before = line
    if start:
        yield start, language, code, before


def is_part(code, lines):
    return any(lines[i:i + len(code)] == code for i in range(len(lines) - len(code) + 1))


def problems_of(page, shown):
    for number, language, code, before in blocks_of(page):
        if language not in LANGUAGES:
            continue
        named = [page.parent / link for link in LINK.findall(before)]
        files = [file.resolve() for file in named if file.resolve().parent == examples and file.is_file()]
        if not files:
            yield f"{page}:{number}: the line before this block names no file of examples/guide"
        elif not is_part(code, files[-1].read_text().splitlines()):
            yield f"{page}:{number}: this is no part of {files[-1]}"
        shown.update(files)
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    for link in LINK.findall(prose):
        if link and not re.match("[a-z]+:", link) and not (page.parent / link).exists():
            yield f"{page}: the link to {link} leads nowhere"


shown, problems = set(), []
for page in [source / "README.md", *sorted((source / "docs/guide").glob("*.md"))]:
    problems += problems_of(page, shown)
for page in sorted((source / "docs/reference").glob("*.md")):  # these include whole files
    shown.update(source / file for file in INCLUDED.findall(page.read_text()))
for file in sorted(set(examples.glob("[!.]*")) - shown):
    problems.append(f"{file}: neither the README nor a page of the guide or the reference shows it")
print("\n".join(problems))
sys.exit(bool(problems))
