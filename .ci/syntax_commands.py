#!/usr/bin/python3
"""Prints a command a line that checks a file of a configured build by itself, without writing an object.

    .ci/syntax_commands.py BUILD [PATH...]     of the files below these paths, all without one
"""
import json
import pathlib
import sys

build, *folders = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
for entry in json.loads((build / "compile_commands.json").read_text()):
    path = pathlib.Path(entry["file"])
    if not folders or any(path.is_relative_to(folder) for folder in folders):
        print(entry["command"], "-O0 -fsyntax-only")
