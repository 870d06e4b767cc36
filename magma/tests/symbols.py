"""Compares the names that libtalus_magma exports with those that its page promises.

The page's tables of exported names come behind the comment <!-- symbols -->, up to the next heading. Their first
column has names in backticks, where <x> stands for s, d, c and z.

    symbols.py [--nm NM] [--precisions "s;d;c;z"] docs/magma.md libtalus_magma.so
"""

import argparse
import re
import subprocess
import sys


def promised_names(page, precisions):
    names, counts = set(), False
    for line in page.splitlines():
        if line.startswith("#"):
            counts = False
        elif line.strip() == "<!-- symbols -->":
            counts = True
        elif counts and line.startswith("|"):
            for name in re.findall(r"`([^`]+)`", line.split("|")[1]):
                names.update(name.replace("<x>", x) for x in (precisions if "<x>" in name else ["-"]))
    return names


def exported_names(nm, library):
    lines = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in lines.splitlines()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--precisions", default="s;d;c;z")
    parser.add_argument("page")
    parser.add_argument("library")
    arguments = parser.parse_args()
    with open(arguments.page, encoding="utf-8") as file:
        promised = promised_names(file.read(), arguments.precisions.split(";"))
    exported = exported_names(arguments.nm, arguments.library)
    for name in sorted(exported - promised):
        print(f"exported, but not in {arguments.page}: {name}")
    for name in sorted(promised - exported):
        print(f"in {arguments.page}, but not exported: {name}")
    print(f"{len(exported)} names are exported, {len(promised)} promised")
    return 0 if exported == promised and promised else 1


if __name__ == "__main__":
    sys.exit(main())
