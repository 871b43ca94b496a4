"""The columns of a CSV file."""

import csv
import math


def read_columns(path):
    """{name: [number or nan]} of a CSV file; text columns stay text."""
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))

    def number(text):
        return float(text) if text else math.nan

    columns = {}
    for name in rows[0] if rows else []:
        try:
            columns[name] = [number(row[name]) for row in rows]
        except ValueError:
            columns[name] = [row[name] for row in rows]
    return columns
