#!/usr/bin/python3
"""Compares the files of runs, or of validations, that have to have the same bits.

    same_runs.py FOLDER OTHER...

All files of FOLDER but pictures, texts, summaries and checkpoints: tables are compared without the columns of cost, other files
byte by byte. Ends with 1 and a line for each difference.
"""
import csv
import pathlib
import sys

LEFT_OUT = {".png", ".txt", ".md", ".json", ".yaml", ".h5"}


def is_cost(column):
    """Seconds; and what several processes move in memory, who compute some cells more than once."""
    return column.endswith("seconds") or column in ("bytes", "share_of_copy")


def table(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    kept = [i for i, name in enumerate(rows[0]) if not is_cost(name)] if rows else []
    return [[row[i] for i in kept if i < len(row)] for row in rows]


def difference(path, other):
    if not other.exists():
        return "is not there"
    if path.suffix != ".csv":
        return None if path.read_bytes() == other.read_bytes() else "has other bytes"
    ours, theirs = table(path), table(other)
    for number, (row, their_row) in enumerate(zip(ours, theirs), 1):
        for name, value, their_value in zip(ours[0], row, their_row):
            if value != their_value:
                return f"line {number}, {name}: {their_value}, expected {value}"
    return None if len(ours) == len(theirs) else f"has {len(theirs)} lines, expected {len(ours)}"


def main(first, *others):
    first = pathlib.Path(first)
    files = [path for path in sorted(first.rglob("[!.]*")) if path.is_file() and path.suffix not in LEFT_OUT]
    found = [f"{pathlib.Path(other) / path.relative_to(first)}: {what}" for other in others for path in files
             if (what := difference(path, pathlib.Path(other) / path.relative_to(first)))]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found or not files else 0


sys.exit(main(*sys.argv[1:]))
