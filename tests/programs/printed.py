"""Checks what a program prints, and its exit status, call by call.

    checks = Checks(__doc__)
    checks("no_file", "--matrix no.mtx", r"no.mtx:0: cannot be read", status=2)

A script of such checks is called as SCRIPT PROGRAM PRECISIONS FOLDER [CHECK...]: with the path of the program, the
letters of the precisions that it was built with, a folder for files, and the names of checks if not all are to run.
Exit status 1: a check failed.
"""

import pathlib
import re
import shlex
import subprocess
import sys


class Checks:
    def __init__(self, usage, always=""):
        """always: arguments that every call gets behind its own."""
        if len(sys.argv) < 4:
            sys.exit(f"usage: {sys.argv[0]} PROGRAM PRECISIONS FOLDER [CHECK...]\n\n{usage}")
        self.program, self.precisions = sys.argv[1], sys.argv[2]
        self.folder = pathlib.Path(sys.argv[3])
        self.folder.mkdir(parents=True, exist_ok=True)
        self.only, self.always = sys.argv[4:], shlex.split(always)
        self.done = self.failed = 0

    def file(self, name, text):
        """Writes a file, and returns its path as an argument."""
        path = self.folder / name
        path.write_bytes(text.encode())
        return shlex.quote(str(path))

    def __call__(self, name, arguments, words, status=None, never=None, output=None):
        """Runs the program with the arguments, of which '' is an empty one.

        words: regular expression for standard output and standard error; a dot stands for a newline, too
        status: the exit status, or several; None: any
        never: regular expression that must not match
        output: file that gets standard output, which words then do not see
        """
        if self.only and name not in self.only:
            return
        command = [self.program, *self.always, *shlex.split(arguments)]
        out = open(output, "wb") if output else subprocess.PIPE
        ended = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT if not output else subprocess.PIPE)
        text = ((ended.stderr if output else ended.stdout) or b"").decode(errors="replace")
        wrong = []
        if not re.search(words, text, re.DOTALL):
            wrong.append(f"does not print: {words}")
        if never and re.search(never, text):
            wrong.append(f"prints: {never}")
        allowed = status if isinstance(status, (tuple, range)) else (status,)
        if status is not None and ended.returncode not in allowed:
            wrong.append(f"exits with {ended.returncode}, not with {' or '.join(map(str, allowed))}")
        self.done += 1
        print(f"{'FAILED' if wrong else 'passed'} {name}")
        if wrong:
            self.failed += 1
            print(f"  {shlex.join(command)}\n  " + "\n  ".join(wrong) + "\n--- printed:\n" + text + "---")

    def finish(self):
        """Prints how many checks failed, and exits."""
        print(f"{self.done} checks, {self.failed} failed")
        sys.exit(self.failed != 0 or self.done == 0)
