#!/usr/bin/python3
"""Prints commands, one per line, that each check one file of a configured build without writing an object.

    .ci/syntax_commands.py BUILD [PATH...]     for the files below these paths; without a path for all files
"""
import json
import pathlib
import sys

build, *folders = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
for entry in json.loads((build / "compile_commands.json").read_text()):
    path = pathlib.Path(entry["file"])
    if not folders or any(path.is_relative_to(folder) for folder in folders):
        print(entry["command"], "-O0 -fsyntax-only")
